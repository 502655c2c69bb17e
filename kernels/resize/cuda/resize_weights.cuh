/* Private to the fast resize on CUDA: stores weights in shared memory, in the order of matrix
 * products (resize_rows.cuh). */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_WEIGHTS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_WEIGHTS_CUH

#include "kernels/resize/cuda/resize_rows.cuh"

namespace resize
{

/* Sets `bytes` bytes of weights in shared memory to zero. All threads of the block must call it. */
__device__ inline void clear_words(uint32_t *words, int bytes, int threads = THREADS)
{
    for (int i = (int)threadIdx.x; i < bytes / WIDE_BYTES; i += threads)
        reinterpret_cast<uint4 *>(words)[i] = make_uint4(0, 0, 0, 0);
}

/* Calls `put(i, sample, weight)` for each weight of each new sample i, from `from` to `end` - 1.
 * `sample` is the source sample of the weight. */
template <typename K, typename Put>
__device__ inline void each_weight(const int32_t *first, const void *weights, int32_t taps,
                                   int32_t from, int32_t end, Put put)
{
    const int lanes = taps > 16 ? 32 : taps > 8 ? 16 : 8;
    for (int32_t i = from + (int32_t)threadIdx.x / lanes; i < end; i += THREADS / lanes) {
        const int32_t own = __ldg(first + i);
        for (int32_t tap = (int32_t)threadIdx.x % lanes; tap < taps; tap += lanes) {
            const size_t number = (size_t)i * (size_t)taps + (size_t)tap;
            put(i, own + tap,
                (uint32_t)(K::WIDE ? __ldg(static_cast<const int32_t *>(weights) + number)
                                   : __ldg(static_cast<const int16_t *>(weights) + number)));
        }
    }
}

/* Stores the vertical weights of the BAND result rows from `row` on, for source rows from `base`
 * on. The words must be 0 before. Each chunk of 32 source rows has 4 words for each lane and each
 * byte of a weight. Of 16 source rows, lane 4 g + q has rows 2 q, 2 q + 1, 2 q + 8 and 2 q + 9, in
 * the order of load_columns. */
template <typename K>
__device__ inline void make_down(const Task &task, int32_t row, int32_t base, uint32_t *words)
{
    each_weight<K>(
        task.first(task.down_first_at), task.first(task.down_weights_at), task.down_taps, row,
        min(row + BAND, task.down.count), [&](int32_t i, int32_t sample, uint32_t weight) {
            const int m = i - row, at = sample - base, k = at % 16;
            const int lane = m % 8 * 4 + k % 8 / 2, part = at / 16 % 2 * 2 + m / 8;
            uint8_t *to =
                reinterpret_cast<uint8_t *>(words + at / 32 * (K::WEIGHT * 128) + lane * 4 + part) +
                k / 8 * 2 + k % 2;
#pragma unroll
            for (int b = 0; b < K::WEIGHT; b++)
                if (at < task.layout.rows) /* later rows have only zero weights */
                    to[b * 512] = (uint8_t)(weight >> 8 * b);
        });
}

/* Returns the first source column of the window of a group, rounded down to a multiple of 4.
 * `column` is the group's first result column. */
__device__ inline int32_t window_of(const Task &task, int32_t column)
{
    const int32_t inside = min(max(column, 0), task.across.count - 1);
    return __ldg(task.first(task.across_first_at) + inside) & ~3;
}

/* Stores the horizontal weights of all groups of a strip. `column` is the first result column of
 * the strip. The words must be 0 before. A lane has two words for each byte of a weight and each
 * half of a group. The lane sums the result columns 4 q to 4 q + 3 (q is lane % 4), two in each
 * half. */
template <typename K>
__device__ inline void make_across(const Task &task, int32_t column, uint32_t *words)
{
    const int chunks = (task.layout.chunks + 1) / 2;
    const int32_t end = min(column + task.layout.groups * BAND, task.across.count);
    each_weight<K>(
        task.first(task.across_first_at), task.first(task.across_weights_at), task.across_taps,
        max(column, 0), end, [&](int32_t i, int32_t sample, uint32_t weight) {
            const int n = i - column, group = n / BAND, x = n % BAND, half = x / 2 % 2;
            const int at = sample - window_of(task, column + group * BAND);
            const int lane = (x / 4 * 2 + x % 2) * 4 + at % 16 / 4;
            const int block = ((group * chunks + at / 32) * 2 + half) * K::WEIGHT;
            uint8_t *to =
                reinterpret_cast<uint8_t *>(words + block * 64 + lane * 2 + at / 16 % 2) + at % 4;
#pragma unroll
            for (int b = 0; b < K::WEIGHT; b++)
                if (at < chunks * 32) /* later columns have only zero weights */
                    to[b * 256] = (uint8_t)(weight >> 8 * b);
        });
}

} // namespace resize

#endif
