/* What all blocks of a kernel add to is cleared by the first of them, while the others still count:
 * a kernel of its own for that costs over a microsecond.
 *
 * Blocks start in the order of their numbers, so a block that waits for the first waits for one
 * that runs. The word by which it learns that all is clear, the first of the workspace, holds
 * anything at the start of a launch, so a launch has a key that memory does not hold by chance.
 * Every block that has seen the key adds 1 to the word; after all have, it is a key no longer, also
 * for a launch that is repeated as it was. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_FIRST_BLOCK_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_FIRST_BLOCK_CUH

#include <atomic>
#include <stdint.h>
#include <time.h>

#include "kernels/core/cuda/cuda_launch.cuh"

using FirstBlockWord = unsigned long long;

/* A kernel's parameter. */
struct FirstBlock {
    FirstBlockWord *word; /* in device memory; NULL: all was clear before the launch */
    FirstBlockWord key;

    __device__ bool has_to_clear() const
    {
        return word != nullptr && blockIdx.x == 0;
    }

    /* By all threads, after a __syncthreads() after what they cleared. */
    __device__ void announce() const
    {
        if (!has_to_clear() || threadIdx.x != 0)
            return;
#ifdef __CUDA_ARCH__
        asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(word), "l"(key) : "memory");
#endif
    }

    /* What await() is given, read without waiting for it. */
    __device__ FirstBlockWord peek() const
    {
        return word != nullptr && threadIdx.x == 0 ? *(volatile FirstBlockWord *)word : 0;
    }

    /* By all threads of every block, once, with a __syncthreads() before what adds: all is clear.
     * Only for atomic additions, which are done where the zeros are then, in the second-level
     * cache. */
    __device__ void await(FirstBlockWord seen) const
    {
        if (word == nullptr || threadIdx.x != 0)
            return;
        while (seen - key >= gridDim.x)
            seen = *(volatile FirstBlockWord *)word;
        atomicAdd(word, (FirstBlockWord)1);
    }
};

/* `memory` is of the device. In the model of a GPU, where blocks run one after another in any
 * order, word is NULL, and the caller clears. */
inline FirstBlock first_block(void *memory)
{
#ifdef IMGTOOL_EMULATOR
    (void)memory;
    return FirstBlock();
#else
    /* Mixed as by SplitMix64, from another start in each process: memory may hold what one left. */
    static std::atomic<unsigned long long> launches((unsigned long long)time(nullptr) << 32);
    unsigned long long x = launches.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return {(FirstBlockWord *)memory, x ^ x >> 31};
#endif
}

#endif
