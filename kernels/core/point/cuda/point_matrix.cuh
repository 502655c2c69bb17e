/* A matrix of bytes whose sums fit 32 bits, as kernels get it, and its arithmetic: as
 * img_point_sum, two results at a time. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_MATRIX_CUH
#define IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_MATRIX_CUH

#include "kernels/core/point/cuda/point_columns.cuh"

/* TO results of three samples each, with 16 binary places. */
template <int TO> struct PointWeights {
    int32_t weight[TO][3], offset[TO];

    __device__ int32_t sum(int c, const uint32_t *sample) const
    {
        return offset[c] + weight[c][0] * (int32_t)sample[0] + weight[c][1] * (int32_t)sample[1] +
               weight[c][2] * (int32_t)sample[2];
    }
};

template <int TO> PointWeights<TO> point_weights_of(const ImgPointStage *matrix)
{
    PointWeights<TO> weights;
    for (int i = 0; i < TO; i++) {
        for (int c = 0; c < 3; c++)
            weights.weight[i][c] = matrix->sum[i].weight[c];
        weights.offset[i] = (int32_t)matrix->sum[i].offset;
    }
    return weights;
}

/* Two sums without their places, from 0 to 255 each, in the halves of a word. */
__device__ inline uint32_t point_clamped(int32_t low, int32_t high)
{
#if __CUDA_ARCH__ >= 900
    const uint32_t both = __byte_perm((uint32_t)low, (uint32_t)high, 0x7632);
    return __vimin_s16x2_relu(both, 0x00FF00FF);
#else
    return (uint32_t)min(max(low >> 16, 0), 255) | (uint32_t)min(max(high >> 16, 0), 255) << 16;
#endif
}

/* Where a table before the matrix comes from. */
enum PointBefore { POINT_NO_TABLE, POINT_ONE_TABLE, POINT_TABLES };

/* Sample I of pixels that begin with the first byte of `words`, past the table. */
template <PointBefore BEFORE, int I>
__device__ uint32_t point_sample(const uint32_t *words, const uint32_t *shared, uint32_t own)
{
    constexpr int BYTE = I % 4;
    const uint32_t word = words[I / 4];
    if (BEFORE == POINT_NO_TABLE)
        return word >> 8 * BYTE & 0xFF;
    const uint32_t entry = point_entry<BYTE>(shared, own, word);
    return BEFORE == POINT_ONE_TABLE ? entry : entry >> I % 3 * 8 & 0xFF;
}

/* The three samples of pixel P. */
template <PointBefore BEFORE, int P>
__device__ void point_pixel(const uint32_t *words, const uint32_t *shared, uint32_t own,
                            uint32_t (&sample)[3])
{
    sample[0] = point_sample<BEFORE, 3 * P>(words, shared, own);
    sample[1] = point_sample<BEFORE, 3 * P + 1>(words, shared, own);
    sample[2] = point_sample<BEFORE, 3 * P + 2>(words, shared, own);
}

/* Columns of the table after lie behind those of the one before. */
template <PointBefore BEFORE> __device__ constexpr int point_after_at()
{
    return BEFORE == POINT_NO_TABLE ? 0 : POINT_COLUMN_BYTES / 4;
}

/* Calls launch(before, after) with Constants: a PointBefore, and 1 if there is a table after. */
template <int VALUE_> struct PointConstant {
    static constexpr int VALUE = VALUE_;
};

template <typename Launch, typename Before>
ImgStatus point_with_after(const ImgPointStage *after, Before before, Launch launch)
{
    return after != nullptr ? launch(before, PointConstant<1>())
                            : launch(before, PointConstant<0>());
}

template <typename Launch>
ImgStatus point_with_tables(const ImgPointStage *before, const ImgPointStage *after, Launch launch)
{
    if (before == nullptr)
        return point_with_after(after, PointConstant<POINT_NO_TABLE>(), launch);
    return point_is_one_table(before)
               ? point_with_after(after, PointConstant<POINT_ONE_TABLE>(), launch)
               : point_with_after(after, PointConstant<POINT_TABLES>(), launch);
}

#endif
