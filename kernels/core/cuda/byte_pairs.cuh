/* Arithmetic with the bytes of words: adds dot products of two signed 16-bit numbers and two bytes
 * to a sum, and packs four numbers into the bytes of a word. */
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

/* --- Four numbers to the four bytes of a word ------------------------------------------------- */

/* Returns a word with `a` in the lowest byte and `d` in the highest, each clamped to 0..255. */
__device__ inline uint32_t pack_bytes(int32_t a, int32_t b, int32_t c, int32_t d)
{
#if defined(__CUDA_ARCH__)
    uint32_t upper, all;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(upper) : "r"(d), "r"(c), "r"(0));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(all) : "r"(b), "r"(a), "r"(upper));
    return all;
#else
    return (uint32_t)min(max(a, 0), 255) | (uint32_t)min(max(b, 0), 255) << 8 |
           (uint32_t)min(max(c, 0), 255) << 16 | (uint32_t)min(max(d, 0), 255) << 24;
#endif
}

#endif
