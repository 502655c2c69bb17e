/* Computes rows of medians by counting samples. The cost hardly depends on the radius. This file is
 * compiled for AVX2 and for the baseline (core/parallel/cpu.h): 16 counts fill vectors of up to 32
 * bytes.
 *
 * Every column of the tile has its own counts. The counts of the window are the sums over its
 * columns. When the window moves by a pixel, one column is added and one is subtracted (S.
 * Perreault, P. Hebert, "Median filtering in constant time", 2007). Only the coarse bins of the
 * window, 16 values each, are always up to date. Fine bins, of one value each, are updated when the
 * median is in their coarse bin. */
#include <stdint.h>
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/median/median_rows.h"
#include "kernels/simd/simd.h"

/* Adds the counts of a column to the sums. */
static inline void enter(uint16_t *sums, const uint8_t *column)
{
    for (int i = 0; i < IMG_MEDIAN_BINS; i += V_WORDS)
        store_u16(sums + i, load_u16(sums + i) + widen_u8(column + i));
}

static inline void pass(uint16_t *sums, const uint8_t *enters, const uint8_t *leaves)
{
    for (int i = 0; i < IMG_MEDIAN_BINS; i += V_WORDS)
        store_u16(sums + i, load_u16(sums + i) + (widen_u8(enters + i) - widen_u8(leaves + i)));
}

/* Returns for each element the sum of the elements of its lane up to this one. */
static inline vu16 lane_sums(vu16 v)
{
    const vu8 zero = all_u8(0);
    v += (vu16)slide_in((vu8)v, zero, 2);
    v += (vu16)slide_in((vu8)v, zero, 4);
    return v + (vu16)slide_in((vu8)v, zero, 8);
}

/* Sets `sums` to the sums of the bins up to each bin. */
static inline void sum_bins(const uint16_t *bins, vu16 sums[IMG_MEDIAN_BINS / V_WORDS])
{
    for (int i = 0; i < IMG_MEDIAN_BINS / V_WORDS; i++)
        sums[i] = lane_sums(load_u16(bins + i * V_WORDS));
    if (V_LANES == 1) {
        sums[1] += all_u16(sums[0][V_WORDS - 1]);
    } else {
        const vu16 lower = (vu16)enter_lane(all_u8(0), (vu8)sums[0]);
        sums[0] += (vu16)shuffle_bytes((vu8)lower, (vu8)all_u16(0x0f0e));
    }
}

/* Returns the index of the bin that contains the sample of rank `*before`, counted from 0 in the
 * sorted order of the window. Subtracts the number of samples in lower bins from `*before`. */
static inline int32_t find_bin(const uint16_t *bins, int32_t *before)
{
    uint16_t below[IMG_MEDIAN_BINS] __attribute__((aligned(32)));
    vu16 sums[IMG_MEDIAN_BINS / V_WORDS];
    uint64_t past = 0;
    sum_bins(bins, sums);
    for (int i = 0; i < IMG_MEDIAN_BINS / V_WORDS; i++) {
        store_u16(below + i * V_WORDS, sums[i] - load_u16(bins + i * V_WORDS));
        past |= mask_u8((vu8)((vi16)sums[i] > all_i16((int16_t)*before))) << i * V_BYTES;
    }
    const int32_t bin = __builtin_ctzll(past) / 2;
    *before -= below[bin];
    return bin;
}

/* Returns a mask with one bit for each of the `lines` bytes of a column, and perhaps for bytes
 * after them. The bit is set if the byte equals `value`. */
static inline uint64_t equal_bytes(const uint8_t *column, int32_t lines, uint8_t value)
{
    uint64_t equal = equal_u8(load_u8(column), all_u8(value));
    if (lines > V_BYTES)
        for (int i = V_BYTES; i < IMG_MEDIAN_COLUMN; i += V_BYTES)
            equal |= equal_u8(load_u8(column + i), all_u8(value)) << i;
    return equal;
}

/* State of the window while it moves along one channel of a row. A position is the first column of
 * the window. */
typedef struct Window {
    uint16_t coarse[IMG_MEDIAN_BINS] __attribute__((aligned(32)));
    uint16_t fine[IMG_MEDIAN_BINS][IMG_MEDIAN_BINS];
    /* position for which the fine bins of each coarse bin are valid */
    int32_t fine_at[IMG_MEDIAN_BINS];
    /* For 16 bits: counts of the lower bytes of samples whose upper byte is `upper`. They are valid
     * for the position `lower_at`. */
    uint16_t lower_coarse[IMG_MEDIAN_BINS];
    uint16_t lower_fine[IMG_MEDIAN_BINS][IMG_MEDIAN_BINS];
    const ImgMedianTile *tile;
    int32_t upper, lower_at;
    int32_t channel;
} Window;

/* Returns the index, within a line, of the sample at column `column` in the window's channel. */
static inline size_t sample_of(const Window *window, int32_t column)
{
    return (size_t)column * (size_t)window->tile->channels + (size_t)window->channel;
}

static inline const uint8_t *fine_column(const Window *window, int32_t bin, int32_t column)
{
    const size_t bins = (size_t)bin * (size_t)window->tile->line_samples;
    return window->tile->counts.fine + (bins + sample_of(window, column)) * IMG_MEDIAN_BINS;
}

/* Returns the fine bins of coarse bin number `bin`, for the window whose first column is `x`. The
 * bins may be valid only for an earlier position. If this position is at most `radius` columns
 * away, the function updates the bins column by column; otherwise it counts them from scratch. */
static inline const uint16_t *fine_bins(Window *window, int32_t bin, int32_t x)
{
    const int32_t radius = window->tile->radius;
    const size_t step = (size_t)window->tile->channels * IMG_MEDIAN_BINS;
    uint16_t *sums = window->fine[bin];
    int32_t at = window->fine_at[bin];
    if (x - at > radius) {
        const uint8_t *column = fine_column(window, bin, x);
        memset(sums, 0, sizeof window->fine[bin]);
        for (int32_t i = 0; i <= 2 * radius; i++)
            enter(sums, column + (size_t)i * step);
    } else if (at < x) {
        const uint8_t *leaves = fine_column(window, bin, at);
        const uint8_t *enters = leaves + (size_t)(2 * radius + 1) * step;
        for (; at < x; at++, leaves += step, enters += step)
            pass(sums, enters, leaves);
    }
    window->fine_at[bin] = x;
    return sums;
}

static inline void count_lower(Window *window, int32_t column, uint16_t by)
{
    const size_t place = sample_of(window, column) * IMG_MEDIAN_COLUMN;
    const ImgMedianCounts *counts = &window->tile->counts;
    const uint8_t *lower = counts->lower + place;
    const int32_t lines = 2 * window->tile->radius + 1;
    uint64_t equal = equal_bytes(counts->upper + place, lines, (uint8_t)window->upper);
    equal &= (UINT64_C(1) << lines) - 1;
    for (; equal != 0; equal &= equal - 1) {
        const int32_t value = lower[__builtin_ctzll(equal)];
        window->lower_coarse[value / IMG_MEDIAN_BINS] += by;
        window->lower_fine[value / IMG_MEDIAN_BINS][value % IMG_MEDIAN_BINS] += by;
    }
}

/* Returns the lower byte of the median of 16-bit samples. The upper byte of the median is `upper`,
 * and `before` samples with the same upper byte are smaller than the median. */
static inline int32_t find_lower(Window *window, int32_t upper, int32_t before, int32_t x)
{
    const int32_t radius = window->tile->radius;
    if (window->upper == upper && window->lower_at == x - 1) {
        count_lower(window, x - 1, UINT16_MAX);
        count_lower(window, x + 2 * radius, 1);
    } else {
        window->upper = upper;
        memset(window->lower_coarse, 0, sizeof window->lower_coarse);
        memset(window->lower_fine, 0, sizeof window->lower_fine);
        for (int32_t i = 0; i <= 2 * radius; i++)
            count_lower(window, x + i, 1);
    }
    window->lower_at = x;
    const int32_t bin = find_bin(window->lower_coarse, &before);
    return bin * IMG_MEDIAN_BINS + find_bin(window->lower_fine[bin], &before);
}

static inline void window_start(Window *window)
{
    memset(window->coarse, 0, sizeof window->coarse);
    for (int32_t i = 0; i <= 2 * window->tile->radius; i++)
        enter(window->coarse, window->tile->counts.coarse + sample_of(window, i) * IMG_MEDIAN_BINS);
    for (int i = 0; i < IMG_MEDIAN_BINS; i++)
        window->fine_at[i] = -IMG_MEDIAN_SIDE_MAX;
    window->upper = -1;
}

static inline void channel_row(Window *window, uint8_t *to, bool wide)
{
    const ImgMedianTile *tile = window->tile;
    const int32_t side = 2 * tile->radius + 1, pixels = tile->samples / tile->channels;
    const uint8_t *coarse = tile->counts.coarse;
    window_start(window);
    for (int32_t x = 0; x < pixels; x++) {
        int32_t before = side * side / 2;
        if (x > 0)
            pass(window->coarse, coarse + sample_of(window, x + side - 1) * IMG_MEDIAN_BINS,
                 coarse + sample_of(window, x - 1) * IMG_MEDIAN_BINS);
        const int32_t bin = find_bin(window->coarse, &before);
        int32_t value = bin * IMG_MEDIAN_BINS + find_bin(fine_bins(window, bin, x), &before);
        if (wide) {
            value = 256 * value + find_lower(window, value, before, x);
            memcpy(to + 2 * sample_of(window, x), &(uint16_t){(uint16_t)value}, 2);
        } else {
            to[sample_of(window, x)] = (uint8_t)value;
        }
    }
}

void IMG_VARIANT(img_median_counts)(const ImgMedianTile *tile, uint8_t *to)
{
    Window window = {.tile = tile};
    for (; window.channel < tile->channels; window.channel++) {
        if (tile->bytes == 1)
            channel_row(&window, to, false);
        else
            channel_row(&window, to, true);
    }
}
