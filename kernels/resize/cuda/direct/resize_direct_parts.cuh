/* Private to the direct kernel of resize on CUDA: the work of a warp in one step. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_PARTS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_PARTS_CUH

#include "kernels/resize/cuda/direct/resize_direct_write.cuh"

namespace resize
{

/* Inputs, buffers and initial values of a warp. */
template <typename K> struct Part {
    const uint8_t *tile; /* position of the lane's columns in row 0 of shared memory */
    const uint32_t *across;
    uint8_t *out;
    int plane_bytes;
    Starts starts;
    Sums across_start;
};

/* Computes the middle (the vertical sums) of all channels, and from it the result, pair by pair. */
template <typename K, int ROW_CHUNKS>
__device__ inline void make_part(const DirectTask &task, const Part<K> &part,
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
            sum_columns<K>(part.across_start, sums, bytes[c],
                           part.across + pair * (2 * K::WEIGHT * 64));
            end_pair<K>(task, sums, results.value[c]);
        }
        put_pair<K>(task, results, places, pair);
    }
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
