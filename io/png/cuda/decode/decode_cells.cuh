/* The values of cells. A cell holds one byte of the inflated stream: the byte itself, or a
 * reference to an earlier byte. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

/* A value below CELLS_OF_BYTES is a byte. A value of CELL_COPY or more is a copy of the byte at
 * distance value - CELL_COPY + 1. This distance counts back from the cell itself or, after its tile
 * (decode_copies.cu) was resolved, from the start of the tile.
 *
 * Values from CELLS_OF_BYTES to CELL_COPY - 1 occur only while a tile is being resolved. Such a
 * value refers to the cell with index value - CELLS_OF_BYTES in the same tile. */
constexpr uint32_t CELLS_OF_BYTES = 256, CELL_COPY = 0x8000, MOST_BACK = 0x8000;
static_assert(CELLS_OF_BYTES + DECODE_TILE <= CELL_COPY, "a tile's cells have numbers");

#endif
