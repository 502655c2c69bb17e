/* Private: the best of a block's ways to split a picture in two (Otsu). */
#ifndef IMGTOOL_KERNELS_TONE_TONE_SPLITS_CUH
#define IMGTOOL_KERNELS_TONE_TONE_SPLITS_CUH

#include "kernels/tone/tone_chunks.cuh"

/* What the threads of a block tell each other: splits of CHUNK threads, word by word, so that
 * neighbours are in banks of their own. */
struct SplitRoom {
    uint32_t words[8][CHUNK];
    double variances[CHUNK];
    double greatest[CHUNK_WARPS];
    uint32_t near[CHUNK_WARPS]; /* which lanes are near the greatest of all */
    uint32_t level;

    __device__ void put(int thread, const ImgSplit &split)
    {
        for (int i = 0; i < 4; i++)
            words[i][thread] = split.difference[i];
        for (int i = 0; i < 3; i++)
            words[4 + i][thread] = split.weight[i];
        words[7][thread] = split.level;
        variances[thread] = split.variance;
    }

    __device__ ImgSplit get(int thread) const
    {
        ImgSplit split;
        for (int i = 0; i < 4; i++)
            split.difference[i] = words[i][thread];
        for (int i = 0; i < 3; i++)
            split.weight[i] = words[4 + i][thread];
        split.level = words[7][thread];
        split.variance = variances[thread];
        return split;
    }
};

/* Calls keep what a rare path needs out of the registers of the common one. The model of a GPU
 * wants all in the kernel. */
#ifdef __CUDACC__
#define TONE_RARE static __device__ __noinline__
#else
#define TONE_RARE __device__ inline
#endif

/* The level of the best of the first CHUNK threads' splits, in halves. */
TONE_RARE uint32_t best_level(const ImgSplit &own, SplitRoom &room)
{
    int thread = (int)threadIdx.x;
    ImgSplit best = own;
    if (thread < CHUNK)
        room.put(thread, best);
    for (int half = CHUNK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread >= half)
            continue;
        ImgSplit other = room.get(thread + half);
        if (img_split_is_better(&other, &best)) {
            best = other;
            room.put(thread, best);
        }
    }
    if (thread == 0)
        room.level = best.level;
    __syncthreads();
    return room.level;
}

/* Which lanes of each warp have splits that are so near the greatest variance that doubles do not
 * tell them apart, and how many in all. */
__device__ inline int find_near(double variance, SplitRoom &room)
{
    const double surely_less = 1 - 1e-11;
    int warp = (int)threadIdx.x / 32;
    double greatest = variance;
#pragma unroll
    for (int away = 16; away > 0; away /= 2) {
        double other = __shfl_xor_sync(0xffffffff, greatest, away);
        greatest = other > greatest ? other : greatest;
    }
    if (threadIdx.x % 32 == 0 && warp < CHUNK_WARPS)
        room.greatest[warp] = greatest;
    __syncthreads();
    for (double other : room.greatest)
        greatest = other > greatest ? other : greatest;
    uint32_t near = __ballot_sync(0xffffffff, variance >= 0 && variance >= greatest * surely_less);
    if (threadIdx.x % 32 == 0 && warp < CHUNK_WARPS)
        room.near[warp] = near;
    __syncthreads();
    int count = 0;
    for (uint32_t lanes : room.near)
        count += __popc(lanes);
    return count;
}

/* The split at a value, of which there are `count`: `up_to` samples that add up to `lower` are no
 * greater. */
struct SplitAt {
    uint32_t value;
    uint64_t count, up_to, lower, total, moment;

    __device__ ImgSplit make() const
    {
        return count == 0 ? img_no_split() : img_split(value, up_to, lower, total, moment);
    }
};

/* A split that has been made. */
struct SplitMade {
    const ImgSplit *at; /* NULL: none */

    __device__ ImgSplit make() const
    {
        return at == nullptr ? img_no_split() : *at;
    }
};

/* Is this thread's split the best of the first CHUNK threads'? True for one of them; all threads of
 * the block call it. Where there is no split at all, for the first. Mostly one variance is greater
 * than all others by far: whole splits are made where this is not so only. */
template <typename Split> __device__ bool is_best(const Split &own, SplitRoom &room)
{
    int count = find_near(own.make().variance, room), warp = (int)threadIdx.x / 32;
    if (count == 0)
        return threadIdx.x == 0;
    if (count == 1)
        return warp < CHUNK_WARPS && (room.near[warp] >> threadIdx.x % 32 & 1) != 0;
    ImgSplit made = own.make();
    return best_level(made, room) == made.level && made.variance >= 0;
}

#endif
