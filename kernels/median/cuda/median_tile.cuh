/* Private to median on CUDA: the medians of the 4 x 4 windows of a tile, which have most of their
 * samples in common. The samples that all windows contain are sorted once. Then the samples that
 * all windows of one half of the tile contain are merged into this list. The same is done for a
 * quarter, and so on (hierarchical tiling, arXiv 2507.19926). A list keeps only the samples that
 * can still be the median. */
#ifndef IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_TILE_CUH
#define IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_TILE_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/host_device.h"

/* --- Sorting networks ------------------------------------------------------------------------- */

/* Sorting networks in registers. A word has two samples of 16 bits, one per half. The two halves
 * are sorted independently. Compilers remove the parts on which no used result depends. Merges are
 * Batcher's odd-even merges for lists of any lengths (median_program.h). */

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

/* --- Tiles ------------------------------------------------------------------------------------ */

constexpr int TILE = 4;

/* A sorted list of COUNT words; each word has one sample of each of two tiles. */
template <int COUNT> struct MedianList {
    uint32_t v[COUNT];
};

/* Merges two lists. BOTH means that all results are needed, not only those that will be kept (see
 * exchange). */
template <bool BOTH = true, int LEFT, int RIGHT>
MEDIAN_REGISTERS MedianList<LEFT + RIGHT> merged(const MedianList<LEFT> &left,
                                                 const MedianList<RIGHT> &right)
{
    MedianList<LEFT + RIGHT> all;
#pragma unroll
    for (int i = 0; i < LEFT; i++)
        all.v[i] = left.v[i];
#pragma unroll
    for (int i = 0; i < RIGHT; i++)
        all.v[LEFT + i] = right.v[i];
    merge_registers<BOTH, 0, LEFT, RIGHT>(all.v);
    return all;
}

/* The range of ranks that the median of a window can have among the first ALL samples of the
 * window: COUNT ranks from FIRST on. */
template <int SIDE, int ALL> struct MedianRanks {
    static constexpr int HALF = SIDE * SIDE / 2;
    static constexpr int FIRST = ALL - 1 - HALF > 0 ? ALL - 1 - HALF : 0;
    static constexpr int COUNT = (HALF < ALL - 1 ? HALF : ALL - 1) - FIRST + 1;
};

/* Returns the part of a sorted list that can still contain the median, by the ranks of
 * MedianRanks<SIDE, ALL>. The first sample of the list has the rank BELOW. */
template <int SIDE, int ALL, int BELOW, int COUNT>
MEDIAN_REGISTERS MedianList<MedianRanks<SIDE, ALL>::COUNT> kept(const MedianList<COUNT> &list)
{
    using Ranks = MedianRanks<SIDE, ALL>;
    MedianList<Ranks::COUNT> result;
#pragma unroll
    for (int i = 0; i < Ranks::COUNT; i++)
        result.v[i] = list.v[Ranks::FIRST - BELOW + i];
    return result;
}

/* Returns the sample that would have the rank RANK, counted from 0, if both lists were merged to
 * one sorted list. */
template <int RANK, int LEFT, int RIGHT>
MEDIAN_REGISTERS uint32_t selected(const MedianList<LEFT> &left, const MedianList<RIGHT> &right)
{
    uint32_t least = 0;
    bool any = false;
#pragma unroll
    for (int i = 0; i <= RANK + 1; i++) {
        const int other = RANK + 1 - i;
        if (i > LEFT || other > RIGHT)
            continue;
        const uint32_t larger = i == 0       ? right.v[other - 1]
                                : other == 0 ? left.v[i - 1]
                                             : __vmaxu2(left.v[i - 1], right.v[other - 1]);
        least = any ? __vminu2(least, larger) : larger;
        any = true;
    }
    return least;
}

/* Returns the sorted list of COUNT samples of a line: a row if ACROSS, otherwise a column. `at` is
 * the index of the row or column, and `from` is the position of the first sample in it. `sample(x,
 * y)` must return the samples of two tiles at x and y, relative to the corner of each tile. After
 * loops are unrolled, x and y are constants. */
template <bool ACROSS, int COUNT, typename Sample>
__device__ inline MedianList<COUNT> line(const Sample &sample, int at, int from)
{
    MedianList<COUNT> list;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        list.v[i] = ACROSS ? sample(from + i, at) : sample(at, from + i);
    sort_registers<0, COUNT>(list.v);
    return list;
}

template <int RADIUS> struct MedianTile {
    static constexpr int SIDE = 2 * RADIUS + 1, CORE = SIDE - TILE + 1, HALF_CORE = SIDE - 1;
    /* Number of samples that several windows have in common: all 16 windows of a tile, the 8 of one
     * half, the 4 of a quarter, and two windows. */
    static constexpr int OF_TILE = CORE * CORE, OF_HALF = CORE * HALF_CORE;
    static constexpr int OF_QUARTER = HALF_CORE * HALF_CORE, OF_TWO = HALF_CORE * SIDE;
    template <int ALL> using Ranks = MedianRanks<SIDE, ALL>;

    template <int COLUMNS, typename Sample>
    static __device__ MedianList<COLUMNS * CORE> columns(const Sample &sample, int from)
    {
        if constexpr (COLUMNS == 1) {
            return line<false, CORE>(sample, from, TILE - 1 - RADIUS);
        } else {
            constexpr int LEFT = COLUMNS / 2;
            return merged(columns<LEFT>(sample, from),
                          columns<COLUMNS - LEFT>(sample, from + LEFT));
        }
    }
    template <typename Sample>
    static __device__ MedianList<Ranks<OF_TILE>::COUNT> common(const Sample &sample)
    {
        return kept<SIDE, OF_TILE, 0>(columns<CORE>(sample, TILE - 1 - RADIUS));
    }
    /* Computes the medians of the left half of a tile, which is two columns of windows. It calls
     * result(x, y, median) for each of them. For the right half, the caller passes functions that
     * mirror the tile. */
    template <typename Sample, typename Result>
    static __device__ void half(const MedianList<Ranks<OF_TILE>::COUNT> &common,
                                const Sample &sample, const Result &result)
    {
        const auto list = kept<SIDE, OF_HALF, Ranks<OF_TILE>::FIRST>(
            merged(common, columns<2>(sample, 1 - RADIUS)));
        /* rows, relative to the tile, that not all of its windows contain: -RADIUS to 2 - RADIUS,
         * and RADIUS + 1 to RADIUS + 3 */
        MedianList<HALF_CORE> row[6];
#pragma unroll
        for (int i = 0; i < 6; i++)
            row[i] = line<true, HALF_CORE>(sample, i < 3 ? i - RADIUS : RADIUS - 2 + i, 1 - RADIUS);
        const auto first = line<false, CORE>(sample, -RADIUS, TILE - 1 - RADIUS);
        const auto last = line<false, CORE>(sample, RADIUS + 1, TILE - 1 - RADIUS);
        quarter<0>(list, row[1], row[2], row[0], row[3], first, last, sample, result);
        quarter<1>(list, row[3], row[4], row[2], row[5], first, last, sample, result);
    }

  private:
    /* Computes the medians of a quarter of the tile, which is 2 x 2 windows. All windows of the
     * quarter contain the rows `one` and `two`. Only the upper two windows contain the row `above`,
     * and only the lower two the row `below`. Only the left two windows contain the column `first`,
     * and only the right two the column `last`. */
    template <int LOWER, int COUNT, typename Sample, typename Result>
    static __device__ void
    quarter(const MedianList<COUNT> &half, const MedianList<HALF_CORE> &one,
            const MedianList<HALF_CORE> &two, const MedianList<HALF_CORE> &above,
            const MedianList<HALF_CORE> &below, const MedianList<CORE> &first,
            const MedianList<CORE> &last, const Sample &sample, const Result &result)
    {
        /* index of the row `one`. It is the upper of the two rows `one` and `two`, which all
         * windows of this quarter contain, but not all windows of the other quarter. */
        constexpr int TOP = LOWER != 0 ? RADIUS + 1 : 1 - RADIUS;
        const auto list =
            kept<SIDE, OF_QUARTER, Ranks<OF_HALF>::FIRST>(merged<false>(half, merged(one, two)));
#pragma unroll
        for (int x = 0; x < 2; x++) {
            const int column = x == 0 ? -RADIUS : RADIUS + 1;
            const auto whole = merged(x == 0 ? first : last, line<false, 2>(sample, column, TOP));
            const auto both =
                kept<SIDE, OF_TWO, Ranks<OF_QUARTER>::FIRST>(merged<false>(list, whole));
#pragma unroll
            for (int y = 0; y < 2; y++) {
                const int at = 2 * LOWER + (y == 0 ? -RADIUS : RADIUS + 1);
                const auto row = merged(y == 0 ? above : below, line<true, 1>(sample, at, column));
                result(x, 2 * LOWER + y,
                       selected<SIDE * SIDE / 2 - Ranks<OF_TWO>::FIRST>(both, row));
            }
        }
    }
};

#endif
