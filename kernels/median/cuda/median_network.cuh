/* Private to median on CUDA: sorting networks in registers. A word has two samples of 16 bits, one
 * per half. The two halves are sorted independently. Compilers remove the parts on which no used
 * result depends. Merges are Batcher's odd-even merges for lists of any lengths
 * (median_program.h). */
#ifndef IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_NETWORK_CUH
#define IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_NETWORK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/host_device.h"

/* Attribute of functions that use only registers. The emulator compiles each of them only once, and
 * does not check their memory accesses. */
#ifdef IMGTOOL_EMULATOR
#define MEDIAN_REGISTERS __attribute__((noinline, no_sanitize("address", "undefined"))) inline
#else
#define MEDIAN_REGISTERS __device__ inline
#endif

/* The constants 1 and -1. They are in constant memory, so that the compiler does not know their
 * values and compiles sums as multiplications. GPUs execute multiplications in parallel with
 * comparisons, while additions need the same execution unit as comparisons. */
#ifdef IMGTOOL_EMULATOR
constexpr uint32_t MEDIAN_PLUS = 1, MEDIAN_MINUS = 0xffffffff;
#else
static __constant__ uint32_t MEDIAN_PLUS = 1, MEDIAN_MINUS = 0xffffffff;
#endif

MEDIAN_REGISTERS uint32_t plus(uint32_t sum, uint32_t v)
{
    return v * MEDIAN_PLUS + sum;
}
MEDIAN_REGISTERS uint32_t minus(uint32_t sum, uint32_t v)
{
    return v * MEDIAN_MINUS + sum;
}

/* Sorts two words, half by half. BOTH computes the larger value as the sum minus the smaller value,
 * which causes no carry between the halves. */
template <bool BOTH> MEDIAN_REGISTERS void exchange(uint32_t &low, uint32_t &high)
{
    const uint32_t least = __vminu2(low, high);
    high = BOTH ? minus(plus(high, low), least) : __vmaxu2(low, high);
    low = least;
}

IMG_HOST_DEVICE constexpr int power_of_two(int least)
{
    return least <= 1 ? 1 : 2 * power_of_two((least + 1) / 2);
}

/* Performs the compare steps of a merge on COUNT registers, from register FIRST on. It compares
 * registers that are AWAY apart. The first register of a comparison must be in an odd block of AWAY
 * registers; blocks are counted from BEGIN registers before FIRST. */
template <bool BOTH, int FIRST, int COUNT, int BEGIN, int AWAY, int SIZE>
MEDIAN_REGISTERS void merge_steps(uint32_t (&v)[SIZE])
{
    if constexpr (AWAY > 0) {
#pragma unroll
        for (int i = 0; i < COUNT - AWAY; i++)
            if ((i + BEGIN) / AWAY % 2 == 1)
                exchange<BOTH>(v[FIRST + i], v[FIRST + i + AWAY]);
        merge_steps<BOTH, FIRST, COUNT, BEGIN, AWAY / 2>(v);
    }
}

/* Merges two sorted lists: the LEFT registers from FIRST on, and the RIGHT registers after them.
 * Set BOTH if all or nearly all results are needed. */
template <bool BOTH, int FIRST, int LEFT, int RIGHT, int SIZE>
MEDIAN_REGISTERS void merge_registers(uint32_t (&v)[SIZE])
{
    constexpr int HALF = power_of_two(LEFT > RIGHT ? LEFT : RIGHT), BEGIN = HALF - LEFT;
#pragma unroll
    for (int i = 0; i < LEFT; i++)
        if (i + HALF < LEFT + RIGHT)
            exchange<BOTH>(v[FIRST + i], v[FIRST + i + HALF]);
    merge_steps<BOTH, FIRST, LEFT + RIGHT, BEGIN, HALF / 2>(v);
}

template <int FIRST, int COUNT, int SIZE> MEDIAN_REGISTERS void sort_registers(uint32_t (&v)[SIZE])
{
    if constexpr (COUNT > 1) {
        constexpr int LEFT = power_of_two(COUNT) / 2;
        sort_registers<FIRST, LEFT>(v);
        sort_registers<FIRST + LEFT, COUNT - LEFT>(v);
        merge_registers<true, FIRST, LEFT, COUNT - LEFT>(v);
    }
}

/* Returns the middle one of three numbers, `a`, `b` and `c`. `least` and `most` must be the
 * smallest and the largest of them. */
MEDIAN_REGISTERS uint32_t middle_of_three(uint32_t a, uint32_t b, uint32_t c, uint32_t least,
                                          uint32_t most)
{
    return minus(minus(plus(plus(a, b), c), least), most);
}

MEDIAN_REGISTERS uint32_t middle_of_three(uint32_t a, uint32_t b, uint32_t c)
{
    return middle_of_three(a, b, c, __vimin3_u16x2(a, b, c), __vimax3_u16x2(a, b, c));
}

#endif
