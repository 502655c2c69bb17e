/* Conversion of four numbers to the four bytes of a word. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_BYTE_PACK_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_BYTE_PACK_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"

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
