/* What a cell says, of those that stand for the bytes of the stream. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

/* Below CELLS_OF_BYTES a byte. From CELL_COPY on a copy: of the byte that stands so many bytes, and
 * one, before it; or, once a tile has been resolved, before the start of the tile. Between them,
 * while it is being resolved: a copy of a cell of the same tile. */
constexpr uint32_t CELLS_OF_BYTES = 256, CELL_COPY = 0x8000, MOST_BACK = 0x8000;
static_assert(CELLS_OF_BYTES + DECODE_TILE <= CELL_COPY, "a tile's cells have numbers");

#endif
