/* Stages of point operations on pixels in registers, with the arithmetic of point_arithmetic.h.
 * Data that all pixels of a thread need is read only once. Divisors are compile-time constants. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_STAGES_CUH
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_STAGES_CUH

#include "kernels/point/cuda/point_pixels.cuh"
#include "kernels/point/point_arithmetic.h"

namespace
{

/* Applies a stage of tables to all pixels of the thread. The thread may also have read bytes past
 * the end of a row, whose values may exceed the number of table entries. So values are masked. */
__device__ void change_by_tables(const ImgPointStage &stage, const uint16_t *tables, Pixels &pixels)
{
    const uint32_t mask = (1u << stage.from_bits) - 1;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
        if (c >= stage.from || stage.table[c] < 0)
            continue;
        const uint16_t *table = tables + stage.table[c];
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
            pixels.sample[p][c] = __ldg(table + (pixels.sample[p][c] & mask));
    }
}

/* Computes one row of a matrix for all pixels of the thread, clamped to valid samples. Sum must be
 * int64_t unless all sums fit 32 bits. After the shift every sum fits 32 bits, because weights are
 * below 128 and offsets below 1024. */
template <typename Sum>
__device__ void matrix_row(const ImgPointStage &stage, int row, const Pixels &pixels,
                           uint32_t (&result)[TOGETHER])
{
    const ImgPointSum &own = stage.sum[row];
    Sum sum[TOGETHER];
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        sum[p] = (Sum)own.offset;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
        if (c >= stage.from)
            break;
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
            sum[p] += (Sum)own.weight[c] * (Sum)(int32_t)pixels.sample[p][c];
    }
    const int32_t maximum = (1 << stage.from_bits) - 1;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        result[p] = (uint32_t)min(max((int32_t)(sum[p] >> stage.shift), 0), maximum);
}

template <typename Sum> __device__ void change_by_matrix(const ImgPointStage &stage, Pixels &pixels)
{
    uint32_t result[IMG_POINT_CHANNELS][TOGETHER];
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        if (c < stage.to)
            matrix_row<Sum>(stage, c, pixels, result[c]);
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
            if (c < stage.to)
                pixels.sample[p][c] = result[c][p];
}

template <uint32_t MAXIMUM>
__device__ void change_by_alpha(const ImgPointStage &stage, Pixels &pixels)
{
    const bool is_gray = stage.from == 2;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t(&sample)[IMG_POINT_CHANNELS] = pixels.sample[p];
        const uint32_t alpha = is_gray ? sample[1] : sample[3];
#pragma unroll
        for (int c = 0; c + 1 < IMG_POINT_CHANNELS; c++) {
            if (c > 0 && is_gray)
                continue;
            if (stage.kind == IMG_POINT_OVER)
                sample[c] = img_point_over(sample[c], stage.background[c], alpha, MAXIMUM);
            else if (stage.kind == IMG_POINT_PREMULTIPLY)
                sample[c] = img_point_share(sample[c], alpha, MAXIMUM);
            else
                sample[c] = img_point_unshare(sample[c], alpha, MAXIMUM);
        }
    }
}

/* Applies a lattice of colours to all pixels of the thread. One load reads all colours of a
 * node. */
template <uint32_t MAXIMUM>
__device__ void change_by_cube(const ImgPointStage &stage, const uint16_t *tables, Pixels &pixels)
{
    const uint2 *nodes = reinterpret_cast<const uint2 *>(tables + stage.table[0]);
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t(&sample)[IMG_POINT_CHANNELS] = pixels.sample[p];
        const ImgPointCell cell =
            img_point_cell(sample[0], sample[1], sample[2], (uint32_t)stage.size, MAXIMUM);
        uint32_t sum[3] = {0, 0, 0};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint2 node = __ldg(nodes + cell.node[k]);
            sum[0] += cell.weight[k] * (node.x & 0xFFFF);
            sum[1] += cell.weight[k] * (node.x >> 16);
            sum[2] += cell.weight[k] * (node.y & 0xFFFF);
        }
#pragma unroll
        for (int c = 0; c < 3; c++)
            sample[c] = img_point_cube_rounded(sum[c]);
    }
}

/* Applies dithering to all pixels of the thread. The first pixel is in column `x` of row `y`. */
__device__ void change_by_dither(const ImgPointStage &stage, const uint16_t *tables, int64_t x,
                                 int64_t y, Pixels &pixels)
{
    const int32_t place = (int32_t)(x % IMG_POINT_DITHER_EDGE);
    const int32_t line = (int32_t)(y % IMG_POINT_DITHER_EDGE);
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        img_point_dither_stage(&stage, tables, place + p, line, pixels.sample[p]);
}

} // namespace

#endif
