/* Private to the direct kernel of resize on CUDA: its parameters, and the weights in shared memory,
 * in the order of matrix products (resize_rows.cuh). */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_TASK_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_TASK_CUH

#include "kernels/resize/cuda/resize_down.cuh"
#include "kernels/resize/cuda/resize_weights.cuh"

namespace resize
{

/* Number of warps per block. It is smaller for formats whose sums need many registers. */
template <typename K> constexpr int DIRECT_WARPS = K::ALPHA || (K::WIDE && K::CHANNELS > 1) ? 4 : 8;
template <typename K> constexpr int DIRECT_THREADS = DIRECT_WARPS<K> * 32;

/* Largest number of chunks (16 source rows) from which BAND result rows are computed, and of pairs
 * (16 result columns) per warp. */
constexpr int32_t ROW_CHUNKS_MOST = 2, PAIRS_MOST = 4;

struct DirectTask {
    Task base;
    int32_t pairs; /* number of pairs (16 result columns) per warp (ImgResizeDirect.warp_pairs) */
    /* largest number of source rows by which the window of a block advances from one step (BAND
     * result rows) to the next */
    int32_t advance;
    /* words of vertical weights per step (BAND result rows), and of horizontal weights per warp */
    int32_t down_words, across_words;
    int32_t piece_bits; /* log2 of the number of lanes that write one row of a warp */
};

/* Weights of one axis, in device memory. */
template <typename K> struct AxisWeights {
    const int32_t *first;
    const void *weights;
    int32_t taps, count;

    /* Loads the weights that four source samples have in new sample `i`. The four are `sample` and
     * every `step`-th sample after it. Source samples without a weight get 0. */
    __device__ void load(int32_t i, int32_t sample, int step, uint32_t (&weight)[4]) const
    {
        const int32_t inside = min(max(i, 0), count - 1);
        const int32_t tap = sample - __ldg(first + inside), most = inside == i ? taps : 0;
        const ptrdiff_t at = (ptrdiff_t)inside * taps + tap;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            weight[k] = 0;
            if ((uint32_t)(tap + k * step) < (uint32_t)most)
                weight[k] =
                    (uint32_t)(K::WIDE
                                   ? __ldg(static_cast<const int32_t *>(weights) + (at + k * step))
                                   : __ldg(static_cast<const int16_t *>(weights) +
                                           (at + k * step)));
        }
    }
};

/* Splits four weights into bytes. Stores a word for each byte weight (power of 256); the words are
 * `apart` words from each other. */
template <typename K>
__device__ inline void put_weights(const uint32_t (&weight)[4], uint32_t *to, int apart)
{
#pragma unroll
    for (int b = 0; b < K::WEIGHT; b++)
        to[b * apart] = four_bytes(weight, b);
}

/* Computes the vertical weights for the BAND result rows from `row` on and the source rows from
 * `base` on. Lane 4 g + q gets the weights of result rows g and g + 8. These weights belong to
 * every fourth source row of a chunk, beginning with row q. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_row_weights(const DirectTask &task, int32_t row, int32_t base,
                                        uint32_t *words)
{
    const Task &own = task.base;
    const AxisWeights<K> weights = {own.first(own.down_first_at), own.first(own.down_weights_at),
                                    own.down_taps, own.down.count};
    /* the last threads do this, because the first ones are loading rows */
    for (int t = DIRECT_THREADS<K> - 1 - (int)threadIdx.x; t < ROW_CHUNKS * 64;
         t += DIRECT_THREADS<K>) {
        const int lane = t % 32, half = t / 32 % 2, chunk = t / 64;
        uint32_t weight[4];
        weights.load(row + lane / 4 + 8 * half, base + 16 * chunk + lane % 4, 4, weight);
        put_weights<K>(weight, words + (chunk * K::WEIGHT * 32 + lane) * 2 + half, 64);
    }
}

/* Computes the horizontal weights for the columns of a warp from `column` on and the source columns
 * from `left` on. Let n = g / 2 * 4 + g % 2. Lane 4 g + q computes result column n for the first
 * half of a pair and result column n + 2 for the other half. As a result lane q sums columns 4 q to
 * 4 q + 3. Its source columns are 4 q to 4 q + 3 of each half of a chunk. */
template <typename K>
__device__ inline void make_column_weights(const DirectTask &task, int32_t column, int32_t left,
                                           uint32_t *words)
{
    const Task &own = task.base;
    const AxisWeights<K> weights = {own.first(own.across_first_at),
                                    own.first(own.across_weights_at), own.across_taps,
                                    own.across.count};
    const int lane = (int)threadIdx.x % 32, g = lane / 4, q = lane % 4;
#pragma unroll 4
    for (int t = 0; t < task.pairs * 4; t++) {
        const int part = t % 2, half = t / 2;
        const int32_t i = column + half / 2 * BAND + g / 2 * 4 + half % 2 * 2 + g % 2;
        uint32_t weight[4];
        weights.load(i, left + part * 16 + 4 * q, 1, weight);
        put_weights<K>(weight, words + (t / 2 * K::WEIGHT * 32 + lane) * 2 + part, 64);
    }
}

} // namespace resize

#endif
