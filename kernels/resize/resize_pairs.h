/* Included by resize_loops.c: makes pairs of samples for narrow sums (resize.h), and rearranges
 * columns. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_PAIRS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/simd/simd.h"

/* --- Pairs of rows ---------------------------------------------------------------------------- */

/* Number of samples that pair_lifted converts. zip_low and zip_high determine the order of the
 * pairs, in groups of four: the first group of every lane, then the second group of every lane, and
 * so on. */
enum { GROUP = V_BYTES };

static inline size_t sample_of_pair(size_t i)
{
    return i % 4 + i / 4 % V_LANES * V_LANE + i / (4 * V_LANES) * 4;
}

/* Stores GROUP vertical sums, shifted right, in the order of the samples. */
static inline void sums_store_16(const VSixteen sums[V_LANES], int32_t shift, int16_t *to)
{
    vi32 shifted[4];
    for (int i = 0; i < 4; i++)
        shifted[i] = shift_right_i32(sums[i / V_SIXTEEN].of[i % V_SIXTEEN], shift);
    const vu8 first = (vu8)pack_i32(shifted[0], shifted[1]);
    const vu8 last = (vu8)pack_i32(shifted[2], shifted[3]);
    store_u8(to, zip_low(first, last, V_LANE));
    store_u8(to + V_WORDS, zip_high(first, last, V_LANE));
}

/* Converts pairs of samples to values for the sums (resize.h): multiplies colours by alpha, and
 * alpha by 255, and subtracts 32768. */
static inline vu16 lift(vu16 words, int32_t channels)
{
    if (channels == 0)
        return words;
    static const uint16_t alphas[2][8] = {{0, 0, 255, 255, 0, 0, 255, 255},
                                          {0, 0, 0, 0, 0, 0, 255, 255}};
    const vu16 last = (vu16)repeat_lane(alphas[channels == 4]);
    const vu16 alpha = (vu16)repeat_last((vu8)words, channels == 4 ? V_LANE : V_LANE / 2);
    return ((words | last) * alpha) ^ all_u16(0x8000);
}

/* Converts half of a group of pairs with `lift` and stores them. */
static inline void lift_half(vu8 bytes, int32_t channels, int16_t *pairs)
{
    store_u16(pairs, lift(widen_low(bytes), channels));
    store_u16(pairs + V_WORDS, lift(widen_high(bytes), channels));
}

/* Pairs GROUP samples of rows `a` and `b`. If the pixels have alpha, it multiplies colours by
 * alpha, and alpha by 255, and subtracts 32768; `channels` then includes alpha. Without alpha,
 * `channels` is 0. */
static inline void pair_lifted(const uint8_t *a, const uint8_t *b, int32_t channels, int16_t *pairs)
{
    const vu8 from_a = load_u8(a), from_b = load_u8(b);
    lift_half(zip_low(from_a, from_b, 1), channels, pairs);
    lift_half(zip_high(from_a, from_b, 1), channels, pairs + V_BYTES);
}

/* --- Pairs of columns ------------------------------------------------------------------------- */

/* Returns the number of samples that pair_cell converts in each row: eight, but only six (two
 * pixels) if a pixel has three channels. */
static inline size_t cell_size(int32_t channels)
{
    return channels == 3 ? 6 : 8;
}

/* Interleaves neighbouring pixels in each lane: for each channel, the sample of the first pixel is
 * followed by that of the second. */
static inline vu8 pair_pixels(vu8 v, int32_t channels)
{
    static const uint8_t orders[3][V_LANE] = {
        {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15},
        {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 255, 255, 255, 255},
        {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15},
    };
    return channels == 1 ? v : shuffle_bytes(v, repeat_lane(orders[channels - 2]));
}

/* Converts cell_size vertical sums of each of 16 rows to pairs of columns: transposes 4 x 4 pairs
 * in each lane. */
static inline void pair_cell(const int16_t *middle, size_t stride, int32_t channels, int16_t *pairs)
{
    const ptrdiff_t apart = 4 * (ptrdiff_t)stride * (ptrdiff_t)sizeof *middle;
    for (size_t row = 0; row < 16; row += 4 * V_LANES) {
        vu8 of[4];
        for (size_t i = 0; i < 4; i++)
            of[i] = pair_pixels(load_lanes(middle + (row + i) * stride, apart), channels);
        const vu8 low = zip_low(of[0], of[1], 4), low_2 = zip_low(of[2], of[3], 4);
        const vu8 high = zip_high(of[0], of[1], 4), high_2 = zip_high(of[2], of[3], 4);
        int16_t *to = pairs + 2 * row;
        store_u8(to, zip_low(low, low_2, 8));
        store_u8(to + 32, zip_high(low, low_2, 8));
        store_u8(to + 64, zip_low(high, high_2, 8));
        if (channels != 3)
            store_u8(to + 96, zip_high(high, high_2, 8));
    }
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* Number of columns, of 16 bytes each, that turn_columns transposes: 16 in each lane. */
enum { TURNED = V_BYTES };

/* Does one of four equal steps that together transpose 16 x 16 bytes. It interleaves the bytes of
 * lines i and i + 8, which become lines 2 i and 2 i + 1. */
static inline void interleave_lines(const vu8 from[16], vu8 to[16])
{
    for (int i = 0; i < 8; i++) {
        to[2 * i] = zip_low(from[i], from[i + 8], 1);
        to[2 * i + 1] = zip_high(from[i], from[i + 8], 1);
    }
}

static inline void turn_columns(const uint8_t *columns, uint8_t *to, size_t stride)
{
    vu8 a[16], b[16];
    for (size_t i = 0; i < 16; i++)
        a[i] = load_lanes(columns + i * V_LANE, (ptrdiff_t)16 * V_LANE);
    interleave_lines(a, b);
    interleave_lines(b, a);
    interleave_lines(a, b);
    interleave_lines(b, a);
    for (size_t row = 0; row < 16; row++)
        store_u8(to + row * stride, a[row]);
}

#endif
