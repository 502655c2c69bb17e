/* Private to the tone family: searches in the counts of values on CUDA. Rows of counts are divided
 * into chunks of CHUNK neighbouring values. A block searches a chunk with one value per thread, or
 * the sums of all chunks with one chunk per thread. */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_CHUNKS_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_CHUNKS_CUH

#include "kernels/tone/cuda/tone_cuda.cuh"

constexpr int CHUNK = 256, CHUNK_WARPS = CHUNK / 32, CHUNKS_MAX = 65536 / CHUNK;

struct ChunkSum {
    uint64_t count, moment; /* number of samples in the chunk, and sum of their values */
    /* number of samples that have the smallest value occurring in this chunk */
    uint64_t first;
};

/* Shared memory through which the threads of a block exchange values. */
struct BlockRoom {
    uint64_t sums[2][CHUNK_WARPS];
    uint64_t least;
    uint32_t ends[2];
};

/* For each of COUNT numbers, computes the sum over the threads before this one, and the total.
 * Threads after the first CHUNK threads count as 0. All threads of the block must call it. The next
 * scan may use the same `room`. */
template <int COUNT>
__device__ void block_scan(const uint64_t (&values)[COUNT], BlockRoom &room,
                           uint64_t (&before)[COUNT], uint64_t (&total)[COUNT])
{
    static_assert(COUNT <= 2, "BlockRoom");
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        before[k] = values[k];
#pragma unroll
    for (int away = 1; away < 32; away *= 2) {
#pragma unroll
        for (int k = 0; k < COUNT; k++) {
            uint64_t other = __shfl_up_sync(0xffffffff, before[k], (unsigned)away);
            before[k] += lane >= away ? other : 0;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        if (lane == 31 && warp < CHUNK_WARPS)
            room.sums[k][warp] = before[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        before[k] -= values[k];
        total[k] = 0;
#pragma unroll
        for (int i = 0; i < CHUNK_WARPS; i++) {
            before[k] += i < warp ? room.sums[k][i] : 0;
            total[k] += room.sums[k][i];
        }
    }
}

/* Performs the same scan as the template block_scan, for a single number. Returns the sum over the
 * threads before this one, and sets *total to the sum over all threads. */
__device__ inline uint64_t block_scan(uint64_t value, BlockRoom &room, uint64_t *total)
{
    uint64_t before[1], all[1];
    block_scan({value}, room, before, all);
    *total = all[0];
    return before[0];
}

/* Returns the number of samples that have the smallest value occurring in the picture. Each thread
 * has a value, or a chunk of values. `count` is the number of samples with these values, and
 * `first` the number of samples with the smallest of these values that occurs. `before` is the
 * number of samples of all threads before this one. */
__device__ inline uint64_t first_count(uint64_t before, uint64_t count, uint64_t first,
                                       uint64_t total, BlockRoom &room)
{
    if (before == 0 && count > 0) /* true only in the first thread that has samples */
        room.least = first;
    __syncthreads();
    return total > 0 ? room.least : 0;
}

/* Returns the range to stretch. Each thread has the value `value`, which `count` samples have.
 * `clip` is the fraction of samples to clip at each end. */
__device__ inline ToneRange find_range(uint64_t count, uint32_t value, uint32_t clip,
                                       uint32_t maximum, BlockRoom &room)
{
    uint64_t total, before = block_scan(count, room, &total);
    uint64_t cut = img_clipped_count(total, clip), above = total - before - count;
    if (before <= cut && cut < before + count)
        room.ends[0] = value;
    if (above <= cut && cut < above + count)
        room.ends[1] = value;
    __syncthreads();
    if (total == 0 || room.ends[0] >= room.ends[1])
        return {0, maximum};
    return {room.ends[0], room.ends[1]};
}

/* Computes img_equalized without a 64-bit division. The quotient is below 2^16, and the relative
 * error of floats is a few parts in 2^24. So the result is off by at most 1, and the remainder
 * corrects it. */
__device__ inline uint32_t equalized(uint64_t up_to, uint64_t least, uint64_t total,
                                     uint32_t maximum)
{
    if (up_to < least)
        return 0;
    uint64_t range = total - least, n = (up_to - least) * maximum + range / 2;
    uint32_t quotient = (uint32_t)((float)n / (float)range);
    int64_t rest = (int64_t)(n - quotient * range);
    return rest < 0 ? quotient - 1 : quotient + ((uint64_t)rest >= range ? 1 : 0);
}

/* Returns the equalized value of `value`, which `count` samples have. All threads of the block must
 * call it, each with another value, so that together they have the counts of all values. */
__device__ inline uint32_t find_equalized(uint64_t count, uint32_t value, uint32_t maximum,
                                          BlockRoom &room)
{
    uint64_t total, before = block_scan(count, room, &total);
    uint64_t least = first_count(before, count, count, total, room);
    return least == total ? value : equalized(before + count, least, total, maximum);
}

/* Returns the sums of a chunk. Each of the first CHUNK threads has the value `value`, which `count`
 * samples have. */
__device__ inline ChunkSum sum_of_chunk(uint64_t count, uint64_t value, BlockRoom &room)
{
    uint64_t before[2], total[2];
    block_scan({count, count * value}, room, before, total);
    ChunkSum sum = {total[0], total[1], 0};
    sum.first = first_count(before[0], count, count, sum.count, room);
    return sum;
}

/* A row of counts, and the sums of its chunks, in device memory. */
struct ChunkRow {
    const Count *counts;
    const ChunkSum *sums;
    int32_t bins, chunks;

    __device__ ChunkRow of_table(int table) const
    {
        return {counts + (size_t)table * (size_t)bins, sums + (size_t)table * (size_t)chunks, bins,
                chunks};
    }
    __device__ uint64_t count(int value) const
    {
        return value < bins ? counts[value] : 0;
    }
    __device__ ChunkSum sum(int chunk) const
    {
        return chunk < chunks ? sums[chunk] : ChunkSum{0, 0, 0};
    }
};

/* Launches the search for Otsu's level in one row of counts in `stream`. `splits` must have room
 * for one split per chunk, and *level receives the result. */
void tone_find_level(const ChunkRow &row, ImgSplit *splits, uint32_t *level, void *stream);

/* tone_count_words counts 16-bit samples into one row of counts (a histogram), and computes the sum
 * of each chunk of this row. `workspace` must have tone_words_workspace() bytes. */
size_t tone_words_workspace(void);
ImgStatus tone_count_words(const ImgCall *call, const ImgTonePlan &plan, Count *counts,
                           ChunkSum *sums, void *workspace, ImgError *err);

/* Counts samples of up to 8 bits into one row of counts. */
ImgStatus tone_count_bytes(const ImgCall *call, const ImgTonePlan &plan, Count *counts,
                           ImgError *err);

#endif
