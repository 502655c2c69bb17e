/* Private: sums and prefix sums over the threads of a warp or block. */
#ifndef IMGTOOL_IO_PNG_CUDA_COOPERATION_CUH
#define IMGTOOL_IO_PNG_CUDA_COOPERATION_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* Returns the sum of `value` over the 32 lanes of a warp. From compute capability 8.0 upwards this
 * is a single instruction. */
static __device__ inline uint32_t warp_sum(uint32_t value)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffffu, value);
#else
    for (int away = 16; away > 0; away /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, away);
    return value;
#endif
}

static __device__ inline uint64_t warp_sum(uint64_t value)
{
    for (int away = 16; away > 0; away /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, away);
    return value;
}

/* Returns the sum of `value` over the threads of the block whose index is lower than that of this
 * thread. `*total` receives the sum over all threads. `scratch` has one word per warp and may be
 * reused after the next barrier. All threads of the block must call this function. */
template <int THREADS>
static __device__ inline uint32_t block_scan(uint32_t value, uint32_t *scratch, uint32_t *total)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    uint32_t inclusive = value;
    for (int away = 1; away < 32; away *= 2) {
        uint32_t before = __shfl_up_sync(0xffffffffu, inclusive, (unsigned)away);
        inclusive += lane >= away ? before : 0;
    }
    if (lane == 31)
        scratch[warp] = inclusive;
    __syncthreads();
    uint32_t before = 0, all = 0;
    for (int i = 0; i < THREADS / 32; i++) {
        before += i < warp ? scratch[i] : 0;
        all += scratch[i];
    }
    *total = all;
    return before + inclusive - value;
}

#endif
