/* NEON version of vector_portable.h, with 16 lanes. One instruction multiplies 16-bit samples and
 * adds the products to 32-bit sums. Packing saturates sums to 16 bits. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_NEON_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#include "kernels/core/sample.h"

enum { LANES = 16 };

typedef int16x8x2_t Vector;

typedef struct Sums {
    int32x4_t of[LANES / 4];
} Sums;

static inline Vector load_lifted(const int16_t *from)
{
    return (Vector){{vld1q_s16(from), vld1q_s16(from + 8)}};
}

static inline Vector load_bytes(const uint8_t *from)
{
    const uint8x16_t bytes = vld1q_u8(from);
    return (Vector){{vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes))),
                     vreinterpretq_s16_u16(vmovl_high_u8(bytes))}};
}

/* Loads 8 unsigned 16-bit samples from any address, minus 32768: vld1q_u8 needs no alignment. */
static inline int16x8_t load_word_half(const ImgSample16 *from)
{
    const uint16x8_t words = vreinterpretq_u16_u8(vld1q_u8((const uint8_t *)from));
    return vreinterpretq_s16_u16(veorq_u16(words, vdupq_n_u16(0x8000)));
}

static inline Vector load_words(const ImgSample16 *from)
{
    return (Vector){{load_word_half(from), load_word_half(from + 8)}};
}

static inline void sums_start(Sums *sums, int32_t value)
{
    for (int i = 0; i < LANES / 4; i++)
        sums->of[i] = vdupq_n_s32(value);
}

static inline void sums_add_rows(Sums *sums, Vector rows, int16_t weight)
{
    const int16x8_t weights = vdupq_n_s16(weight);
    for (int i = 0; i < 2; i++) {
        int32x4_t *of = &sums->of[2 * i];
        of[0] = vmlal_s16(of[0], vget_low_s16(rows.val[i]), vget_low_s16(weights));
        of[1] = vmlal_high_s16(of[1], rows.val[i], weights);
    }
}

static inline void sums_add(Sums *sums, Vector a, Vector b, int16_t first, int16_t second)
{
    sums_add_rows(sums, a, first);
    sums_add_rows(sums, b, second);
}

static inline void sums_store(const Sums *sums, int32_t shift, int16_t *to)
{
    const int32x4_t by = vdupq_n_s32(-shift);
    for (int i = 0; i < 2; i++) {
        const int16x4_t low = vqmovn_s32(vshlq_s32(sums->of[2 * i], by));
        vst1q_s16(to + 8 * i, vqmovn_high_s32(low, vshlq_s32(sums->of[2 * i + 1], by)));
    }
}

#endif
