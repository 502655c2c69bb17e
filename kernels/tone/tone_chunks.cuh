/* Private: rows of counts in chunks, which CUDA kernels of the tone family make tables and levels
 * from. A block has a chunk, a thread neighbouring bins of it. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_CHUNKS_CUH
#define IMGTOOL_KERNELS_TONE_TONE_CHUNKS_CUH

#include "kernels/tone/tone_cuda.cuh"

constexpr int THREADS = 64, WARPS = THREADS / 32;
constexpr int PER_THREAD = 32, CHUNK = THREADS * PER_THREAD, CHUNKS_MAX = 65536 / CHUNK;

struct ChunkSum {
    uint64_t count, moment; /* how many samples, and their sum */
    uint64_t first;         /* how many have the least value that occurs in this chunk */
};

/* The counts that a table is made of. */
struct CountRows {
    const uint64_t *first;
    int32_t bins, chunks, summed;

    __device__ CountRows of_table(int table) const
    {
        return {first + (size_t)table * (size_t)bins, bins, chunks, summed};
    }

    /* How many samples have each of PER_THREAD values; 0 beyond the last. Two at a time. */
    __device__ void load(int start, uint64_t (&counts)[PER_THREAD]) const
    {
        for (int i = 0; i < PER_THREAD; i++)
            counts[i] = 0;
        for (int n = 0; n < summed; n++) {
            const uint64_t *row = first + (size_t)n * (size_t)bins + start;
            if (start + PER_THREAD > bins) {
                for (int i = 0; start + i < bins; i++)
                    counts[i] += row[i];
                continue;
            }
#pragma unroll
            for (int i = 0; i < PER_THREAD; i += 2) {
                uint4 pair = *reinterpret_cast<const uint4 *>(row + i);
                counts[i] += (uint64_t)pair.y << 32 | pair.x;
                counts[i + 1] += (uint64_t)pair.w << 32 | pair.z;
            }
        }
    }
};

/* What the threads before this one bring together, and all of them. All threads of the block call
 * it, and none uses `sums` before the next barrier. */
__device__ inline uint64_t block_scan(uint64_t value, uint64_t (&sums)[WARPS], uint64_t *total)
{
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    uint64_t up_to = value;
    for (int away = 1; away < 32; away *= 2) {
        uint64_t other = __shfl_up_sync(0xffffffff, up_to, (unsigned)away);
        up_to += lane >= away ? other : 0;
    }
    __syncthreads(); /* the last scan's sums have been read */
    if (lane == 31)
        sums[warp] = up_to;
    __syncthreads();
    uint64_t before = up_to - value;
    *total = 0;
    for (int i = 0; i < WARPS; i++) {
        before += i < warp ? sums[i] : 0;
        *total += sums[i];
    }
    return before;
}

/* Where a chunk stands among all: thread `t` knows about chunk `t`. */
struct Standing {
    uint64_t count, before, total;
};

__device__ inline Standing stand(const ChunkSum *sums, int chunks, uint64_t (&scanned)[WARPS])
{
    Standing at;
    at.count = (int)threadIdx.x < chunks ? sums[threadIdx.x].count : 0;
    at.before = block_scan(at.count, scanned, &at.total);
    return at;
}

/* Otsu's level from one row of counts and the sums of its chunks, queued on the stream. `splits`
 * has room for one per chunk. */
void tone_find_otsu_level(const CountRows &rows, const ChunkSum *sums, ImgSplit *splits,
                          uint32_t *level, void *stream);

#endif
