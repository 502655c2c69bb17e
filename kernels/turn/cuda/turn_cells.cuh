/* Private to the turn family: transposes pixels in registers, for the fast CUDA version of
 * transposes.
 *
 * A cell is the part of a destination row that comes from one source column in a few neighbouring
 * rows. It has 4 bytes for 4 rows of 1-byte pixels, 2 rows of 2-byte pixels or 1 row of 4-byte
 * pixels. It has 8 bytes for 1 row of 8-byte pixels, and 12 bytes for 4 rows of 3-byte pixels or 2
 * rows of 6-byte pixels. A thread reads ROWS rows of PIECES times 16 bytes, and converts them to
 * COLUMNS cells of WORDS words. */
#ifndef IMGTOOL_KERNELS_TURN_CUDA_TURN_CELLS_CUH
#define IMGTOOL_KERNELS_TURN_CUDA_TURN_CELLS_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

template <int BYTES> struct Cell {
    static constexpr bool TRIPLE = BYTES % 3 == 0;
    static constexpr int WORDS = TRIPLE ? 3 : (BYTES == 8 ? 2 : 1);
    static constexpr int ROWS = 4 * WORDS / BYTES;
    static constexpr int PIECES = TRIPLE ? 3 : 1;
    static constexpr int COLUMNS = 16 * PIECES / BYTES;
    using Rows = uint32_t[ROWS][4 * PIECES];
    using Columns = uint32_t[COLUMNS][WORDS];
};

/* Converts rows to cells. It is specialised below for every pixel size. */
template <int BYTES>
__device__ void turn_cells(const typename Cell<BYTES>::Rows &in,
                           typename Cell<BYTES>::Columns &out);

/* Transposes 4 x 4 bytes at a time. It first interleaves pairs of rows, and then pairs of these
 * pairs. */
template <> __device__ inline void turn_cells<1>(const Cell<1>::Rows &in, Cell<1>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t top_low = __byte_perm(in[0][k], in[1][k], 0x5140);
        uint32_t top_high = __byte_perm(in[0][k], in[1][k], 0x7362);
        uint32_t bottom_low = __byte_perm(in[2][k], in[3][k], 0x5140);
        uint32_t bottom_high = __byte_perm(in[2][k], in[3][k], 0x7362);
        out[4 * k][0] = __byte_perm(top_low, bottom_low, 0x5410);
        out[4 * k + 1][0] = __byte_perm(top_low, bottom_low, 0x7632);
        out[4 * k + 2][0] = __byte_perm(top_high, bottom_high, 0x5410);
        out[4 * k + 3][0] = __byte_perm(top_high, bottom_high, 0x7632);
    }
}

template <> __device__ inline void turn_cells<2>(const Cell<2>::Rows &in, Cell<2>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        out[2 * k][0] = __byte_perm(in[0][k], in[1][k], 0x5410);
        out[2 * k + 1][0] = __byte_perm(in[0][k], in[1][k], 0x7632);
    }
}

template <> __device__ inline void turn_cells<4>(const Cell<4>::Rows &in, Cell<4>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[k][0] = in[0][k];
}

template <> __device__ inline void turn_cells<8>(const Cell<8>::Rows &in, Cell<8>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 2; k++) {
        out[k][0] = in[0][2 * k];
        out[k][1] = in[0][2 * k + 1];
    }
}

/* Transposes four 3-byte pixels of each row, which are in three words. Each pixel is moved to the
 * low end of a word, whose top byte still belongs to its neighbour. Four such words are combined to
 * a cell. */
template <> __device__ inline void turn_cells<3>(const Cell<3>::Rows &in, Cell<3>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        uint32_t pixel[4][4];
#pragma unroll
        for (int y = 0; y < 4; y++) {
            uint32_t a = in[y][3 * k], b = in[y][3 * k + 1], c = in[y][3 * k + 2];
            pixel[y][0] = a;
            pixel[y][1] = __byte_perm(a, b, 0x0543);
            pixel[y][2] = __byte_perm(b, c, 0x0432);
            pixel[y][3] = c >> 8;
        }
#pragma unroll
        for (int x = 0; x < 4; x++) {
            out[4 * k + x][0] = __byte_perm(pixel[0][x], pixel[1][x], 0x4210);
            out[4 * k + x][1] = __byte_perm(pixel[1][x], pixel[2][x], 0x5421);
            out[4 * k + x][2] = __byte_perm(pixel[2][x], pixel[3][x], 0x6542);
        }
    }
}

/* Transposes two 6-byte pixels of each row, which are in three words. */
template <> __device__ inline void turn_cells<6>(const Cell<6>::Rows &in, Cell<6>::Columns &out)
{
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const uint32_t *p = &in[0][3 * k], *q = &in[1][3 * k];
        out[2 * k][0] = p[0];
        out[2 * k][1] = __byte_perm(p[1], q[0], 0x5410);
        out[2 * k][2] = __byte_perm(q[0], q[1], 0x5432);
        out[2 * k + 1][0] = __byte_perm(p[1], p[2], 0x5432);
        out[2 * k + 1][1] = __byte_perm(p[2], q[1], 0x7632);
        out[2 * k + 1][2] = q[2];
    }
}

#endif
