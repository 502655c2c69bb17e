/* Private to the fast resize on CUDA: the task of its direct kernel, and weights in shared memory as
 * products of matrices take them (resize_bytes.cuh). */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_TASK_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_TASK_CUH

#include "kernels/resize/cuda/resize_rows.cuh"
#include "kernels/resize/cuda/resize_weights.cuh"

namespace resize
{

constexpr int DIRECT_WARPS = 4, DIRECT_THREADS = DIRECT_WARPS * 32;

struct DirectTask {
    Task base;
    int32_t pairs, chunks, row_chunks; /* as ImgResizeDirect */
    int32_t down_words, across_words;  /* of a step; of a warp */
    uint32_t down_start;               /* of narrow sums, before they are multiplied */
};

/* Weights of one axis. */
template <typename K> struct AxisWeights {
    const int32_t *first;
    const void *weights;
    int32_t taps, count;

    /* What `sample` counts in new sample `i`. */
    __device__ uint32_t of(int32_t i, int32_t sample) const
    {
        if (i < 0 || i >= count)
            return 0;
        const int32_t tap = sample - __ldg(first + i);
        const size_t at = (size_t)i * (size_t)taps + (size_t)tap;
        if (tap < 0 || tap >= taps)
            return 0;
        return (uint32_t)(K::WIDE ? __ldg(static_cast<const int32_t *>(weights) + at)
                                  : __ldg(static_cast<const int16_t *>(weights) + at));
    }
};

/* Bytes of four weights as words `apart` from one another. */
template <typename K>
__device__ inline void put_weights(const uint32_t (&weight)[4], uint32_t *to, int apart)
{
#pragma unroll
    for (int b = 0; b < K::WEIGHT; b++) {
        uint32_t word = 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            word |= (weight[i] >> 8 * b & 0xff) << 8 * i;
        to[b * apart] = word;
    }
}

/* Of the BAND new rows from `row` on, for source rows from `base` on. Lane 4 g + q has new rows g
 * and g + 8, and of a chunk of source rows every fourth from q on. */
template <typename K>
__device__ inline void make_row_weights(const DirectTask &task, int32_t row, int32_t base,
                                        uint32_t *words)
{
    const Task &own = task.base;
    const AxisWeights<K> weights = {own.first(own.down_first_at), own.first(own.down_weights_at),
                                    own.down_taps, own.down.count};
    for (int t = (int)threadIdx.x; t < task.row_chunks * 64; t += DIRECT_THREADS) {
        const int lane = t % 32, half = t / 32 % 2, chunk = t / 64;
        uint32_t weight[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            weight[i] =
                weights.of(row + lane / 4 + 8 * half, base + 16 * chunk + 4 * i + lane % 4);
        put_weights<K>(weight, words + (chunk * K::WEIGHT * 32 + lane) * 2 + half, 64);
    }
}

/* Of a warp's columns from `column` on, for source columns from `left` on. Lane 4 g + q has of the
 * halves of a pair columns g / 2 * 4 + g % 2 and 2 further on, so that it sums columns 4 q to
 * 4 q + 3; and source columns 4 q to 4 q + 3 of each half of a chunk. */
template <typename K>
__device__ inline void make_column_weights(const DirectTask &task, int32_t column, int32_t left,
                                           uint32_t *words)
{
    const Task &own = task.base;
    const AxisWeights<K> weights = {own.first(own.across_first_at),
                                    own.first(own.across_weights_at), own.across_taps,
                                    own.across.count};
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
    for (int t = 0; t < task.pairs * task.chunks * 4; t++) {
        const int part = t % 2, chunk = t / 2 % task.chunks, half = t / 2 / task.chunks;
        const int32_t i = column + half / 2 * BAND + g / 2 * 4 + half % 2 * 2 + g % 2;
        uint32_t weight[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            weight[k] = weights.of(i, left + chunk * 32 + part * 16 + 4 * q + k);
        put_weights<K>(weight, words + (t / 2 * K::WEIGHT * 32 + lane) * 2 + part, 64);
    }
}

} // namespace resize

#endif
