/* The values of cells. A cell holds one byte of the inflated stream: the byte itself, or a
 * reference to an earlier byte. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

/* A value below CELLS_OF_BYTES is a byte. A value from CELL_COPY on is a copy of the byte at
 * distance value - CELL_COPY + 1: before this byte or, once its tile is resolved, before the start
 * of the tile. Values between occur only while a tile is being resolved: a copy of a cell of the
 * same tile. */
constexpr uint32_t CELLS_OF_BYTES = 256, CELL_COPY = 0x8000, MOST_BACK = 0x8000;
static_assert(CELLS_OF_BYTES + DECODE_TILE <= CELL_COPY, "a tile's cells have numbers");

#endif
