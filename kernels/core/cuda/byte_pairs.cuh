/* Dot products of two signed 16-bit numbers and two bytes, added to a sum. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_BYTE_PAIRS_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_BYTE_PAIRS_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

/* Returns `sum` plus the dot product of two signed 16-bit weights and two unsigned bytes. The bytes
 * are the upper half of `bytes` if UPPER, otherwise the lower half. */
template <bool UPPER>
__device__ inline uint32_t add_two(uint32_t weights, uint32_t bytes, uint32_t sum)
{
#ifdef IMGTOOL_EMULATOR
    const uint32_t pair = UPPER ? bytes >> 16 : bytes;
    return sum + (uint32_t)(int16_t)(weights & 0xffff) * (pair & 0xff) +
           (uint32_t)(int16_t)(weights >> 16) * (pair >> 8 & 0xff);
#else
    uint32_t result;
    if (UPPER)
        asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(weights), "r"(bytes), "r"(sum));
    else
        asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(weights), "r"(bytes), "r"(sum));
    return result;
#endif
}

/* Returns `sum` plus the dot product of two signed 16-bit weights and two signed bytes. The bytes
 * are the upper half of `bytes` if UPPER, otherwise the lower half. */
template <bool UPPER>
__device__ inline uint32_t add_two_signed(uint32_t weights, uint32_t bytes, uint32_t sum)
{
#ifdef IMGTOOL_EMULATOR
    const uint32_t pair = UPPER ? bytes >> 16 : bytes;
    return sum + (uint32_t)((int16_t)(weights & 0xffff) * (int8_t)(pair & 0xff)) +
           (uint32_t)((int16_t)(weights >> 16) * (int8_t)(pair >> 8 & 0xff));
#else
    uint32_t result;
    if (UPPER)
        asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(weights), "r"(bytes), "r"(sum));
    else
        asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(weights), "r"(bytes), "r"(sum));
    return result;
#endif
}

#endif
