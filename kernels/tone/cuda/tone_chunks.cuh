/* Private: what a block finds in the counts of neighbouring values, one value for each thread, and
 * rows of counts in chunks of as many. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_CHUNKS_CUH
#define IMGTOOL_KERNELS_TONE_TONE_CHUNKS_CUH

#include "kernels/tone/cuda/tone_cuda.cuh"

constexpr int CHUNK = 256, CHUNK_WARPS = CHUNK / 32, CHUNKS_MAX = 65536 / CHUNK;

struct ChunkSum {
    uint64_t count, moment; /* how many samples, and their sum */
    uint64_t first;         /* how many have the least value that occurs in this chunk */
};

/* What the threads of a block tell each other. */
struct BlockRoom {
    uint64_t sums[2][CHUNK_WARPS];
    uint64_t least;
    uint32_t ends[2];
};

/* Of each value, what the threads before this one bring together, and all of them; threads after
 * the first CHUNK have nothing. All threads of the block call it; what the room holds has been read
 * when the next scan begins. */
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

/* Of one value: returns what is before this thread. */
__device__ inline uint64_t block_scan(uint64_t value, BlockRoom &room, uint64_t *total)
{
    uint64_t before[1], all[1];
    block_scan({value}, room, before, all);
    *total = all[0];
    return before[0];
}

/* How many samples there are of the first kind that has any: `count` of this thread's kind, after
 * `before` of others. */
__device__ inline uint64_t first_count(uint64_t before, uint64_t count, uint64_t first,
                                       uint64_t total, BlockRoom &room)
{
    if (before == 0 && count > 0) /* one thread at most */
        room.least = first;
    __syncthreads();
    return total > 0 ? room.least : 0;
}

/* Which values low and high are, from all counts. */
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

/* img_equalized without a division of 64 bits. The quotient is below 2^16, the floats it is
 * reckoned from are off by a few parts in 2^24, so that it is off by 1 at most, which the rest
 * tells. */
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

/* What equalize makes of a value, of which there are `count`, from all counts. */
__device__ inline uint32_t find_equalized(uint64_t count, uint32_t value, uint32_t maximum,
                                          BlockRoom &room)
{
    uint64_t total, before = block_scan(count, room, &total);
    uint64_t least = first_count(before, count, count, total, room);
    return least == total ? value : equalized(before + count, least, total, maximum);
}

/* Of the first CHUNK threads' counts. */
__device__ inline ChunkSum sum_of_chunk(uint64_t count, uint64_t value, BlockRoom &room)
{
    uint64_t before[2], total[2];
    block_scan({count, count * value}, room, before, total);
    ChunkSum sum = {total[0], total[1], 0};
    sum.first = first_count(before[0], count, count, sum.count, room);
    return sum;
}

/* One table's counts and the sums of their chunks, on the device. */
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

/* Otsu's level from one row of counts, queued on the stream. `splits` has room for one per chunk.
 */
void tone_find_level(const ChunkRow &row, ImgSplit *splits, uint32_t *level, void *stream);

/* Counts of 16-bit samples into one row, and the sums of its chunks. The workspace has
 * tone_words_workspace bytes. */
size_t tone_words_workspace(void);
ImgStatus tone_count_words(const ImgCall *call, const ImgTonePlan &plan, Count *counts,
                           ChunkSum *sums, void *workspace, ImgError *err);

/* Counts of samples of up to 8 bits into one row. */
ImgStatus tone_count_bytes(const ImgCall *call, const ImgTonePlan &plan, Count *counts,
                           ImgError *err);

#endif
