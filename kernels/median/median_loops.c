/* Computes rows of medians. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include <stdint.h>
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/median/median_rows.h"
#include "kernels/simd/simd.h"

/* --- Minimum and maximum of vectors of unsigned integers of 8 and of 16 bits -------------------
 */

static inline vu8 minimum_16(vu8 a, vu8 b)
{
    return (vu8)min_u16((vu16)a, (vu16)b);
}

static inline vu8 maximum_16(vu8 a, vu8 b)
{
    return (vu8)max_u16((vu16)a, (vu16)b);
}

#define NAME(word) word##_8
#define MINIMUM    min_u8
#define MAXIMUM    max_u8
#include "kernels/median/median_small_source.h"
/* This include must follow median_small_source.h, whose functions it calls. */
#include "kernels/median/median_network_source.h"

#define NAME(word) word##_16
#define MINIMUM    minimum_16
#define MAXIMUM    maximum_16
#include "kernels/median/median_small_source.h"
/* This include must follow median_small_source.h, whose functions it calls. */
#include "kernels/median/median_network_source.h"

void IMG_VARIANT(img_median_network)(const ImgMedianTile *tile, uint8_t *to)
{
    if (tile->bytes == 1)
        network_8(tile, to);
    else
        network_16(tile, to);
}

/* --- Counts ----------------------------------------------------------------------------------- */

/* Computes rows of medians by counting samples. The cost hardly depends on the radius.
 *
 * Every column of the tile has its own counts. The counts of the window are the sums over its
 * columns. When the window moves by a pixel, one column is added and one is subtracted (S.
 * Perreault, P. Hebert, "Median filtering in constant time", 2007). Only the coarse bins of the
 * window, 16 values each, are always up to date. Fine bins, of one value each, are updated when the
 * median is in their coarse bin. */

#if defined(__AVX2__)
/* Returns the 16 bins of a column, converted to 16 bits like the sums. */
static inline __m256i bins_of(const uint8_t *column)
{
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)column));
}

static inline void enter(uint16_t *sums, const uint8_t *column)
{
    __m256i *all = (__m256i *)sums;
    _mm256_storeu_si256(all, _mm256_add_epi16(_mm256_loadu_si256(all), bins_of(column)));
}

static inline void pass(uint16_t *sums, const uint8_t *enters, const uint8_t *leaves)
{
    __m256i *all = (__m256i *)sums;
    const __m256i change = _mm256_sub_epi16(bins_of(enters), bins_of(leaves));
    _mm256_storeu_si256(all, _mm256_add_epi16(_mm256_loadu_si256(all), change));
}
#else
static inline void enter(uint16_t *restrict sums, const uint8_t *restrict column)
{
    for (int i = 0; i < IMG_MEDIAN_BINS; i++)
        sums[i] = (uint16_t)(sums[i] + column[i]);
}

static inline void pass(uint16_t *restrict sums, const uint8_t *restrict enters,
                        const uint8_t *restrict leaves)
{
    for (int i = 0; i < IMG_MEDIAN_BINS; i++)
        sums[i] = (uint16_t)(sums[i] + enters[i] - leaves[i]);
}
#endif

/* Returns the index of the bin that contains the sample of rank `*before`, counted from 0 in the
 * sorted order of the window. Subtracts the number of samples in lower bins from `*before`. */
#if defined(__AVX2__)
static inline int32_t find_bin(const uint16_t *bins, int32_t *before)
{
    uint16_t below[IMG_MEDIAN_BINS + 1];
    __m256i sums = _mm256_loadu_si256((const __m256i *)bins);
    sums = _mm256_add_epi16(sums, _mm256_slli_si256(sums, 2));
    sums = _mm256_add_epi16(sums, _mm256_slli_si256(sums, 4));
    sums = _mm256_add_epi16(sums, _mm256_slli_si256(sums, 8));
    const __m256i lower_half = _mm256_permute2x128_si256(sums, sums, 0x08);
    sums = _mm256_add_epi16(sums, _mm256_shuffle_epi8(lower_half, _mm256_set1_epi16(0x0f0e)));
    below[0] = 0;
    _mm256_storeu_si256((__m256i *)(below + 1), sums);
    const __m256i past = _mm256_cmpgt_epi16(sums, _mm256_set1_epi16((int16_t)*before));
    const int32_t bin = __builtin_ctz((unsigned)_mm256_movemask_epi8(past)) / 2;
    *before -= below[bin];
    return bin;
}
#else
static inline int32_t find_bin(const uint16_t *bins, int32_t *before)
{
    int32_t bin = 0;
    while (bins[bin] <= *before)
        *before -= bins[bin++];
    return bin;
}
#endif

/* Returns a mask with one bit for each byte of a column. The bit is set if the byte equals
 * `value`. */
static inline uint64_t equal_bytes(const uint8_t *column, uint8_t value)
{
    uint64_t equal = 0;
    for (int i = 0; i < IMG_MEDIAN_COLUMN; i += V_BYTES)
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
    const uint64_t lines = (UINT64_C(1) << (2 * window->tile->radius + 1)) - 1;
    uint64_t equal = equal_bytes(counts->upper + place, (uint8_t)window->upper) & lines;
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
