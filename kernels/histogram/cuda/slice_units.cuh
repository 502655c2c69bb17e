/* Private to the fast 16-bit histogram: units. A unit is the data that a thread loads at once. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_SLICE_UNITS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_SLICE_UNITS_CUH

#include "kernels/histogram/cuda/flat_runs.cuh"

/* Numbers that describe how rows are divided into units, and how far apart the units of a thread
 * are. They are computed once for all threads. */
struct Units {
    uint32_t a_row;
    int last_bytes; /* number of bytes of a row's last unit that are inside the picture */
    /* Number of pixels, in all units together, that lie after the ends of rows. They are loaded as
     * 0. */
    uint64_t beyond;
    uint32_t step, step_rows;
    size_t step_bytes;
    ptrdiff_t wrap_bytes; /* distance in bytes from the end of a row's units to the next row */
    uint32_t steps;       /* number of units per thread and round */
};

/* Position of a thread: the unit that it loads next. */
struct UnitWalk {
    const uint8_t *at;
    /* index of the unit in its row, and index of the row; past the end of the picture, y is at
     * least the height */
    uint32_t unit, y;

    __device__ UnitWalk(const HistogramTask &task, const Units &units, int unit_bytes,
                        uint32_t first)
        : unit(first % units.a_row), y(first / units.a_row)
    {
        at = task.src + y * task.stride + (size_t)unit * unit_bytes;
    }
    __device__ void advance(const Units &units)
    {
        at += units.step_bytes;
        unit += units.step;
        y += units.step_rows;
        if (unit >= units.a_row) {
            unit -= units.a_row;
            y++;
            at += units.wrap_bytes;
        }
    }
};

/* A unit: the pixels that a thread loads at once, 16 if these are at most 64 bytes, otherwise 8.
 * ONCE means that no other block loads the same pixels. */
template <int CHANNELS, bool ONCE> struct Unit {
    static constexpr int PIECES = CHANNELS <= 2 ? 2 : 1;
    static constexpr int PIXELS = PIECE_PIXELS * PIECES;
    static constexpr int VECTORS = PIECES * CHANNELS, PIECE_BYTES = 16 * CHANNELS;
    static constexpr int BYTES = PIECES * PIECE_BYTES;
    /* true if registers suffice to load the next unit before the current one is counted */
    static constexpr bool AHEAD = CHANNELS == 1;

    uint32_t words[4 * VECTORS];
    int bytes; /* number of bytes of the unit that are inside the row */

    static __device__ uint4 fetch(const uint4 *from)
    {
        return ONCE ? __ldcs(from) : __ldg(from);
    }
    __device__ void put(int v, uint4 vector)
    {
        words[4 * v] = vector.x;
        words[4 * v + 1] = vector.y;
        words[4 * v + 2] = vector.z;
        words[4 * v + 3] = vector.w;
    }

    /* Loads a unit. All lanes of a warp must call it together. If the units of the lanes are
     * adjacent, the lanes exchange vectors, so that each load of the warp covers 512 adjacent
     * bytes. Afterwards each lane has whole pixels, but these may belong to the units of other
     * lanes. */
    __device__ void load(const UnitWalk &walk, const HistogramTask &task, const Units &units)
    {
        constexpr bool EXCHANGE = CHANNELS != 3;
        uint32_t lane = threadIdx.x % 32;
        bytes = walk.unit + 1 < units.a_row ? BYTES : units.last_bytes;
        bytes = walk.y < (uint32_t)task.height ? bytes : 0;
        const uint4 *from = (const uint4 *)walk.at;
        if (__all_sync(WHOLE_WARP, bytes == BYTES && (!EXCHANGE || walk.unit >= lane))) {
            if (EXCHANGE)
                from -= lane * (VECTORS - 1);
#pragma unroll
            for (int v = 0; v < VECTORS; v++)
                put(v, fetch(from + v * (EXCHANGE ? 32 : 1)));
            return;
        }
#pragma unroll
        for (int v = 0; v < VECTORS; v++)
            put(v, 16 * v < bytes ? fetch(from + v) : make_uint4(0, 0, 0, 0));
        cut();
    }

    /* Counts the pixels of the unit, piece by piece. The function is recursive, because nvcc would
     * not unroll a loop and would keep the words in local memory. */
    template <int PIECE = 0, typename Runs> __device__ void count(Runs &runs) const
    {
        if constexpr (PIECE < PIECES) {
            runs.count(words + 4 * CHANNELS * PIECE, bytes - PIECE * PIECE_BYTES);
            count<PIECE + 1>(runs);
        }
    }

    /* Sets the bytes of the unit that are past the end of the row to zero. */
    __device__ void cut()
    {
#pragma unroll
        for (int i = 0; i < 4 * VECTORS; i++) {
            if (bytes <= 4 * i)
                words[i] = 0;
            else if (bytes < 4 * i + 4)
                words[i] &= 0xffff;
        }
    }
};

template <int CHANNELS> Units cut_in_units(const HistogramTask &task, uint32_t threads, int rounds)
{
    using Pixels = Unit<CHANNELS, true>;
    Units units;
    uint32_t width = (uint32_t)task.width, pieces = (width - 1) / PIECE_PIXELS + 1;
    units.a_row = (width - 1) / Pixels::PIXELS + 1;
    uint32_t last = width - (units.a_row - 1) * Pixels::PIXELS;
    units.last_bytes = (int)last * CHANNELS * 2;
    units.beyond = (uint64_t)(pieces * PIECE_PIXELS - width) * (uint64_t)task.height;
    units.step = threads % units.a_row;
    units.step_rows = threads / units.a_row;
    units.step_bytes = units.step_rows * task.stride + (size_t)units.step * Pixels::BYTES;
    units.wrap_bytes = (ptrdiff_t)task.stride - (ptrdiff_t)units.a_row * Pixels::BYTES;
    uint64_t steps = ((uint64_t)units.a_row * (uint64_t)task.height - 1) / threads + 1;
    units.steps = (uint32_t)((steps - 1) / (uint64_t)rounds + 1);
    return units;
}

#endif
