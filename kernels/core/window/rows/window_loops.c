/* Implements the functions of window_rows.h. This file is compiled once for each instruction set
 * (core/parallel/cpu.h), with its vectors. */
#if defined IMG_VARIANT_AVX512
#include "kernels/core/window/rows/vector_avx512.h"
#elif defined IMG_VARIANT_AVX2
#include "kernels/core/window/rows/vector_avx2.h"
#elif defined IMG_VARIANT_NEON
#include "kernels/core/window/rows/vector_neon.h"
#else
#include "kernels/core/window/rows/vector_portable.h"
#endif

#include "kernels/core/parallel/cpu.h"
#include "kernels/core/window/rows/lift_pixels.h"
#include "kernels/core/window/rows/window_rows.h"

/* --- Weighted sums ---------------------------------------------------------------------------- */

static inline int16_t cut_to_16(int32_t value)
{
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}

/* Defines a function for weighted sums of rows. It processes two vectors at a time, because their
 * sums do not depend on each other, and then single vectors. The rest of a row is processed as a
 * vector that ends with the row. A row shorter than a vector is processed sample by sample. */
#define WEIGH(name, Sample, load, lifted)                                                          \
    static inline void name##_vectors(const ImgTaps *taps, int16_t *to, size_t at, int vectors)    \
    {                                                                                              \
        Sums sums[2];                                                                              \
        for (int v = 0; v < vectors; v++)                                                          \
            sums_start(&sums[v], taps->offset + (1 << (taps->shift - 1)));                         \
        for (int32_t k = 0; k < taps->count; k += 2) {                                             \
            const Sample *a = (const Sample *)taps->rows[k] + at;                                  \
            const Sample *b = (const Sample *)taps->rows[k + 1] + at;                              \
            for (int v = 0; v < vectors; v++)                                                      \
                sums_add(&sums[v], load(a + v * LANES), load(b + v * LANES), taps->weights[k],     \
                         taps->weights[k + 1]);                                                    \
        }                                                                                          \
        for (int v = 0; v < vectors; v++)                                                          \
            sums_store(&sums[v], taps->shift, to + at + v * LANES);                                \
    }                                                                                              \
    static void name(const ImgTaps *taps, int16_t *to, size_t count)                               \
    {                                                                                              \
        size_t at = 0;                                                                             \
        for (; at + 2 * LANES <= count; at += 2 * LANES)                                           \
            name##_vectors(taps, to, at, 2);                                                       \
        for (; at + LANES <= count; at += LANES)                                                   \
            name##_vectors(taps, to, at, 1);                                                       \
        if (at < count && count >= LANES)                                                          \
            name##_vectors(taps, to, count - LANES, 1);                                            \
        for (; count < LANES && at < count; at++) {                                                \
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
WEIGH(weigh_lifted, int16_t, load_lifted, sample)

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
