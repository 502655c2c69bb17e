/* A protocol between the blocks of a kernel. The first block clears the memory to which all blocks
 * will add, while the other blocks count. A separate kernel that clears would cost more than a
 * microsecond.
 *
 * Blocks start in the order of their numbers. So when a block waits for the first block, that one
 * is already running, and there is no deadlock. The first word of the workspace signals that the
 * memory is clear. Its content is arbitrary at the start of a launch. Therefore each launch has a
 * key that memory is extremely unlikely to contain. The first block stores the key in the word when
 * the memory is clear. Each block waits until the word is the key plus a number below the number of
 * blocks, and then adds 1 to the word. So after the last block the word no longer signals, and the
 * same launch can be repeated. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_FIRST_BLOCK_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_FIRST_BLOCK_CUH

#include <atomic>
#include <stdint.h>
#include <time.h>

#include "kernels/core/cuda/cuda_launch.cuh"

using FirstBlockWord = unsigned long long;

/* Parameter of kernels that use this protocol. */
struct FirstBlock {
    /* the word in device memory that signals; NULL if the memory was cleared before the launch */
    FirstBlockWord *word;
    FirstBlockWord key;

    __device__ bool has_to_clear() const
    {
        return word != nullptr && blockIdx.x == 0;
    }

    /* Signals that the memory is clear. All threads of the first block must call it, after a
     * __syncthreads() that follows the clearing. Other blocks may call it too; they do nothing. */
    __device__ void announce() const
    {
        if (!has_to_clear() || threadIdx.x != 0)
            return;
#ifdef __CUDA_ARCH__
        asm volatile("st.release.gpu.u64 [%0], %1;" ::"l"(word), "l"(key) : "memory");
#endif
    }

    /* Returns the current value of the word, for `await`. It does not wait. */
    __device__ FirstBlockWord peek() const
    {
        return word != nullptr && threadIdx.x == 0 ? *(volatile FirstBlockWord *)word : 0;
    }

    /* Waits until the memory is clear. `seen` is the result of `peek`. All threads of every block
     * must call it once, and a __syncthreads() must follow before they add to the memory. After
     * that only atomic additions are safe, because they happen in the second-level cache, to which
     * the zeros have been written. */
    __device__ void await(FirstBlockWord seen) const
    {
        if (word == nullptr || threadIdx.x != 0)
            return;
        while (seen - key >= gridDim.x)
            seen = *(volatile FirstBlockWord *)word;
        atomicAdd(word, (FirstBlockWord)1);
    }
};

/* Returns the parameter for one launch. `memory` is 8 bytes of device memory. The emulator runs
 * blocks one after another in any order. So the word is NULL there, and the caller clears the
 * memory. */
inline FirstBlock first_block(void *memory)
{
#ifdef IMGTOOL_EMULATOR
    (void)memory;
    return FirstBlock();
#else
    /* The key is a counter, mixed as in SplitMix64. Its start differs between processes, because
     * memory may still contain the key of an earlier process. */
    static std::atomic<unsigned long long> launches((unsigned long long)time(nullptr) << 32);
    unsigned long long x = launches.fetch_add(1, std::memory_order_relaxed) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return {(FirstBlockWord *)memory, x ^ x >> 31};
#endif
}

#endif
