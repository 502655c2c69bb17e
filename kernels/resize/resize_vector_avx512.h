/* See resize_vector_portable.h: 16 sums in a register. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_VECTOR_AVX512_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_VECTOR_AVX512_H

#include <string.h>

#include "kernels/resize/resize_vector_turn.h"

typedef struct Sums {
    __m512i of;
} Sums;

static inline Sums sums_start(int32_t value)
{
    return (Sums){_mm512_set1_epi32(value)};
}

static inline Sums sums_load(const int32_t *from)
{
    return (Sums){_mm512_loadu_si512(from)};
}

static inline Sums sums_add(Sums sums, const int16_t *pairs, const int16_t *weights)
{
    int32_t both;
    memcpy(&both, weights, sizeof both);
    const __m512i products = _mm512_madd_epi16(_mm512_loadu_si512(pairs), _mm512_set1_epi32(both));
    return (Sums){_mm512_add_epi32(sums.of, products)};
}

static inline __m512i sums_shift(Sums sums, int32_t shift)
{
    return _mm512_sra_epi32(sums.of, _mm_cvtsi32_si128(shift));
}

static inline void sums_store_16(Sums sums, int32_t shift, int16_t *to)
{
    _mm256_storeu_si256((__m256i *)(void *)to, _mm512_cvtepi32_epi16(sums_shift(sums, shift)));
}

static inline void sums_store_32(Sums sums, int32_t shift, int32_t *to)
{
    _mm512_storeu_si512(to, sums_shift(sums, shift));
}

static inline void sums_store_8(Sums sums, int32_t shift, uint8_t *to)
{
    const __m512i positive = _mm512_max_epi32(sums_shift(sums, shift), _mm512_setzero_si512());
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtusepi32_epi8(positive));
}

static inline void pair_lifted(uint32_t scale, const uint8_t *a, const uint8_t *b, int32_t channels,
                               int16_t *pairs)
{
    const __m512i words = _mm512_cvtepu8_epi16(pair_bytes(a, b));
    if (channels == 0) {
        const __m512i scaled = _mm512_mullo_epi16(words, _mm512_set1_epi16((int16_t)scale));
        _mm512_storeu_si512(pairs, _mm512_sub_epi16(scaled, _mm512_set1_epi16(128)));
        return;
    }
    const __m512i alpha = channels == 4 ? _mm512_shuffle_epi32(words, _MM_PERM_DDDD)
                                        : _mm512_shuffle_epi32(words, _MM_PERM_DDBB);
    const __mmask16 last = channels == 4 ? 0x8888 : 0xAAAA;
    const __m512i others = _mm512_mask_set1_epi32(words, last, 0x00FF00FF);
    _mm512_storeu_si512(
        pairs, _mm512_xor_si512(_mm512_mullo_epi16(others, alpha), _mm512_set1_epi16(INT16_MIN)));
}

#endif
