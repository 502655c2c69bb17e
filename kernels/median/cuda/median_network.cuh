/* Private: sorting networks of words that hold two samples of 16 bits each, in registers: compilers
 * take out what no used result depends on. Merges are Batcher's, of lists of any lengths
 * (median_program.h). */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_NETWORK_CUH
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_NETWORK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/host_device.h"

__device__ inline void exchange(uint32_t &low, uint32_t &high)
{
    const uint32_t least = __vminu2(low, high);
    high = __vmaxu2(low, high);
    low = least;
}

IMG_HOST_DEVICE constexpr int power_of_two(int least)
{
    return least <= 1 ? 1 : 2 * power_of_two((least + 1) / 2);
}

/* Registers `apart` from each other, of those between first and first + count that stand in odd
 * places of that length, the places being counted from `begin`. */
template <int FIRST, int COUNT, int BEGIN, int AWAY, int SIZE>
__device__ inline void merge_steps(uint32_t (&v)[SIZE])
{
    if constexpr (AWAY > 0) {
#pragma unroll
        for (int i = 0; i < COUNT - AWAY; i++)
            if ((i + BEGIN) / AWAY % 2 == 1)
                exchange(v[FIRST + i], v[FIRST + i + AWAY]);
        merge_steps<FIRST, COUNT, BEGIN, AWAY / 2>(v);
    }
}

/* The sorted registers [FIRST, FIRST + LEFT) and the RIGHT after them. */
template <int FIRST, int LEFT, int RIGHT, int SIZE>
__device__ inline void merge_registers(uint32_t (&v)[SIZE])
{
    constexpr int HALF = power_of_two(LEFT > RIGHT ? LEFT : RIGHT), BEGIN = HALF - LEFT;
#pragma unroll
    for (int i = 0; i < LEFT; i++)
        if (i + HALF < LEFT + RIGHT)
            exchange(v[FIRST + i], v[FIRST + i + HALF]);
    merge_steps<FIRST, LEFT + RIGHT, BEGIN, HALF / 2>(v);
}

template <int FIRST, int COUNT, int SIZE> __device__ inline void sort_registers(uint32_t (&v)[SIZE])
{
    if constexpr (COUNT > 1) {
        constexpr int LEFT = power_of_two(COUNT) / 2;
        sort_registers<FIRST, LEFT>(v);
        sort_registers<FIRST + LEFT, COUNT - LEFT>(v);
        merge_registers<FIRST, LEFT, COUNT - LEFT>(v);
    }
}

/* Of three; in both halves of a word the same sum in any order, so that what is neither the least
 * nor the largest remains, without a carry. */
__device__ inline uint32_t middle_of_three(uint32_t a, uint32_t b, uint32_t c)
{
    return a + b + c - __vimin3_u16x2(a, b, c) - __vimax3_u16x2(a, b, c);
}

#endif
