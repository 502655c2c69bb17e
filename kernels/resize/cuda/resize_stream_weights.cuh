/* Private to the stream kernel of resize on CUDA: weights in shared memory, in the order of matrix
 * products (resize_rows.cuh). */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_WEIGHTS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_WEIGHTS_CUH

#include "kernels/resize/cuda/resize_down.cuh"
#include "kernels/resize/cuda/resize_stream_rows.cuh"

namespace resize
{

/* --- Weights of rows -------------------------------------------------------------------------- */

/* Weights of two adjacent source samples. The index of the first one is even: the weights of a new
 * sample begin at a source sample with an even index, and their number is even. */
template <typename K> struct TwoWeights {
    uint32_t word[K::WIDE ? 2 : 1];

    /* Loads weights `tap` and `tap` + 1 of a new sample that has `taps` weights; loads zeros if
     * `tap` is not below `taps`. `at` is the index of its weight 0 in `weights`. */
    __device__ void load(const void *weights, int32_t at, uint32_t tap, uint32_t taps)
    {
        const uint8_t *from = static_cast<const uint8_t *>(weights) +
                              (ptrdiff_t)(at + (int32_t)tap) * (K::WIDE ? 4 : 2);
        word[0] = word[K::WIDE ? 1 : 0] = 0;
        if (tap < taps && K::WIDE) {
            const uint2 two = __ldg(reinterpret_cast<const uint2 *>(from));
            word[0] = two.x;
            word[K::WIDE ? 1 : 0] = two.y;
        } else if (tap < taps) {
            word[0] = __ldg(reinterpret_cast<const uint32_t *>(from));
        }
    }

    __device__ uint32_t first() const
    {
        return word[0];
    }

    __device__ uint32_t second() const
    {
        return K::WIDE ? word[K::WIDE ? 1 : 0] : word[0] >> 16;
    }
};

/* Weights of four source rows for one result row, split into bytes as in DownWeights. Of 16 source
 * rows, lane 4 g + q has rows 2 q, 2 q + 1, 2 q + 8 and 2 q + 9, in the order of load_columns. */
template <typename K> struct RowWeights {
    int32_t row, first; /* index of the result row; first source row with a weight in it */
    TwoWeights<K> upper, lower;

    /* Sets the result row of item `t` of the band that begins at result row `band`. An item is the
     * four weights of one lane. */
    __device__ void find(const Task &own, int32_t band, int t)
    {
        row = band + t % 32 / 4 + t / 32 % 2 * 8;
        first = __ldg(own.first(own.down_first_at) + min(row, own.down.count - 1));
    }

    /* Loads the weights of item `t`, where source rows count from `base` on. */
    __device__ void load(const Task &own, int32_t base, int t)
    {
        const void *weights = own.first(own.down_weights_at);
        const uint32_t taps = row < own.down.count ? (uint32_t)own.down_taps : 0;
        const uint32_t tap = (uint32_t)(base + t / 64 * 16 + t % 4 * 2 - first);
        upper.load(weights, row * own.down_taps, tap, taps);
        lower.load(weights, row * own.down_taps, tap + 8, taps);
    }

    __device__ void put(uint32_t *words, int t) const
    {
        const int step = t / 64;
        const uint32_t four[4] = {upper.first(), upper.second(), lower.first(), lower.second()};
        uint32_t *to =
            words + (step / 2 * (K::WEIGHT * 32) + t % 32) * 4 + step % 2 * 2 + t / 32 % 2;
#pragma unroll
        for (int b = 0; b < K::WEIGHT; b++)
            to[b * 128] = four_bytes(four, b);
    }
};

__device__ inline int count_row_weights(const StreamTask &task)
{
    return (task.plan.steps + 1) / 2 * 128;
}

/* Computes the weights of the band, for rows of the result from `row` on and rows of the source
 * from `base` on. `threads` threads call the function. Each computes every `threads`-th item,
 * beginning with item `from`. */
template <typename K>
__device__ inline void make_band_weights(const StreamTask &task, int32_t row, int32_t base,
                                         uint32_t *words, int from, int threads)
{
    constexpr int TOGETHER = 4;
    const int count = count_row_weights(task);
#pragma unroll 1
    for (; from < count; from += TOGETHER * threads) {
        RowWeights<K> weights[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            weights[i].find(task.base, row, from + i * threads);
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            weights[i].load(task.base, base, from + i * threads);
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            if (from + i * threads < count)
                weights[i].put(words, from + i * threads);
    }
}

/* --- Weights of columns ----------------------------------------------------------------------- */

/* HALVES is the number of products per tile; a product has 8 columns of the result. With two
 * products, lane 4 g + q sums columns 4 q to 4 q + 3 of the tile. With one product it sums columns
 * 2 q and 2 q + 1. */
template <typename K> constexpr int HALVES = K::WIDE || K::ALPHA ? 1 : 2;
template <typename K> constexpr int TILE = 8 * HALVES<K>;

/* Returns the first source column that the result columns from `column` on need, rounded down to a
 * multiple of 16. */
template <typename K>
__device__ inline int32_t stream_window(const StreamTask &task, int32_t column)
{
    const int32_t inside = min(max(column, 0), task.columns - 1) / BESIDE<K>;
    return (__ldg(task.base.first(task.base.across_first_at) + inside) * BESIDE<K>)&~15;
}

/* Number of words that the weights of one chunk of a tile take. */
template <typename K> constexpr int CHUNK_WORDS = HALVES<K> *K::WEIGHT * 64;

/* Returns the offset in bytes at which the weights of column `column` of a tile begin. A lane has
 * two adjacent words for each byte weight (power of 256), in ascending order. */
template <typename K> __device__ inline int weights_of_column(int column)
{
    const int half = HALVES<K> == 2 ? column / 2 % 2 : 0;
    const int g = HALVES<K> == 2 ? column / 4 * 2 + column % 2 : column;
    return half * (K::WEIGHT * 256) + g * (K::WEIGHT * 32);
}

/* Returns the offset in bytes, to be added to weights_of_column, for source column `at` of a
 * window. */
template <typename K> __device__ inline int weight_of_source(int at)
{
    const int k = at % 16, q = K::WIDE ? k % 8 / 2 : k / 4;
    return at / 32 * (CHUNK_WORDS<K> * 4) + q * (K::WEIGHT * 8) + at % 32 / 16 * 4 +
           (K::WIDE ? k / 8 * 2 + k % 2 : k % 4);
}

/* Computes the horizontal weights of a strip. A thread loads TOGETHER pairs of weights long before
 * it stores them, so that it does not wait for memory. */
template <typename K> struct StripWeights {
    static constexpr int TOGETHER = 2;
    int32_t column, left; /* first result column of the strip; first source column of the strip */
    /* first result pixel of the strip; number of pairs of weights in the strip */
    int32_t begin, count;
    int32_t first[TOGETHER];
    TwoWeights<K> two[TOGETHER];

    /* Prepares to compute the weights of the strip that begins at result column `column_`. */
    __device__ StripWeights(const StreamTask &task, int32_t column_)
        : column(column_), left(stream_window<K>(task, column_)), begin(max(column_, 0) / BESIDE<K>)
    {
        const int32_t last = (column + task.plan.tiles * TILE<K> - 1) / BESIDE<K>;
        count = (min(last + 1, task.base.across.count) - begin) * (int32_t)task.pairs.by;
    }

    /* Loads TOGETHER pairs of weights in each thread, from pair `from` of the strip on. */
    __device__ void load(const StreamTask &task, int from)
    {
        const Task &own = task.base;
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const int t = from + (int)threadIdx.x + i * (int)blockDim.x;
            const int pixel = begin + (int)task.pairs.divide((uint32_t)t);
            first[i] = t < count ? __ldg(own.first(own.across_first_at) + pixel) : 0;
            two[i].load(own.first(own.across_weights_at), begin * own.across_taps,
                        (uint32_t)(2 * t), (uint32_t)(2 * count));
        }
    }

    __device__ void put_one(const ImgResizeStream &plan, int at, uint32_t weight,
                            uint8_t *bytes) const
    {
        uint8_t *to = bytes + weight_of_source<K>(at);
#pragma unroll
        for (int b = 0; b < K::WEIGHT; b++)
            if (at < plan.chunks * 32) /* later columns have only zero weights */
                to[b * 8] = (uint8_t)(weight >> 8 * b);
    }

    /* Stores the pairs of weights that `load` has loaded. The bytes must be 0 before. `windows` has
     * the starts of the windows of the strip's tiles, relative to `left`. */
    __device__ void put(const StreamTask &task, int from, const int32_t *windows,
                        uint8_t *bytes) const
    {
        const Divisor &pairs = task.pairs;
        const int tile_bytes = task.plan.chunks * (CHUNK_WORDS<K> * 4);
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const int t = from + (int)threadIdx.x + i * (int)blockDim.x;
            const int pixel = (int)pairs.divide((uint32_t)t);
            const int source = (first[i] + (t - pixel * (int)pairs.by) * 2) * BESIDE<K> - left;
#pragma unroll
            for (int c = 0; c < BESIDE<K>; c++) {
                const int n = (begin + pixel) * BESIDE<K> + c - column, tile = n / TILE<K>;
                if (t < count && n >= 0 && tile < task.plan.tiles) {
                    const int at = source + c - windows[tile];
                    uint8_t *to = bytes + tile * tile_bytes + weights_of_column<K>(n % TILE<K>);
                    put_one(task.plan, at, two[i].first(), to);
                    put_one(task.plan, at + BESIDE<K>, two[i].second(), to);
                }
            }
        }
    }

    __device__ void put_all(const StreamTask &task, const int32_t *windows, uint8_t *bytes)
    {
#pragma unroll 1
        for (int from = 0; from < count; from += TOGETHER * (int)blockDim.x) {
            if (from > 0)
                load(task, from);
            put(task, from, windows, bytes);
        }
    }
};

} // namespace resize

#endif
