/* Private to the tone family: a block finds the best split of a picture into two classes (Otsu's
 * method). */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_SPLITS_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_SPLITS_CUH

#include <math.h>
#include <string.h>

#include "kernels/tone/cuda/tone_chunks.cuh"

/* Shared memory through which the threads of a block exchange values. The splits of CHUNK threads
 * are stored word by word, so that neighbouring threads use different banks. */
struct SplitRoom {
    uint32_t words[8][CHUNK];
    double variances[CHUNK];
    uint64_t greatest[CHUNK_WARPS]; /* largest variance in each warp, as the bits of a double */
    /* for each warp, a mask of the lanes whose variance is near the largest one of the block */
    uint32_t near[CHUNK_WARPS];
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

/* Attribute of functions that are rarely called. They are not inlined, so that their registers do
 * not burden the usual path. The emulator needs all code inside the kernel. */
#ifdef __CUDACC__
#define TONE_RARE static __device__ __noinline__
#else
#define TONE_RARE __device__ inline
#endif

/* Each of the first CHUNK threads has a split. Returns the level of the best of these splits. Each
 * iteration halves the number of candidates. */
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

/* Returns the largest of the values that the lanes of a warp have. */
__device__ inline uint64_t warp_greatest(uint64_t value)
{
#if __CUDA_ARCH__ >= 800
    uint32_t high = __reduce_max_sync(0xffffffff, (uint32_t)(value >> 32));
    uint32_t low = (uint32_t)(value >> 32) == high ? (uint32_t)value : 0;
    return (uint64_t)high << 32 | __reduce_max_sync(0xffffffff, low);
#else
#pragma unroll
    for (int away = 16; away > 0; away /= 2) {
        uint64_t other = __shfl_xor_sync(0xffffffff, value, away);
        value = other > value ? other : value;
    }
    return value;
#endif
}

/* Marks, in room.near, the threads whose variances are so near the largest one that doubles cannot
 * separate them. Returns their number in the block. Non-negative doubles have the same order as
 * their bits. */
__device__ inline int find_near(double variance, SplitRoom &room)
{
    const double surely_less = 1 - 1e-11;
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    uint64_t bits = 0;
    if (variance >= 0)
        memcpy(&bits, &variance, sizeof bits);
    uint64_t greatest = warp_greatest(bits);
    if (lane == 0 && warp < CHUNK_WARPS)
        room.greatest[warp] = greatest;
    __syncthreads();
    greatest = warp_greatest(room.greatest[lane % CHUNK_WARPS]);
    double best;
    memcpy(&best, &greatest, sizeof best);
    uint32_t near = __ballot_sync(0xffffffff, variance >= 0 && variance >= best * surely_less);
    if (lane == 0 && warp < CHUNK_WARPS)
        room.near[warp] = near;
    __syncthreads();
    int count = 0;
    for (uint32_t lanes : room.near)
        count += __popc(lanes);
    return count;
}

/* The split at the value `value`, which `count` samples have. `up_to` samples are at most this
 * value, and `lower` is the sum of their values. `total` and `moment` are the number and the sum of
 * all samples. */
struct SplitAt {
    uint32_t value;
    uint64_t count, up_to, lower, total, moment;

    /* Returns the same variance as img_split, with a relative error of a few parts in 2^52. Doubles
     * hold every integer below 2^53. The two products have most digits in common, so the rounding
     * error of one of them is corrected (W. Kahan). */
    __device__ double variance() const
    {
        if (moment >> 53 != 0)
            return make().variance;
        if (count == 0 || up_to == total)
            return -1;
        double product = (double)total * (double)lower;
        double lost = fma((double)total, (double)lower, -product);
        double difference = fma((double)up_to, (double)moment, -product) - lost;
        return difference * difference / ((double)up_to * (double)(total - up_to));
    }

    __device__ ImgSplit make() const
    {
        return count == 0 ? img_no_split() : img_split(value, up_to, lower, total, moment);
    }
};

/* A split that was computed before, with the interface of SplitAt. */
struct SplitMade {
    const ImgSplit *at; /* NULL if there is no split */

    __device__ double variance() const
    {
        return at == nullptr ? -1 : at->variance;
    }

    __device__ ImgSplit make() const
    {
        return at == nullptr ? img_no_split() : *at;
    }
};

/* Returns true in one of the first CHUNK threads: the one that has the best split. All threads of
 * the block must call it. If there is no split at all, the first thread returns true. Splits are
 * computed and compared exactly only if several variances are near the largest one. */
template <typename Split> __device__ bool is_best(const Split &own, SplitRoom &room)
{
    int count = find_near(own.variance(), room), warp = (int)threadIdx.x / 32;
    if (count == 0)
        return threadIdx.x == 0;
    if (count == 1)
        return warp < CHUNK_WARPS && (room.near[warp] >> threadIdx.x % 32 & 1) != 0;
    ImgSplit made = own.make();
    return best_level(made, room) == made.level && made.variance >= 0;
}

#endif
