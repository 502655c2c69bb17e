/* AVX-512 version of resize_wide_portable.h. One register holds the sums of even samples and
 * another those of odd samples, because the instruction that multiplies 32-bit lanes uses every
 * other lane. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_AVX512_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_AVX512_H

#include "kernels/resize/rows/resize_wide_turn.h"

enum { TOGETHER = 4 };

typedef struct Wide {
    __m512i even, odd;
} Wide;

static inline Wide wide_start(int64_t value)
{
    return (Wide){_mm512_set1_epi64(value), _mm512_set1_epi64(value)};
}

static inline Wide wide_load(const int64_t *from)
{
    return (Wide){_mm512_loadu_si512(from), _mm512_loadu_si512(from + 8)};
}

static inline void wide_store(Wide wide, int64_t *to)
{
    _mm512_storeu_si512(to, wide.even);
    _mm512_storeu_si512(to + 8, wide.odd);
}

static inline Wide wide_add(Wide wide, const int32_t *values, int32_t weight, int32_t places)
{
    const __m512i of = _mm512_loadu_si512(values), by = _mm512_set1_epi32(weight);
    __m512i even = _mm512_mul_epi32(of, by);
    __m512i odd = _mm512_mul_epi32(_mm512_srli_epi64(of, 32), by);
    if (places > 0) {
        even = _mm512_sll_epi64(even, _mm_cvtsi32_si128(places));
        odd = _mm512_sll_epi64(odd, _mm_cvtsi32_si128(places));
    }
    return (Wide){_mm512_add_epi64(wide.even, even), _mm512_add_epi64(wide.odd, odd)};
}

static inline Wide wide_shift(Wide wide, int32_t shift)
{
    const __m128i by = _mm_cvtsi32_si128(shift);
    return (Wide){_mm512_sra_epi64(wide.even, by), _mm512_sra_epi64(wide.odd, by)};
}

/* Shifts 16 sums right by `shift` and returns their lower 32 bits, with even and odd samples
 * interleaved. */
static inline __m512i wide_words(Wide wide, int32_t shift)
{
    const Wide shifted = wide_shift(wide, shift);
    return _mm512_mask_blend_epi32(0xAAAA, shifted.even, _mm512_slli_epi64(shifted.odd, 32));
}

static inline void wide_store_32(Wide wide, int32_t shift, int32_t *to)
{
    _mm512_storeu_si512(to, wide_words(wide, shift));
}

static inline void wide_store_64(Wide wide, int32_t shift, int64_t *to)
{
    const Wide shifted = wide_shift(wide, shift);
    const __m512i first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i second = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi64(shifted.even, first, shifted.odd));
    _mm512_storeu_si512(to + 8, _mm512_permutex2var_epi64(shifted.even, second, shifted.odd));
}

static inline void wide_store_16(Wide wide, int32_t shift, uint8_t *lower, uint8_t *upper)
{
    const __m512i positive = _mm512_max_epi32(wide_words(wide, shift), _mm512_setzero_si512());
    const __m512i samples = _mm512_min_epi32(positive, _mm512_set1_epi32(65535));
    _mm_storeu_si128((__m128i *)(void *)lower, _mm512_cvtepi32_epi8(samples));
    _mm_storeu_si128((__m128i *)(void *)upper, _mm512_cvtepi32_epi8(_mm512_srli_epi32(samples, 8)));
}

#endif
