/* Private to the fast 16-bit histogram: reports of overflows of packed counters
 * (packed_counters.cuh). They are numbers in global memory, one for each value of each table. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_PACKED_REPORTS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_PACKED_REPORTS_CUH

#include "kernels/histogram/cuda/packed_counters.cuh"

/* The reports of all tables. They exist in several copies, which different blocks use, because
 * additions to the same address wait for each other. */
struct Reports {
    uint32_t *first;
    uint32_t each;   /* distance between two copies, in numbers */
    uint32_t copies; /* number of copies, a power of two */

    /* Returns the copy that this block uses. */
    __device__ uint32_t *own() const
    {
        return first + (blockIdx.x & (copies - 1)) * each;
    }
    /* Returns the index of the report for a value of a table. Neighbouring values are often
     * reported together, and additions to the same sector of the second-level cache wait for each
     * other. Therefore neighbouring values have reports in different sectors. */
    static __device__ uint32_t place(uint32_t table, uint32_t value)
    {
        return table * PACKED_VALUES + (value >> 3 | (value & 7) << 13);
    }
    __device__ uint32_t sum(uint32_t table, uint32_t value) const
    {
        uint32_t all = 0;
        for (uint32_t i = 0; i < copies; i++)
            all += first[i * each + place(table, value)];
        return all;
    }
};

/* Adds 1 to *global if `condition` is not 0, without a branch. */
__device__ inline void add_one_if(uint32_t condition, uint32_t *global)
{
#ifdef IMGTOOL_EMULATOR
    if (condition != 0)
        atomicAdd(global, 1u);
#else
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %0, 0;\n\t"
                 "@p red.global.add.u32 [%1], 1;\n\t}" ::"r"(condition),
                 "l"(global)
                 : "memory");
#endif
}

#endif
