/* Private to the fast 16-bit histogram: counts a thread's pixels in the packed counters of its
 * block (packed_counters.cuh). */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_COUNT_PACKED_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_COUNT_PACKED_CUH

#include "kernels/histogram/cuda/histogram_cuda.cuh"
#include "kernels/histogram/cuda/packed_counters.cuh"

/* Number of pixels in a piece, the pixels that are counted together. A piece has 4 words per
 * channel. */
enum { PIECE_PIXELS = 8 };

/* Reports the overflow of counters that overflowed because of a carry from the counter below.
 * `word` is the index of their word, and `tops` has their top bits. This is rare, so the function
 * is not inlined. */
template <class Layout, int FIRST>
__device__ __attribute__((noinline)) void report_above(uint32_t *reports, uint32_t word,
                                                       uint32_t tops)
{
    for (; tops != 0; tops &= tops - 1) {
        PackedEntry entry = Layout::entry(word, (__ffs((int)tops) - 1) / Layout::BITS);
        if (entry.value < PACKED_VALUES)
            atomicAdd(reports + Reports::place(FIRST + entry.table, entry.value), 1u);
    }
}

/* Adds `n`, which is less than 2^BITS, to one counter. It is rarely called, so it is not
 * inlined. */
template <class Layout, int FIRST, int TABLE>
__device__ __attribute__((noinline)) void add_to_value(PackedWords shared, uint32_t *reports,
                                                       uint32_t value, uint32_t n)
{
    for (uint32_t part; n > 0; n -= part) {
        part = n < Layout::HALF ? n : Layout::HALF;
        PackedPlace place = Layout::template place<TABLE>(shared.base, value, part);
        uint32_t before = shared.add(place);
        uint32_t left = before & ~(before + place.addend) & Layout::TOPS;
        if (left == 0)
            continue;
        atomicAdd(reports + Reports::place(FIRST + TABLE, value), 1u);
        report_above<Layout, FIRST>(reports, Layout::template word_of<TABLE>(value),
                                    left & (left - 1));
    }
}

/* Counts the channels from FIRST on in the tables of Layout; if there is one more table, it counts
 * luma. If SKIP, pixels with alpha 0 are skipped. */
template <int CHANNELS, int FIRST, class Layout, bool SKIP> struct PackedCounter {
    static constexpr int WORDS = PIECE_PIXELS * CHANNELS / 2;
    static constexpr bool ALPHA =
        CHANNELS % 2 == 0 && FIRST < CHANNELS && FIRST + Layout::TABLES >= CHANNELS;

    const HistogramTask &task;
    const PackedWords shared;
    const Reports &reports;

    static __device__ uint32_t alpha(const uint32_t *words, int pixel)
    {
        return half_word(words, pixel * CHANNELS + CHANNELS - 1);
    }
    static __device__ bool visible(const uint32_t *words, int pixel)
    {
        return !SKIP || alpha(words, pixel) != 0;
    }

    template <int TABLE> __device__ uint32_t value(const uint32_t *words, int pixel) const
    {
        constexpr int CHANNEL = FIRST + TABLE;
        int at = pixel * CHANNELS;
        if (CHANNEL < CHANNELS)
            return half_word(words, at + CHANNEL);
        return luma_of(task.weights, half_word(words, at), half_word(words, at + 1 % CHANNELS),
                       half_word(words, at + 2 % CHANNELS));
    }

    /* Returns true if the pixels 0, 2, 4 ... are equal and the pixels 1, 3, 5 ... are equal. Then
     * two additions per table count all of them. */
    static __device__ bool repeats(const uint32_t *words)
    {
        uint32_t differences = 0;
#pragma unroll
        for (int i = CHANNELS; i < WORDS; i++)
            differences |= words[i] ^ words[i - CHANNELS];
        return differences == 0;
    }

    /* Reports the overflows that adding to the counters of `values` caused. */
    template <int TABLE, int COUNT>
    __device__ void report(const uint32_t (&values)[COUNT], const uint32_t (&before)[COUNT],
                           const uint32_t (&after)[COUNT]) const
    {
        uint32_t *own = reports.own(), above = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint32_t left = before[i] & ~after[i] & Layout::TOPS;
            add_one_if(left, own + Reports::place(FIRST + TABLE, values[i]));
            above |= left & (left - 1);
        }
        if (above == 0)
            return;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            uint32_t left = before[i] & ~after[i] & Layout::TOPS;
            if ((left & (left - 1)) != 0)
                report_above<Layout, FIRST>(own, Layout::template word_of<TABLE>(values[i]),
                                            left & (left - 1));
        }
    }

    /* Adds `n` to the counters of one table for each of the first COUNT pixels. */
    template <int TABLE, int COUNT>
    __device__ void add_to_table(const uint32_t *words, uint32_t n) const
    {
        uint32_t values[COUNT], before[COUNT], after[COUNT], seen = 0;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            values[i] = value<TABLE>(words, i);
            PackedPlace place = Layout::template place<TABLE>(shared.base, values[i], n);
            before[i] = after[i] = 0;
            if (visible(words, i)) {
                before[i] = shared.add(place);
                after[i] = before[i] + place.addend;
            }
            seen = and_fallen(seen, before[i], after[i]);
        }
        if ((seen & Layout::TOPS) != 0)
            report<TABLE>(values, before, after);
    }

    /* Adds N to the counters of all tables for each of the first COUNT pixels. If `settled`, it
     * leaves out the table of alpha, because alpha is already counted. */
    template <uint32_t N, int COUNT, int TABLE = 0>
    __device__ void add(const uint32_t *words, bool settled) const
    {
        static_assert(N <= Layout::HALF, "a top bit could fall unseen");
        if constexpr (TABLE < Layout::TABLES) {
            if (!ALPHA || FIRST + TABLE != CHANNELS - 1 || !settled)
                add_to_table<TABLE, COUNT>(words, N);
            add<N, COUNT, TABLE + 1>(words, settled);
        }
    }

    /* Counts pixel number `pixel` `n` times; `n` may be any number. If GLOBALLY is true, adds to
     * the tables in global memory only. Otherwise adds as much as possible to the block's counters,
     * and the rest to the tables in global memory. */
    template <bool GLOBALLY, int TABLE = 0>
    __device__ void add_many(const uint32_t *words, int pixel, uint32_t n) const
    {
        if constexpr (TABLE < Layout::TABLES) {
            if (visible(words, pixel))
                add_to<GLOBALLY, TABLE>(value<TABLE>(words, pixel), n);
            add_many<GLOBALLY, TABLE + 1>(words, pixel, n);
        }
    }
    template <bool GLOBALLY> __device__ void add_alpha(uint32_t value, uint32_t n) const
    {
        if constexpr (ALPHA) {
            if (!SKIP || value != 0)
                add_to<GLOBALLY, CHANNELS - 1 - FIRST>(value, n);
        }
    }

  private:
    template <bool GLOBALLY, int TABLE> __device__ void add_to(uint32_t value, uint32_t n) const
    {
        uint32_t here = 0;
        if constexpr (!GLOBALLY && Layout::BITS >= 16) {
            here = n % (1u << Layout::BITS);
            if (here > 0)
                add_to_value<Layout, FIRST, TABLE>(shared, reports.own(), value, here);
        }
        if (n - here > 0)
            atomicAdd(task.counts + (FIRST + TABLE) * task.row + value, (Count)(n - here));
    }
};

#endif
