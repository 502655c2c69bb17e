/* Private to the fast resize on CUDA: weights in shared memory, as products of matrices take them.
 */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_WEIGHTS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_WEIGHTS_CUH

#include "kernels/resize/cuda/resize_fast.cuh"

namespace resize
{

/* What new sample `i` takes of sample `at`; samples that are not made take nothing. */
template <typename K>
__device__ inline int32_t weight_of(const void *weights, const int32_t *first, int32_t taps,
                                    int32_t count, int32_t i, int32_t at)
{
    if (i < 0 || i >= count)
        return 0;
    const int32_t tap = at - __ldg(first + i);
    if (tap < 0 || tap >= taps)
        return 0;
    const size_t number = (size_t)i * (size_t)taps + (size_t)tap;
    return K::WIDE ? __ldg(static_cast<const int32_t *>(weights) + number)
                   : __ldg(static_cast<const int16_t *>(weights) + number);
}

/* Rows of weights of the BAND new rows from `row` on, for source rows from `base` on. A chunk of 32
 * of these has 4 words for each lane and byte of a weight; along half a chunk rows come in the
 * order 2 q, 2 q + 1, 2 q + 8, 2 q + 9, in which load_rows has them. */
template <typename K>
__device__ inline void make_down(const Task &task, int32_t row, int32_t base, uint32_t *words)
{
    const int32_t *first = task.first(task.down_first_at);
    const void *weights = task.first(task.down_weights_at);
    for (int i = (int)threadIdx.x; i < task.layout.rows * 4; i += THREADS) {
        const int chunk = i / 128, lane = i / 4 % 32, part = i % 4;
        const int32_t own = row + lane / 4 + part % 2 * 8;
        const int32_t at = base + chunk * 32 + part / 2 * 16 + lane % 4 * 2;
        uint32_t word[K::WEIGHT] = {};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t weight = (uint32_t)weight_of<K>(
                weights, first, task.down_taps, task.down.count, own, at + k % 2 + k / 2 * 8);
#pragma unroll
            for (int b = 0; b < K::WEIGHT; b++)
                word[b] |= (weight >> 8 * b & 0xff) << 8 * k;
        }
#pragma unroll
        for (int b = 0; b < K::WEIGHT; b++)
            words[(chunk * K::WEIGHT + b) * 128 + i % 128] = word[b];
    }
}

/* The first source column of a group's window, a multiple of 4; `column` is the group's first. */
__device__ inline int32_t window_of(const Task &task, int32_t column)
{
    const int32_t inside = min(max(column, 0), task.across.count - 1);
    return __ldg(task.first(task.across_first_at) + inside) & ~3;
}

/* Columns of weights of a strip's groups, whose first column is `column`. A lane has two words for
 * each byte of a weight and each half of a group; of the columns of results it has 4 q to
 * 4 q + 3, two in each half. */
template <typename K>
__device__ inline void make_across(const Task &task, int32_t column, uint32_t *words)
{
    const int32_t *first = task.first(task.across_first_at);
    const void *weights = task.first(task.across_weights_at);
    const int chunks = (task.layout.chunks + 1) / 2, each = chunks * 2 * 64;
    for (int i = (int)threadIdx.x; i < task.layout.groups * each; i += THREADS) {
        const int group = i / each, chunk = i % each / 128, half = i / 64 % 2;
        const int lane = i / 2 % 32, g = lane / 4;
        const int32_t own = column + group * BAND + g / 2 * 4 + g % 2 + 2 * half;
        const int32_t at =
            window_of(task, column + group * BAND) + chunk * 32 + i % 2 * 16 + lane % 4 * 4;
        uint32_t word[K::WEIGHT] = {};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const uint32_t weight = (uint32_t)weight_of<K>(weights, first, task.across_taps,
                                                           task.across.count, own, at + k);
#pragma unroll
            for (int b = 0; b < K::WEIGHT; b++)
                word[b] |= (weight >> 8 * b & 0xff) << 8 * k;
        }
#pragma unroll
        for (int b = 0; b < K::WEIGHT; b++)
            words[((i / 64) * K::WEIGHT + b) * 64 + i % 64] = word[b];
    }
}

} // namespace resize

#endif
