/* Implements the functions of window_rows.h. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include "kernels/core/parallel/cpu.h"
#include "kernels/core/sample.h"
#include "kernels/simd/simd.h"
#include "kernels/window/lift_pixels.h"
#include "kernels/window/window_rows.h"

/* --- Weighted sums ---------------------------------------------------------------------------- */

/* Number of vectors that are summed together. Their sums do not depend on each other, and a row of
 * weights is loaded once for all of them. */
enum { TOGETHER = V_BYTES < 32 ? 4 : 2 };

static inline int16_t cut_to_16(int32_t value)
{
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

static inline vi16 load_bytes(const uint8_t *from)
{
    return (vi16)widen_u8(from);
}

/* Loads unsigned samples and subtracts 32768, so that they become signed. */
static inline vi16 load_words(const ImgSample16 *from)
{
    return (vi16)(load_u16(from) ^ all_u16(0x8000));
}

/* Defines a function for weighted sums of rows. It processes several vectors at a time, and then
 * single vectors. The rest of a row is processed as a vector that ends with the row. A row shorter
 * than a vector is processed sample by sample. */
#define WEIGH(name, Sample, load, lifted)                                                          \
    static inline void name##_vectors(const ImgTaps *taps, int16_t *to, size_t at, int vectors)    \
    {                                                                                              \
        VSums sums[TOGETHER];                                                                      \
        for (int v = 0; v < vectors; v++)                                                          \
            sums[v] = sums_all(taps->offset + (1 << (taps->shift - 1)));                           \
        for (int32_t k = 0; k < taps->count; k += 2) {                                             \
            const VPairs weights = load_pair(taps->weights + k);                                   \
            const Sample *a = (const Sample *)taps->rows[k] + at;                                  \
            const Sample *b = (const Sample *)taps->rows[k + 1] + at;                              \
            for (int v = 0; v < vectors; v++)                                                      \
                sums[v] = sums_add(                                                                \
                    sums[v], pairs_of(load(a + v * V_WORDS), load(b + v * V_WORDS)), weights);     \
        }                                                                                          \
        for (int v = 0; v < vectors; v++) {                                                        \
            const VSums result = sums_shift(sums[v], taps->shift);                                 \
            store_i16(to + at + v * V_WORDS, pack_i32(result.low, result.high));                   \
        }                                                                                          \
    }                                                                                              \
    static void name(const ImgTaps *taps, int16_t *to, size_t count)                               \
    {                                                                                              \
        size_t at = 0;                                                                             \
        for (; at + TOGETHER * V_WORDS <= count; at += TOGETHER * V_WORDS)                         \
            name##_vectors(taps, to, at, TOGETHER);                                                \
        for (; at + V_WORDS <= count; at += V_WORDS)                                               \
            name##_vectors(taps, to, at, 1);                                                       \
        if (at < count && count >= V_WORDS)                                                        \
            name##_vectors(taps, to, count - V_WORDS, 1);                                          \
        for (; count < V_WORDS && at < count; at++) {                                              \
            int32_t sum = taps->offset + (1 << (taps->shift - 1));                                 \
            for (int32_t k = 0; k < taps->count; k++) {                                            \
                const int32_t sample = ((const Sample *)taps->rows[k])[at];                        \
                sum += taps->weights[k] * (lifted);                                                \
            }                                                                                      \
            to[at] = cut_to_16(sum >> taps->shift);                                                \
        }                                                                                          \
    }

WEIGH(weigh_bytes, uint8_t, load_bytes, sample)
WEIGH(weigh_words, ImgSample16, load_words, sample - IMG_LIFT_ZERO)
WEIGH(weigh_lifted, int16_t, load_i16, sample)

/* --- Lifted pixels ---------------------------------------------------------------------------- */

static void lift_alpha(const ImgLift *lift, const uint8_t *from, int16_t *to, int32_t width)
{
    if (lift->bits == 8 && lift->channels == 2)
        lift_pixels(8, 2, 2, from, to, width);
    else if (lift->bits == 8)
        lift_pixels(8, 4, 4, from, to, width);
    else if (lift->channels == 2)
        lift_pixels(16, 2, 2, from, to, width);
    else
        lift_pixels(16, 4, 4, from, to, width);
}

static void lift(const ImgLift *lift, const uint8_t *from, int16_t *to, int32_t width)
{
    const size_t count = (size_t)width * (size_t)lift->channels;
    if (lift->has_alpha)
        lift_alpha(lift, from, to, width);
    else if (lift->bits == 16)
        for (size_t i = 0; i < count; i++)
            to[i] = (int16_t)img_lift_plain(img_sample(from, i, 16), 16);
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (int16_t)img_lift_plain(from[i] * lift->scale, 8);
}

static void lower_alpha(const ImgLift *lift, const int16_t *from, uint8_t *to, int32_t width)
{
    if (lift->bits == 8 && lift->channels == 2)
        lower_pixels(8, 2, 2, from, to, width);
    else if (lift->bits == 8)
        lower_pixels(8, 4, 4, from, to, width);
    else if (lift->channels == 2)
        lower_pixels(16, 2, 2, from, to, width);
    else
        lower_pixels(16, 4, 4, from, to, width);
}

static void lower(const ImgLift *lift, const int16_t *from, uint8_t *to, int32_t width)
{
    const size_t count = (size_t)width * (size_t)lift->channels;
    if (lift->has_alpha)
        lower_alpha(lift, from, to, width);
    else if (lift->bits == 16)
        for (size_t i = 0; i < count; i++)
            img_sample_set(to, i, 16, img_lower_plain(from[i], 16));
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (uint8_t)img_lower_plain(from[i], 8);
}

static void unsharp(const ImgUnsharp *mask, const int16_t *lifted, int16_t *blurred, size_t count)
{
    for (size_t i = 0; i < count; i++)
        blurred[i] = (int16_t)img_unsharp(mask, lifted[i], blurred[i]);
}

const ImgWindowRows IMG_VARIANT(img_window_rows) = {weigh_bytes, weigh_words, weigh_lifted,
                                                    lift,        lower,       unsharp};
