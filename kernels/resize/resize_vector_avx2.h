/* See resize_vector_portable.h: 16 sums in two registers. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_VECTOR_AVX2_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_VECTOR_AVX2_H

#include <string.h>

#include "kernels/resize/resize_vector_turn.h"

typedef struct Sums {
    __m256i low, high;
} Sums;

static inline Sums sums_start(int32_t value)
{
    return (Sums){_mm256_set1_epi32(value), _mm256_set1_epi32(value)};
}

static inline Sums sums_load(const int32_t *from)
{
    return (Sums){_mm256_loadu_si256((const __m256i *)(const void *)from),
                  _mm256_loadu_si256((const __m256i *)(const void *)(from + 8))};
}

static inline __m256i pairs_at(const int16_t *pairs)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)pairs);
}

static inline Sums sums_add(Sums sums, const int16_t *pairs, const int16_t *weights)
{
    int32_t both;
    memcpy(&both, weights, sizeof both);
    const __m256i by = _mm256_set1_epi32(both);
    return (Sums){_mm256_add_epi32(sums.low, _mm256_madd_epi16(pairs_at(pairs), by)),
                  _mm256_add_epi32(sums.high, _mm256_madd_epi16(pairs_at(pairs + 16), by))};
}

static inline Sums sums_shift(Sums sums, int32_t shift)
{
    const __m128i by = _mm_cvtsi32_si128(shift);
    return (Sums){_mm256_sra_epi32(sums.low, by), _mm256_sra_epi32(sums.high, by)};
}

static inline __m256i sums_packed(Sums sums)
{
    enum { IN_ORDER = 0xD8 }; /* 64 bits 0, 2, 1, 3 */
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(sums.low, sums.high), IN_ORDER);
}

static inline void sums_store_16(Sums sums, int32_t shift, int16_t *to)
{
    _mm256_storeu_si256((__m256i *)(void *)to, sums_packed(sums_shift(sums, shift)));
}

static inline void sums_store_32(Sums sums, int32_t shift, int32_t *to)
{
    const Sums shifted = sums_shift(sums, shift);
    _mm256_storeu_si256((__m256i *)(void *)to, shifted.low);
    _mm256_storeu_si256((__m256i *)(void *)(to + 8), shifted.high);
}

static inline void sums_store_8(Sums sums, int32_t shift, uint8_t *to)
{
    const __m256i words = sums_packed(sums_shift(sums, shift));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi16(_mm256_castsi256_si128(words),
                                                             _mm256_extracti128_si256(words, 1)));
}

/* 8 samples of two rows, as pairs of bytes. */
static inline void pair_half(uint32_t scale, __m128i bytes, int32_t channels, int16_t *pairs)
{
    enum { LAST_OF_FOUR = 0xFF, LAST_OF_TWO = 0xF5 };
    const __m256i words = _mm256_cvtepu8_epi16(bytes);
    __m256i lifted;
    if (channels == 0) {
        lifted = _mm256_sub_epi16(_mm256_mullo_epi16(words, _mm256_set1_epi16((int16_t)scale)),
                                  _mm256_set1_epi16(128));
    } else {
        const __m256i alpha = channels == 4 ? _mm256_shuffle_epi32(words, LAST_OF_FOUR)
                                            : _mm256_shuffle_epi32(words, LAST_OF_TWO);
        const __m256i last = channels == 4
                                 ? _mm256_set_epi32(0x00FF00FF, 0, 0, 0, 0x00FF00FF, 0, 0, 0)
                                 : _mm256_set1_epi64x(INT64_C(0x00FF00FF00000000));
        lifted = _mm256_xor_si256(_mm256_mullo_epi16(_mm256_or_si256(words, last), alpha),
                                  _mm256_set1_epi16(INT16_MIN));
    }
    _mm256_storeu_si256((__m256i *)(void *)pairs, lifted);
}

static inline void pair_lifted(uint32_t scale, const uint8_t *a, const uint8_t *b, int32_t channels,
                               int16_t *pairs)
{
    const __m256i bytes = pair_bytes(a, b);
    pair_half(scale, _mm256_castsi256_si128(bytes), channels, pairs);
    pair_half(scale, _mm256_extracti128_si256(bytes, 1), channels, pairs + 16);
}

#endif
