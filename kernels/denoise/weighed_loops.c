/* Implements the functions of weighed_rows.h. This file is compiled once for each instruction set
 * (core/cpu.h), with its vectors. */
#if defined IMG_VARIANT_AVX512
#include "kernels/denoise/weighed_vectors_avx512.h"
#elif defined IMG_VARIANT_AVX2
#include "kernels/denoise/weighed_vectors_avx2.h"
#else
#include "kernels/denoise/weighed_vectors_portable.h"
#endif

#include <string.h>

#include "kernels/core/cpu.h"
#include "kernels/denoise/weighed_rows.h"

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

/* Returns img_decay of the exponent in each lane. */
ALWAYS_INLINE Lanes decay(Lanes exponent)
{
    const Lanes x = decay_part(exponent);
    const Lanes inner =
        lanes_less(lanes_all(IMG_DECAY_SECOND), lanes_scale(x, lanes_all(IMG_DECAY_THIRD)));
    const Lanes slope = lanes_less(lanes_all(IMG_DECAY_FIRST), lanes_scale(x, inner));
    const Lanes part = lanes_less(lanes_all(32767), lanes_scale(x, slope));
    return lanes_scale(part, decay_halves(exponent));
}

/* Computes img_weighed_mean in each lane, from sums of bytes, or, if `wide`, of high and low bytes.
 * The quotient is rounded to the nearest double before it is truncated. This error is too small to
 * reach the next integer. */
ALWAYS_INLINE Lanes mean_of(Pair high, Pair low, Pair weights, bool wide)
{
    uint32_t sums[LANES], rests[LANES], all[LANES];
    pair_store(high, sums);
    pair_store(low, rests);
    pair_store(weights, all);
    for (int i = 0; i < LANES; i++) {
        const uint32_t half = all[i] / 2;
        const double rest = wide ? (double)rests[i] : 0;
        const double sum = (double)sums[i] * (wide ? 256 : 1) + rest + (double)half;
        sums[i] = (uint32_t)(int32_t)(sum / (double)(all[i] > 0 ? all[i] : 1));
    }
    Pair means;
    pair_load(&means, sums);
    return pair_pack(means);
}

#include "kernels/denoise/bilateral_rows.h"
#include "kernels/denoise/denoise_rows.h"

const ImgWeighedRows IMG_VARIANT(img_weighed_rows) = {split, join, bilateral, denoise};
