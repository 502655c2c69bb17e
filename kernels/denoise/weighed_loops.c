/* Implements the functions of weighed_rows.h. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). */
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/denoise/weighed_rows.h"
#include "kernels/simd/simd.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* --- Channels --------------------------------------------------------------------------------- */

/* A 16-bit number that may be at an odd address, because rows need no alignment. */
typedef uint16_t Word __attribute__((aligned(1), may_alias));

/* Defines functions that split and join rows. The number of channels is a constant, so that
 * compilers vectorise the loops. */
#define SPLIT_AND_JOIN(name, Sample, channels)                                                     \
    static void split_##name(const Sample *restrict from, int32_t width, uint16_t scale,           \
                             uint16_t *restrict planes, size_t pitch)                              \
    {                                                                                              \
        for (size_t x = 0; x < (size_t)width; x++)                                                 \
            for (size_t c = 0; c < (channels); c++)                                                \
                planes[c * pitch + x] = (uint16_t)(from[x * (channels) + c] * scale);              \
    }                                                                                              \
    static void join_##name(const uint16_t *restrict planes, size_t pitch, int32_t width,          \
                            Sample *restrict to)                                                   \
    {                                                                                              \
        for (size_t x = 0; x < (size_t)width; x++)                                                 \
            for (size_t c = 0; c < (channels); c++)                                                \
                to[x * (channels) + c] = (Sample)planes[c * pitch + x];                            \
    }

SPLIT_AND_JOIN(bytes_1, uint8_t, 1)
SPLIT_AND_JOIN(bytes_2, uint8_t, 2)
SPLIT_AND_JOIN(bytes_3, uint8_t, 3)
SPLIT_AND_JOIN(bytes_4, uint8_t, 4)
SPLIT_AND_JOIN(words_1, Word, 1)
SPLIT_AND_JOIN(words_2, Word, 2)
SPLIT_AND_JOIN(words_3, Word, 3)
SPLIT_AND_JOIN(words_4, Word, 4)

static void split(const ImgWeighed *own, const uint8_t *from, int src_bits, int32_t width,
                  uint16_t *planes, size_t pitch)
{
    static void (*const bytes[])(const uint8_t *, int32_t, uint16_t, uint16_t *, size_t) = {
        split_bytes_1, split_bytes_2, split_bytes_3, split_bytes_4};
    static void (*const words[])(const Word *, int32_t, uint16_t, uint16_t *, size_t) = {
        split_words_1, split_words_2, split_words_3, split_words_4};
    const uint16_t scale = (uint16_t)own->scale;
    if (src_bits == 16)
        words[own->channels - 1]((const Word *)from, width, scale, planes, pitch);
    else
        bytes[own->channels - 1](from, width, scale, planes, pitch);
}

static void join(const ImgWeighed *own, const uint16_t *planes, size_t pitch, int32_t width,
                 uint8_t *to)
{
    static void (*const bytes[])(const uint16_t *, size_t, int32_t, uint8_t *) = {
        join_bytes_1, join_bytes_2, join_bytes_3, join_bytes_4};
    static void (*const words[])(const uint16_t *, size_t, int32_t,
                                 Word *) = {join_words_1, join_words_2, join_words_3, join_words_4};
    if (own->bits == 16)
        words[own->channels - 1](planes, pitch, width, (Word *)to);
    else
        bytes[own->channels - 1](planes, pitch, width, to);
}

/* --- Weights and means ------------------------------------------------------------------------ */

/* Returns the absolute difference of `a` and `b` in each element. All numbers must be below 32768.
 */
static inline vu16 apart(vu16 a, vu16 b)
{
    return abs_i16((vi16)(a - b));
}

/* Returns img_scale_15 of `a` and `b` in each element. All numbers must be below 32768. */
static inline vu16 scale(vu16 a, vu16 b)
{
    return (vu16)scale_i16((vi16)a, (vi16)b);
}

/* Pairs the elements of `a` and `b` for sums of products. All numbers must be below 32768. */
static inline VPairs pairs(vu16 a, vu16 b)
{
    return pairs_of((vi16)a, (vi16)b);
}

/* Returns img_decay of the exponent in each element. The second factor is a power of two, which
 * depends on the integer part of the exponent. */
ALWAYS_INLINE vu16 decay(vu16 exponent)
{
    const vu16 x = (exponent & 1023) << 5;
    const vu16 inner = all_u16(IMG_DECAY_SECOND) - scale(x, all_u16(IMG_DECAY_THIRD));
    const vu16 slope = all_u16(IMG_DECAY_FIRST) - scale(x, inner);
    const vu16 part = all_u16(32767) - scale(x, slope);
    return scale(part, shifted_u16(1 << 14, exponent >> 10));
}

/* Computes img_weighed_mean in each element, from sums of bytes, or, if `wide`, of high and low
 * bytes. The quotient is rounded to the nearest double before it is truncated. The rounding error
 * is too small to reach the next integer. */
ALWAYS_INLINE vu16 mean_of(VSums high, VSums low, VSums weights, bool wide)
{
    uint32_t sums[V_WORDS], rests[V_WORDS], all[V_WORDS];
    store_sums(sums, high);
    store_sums(rests, low);
    store_sums(all, weights);
    for (int i = 0; i < V_WORDS; i++) {
        const uint32_t half = all[i] / 2;
        const double rest = wide ? (double)rests[i] : 0;
        const double sum = (double)sums[i] * (wide ? 256 : 1) + rest + (double)half;
        sums[i] = (uint32_t)(int32_t)(sum / (double)(all[i] > 0 ? all[i] : 1));
    }
    const VSums means = load_sums(sums);
    return pack_u32(means.low, means.high);
}

/* --- The bilateral filter --------------------------------------------------------------------- */

/* The bilateral filter on rows, V_WORDS pixels at a time. A row consists of planes. The first ones
 * have the parts of colours that are compared, one plane per colour. At 16 bits, planes of high
 * bytes and planes of low bytes of the colours follow. The last plane has alpha, as img_alpha_15
 * returns it. */

typedef struct BilateralKind {
    int colors;
    bool wide, has_alpha;
} BilateralKind;

typedef struct BilateralSums {
    VSums high[3], low[3], weights; /* sums of high and low bytes; `low` is used only for 16 bits */
} BilateralSums;

ALWAYS_INLINE vu16 bilateral_weight(const ImgBilateral *own, const BilateralKind kind,
                                    const uint16_t *tap, size_t pitch, const vu16 *center,
                                    uint16_t exponent)
{
    vu16 distance = apart(load_u16(tap), center[0]);
    for (int c = 1; c < kind.colors; c++)
        distance += apart(load_u16(tap + (size_t)c * pitch), center[c]);
    const vu16 near = min_u16(distance, all_u16(own->farthest));
    const vu16 half = high_u16(shift_left_u16(near, (int)own->shift), all_u16(own->factor));
    const vu16 root = half + half;
    const vu16 weight = decay(add_sat_u16(high_u16(root, root), all_u16(exponent)));
    if (!kind.has_alpha)
        return weight;
    const size_t planes = (size_t)kind.colors * (kind.wide ? 3 : 1);
    return scale(weight, load_u16(tap + planes * pitch));
}

/* Adds the pixels of two neighbours, multiplied by their weights, to the sums. `a` and `b` are the
 * first planes of the neighbours. */
ALWAYS_INLINE void bilateral_add(BilateralSums *sums, const BilateralKind kind, VPairs weights,
                                 const uint16_t *a, const uint16_t *b, size_t pitch)
{
    const size_t colors = (size_t)kind.colors;
    sums->weights = sums_add(sums->weights, weights, pairs_all(1, 1));
    for (size_t c = 0; c < colors; c++) {
        const size_t high = (kind.wide ? c + colors : c) * pitch, low = (c + 2 * colors) * pitch;
        sums->high[c] =
            sums_add(sums->high[c], weights, pairs(load_u16(a + high), load_u16(b + high)));
        if (kind.wide)
            sums->low[c] =
                sums_add(sums->low[c], weights, pairs(load_u16(a + low), load_u16(b + low)));
    }
}

ALWAYS_INLINE void bilateral_lanes(const ImgBilateral *own, const BilateralKind kind,
                                   const uint16_t *const *rows, size_t pitch, ptrdiff_t x,
                                   uint16_t *to)
{
    BilateralSums sums;
    vu16 center[3];
    sums.weights = sums_all(0);
    for (int c = 0; c < kind.colors; c++) {
        center[c] = load_u16(rows[own->radius] + (size_t)c * pitch + x);
        sums.high[c] = sums_all(0);
        sums.low[c] = sums_all(0);
    }
    for (int32_t i = 0; i < own->count; i += 2) {
        const ImgBilateralTap *taps = &own->taps[i];
        const uint16_t *a = rows[own->radius + taps[0].y] + x + taps[0].x;
        const uint16_t *b = rows[own->radius + taps[1].y] + x + taps[1].x;
        const vu16 first = bilateral_weight(own, kind, a, pitch, center, taps[0].exponent);
        const vu16 second = bilateral_weight(own, kind, b, pitch, center, taps[1].exponent);
        bilateral_add(&sums, kind, pairs(first, second), a, b, pitch);
    }
    for (int c = 0; c < kind.colors; c++)
        store_u16(to + (size_t)c * pitch + x,
                  mean_of(sums.high[c], sums.low[c], sums.weights, kind.wide));
}

#define BILATERAL_ROW(name, ...)                                                                   \
    static void name(const ImgBilateral *own, const uint16_t *const *rows, size_t pitch,           \
                     int32_t width, uint16_t *to)                                                  \
    {                                                                                              \
        for (ptrdiff_t x = 0; x < width; x += V_WORDS)                                             \
            bilateral_lanes(own, (BilateralKind){__VA_ARGS__}, rows, pitch, x, to);                \
    }

BILATERAL_ROW(bilateral_gray, 1, false, false)
BILATERAL_ROW(bilateral_gray_alpha, 1, false, true)
BILATERAL_ROW(bilateral_rgb, 3, false, false)
BILATERAL_ROW(bilateral_rgba, 3, false, true)
BILATERAL_ROW(bilateral_wide_gray, 1, true, false)
BILATERAL_ROW(bilateral_wide_gray_alpha, 1, true, true)
BILATERAL_ROW(bilateral_wide_rgb, 3, true, false)
BILATERAL_ROW(bilateral_wide_rgba, 3, true, true)

static void bilateral(const ImgBilateral *own, const uint16_t *const *rows, size_t pitch,
                      int32_t width, uint16_t *to)
{
    static void (*const kinds[2][4])(const ImgBilateral *, const uint16_t *const *, size_t, int32_t,
                                     uint16_t *) = {
        {bilateral_gray, bilateral_gray_alpha, bilateral_rgb, bilateral_rgba},
        {bilateral_wide_gray, bilateral_wide_gray_alpha, bilateral_wide_rgb, bilateral_wide_rgba}};
    kinds[own->weighed.bits == 16][own->weighed.channels - 1](own, rows, pitch, width, to);
}

#include "kernels/denoise/denoise_rows.h"

const ImgWeighedRows IMG_VARIANT(img_weighed_rows) = {split, join, bilateral, denoise};
