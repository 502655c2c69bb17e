/* Private to the fast 16-bit histogram: units. A unit is the data that a thread loads at once. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_SLICE_UNITS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_SLICE_UNITS_CUH

#include "kernels/histogram/cuda/packed_counters.cuh"

/* --- Flat areas ------------------------------------------------------------------------------- */

/* Flat areas. In a flat area, all additions of a warp would go to one counter and wait for each
 * other. The pixels of flat areas are therefore counted in registers. When another area begins,
 * the number of pixels is added to a counter of the block. If the counter has too few bits for it,
 * the number is added to the table in global memory. */

constexpr uint32_t WHOLE_WARP = 0xffffffff;

/* A run of equal words. `words` is the same in all lanes. Each lane counts in `times` how often it
 * has found these words. */
template <int WORDS> struct FlatRun {
    uint32_t words[WORDS] = {};
    uint32_t times = 0;

    __device__ bool matches(const uint32_t *others) const
    {
        bool same = true;
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            same = same && words[i] == others[i];
        return same;
    }

    /* If `others` are equal in all lanes, starts a new run with them and returns true. Before that,
     * one lane calls add(words, times) for the previous run, with the sum of the `times` of all
     * lanes. */
    template <typename Add> __device__ bool becomes(const uint32_t *others, Add add)
    {
        bool same = true;
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            same &= others[i] == __shfl_sync(WHOLE_WARP, others[i], 0);
        if (!__all_sync(WHOLE_WARP, same))
            return false;
        uint32_t all = all_times();
        if (threadIdx.x % 32 == 0 && all != 0)
            add(words, all);
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            words[i] = others[i];
        times = 0;
        return true;
    }

    /* Adds the runs of all threads of the block, by calling `add`. `scratch` is shared memory of
     * WORDS + 1 words. */
    template <typename Add> __device__ void finish(uint32_t *scratch, Add add) const
    {
        uint32_t all = all_times();
        if (threadIdx.x == 0) {
            for (int i = 0; i < WORDS; i++)
                scratch[i] = words[i];
            scratch[WORDS] = 0;
        }
        __syncthreads();
        if (threadIdx.x % 32 == 0 && all != 0) {
            if (matches(scratch))
                atomicAdd(scratch + WORDS, all);
            else
                add(words, all);
        }
        __syncthreads();
        if (threadIdx.x == 0 && scratch[WORDS] != 0)
            add(words, scratch[WORDS]);
    }

  private:
    __device__ uint32_t all_times() const
    {
        uint32_t all = times;
        for (int distance = 16; distance > 0; distance /= 2)
            all += __shfl_xor_sync(WHOLE_WARP, all, distance);
        return all;
    }
};

/* The two runs that a warp counts. A piece is the pixels that a thread counts together
 * (packed_counters.cuh). `pixels` is a run of equal pieces. `alpha` is a run of other pieces; their
 * pixels all have the same alpha, and only alpha is counted. */
template <class Counter, int CHANNELS> struct FlatRuns {
    const Counter &counter;
    FlatRun<CHANNELS> pixels; /* run of pieces that repeat the same two pixels */
    /* run of pieces whose pixels all have the same alpha; the run's word has this alpha in its
     * upper half and 0 in its lower half */
    FlatRun<1> alpha;

    __device__ explicit FlatRuns(const Counter &counter_) : counter(counter_)
    {
    }

    /* Counts a piece, whose first `bytes` bytes are inside the row. All lanes of a warp must call
     * it together. */
    __device__ void count(const uint32_t *piece, int bytes)
    {
        constexpr int ALL = 4 * Counter::WORDS;
        bool whole = bytes >= ALL, repeats = whole && Counter::repeats(piece);
        bool flat = repeats && pixels.matches(piece);
        if (__all_sync(WHOLE_WARP, repeats) && !__all_sync(WHOLE_WARP, flat))
            flat = pixels.becomes(piece, adder<false>()) || flat;
        pixels.times += flat;
        bool settled = Counter::ALPHA && settles(piece, whole);
        alpha.times += settled && !flat;
        if (flat || bytes <= 0)
            return;
        if (repeats)
            counter.template add<PIECE_PIXELS / 2, 2>(piece, settled);
        else
            counter.template add<1, PIECE_PIXELS>(piece, settled);
    }

    __device__ void finish(uint32_t *scratch) const
    {
        pixels.finish(scratch, adder<true>());
        if (Counter::ALPHA) {
            __syncthreads();
            alpha.finish(scratch, alpha_adder<true>());
        }
    }

  private:
    static constexpr int STEP = CHANNELS / 2; /* number of words between the alphas of two pixels */

    /* Returns true if all pixels of the piece have the alpha of the run `alpha`. The caller then
     * adds the piece to this run instead of counting each alpha. */
    __device__ bool settles(const uint32_t *piece, bool whole)
    {
        bool settled = whole && alphas_are(piece, alpha.words[0]);
        uint32_t first = piece[STEP - 1] & 0xffff0000;
        bool may = whole && !settled && (piece[2 * STEP - 1] ^ first) < 0x10000;
        if (__all_sync(WHOLE_WARP, may) && __all_sync(WHOLE_WARP, alphas_are(piece, first)))
            settled = alpha.becomes(&first, alpha_adder<false>());
        return settled;
    }
    static __device__ bool alphas_are(const uint32_t *piece, uint32_t upper)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = 0; i < PIECE_PIXELS; i++)
            differences |= piece[(i + 1) * STEP - 1] ^ upper;
        return differences < 0x10000;
    }
    template <bool GLOBALLY> __device__ auto adder() const
    {
        return [&counter = counter](const uint32_t *words, uint32_t times) {
            for (int pixel = 0; pixel < 2; pixel++)
                counter.template add_many<GLOBALLY>(words, pixel, times * (PIECE_PIXELS / 2));
        };
    }
    template <bool GLOBALLY> __device__ auto alpha_adder() const
    {
        return [&counter = counter](const uint32_t *upper, uint32_t times) {
            counter.template add_alpha<GLOBALLY>(upper[0] >> 16, times * PIECE_PIXELS);
        };
    }
};

/* --- Units ------------------------------------------------------------------------------------ */

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
