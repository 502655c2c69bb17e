/* The loops that filter rows, compiled once for each instruction set (kernels/core/parallel/cpu.h),
 * with its vectors.
 *
 * All inputs of a filtered byte are known in advance, so a row is filtered in vectors from start to
 * end. The first vector gets its left neighbours from a copy that is preceded by zeros. The last
 * vector overlaps the one before it. When sums are computed, a mask excludes the bytes that were
 * already counted. */
#include "io/png/filter/filter_loops.h"

#include "kernels/core/parallel/cpu.h"
#include "kernels/simd/simd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { MOST_PIXEL = 8 };

_Static_assert(V_BYTES + MOST_PIXEL <= IMG_FILTER_LEAST_BYTES,
               "the last vector has left neighbours");

/* A vector of bytes of a row, and the vectors of their neighbours: left, above, and above left. */
typedef struct Around {
    vu8 here, left, above, corner;
} Around;

typedef struct Row {
    /* `above` is NULL if there is no row above; it then counts as zeros. */
    const uint8_t *row, *above;
    size_t pixel, bytes;
} Row;

static vu8 behind_zeros(const uint8_t *row, size_t pixel)
{
    uint8_t copy[MOST_PIXEL + V_BYTES] = {0};
    memcpy(copy + MOST_PIXEL, row, V_BYTES);
    return load_u8(copy + MOST_PIXEL - pixel);
}

static inline Around first_of(const Row *row)
{
    Around around = {.here = load_u8(row->row), .left = behind_zeros(row->row, row->pixel)};
    if (row->above != NULL) {
        around.above = load_u8(row->above);
        around.corner = behind_zeros(row->above, row->pixel);
    }
    return around;
}

/* Loads the bytes at offset `i` and their neighbours. Must not be called for the first vector of a
 * row, which has no left neighbours. */
ALWAYS_INLINE Around at(const Row *row, size_t i, bool has_above)
{
    Around around = {.here = load_u8(row->row + i), .left = load_u8(row->row + i - row->pixel)};
    if (has_above) {
        around.above = load_u8(row->above + i);
        around.corner = load_u8(row->above + i - row->pixel);
    }
    return around;
}

static inline vu8 average(vu8 left, vu8 above)
{
    return average_u8(left, above) - ((left ^ above) & all_u8(1));
}

/* Returns the Paeth prediction of each byte. unfilter_step in unfilter_loops.c explains the
 * formula. */
static inline vu8 paeth(vu8 left, vu8 above, vu8 corner)
{
    vu8 low = min_u8(left, above), high = max_u8(left, above);
    vu8 from_low = sub_sat_u8(corner, low), from_high = sub_sat_u8(high, corner);
    vu8 not_high = exceeds_half_u8(from_low, from_high);
    vu8 not_low = exceeds_half_u8(from_high, from_low);
    return high ^ (not_high & (high ^ low)) ^ (not_high & not_low & (low ^ corner));
}

ALWAYS_INLINE vu8 apply(ImgFilter filter, Around around)
{
    switch (filter) {
    case IMG_FILTER_SUB:
        return around.here - around.left;
    case IMG_FILTER_UP:
        return around.here - around.above;
    case IMG_FILTER_AVERAGE:
        return around.here - average(around.left, around.above);
    case IMG_FILTER_PAETH:
        return around.here - paeth(around.left, around.above, around.corner);
    default:
        return around.here;
    }
}

ALWAYS_INLINE void write_row(ImgFilter filter, const Row *row, bool has_above, uint8_t *filtered)
{
    const size_t last = row->bytes - V_BYTES;
    store_u8(filtered, apply(filter, first_of(row)));
    for (size_t i = V_BYTES; i < last; i += V_BYTES)
        store_u8(filtered + i, apply(filter, at(row, i, has_above)));
    if (last > 0)
        store_u8(filtered + last, apply(filter, at(row, last, has_above)));
}

static void filter_row(ImgFilter filter, size_t pixel, size_t row_bytes, const uint8_t *row,
                       const uint8_t *above, uint8_t *filtered)
{
    const Row whole = {row, above, pixel, row_bytes};
    const bool no_above = above == NULL;
    *filtered++ = (uint8_t)filter;
    if (filter == IMG_FILTER_NONE || (filter == IMG_FILTER_UP && no_above))
        memcpy(filtered, row, row_bytes);
    else if (filter == IMG_FILTER_SUB || (filter == IMG_FILTER_PAETH && no_above))
        write_row(IMG_FILTER_SUB, &whole, false, filtered);
    else if (filter == IMG_FILTER_UP)
        write_row(IMG_FILTER_UP, &whole, true, filtered);
    else if (filter == IMG_FILTER_PAETH)
        write_row(IMG_FILTER_PAETH, &whole, true, filtered);
    else if (no_above)
        write_row(IMG_FILTER_AVERAGE, &whole, false, filtered);
    else
        write_row(IMG_FILTER_AVERAGE, &whole, true, filtered);
}

/* Adds the absolute values of the bytes of `v`, which count as signed. */
static inline vu64 add_absolute(vu64 sums, vu8 v)
{
    return sums + sums_u8(abs_i8((vi8)v));
}

/* Adds the absolute values of the filtered bytes to `sums`, for each filter that has a bit in
 * `wanted`. The mask `counted` selects the bytes. */
ALWAYS_INLINE void count(unsigned wanted, Around around, vu8 counted, vu64 sums[IMG_FILTERS])
{
    _Pragma("GCC unroll 5") for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++)
    {
        if ((wanted & 1U << filter) != 0)
            sums[filter] = add_absolute(sums[filter], apply(filter, around) & counted);
    }
}

/* Returns true if all bytes equal their left neighbour and the byte above. Every filter except None
 * then turns them into 0. This includes Paeth, because its prediction is then the left or the upper
 * byte. */
ALWAYS_INLINE bool is_flat(Around around)
{
    return is_zero((around.here ^ around.left) | (around.here ^ around.above));
}

/* Adds the bytes of whole vectors from offset `from` to `to` to the sums. Returns the start of the
 * next vector. If `has_flat` is true, tests for flat vectors (is_flat), which saves time if there
 * are many. */
ALWAYS_INLINE size_t sum_vectors(unsigned wanted, const Row *row, bool has_above, bool has_flat,
                                 size_t from, size_t to, vu64 sums[IMG_FILTERS])
{
    const vu8 all = all_u8(255);
    size_t i = from;
    for (; i < to && i + V_BYTES <= row->bytes; i += V_BYTES) {
        const Around around = at(row, i, has_above);
        if (has_flat && is_flat(around))
            sums[IMG_FILTER_NONE] = add_absolute(sums[IMG_FILTER_NONE], around.here);
        else
            count(wanted, around, all, sums);
    }
    return i;
}

/* Computes the sums of a row for all filters in `wanted`. If `may_be_flat` is true, the first
 * vector of each group decides whether the other vectors of the group are tested with is_flat. */
ALWAYS_INLINE void sum_row(unsigned wanted, const Row *row, bool has_above, bool may_be_flat,
                           uint64_t totals[IMG_FILTERS])
{
    enum { SOME = 16 * V_BYTES };
    vu64 sums[IMG_FILTERS] = {{0}};
    size_t i = V_BYTES;
    count(wanted, first_of(row), all_u8(255), sums);
    while (may_be_flat && i + V_BYTES <= row->bytes)
        if (is_flat(at(row, i, true)))
            i = sum_vectors(wanted, row, has_above, true, i, i + SOME, sums);
        else
            i = sum_vectors(wanted, row, has_above, false, i, i + SOME, sums);
    i = sum_vectors(wanted, row, has_above, false, i, row->bytes, sums);
    if (i < row->bytes) {
        uint8_t counted[V_BYTES] = {0};
        memset(counted + V_BYTES - (row->bytes - i), 255, row->bytes - i);
        count(wanted, at(row, row->bytes - V_BYTES, has_above), load_u8(counted), sums);
    }
    for (ImgFilter filter = IMG_FILTER_NONE; filter < IMG_FILTERS; filter++)
        totals[filter] = sum_u64(sums[filter]);
}

static void sum_filters(unsigned allowed, size_t pixel, size_t row_bytes, const uint8_t *row,
                        const uint8_t *above, uint64_t sums[IMG_FILTERS])
{
    enum {
        LEFT_ONLY = 1 << IMG_FILTER_NONE | 1 << IMG_FILTER_SUB,
        PLAIN = LEFT_ONLY | 1 << IMG_FILTER_UP,
        ALL = PLAIN | 1 << IMG_FILTER_AVERAGE | 1 << IMG_FILTER_PAETH,
    };
    const Row whole = {row, above, pixel, row_bytes};
    if ((allowed & ~(unsigned)LEFT_ONLY) == 0)
        sum_row(LEFT_ONLY, &whole, false, false, sums);
    else if (above == NULL)
        sum_row(ALL, &whole, false, false, sums);
    else if ((allowed & ~(unsigned)PLAIN) == 0)
        sum_row(PLAIN, &whole, true, false, sums);
    else
        sum_row(ALL, &whole, true, true, sums);
}

const ImgFilterLoops IMG_VARIANT(img_filter) = {filter_row, sum_filters};
