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

#endif
