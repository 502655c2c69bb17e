/* Stages of point operations on pixels in registers. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_STAGES_CUH
#define IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_STAGES_CUH

#include "kernels/core/point/cuda/point_pixels.cuh"
#include "kernels/core/point/point_arithmetic.h"

namespace
{

constexpr int LANES = 32, ENTRIES = 256;

/* A table of bytes: a word for every value holds what all channels make of it, and each lane has a
 * column of its own, its own bank, so that no two lanes ever wait for each other. */
__device__ void fill_columns(const ImgPointStage &stage, const uint16_t *tables, uint32_t *columns)
{
    const int32_t entries = 1 << stage.from_bits;
    for (int32_t v = (int32_t)threadIdx.x; v < ENTRIES; v += (int32_t)blockDim.x) {
        uint32_t word = 0;
#pragma unroll
        for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
            const bool known = v < entries && c < stage.from && stage.table[c] >= 0;
            word |= (known ? tables[stage.table[c] + v] : (uint32_t)v) << 8 * c;
        }
        /* Each thread starts at a bank of its own. */
        for (int32_t i = 0; i < LANES; i++)
            columns[v * LANES + (i + v) % LANES] = word;
    }
    __syncthreads();
}

__device__ void change_by_column(const ImgPointStage &stage, const uint32_t *column, Pixels &pixels)
{
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
#pragma unroll
        for (int c = 0; c < IMG_POINT_CHANNELS; c++)
            if (c < stage.from)
                pixels.sample[p][c] = column[pixels.sample[p][c] * LANES] >> 8 * c & 255;
}

/* What lies past the end of a row may be no sample of few bits. */
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

/* As img_point_sum, in 32 bits. */
__device__ uint32_t narrow_sum(const ImgPointSum &sum, const uint32_t (&sample)[IMG_POINT_CHANNELS],
                               int32_t channels, int32_t shift, int32_t maximum)
{
    int32_t all = (int32_t)sum.offset;
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        all += c < channels ? sum.weight[c] * (int32_t)sample[c] : 0;
    return (uint32_t)min(max(all >> shift, 0), maximum);
}

template <int FROM, int TO>
__device__ void change_by_narrow(const ImgPointStage &stage, Pixels &pixels)
{
    const int32_t maximum = (1 << stage.from_bits) - 1;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t result[TO];
#pragma unroll
        for (int c = 0; c < TO; c++)
            result[c] = narrow_sum(stage.sum[c], pixels.sample[p], FROM, stage.shift, maximum);
#pragma unroll
        for (int c = 0; c < TO; c++)
            pixels.sample[p][c] = result[c];
    }
}

/* A node's colours in one load. */
__device__ void change_by_cube(const ImgPointStage &stage, const uint16_t *tables, Pixels &pixels)
{
    const uint2 *nodes = reinterpret_cast<const uint2 *>(tables + stage.table[0]);
    const uint32_t maximum = (1u << stage.from_bits) - 1;
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        uint32_t(&sample)[IMG_POINT_CHANNELS] = pixels.sample[p];
        const ImgPointCell cell =
            img_point_cell(sample[0], sample[1], sample[2], (uint32_t)stage.size, maximum);
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

/* Pixels in registers begin at a multiple of 8 in their row. */
__device__ void change_by_dither(const ImgPointStage &stage, const uint16_t *tables, int32_t y,
                                 Pixels &pixels)
{
    static_assert(TOGETHER == IMG_POINT_DITHER_EDGE,
                  "a pixel's place in registers is that in a row");
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
        img_point_dither_stage(&stage, tables, p, y, pixels.sample[p]);
}

__device__ void change_otherwise(const ImgPointStage &stage, Pixels &pixels)
{
#pragma unroll
    for (int p = 0; p < TOGETHER; p++) {
        if (stage.kind == IMG_POINT_MATRIX)
            img_point_matrix_stage(&stage, pixels.sample[p]);
        else
            img_point_alpha_stage(&stage, pixels.sample[p]);
    }
}

} // namespace

#endif
