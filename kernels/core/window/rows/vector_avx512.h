/* AVX-512 version of vector_portable.h, with 32 lanes. The instructions that compute sums change
 * the order of the lanes within each part of 128 bits. The instruction that packs sums restores it.
 */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_AVX512_H
#define IMGTOOL_KERNELS_CORE_WINDOW_ROWS_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "kernels/core/sample.h"

enum { LANES = 32 };

typedef __m512i Vector;

typedef struct Sums {
    __m512i low, high;
} Sums;

static inline Vector load_lifted(const int16_t *from)
{
    return _mm512_loadu_si512(from);
}

static inline Vector load_bytes(const uint8_t *from)
{
    return _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)from));
}

static inline Vector load_words(const ImgSample16 *from)
{
    return _mm512_xor_si512(_mm512_loadu_si512(from), _mm512_set1_epi16(INT16_MIN));
}

static inline void sums_start(Sums *sums, int32_t value)
{
    sums->low = sums->high = _mm512_set1_epi32(value);
}

static inline void sums_add(Sums *sums, Vector a, Vector b, int16_t first, int16_t second)
{
    const __m512i weights = _mm512_set1_epi32((uint16_t)first | (int32_t)second * 65536);
    sums->low =
        _mm512_add_epi32(sums->low, _mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), weights));
    sums->high =
        _mm512_add_epi32(sums->high, _mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), weights));
}

static inline void sums_store(const Sums *sums, int32_t shift, int16_t *to)
{
    const __m128i by = _mm_cvtsi32_si128(shift);
    _mm512_storeu_si512(
        to, _mm512_packs_epi32(_mm512_sra_epi32(sums->low, by), _mm512_sra_epi32(sums->high, by)));
}

#endif
