/* Private to the fast resize on CUDA: what a warp makes in a step. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_PARTS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_PARTS_CUH

#include "kernels/resize/cuda/resize_direct_write.cuh"

namespace resize
{

/* Of a warp. */
template <typename K> struct Part {
    const uint8_t *tile; /* a lane's block of columns in row 0 */
    const uint32_t *across;
    uint8_t *out;
    int plane_bytes;
    uint32_t overlaps; /* of windows of several chunks */
    Starts starts;
    Sums across_start;
};

/* Of windows of one chunk: all channels of the middle, then pair by pair. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_single(const DirectTask &task, const Part<K> &part,
                                   const StepRows<K, ROW_CHUNKS> &rows, const Places &places)
{
    MiddleBytes<K> bytes[K::CHANNELS];
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        make_bytes<K, ROW_CHUNKS>(task, part.starts, part.tile + c * part.plane_bytes, rows,
                                  bytes[c]);
#pragma unroll 1
    for (int pair = 0; pair < task.pairs; pair++) {
        Results<K::CHANNELS> results;
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++) {
            PairSums<K> sums;
            add_columns<K, true>(task, part.across_start, sums, bytes[c],
                                 part.across + pair * (2 * K::WEIGHT * 64), 0);
            end_pair<K>(task, sums, results.value[c]);
        }
        put_pair<K>(task, results, places, pair);
    }
}

/* Of more: the middle chunk by chunk, for all pairs. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_pairs(const DirectTask &task, const Part<K> &part,
                                  const StepRows<K, ROW_CHUNKS> &rows, const Places &places)
{
    Packed<K> packed[PAIRS<K>];
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++) {
        PairSums<K> sums[PAIRS<K>];
#pragma unroll
        for (int i = 0; i < PAIRS<K>; i++)
            begin_pair<K>(sums[i], part.across_start);
#pragma unroll 1
        for (int chunk = 0; chunk < task.chunks; chunk++) {
            MiddleBytes<K> bytes;
            make_bytes<K, ROW_CHUNKS>(task, part.starts,
                                      part.tile + c * part.plane_bytes + chunk * (32 * K::SAMPLE),
                                      rows, bytes);
#pragma unroll
            for (int i = 0; i < PAIRS<K>; i++)
                if (part.overlaps >> (CHUNKS_MOST * i + chunk) & 1)
                    add_columns<K, false>(task, part.across_start, sums[i], bytes,
                                          part.across + i * task.chunks * (2 * K::WEIGHT * 64),
                                          chunk);
        }
#pragma unroll
        for (int i = 0; i < PAIRS<K>; i++) {
            int32_t value[2][4];
            end_pair<K>(task, sums[i], value);
            packed[i].take(c, value);
        }
    }
#pragma unroll
    for (int i = 0; i < PAIRS<K>; i++)
        put_packed<K>(task, packed[i], places, i);
}

/* Which chunks of columns count in which pairs, a bit each. */
template <typename K>
__device__ inline uint32_t overlaps_of(const DirectTask &task, int32_t column, int32_t window)
{
    const Task &own = task.base;
    const int32_t *first = own.first(own.across_first_at);
    uint32_t overlaps = 0;
    for (int i = 0; i < task.pairs * task.chunks; i++) {
        const int pair = i / task.chunks, chunk = i % task.chunks;
        const int32_t begin = column + pair * BAND, end = begin + BAND - 1;
        const int32_t from = __ldg(first + min(max(begin, 0), own.across.count - 1)) - window;
        const int32_t to =
            __ldg(first + min(max(end, 0), own.across.count - 1)) - window + own.across_taps;
        if (to > 32 * chunk && from < 32 * chunk + 32)
            overlaps |= 1u << (CHUNKS_MOST * pair + chunk);
    }
    return overlaps;
}

template <typename K> __device__ inline void set_starts(const DirectTask &task, Part<K> &part)
{
    const uint32_t start = K::WIDE ? WIDE_START_OF_4 : task.base.end_start;
#pragma unroll
    for (int i = 0; i < 4; i++)
        part.starts.none[i] = 0;
    if (K::WIDE) {
        set_start(part.starts.first, WIDE_FIRST);
        set_start(part.starts.second, WIDE_THIRD);
    }
    set_start(part.across_start, start);
}

} // namespace resize

#endif
