/* Private to match_choose and match_take: follows the chain of tokens through a segment. The
 * segment is divided into PARTS parts, one per warp. Each warp uses pointer doubling: after step n
 * a position points 2^n tokens ahead, or past the end of its part. In the end one hop per part
 * leads through the whole segment. */
#ifndef IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOIN_CUH
#define IMGTOOL_IO_PNG_CUDA_MATCHES_MATCH_JOIN_CUH

#include "io/png/cuda/matches/match_job.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace match_join
{

constexpr uint32_t SEGMENT = IMG_MATCH_SEGMENT, THREADS = 512, PARTS = THREADS / 32;
/* PART: positions per part. EACH: positions per lane. */
constexpr uint32_t PART = SEGMENT / PARTS, EACH = PART / 32;

/* Returns the i-th of the EACH positions that this lane handles. */
__device__ inline uint32_t position(uint32_t i)
{
    return threadIdx.x / 32 * PART + i * 32 + threadIdx.x % 32;
}

/* Changes `next`, so that each position of a part points past the end of the part. On entry next[i]
 * is the position of the token that follows a token at position i. All lanes of a warp must call
 * it. */
__device__ inline void join_part(uint16_t *next)
{
    const uint32_t end = (threadIdx.x / 32 + 1) * PART;
    bool goes_on;
    do {
        uint16_t there[EACH];
        goes_on = false;
        __syncwarp();
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++) {
            const uint32_t at = next[position(i)];
            there[i] = at < end ? next[at] : (uint16_t)at;
            goes_on |= there[i] < end;
        }
        __syncwarp();
#pragma unroll
        for (uint32_t i = 0; i < EACH; i++)
            next[position(i)] = there[i];
    } while (__any_sync(0xFFFFFFFF, goes_on) != 0);
}

} // namespace match_join

#endif
