/* Private to the fast 16-bit histogram: the kernels that count slices. A slice is the counters that
 * one block fills. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_COUNT_SLICES_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_COUNT_SLICES_CUH

#include "kernels/histogram/cuda/slice_units.cuh"

constexpr int SLICE_THREADS = 1024;

/* Layout of the counters of a block that counts only one table. */
using OneTable = NearCounters<1, 8>;

/* The tables that a block counts: one of several tables (TABLES_APART), all tables
 * (TABLES_TOGETHER), or the only table of the picture, with counters of 16 bits (WIDE_TABLE). */
enum Slicing { TABLES_APART, TABLES_TOGETHER, WIDE_TABLE };

struct SlicePlan {
    Slicing slicing;
    uint32_t words; /* number of words per slice */
    int bits;       /* number of bits per counter */
    int slices;     /* number of slices that together contain every table once */
    int teams;
    uint32_t copies; /* number of copies of the reports of overflows (packed_counters.cuh) */
    int rounds;      /* number of rounds; counters are stored and cleared after each round */
};

/* Stores the counters of the block in global memory, as the slice of round `round`, and clears
 * them. */
template <class Layout> __device__ void leave(uint32_t *words, uint32_t *partial, int round)
{
    __syncthreads();
    uint4 *own = (uint4 *)partial + ((size_t)round * gridDim.x + blockIdx.x) * (Layout::WORDS / 4);
    for (uint32_t i = threadIdx.x; i < Layout::WORDS / 4; i += SLICE_THREADS) {
        own[i] = ((uint4 *)words)[i];
        ((uint4 *)words)[i] = make_uint4(0, 0, 0, 0);
    }
    __syncthreads();
}

/* Counts the pixels that belong to this block. The warps of a block are far apart in the picture,
 * so that all blocks count nearly the same number of pixels. */
template <int CHANNELS, int FIRST, class Layout, bool SKIP>
__device__ void count_slice(const HistogramTask &task, const SlicePlan &plan, const Units &units,
                            const Reports &reports, uint32_t *words, uint32_t *partial)
{
    using Pixels = Unit<CHANNELS, (Layout::TABLES >= CHANNELS)>;
    using Counter = PackedCounter<CHANNELS, FIRST, Layout, SKIP>;
    for (uint32_t i = threadIdx.x; i < Layout::WORDS / 4; i += SLICE_THREADS)
        ((uint4 *)words)[i] = make_uint4(0, 0, 0, 0);
    IMG_AWAIT_PREVIOUS();
    __syncthreads();
    Counter counter = {task, PackedWords(words), reports};
    FlatRuns<Counter, CHANNELS> runs(counter);
    uint32_t warps_before = threadIdx.x / 32 * plan.teams + blockIdx.x / plan.slices;
    UnitWalk walk(task, units, Pixels::BYTES, warps_before * 32 + threadIdx.x % 32);
    Pixels pixels;
    pixels.load(walk, task, units);
    for (int round = 0; round < plan.rounds; round++) {
        for (uint32_t i = 0; i < units.steps; i++) {
            walk.advance(units);
            if (Pixels::AHEAD) {
                Pixels next;
                next.load(walk, task, units);
                pixels.count(runs);
                pixels = next;
            } else {
                pixels.count(runs);
                pixels.load(walk, task, units);
            }
        }
        leave<Layout>(words, partial, round);
    }
    runs.finish(words);
}

template <int CHANNELS, class Layout, bool SKIP>
__global__ void __launch_bounds__(SLICE_THREADS, 1)
    count_all_kernel(HistogramTask task, SlicePlan plan, Units units, Reports reports,
                     uint32_t *partial)
{
    IMG_SHARED_DYNAMIC(uint32_t, words);
    count_slice<CHANNELS, 0, Layout, SKIP>(task, plan, units, reports, words, partial);
}

template <int CHANNELS, bool SKIP, int TABLE = 0>
__device__ void count_table(int table, const HistogramTask &task, const SlicePlan &plan,
                            const Units &units, const Reports &reports, uint32_t *words,
                            uint32_t *partial)
{
    if constexpr (TABLE < CHANNELS + (CHANNELS >= 3)) {
        if (table == TABLE)
            count_slice<CHANNELS, TABLE, OneTable, SKIP>(task, plan, units, reports, words,
                                                         partial);
        else
            count_table<CHANNELS, SKIP, TABLE + 1>(table, task, plan, units, reports, words,
                                                   partial);
    }
}

template <int CHANNELS, bool SKIP>
__global__ void __launch_bounds__(SLICE_THREADS, 1)
    count_table_kernel(HistogramTask task, SlicePlan plan, Units units, Reports reports,
                       uint32_t *partial)
{
    IMG_SHARED_DYNAMIC(uint32_t, words);
    count_table<CHANNELS, SKIP>((int)blockIdx.x % plan.slices, task, plan, units, reports, words,
                                partial);
}

/* Clears the tables and the reports of overflows (packed_counters.cuh). The grid has one row of
 * blocks per table. */
static __global__ void __launch_bounds__(SLICE_THREADS)
    clear_tables_kernel(HistogramTask task, Reports reports)
{
    for (uint32_t i = blockIdx.x * SLICE_THREADS + threadIdx.x; i < PACKED_VALUES;
         i += gridDim.x * SLICE_THREADS) {
        task.counts[blockIdx.y * task.row + i] = 0;
        for (uint32_t copy = 0; copy < reports.copies; copy++)
            reports.first[copy * reports.each + blockIdx.y * PACKED_VALUES + i] = 0;
    }
}

#endif
