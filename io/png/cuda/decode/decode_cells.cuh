/* The values of cells. A cell holds one byte of the inflated stream: the byte itself, or a
 * reference to an earlier byte. */
#ifndef IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH
#define IMGTOOL_IO_PNG_CUDA_DECODE_DECODE_CELLS_CUH

#include "io/png/cuda/decode/decode_bits.cuh"

/* A value below CELLS_OF_BYTES is a byte. A value of CELL_COPY or more means a copy of the byte at
 * distance value - CELL_COPY + 1. The distance counts back from this byte or, once its tile
 * (decode_copies.cu) is resolved, from the start of the tile. Values between them occur only while
 * a tile is being resolved: value - CELLS_OF_BYTES is the index of a cell in the same tile. */
constexpr uint32_t CELLS_OF_BYTES = 256, CELL_COPY = 0x8000, MOST_BACK = 0x8000;
static_assert(CELLS_OF_BYTES + DECODE_TILE <= CELL_COPY, "a tile's cells have numbers");

#endif
