/* NEON version of resize_vector_portable.h: four registers hold 16 sums, and pairs have the order
 * of the samples. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_NEON_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Sums {
    int32x4_t of[4];
} Sums;

static inline Sums sums_start(int32_t value)
{
    const int32x4_t all = vdupq_n_s32(value);
    return (Sums){{all, all, all, all}};
}

static inline Sums sums_load(const int32_t *from)
{
    return (Sums){
        {vld1q_s32(from), vld1q_s32(from + 4), vld1q_s32(from + 8), vld1q_s32(from + 12)}};
}

/* Adds 16 pairs of samples, each multiplied by the same pair of weights. The loads separate the
 * first samples of pairs from the second ones. */
static inline Sums sums_add(Sums sums, const int16_t *pairs, const int16_t *weights)
{
    const int16x8_t first = vdupq_n_s16(weights[0]), second = vdupq_n_s16(weights[1]);
    for (int i = 0; i < 2; i++) {
        const int16x8x2_t samples = vld2q_s16(pairs + 16 * i);
        int32x4_t low = sums.of[2 * i], high = sums.of[2 * i + 1];
        low = vmlal_s16(low, vget_low_s16(samples.val[0]), vget_low_s16(first));
        high = vmlal_high_s16(high, samples.val[0], first);
        sums.of[2 * i] = vmlal_s16(low, vget_low_s16(samples.val[1]), vget_low_s16(second));
        sums.of[2 * i + 1] = vmlal_high_s16(high, samples.val[1], second);
    }
    return sums;
}

static inline Sums sums_shift(Sums sums, int32_t shift)
{
    const int32x4_t by = vdupq_n_s32(-shift);
    for (int i = 0; i < 4; i++)
        sums.of[i] = vshlq_s32(sums.of[i], by);
    return sums;
}

enum {
    GROUP = 16,
    /* number of vectors of 16 sums that are computed together; they use half of the registers. The
     * number of their sums divides IMG_RESIZE_SLICE. */
    SUMS = 4,
};

static inline size_t sample_of_pair(size_t i)
{
    return i;
}

static inline void sums_store_16(const Sums sums[1], int32_t shift, int16_t *to)
{
    const Sums shifted = sums_shift(sums[0], shift);
    for (int i = 0; i < 2; i++)
        vst1q_s16(to + 8 * i, vmovn_high_s32(vmovn_s32(shifted.of[2 * i]), shifted.of[2 * i + 1]));
}

static inline void sums_store_32(Sums sums, int32_t shift, int32_t *to)
{
    const Sums shifted = sums_shift(sums, shift);
    for (int i = 0; i < 4; i++)
        vst1q_s32(to + 4 * i, shifted.of[i]);
}

static inline void sums_store_8(Sums sums, int32_t shift, uint8_t *to)
{
    const Sums shifted = sums_shift(sums, shift);
    uint16x8_t words[2];
    for (int i = 0; i < 2; i++)
        words[i] = vqmovun_high_s32(vqmovun_s32(shifted.of[2 * i]), shifted.of[2 * i + 1]);
    vst1q_u8(to, vqmovn_high_u16(vqmovn_u16(words[0]), words[1]));
}

/* --- Samples in another order ----------------------------------------------------------------- */

/* Converts 16 samples to values for the sums (resize.h): multiplies colours by alpha, and alpha by
 * 255, and subtracts 32768. */
static inline void lift_words(uint8x16_t bytes, int32_t channels, uint16x8_t words[2])
{
    static const uint8_t alpha_of[2][16] = {
        {1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15},
        {3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15}};
    static const uint8_t is_alpha[2][16] = {
        {0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255},
        {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255}};
    const uint8x16_t alpha = vqtbl1q_u8(bytes, vld1q_u8(alpha_of[channels == 4]));
    const uint8x16_t colors = vorrq_u8(bytes, vld1q_u8(is_alpha[channels == 4]));
    const uint16x8_t zero = vdupq_n_u16(0x8000);
    words[0] = veorq_u16(vmull_u8(vget_low_u8(colors), vget_low_u8(alpha)), zero);
    words[1] = veorq_u16(vmull_high_u8(colors, alpha), zero);
}

static inline void widen_words(uint8x16_t bytes, uint16x8_t words[2])
{
    words[0] = vmovl_u8(vget_low_u8(bytes));
    words[1] = vmovl_high_u8(bytes);
}

static inline void pair_lifted(const uint8_t *a, const uint8_t *b, int32_t channels, int16_t *pairs)
{
    const uint8x16_t from_a = vld1q_u8(a), from_b = vld1q_u8(b);
    uint16x8_t of_a[2], of_b[2];
    if (channels == 0) {
        widen_words(from_a, of_a);
        widen_words(from_b, of_b);
    } else {
        lift_words(from_a, channels, of_a);
        lift_words(from_b, channels, of_b);
    }
    for (int i = 0; i < 2; i++) {
        const int16x8x2_t both = {{vreinterpretq_s16_u16(of_a[i]), vreinterpretq_s16_u16(of_b[i])}};
        vst2q_s16(pairs + 16 * i, both);
    }
}

/* Returns the number of samples that pair_cell converts in each row: 8 pixels of one channel, 4
 * pixels of two channels, or 2 pixels of three or four channels. */
static inline size_t cell_size(int32_t channels)
{
    return channels == 3 ? 6 : 8;
}

/* Returns the byte shuffle that interleaves two neighbouring pixels: for each channel, the sample
 * of the first pixel is followed by that of the second. */
static inline uint8x16_t pair_order(int32_t channels)
{
    static const uint8_t orders[4][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15},
        {0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 255, 255, 255, 255},
        {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15},
    };
    return vld1q_u8(orders[channels - 1]);
}

static inline uint32x4_t load_cell(const int16_t *row, uint8x16_t order)
{
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_s16(vld1q_s16(row)), order));
}

static inline void store_unit(int16_t *pairs, size_t unit, size_t row, uint64x2_t rows)
{
    vst1q_s16(pairs + unit * 32 + 2 * row, vreinterpretq_s16_u64(rows));
}

/* Converts cell_size vertical sums of each of 16 rows to pairs of columns: transposes 4 x 4 pairs
 * at a time. */
static inline void pair_cell(const int16_t *middle, size_t stride, int32_t channels, int16_t *pairs)
{
    const uint8x16_t order = pair_order(channels);
    for (size_t row = 0; row < 16; row += 4) {
        uint32x4_t of[4];
        for (size_t i = 0; i < 4; i++)
            of[i] = load_cell(middle + (row + i) * stride, order);
        const uint64x2_t low = vreinterpretq_u64_u32(vzip1q_u32(of[0], of[1]));
        const uint64x2_t low_2 = vreinterpretq_u64_u32(vzip1q_u32(of[2], of[3]));
        const uint64x2_t high = vreinterpretq_u64_u32(vzip2q_u32(of[0], of[1]));
        const uint64x2_t high_2 = vreinterpretq_u64_u32(vzip2q_u32(of[2], of[3]));
        store_unit(pairs, 0, row, vzip1q_u64(low, low_2));
        store_unit(pairs, 1, row, vzip2q_u64(low, low_2));
        store_unit(pairs, 2, row, vzip1q_u64(high, high_2));
        if (channels != 3)
            store_unit(pairs, 3, row, vzip2q_u64(high, high_2));
    }
}

enum { TURNED = 16 };

/* Does one of four equal steps that together transpose 16 x 16 bytes. It interleaves the bytes of
 * lines i and i + 8, which become lines 2 i and 2 i + 1. */
static inline void interleave_lines(const uint8x16_t from[16], uint8x16_t to[16])
{
    for (int i = 0; i < 8; i++) {
        to[2 * i] = vzip1q_u8(from[i], from[i + 8]);
        to[2 * i + 1] = vzip2q_u8(from[i], from[i + 8]);
    }
}

static inline void turn_columns(const uint8_t *columns, uint8_t *to, size_t stride)
{
    uint8x16_t a[16], b[16];
    for (size_t i = 0; i < 16; i++)
        a[i] = vld1q_u8(columns + i * 16);
    interleave_lines(a, b);
    interleave_lines(b, a);
    interleave_lines(a, b);
    interleave_lines(b, a);
    for (size_t row = 0; row < 16; row++)
        vst1q_u8(to + row * stride, a[row]);
}

#endif
