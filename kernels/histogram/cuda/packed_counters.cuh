/* Private to the fast 16-bit histogram: tables of small counters that still count any number
 * exactly. Several counters share a word of shared memory.
 *
 * To add to a counter, a thread adds to its word. If the counter overflows, the carry goes to the
 * next counter of the word; a carry out of the last counter is lost. The thread detects the carry
 * from the previous value of the word, and counts the overflow in global memory (Reports). So the
 * true count of a counter is
 *
 * its value + 2^BITS * (its overflows) - (overflows of the counter below it in the word).
 *
 * A layout defines the positions of the counters of TABLES tables, in WORDS words with PER_WORD
 * counters each. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_PACKED_COUNTERS_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_PACKED_COUNTERS_CUH

#include <stdint.h>

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/histogram/cuda/histogram_cuda.cuh"

constexpr uint32_t PACKED_VALUES = 65536; /* number of values per table */

/* The table and the value to which a counter of a word belongs, or `value` == PACKED_VALUES if the
 * counter is unused. */
struct PackedEntry {
    uint32_t table, value; /* index of the table, and value that the counter counts */
};

/* The position of a counter's word, and the number to add to this word to increase the counter. */
struct PackedPlace {
    /* `at`: byte offset of the word from the start of the words, plus `base` */
    uint32_t at, addend;
};

/* Returns a mask of the top bits of the counters of a word, for `per_word` counters per word. */
constexpr uint32_t packed_tops(int per_word)
{
    uint32_t tops = 0;
    for (int i = 0; i < per_word; i++)
        tops |= 1u << (i * (32 / per_word) + 32 / per_word - 1);
    return tops;
}

/* A layout in which each word counts neighbouring values of one table. The words of table 0 come
 * first, then the words of table 1, and so on. */
template <int TABLES_, int BITS_> struct NearCounters {
    static constexpr int TABLES = TABLES_, BITS = BITS_, PER_WORD = 32 / BITS;
    static constexpr bool NEAR = true; /* true: neighbouring values share a word */
    static constexpr uint32_t TOPS = packed_tops(PER_WORD), HALF = 1u << (BITS - 1);
    static constexpr uint32_t TABLE_WORDS = PACKED_VALUES / PER_WORD, WORDS = TABLES * TABLE_WORDS;

    template <int TABLE> static __device__ uint32_t word_of(uint32_t value)
    {
        return TABLE * TABLE_WORDS + value / PER_WORD;
    }
    /* Returns the place of the counter of `value`. The shift needs no modulo, because
     * __funnelshift_l uses it modulo 32. */
    template <int TABLE>
    static __device__ PackedPlace place(uint32_t base, uint32_t value, uint32_t n)
    {
        return {(value * BITS / 8 & ~3u) + (base + 4 * TABLE * TABLE_WORDS),
                __funnelshift_l(0, n, value * BITS)};
    }
    static __device__ PackedEntry entry(uint32_t word, int counter)
    {
        return {word / TABLE_WORDS, word % TABLE_WORDS * PER_WORD + (uint32_t)counter};
    }
};

/* Layout of the counters of TABLES tables in words. For each value v below LOW, word v has one
 * counter per table, which counts v, and one more counter. The additional counters count the values
 * from LOW on: in words 0 to HIGH - 1 for table 0, in the next HIGH words for table 1, and so
 * on. */
template <int TABLES_> struct MixedCounters {
    static constexpr int TABLES = TABLES_, PER_WORD = TABLES + 1, BITS = 32 / PER_WORD;
    static constexpr bool NEAR = false;
    static constexpr uint32_t TOPS = packed_tops(PER_WORD), HALF = 1u << (BITS - 1);
    static constexpr uint32_t LOW = (PACKED_VALUES * TABLES + TABLES) / PER_WORD;
    static constexpr uint32_t HIGH = PACKED_VALUES - LOW;
    static constexpr uint32_t WORDS = (LOW + 3) / 4 * 4;
    static_assert(HIGH * TABLES <= LOW, "no room for the high values");

    template <int TABLE> static __device__ uint32_t word_of(uint32_t value)
    {
        return value < LOW ? value : value - LOW + TABLE * HIGH;
    }
    template <int TABLE>
    static __device__ PackedPlace place(uint32_t base, uint32_t value, uint32_t n)
    {
        bool low = value < LOW;
        return {4 * value + (low ? base : base + 4 * TABLE * HIGH - 4 * LOW),
                low ? n << (TABLE * BITS) : n << (TABLES * BITS)};
    }
    static __device__ PackedEntry entry(uint32_t word, int counter)
    {
        if (counter < TABLES)
            return {(uint32_t)counter, word < LOW ? word : PACKED_VALUES};
        bool some = word < HIGH * TABLES;
        return {some ? word / HIGH : 0, some ? LOW + word % HIGH : PACKED_VALUES};
    }
};

/* Returns sample number `i` of words that have two samples each. It uses neither a shift nor a
 * mask, because nvcc would merge these with later arithmetic into more instructions. */
__device__ inline uint32_t half_word(const uint32_t *words, int i)
{
#ifdef IMGTOOL_EMULATOR
    return words[i / 2] >> (i % 2 * 16) & 0xffff;
#else
    uint32_t half;
    if (i % 2 == 0)
        asm("prmt.b32 %0, %1, 0, 0x4410;" : "=r"(half) : "r"(words[i / 2]));
    else
        asm("prmt.b32 %0, %1, 0, 0x4432;" : "=r"(half) : "r"(words[i / 2]));
    return half;
#endif
}

/* The words of a block's counters. Their address in shared memory stays in a register; otherwise
 * nvcc would compute it again for each access. */
struct PackedWords {
#ifdef IMGTOOL_EMULATOR
    uint32_t *words;
    static constexpr uint32_t base = 0;

    __device__ explicit PackedWords(uint32_t *shared) : words(shared)
    {
    }
    __device__ uint32_t add(PackedPlace place) const
    {
        return atomicAdd(words + place.at / 4, place.addend);
    }
#else
    uint32_t base;

    __device__ explicit PackedWords(uint32_t *shared)
    {
        asm volatile("mov.u32 %0, %1;"
                     : "=r"(base)
                     : "r"((uint32_t)__cvta_generic_to_shared(shared)));
    }
    __device__ uint32_t add(PackedPlace place) const
    {
        uint32_t before;
        asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "r"(place.at), "r"(place.addend));
        return before;
    }
#endif
};

/* Returns `seen` with those bits added that changed from 1 in `before` to 0 in `after`. A counter
 * whose top bit changed this way has overflowed. The code is a single instruction; nvcc would make
 * two, to shorten the dependency chain. */
__device__ inline uint32_t and_fallen(uint32_t seen, uint32_t before, uint32_t after)
{
#ifdef IMGTOOL_EMULATOR
    return seen | (before & ~after);
#else
    uint32_t all;
    asm("lop3.b32 %0, %1, %2, %3, 0xba;" : "=r"(all) : "r"(before), "r"(after), "r"(seen));
    return all;
#endif
}

/* --- Reports of overflows --------------------------------------------------------------------- */

/* The numbers of overflows of all counters, in global memory: one uint32_t for each value of each
 * table. There are several copies, and different blocks use different copies, because additions to
 * the same address are executed one after the other. */
struct Reports {
    uint32_t *first; /* the first copy */
    uint32_t each;   /* number of elements of a copy */
    uint32_t copies; /* number of copies, a power of two */

    /* Returns the copy of the reports that this block uses. */
    __device__ uint32_t *own() const
    {
        return first + (blockIdx.x & (copies - 1)) * each;
    }
    /* Returns the index, in a copy, of the number of overflows for a value of a table. Counters of
     * neighbouring values often overflow at about the same time, and additions to the same sector
     * of the second-level cache are executed one after the other. Therefore the numbers of
     * neighbouring values are in different sectors. */
    static __device__ uint32_t place(uint32_t table, uint32_t value)
    {
        return table * PACKED_VALUES + (value >> 3 | (value & 7) << 13);
    }
    /* Returns the number of overflows for a value of a table, over all copies. */
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

/* --- Counting --------------------------------------------------------------------------------- */

/* Counts a thread's pixels in the packed counters of its block. */

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
