/* AVX2 version of resize_wide_portable.h. Two registers hold the sums of even samples and two
 * others those of odd samples, because the instruction that multiplies 32-bit lanes uses every
 * other lane. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_AVX2_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_AVX2_H

#include "kernels/resize/rows/resize_wide_turn.h"

enum { TOGETHER = 2, SUM_PLACES = 61 };

/* Sums of 16 samples, even and odd ones separately. Index 0 has samples 0 to 7, index 1 has samples
 * 8 to 15. */
typedef struct Wide {
    __m256i even[2], odd[2];
} Wide;

static inline Wide wide_start(int64_t value)
{
    const __m256i all = _mm256_set1_epi64x(value);
    return (Wide){{all, all}, {all, all}};
}

static inline __m256i sums_at(const int64_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

static inline void put_sums(__m256i sums, int64_t *to)
{
    _mm256_storeu_si256((__m256i *)(void *)to, sums);
}

static inline Wide wide_load(const int64_t *from)
{
    return (Wide){{sums_at(from), sums_at(from + 4)}, {sums_at(from + 8), sums_at(from + 12)}};
}

static inline void wide_store(Wide wide, int64_t *to)
{
    for (int half = 0; half < 2; half++) {
        put_sums(wide.even[half], to + 4 * (size_t)half);
        put_sums(wide.odd[half], to + 8 + 4 * (size_t)half);
    }
}

static inline Wide wide_add(Wide wide, const int32_t *values, int32_t weight, int32_t places)
{
    const __m256i by = _mm256_set1_epi32(weight);
    for (int half = 0; half < 2; half++) {
        const __m256i of = words_at(values + 8 * (size_t)half);
        __m256i even = _mm256_mul_epi32(of, by);
        __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64(of, 32), by);
        if (places > 0) {
            even = _mm256_sll_epi64(even, _mm_cvtsi32_si128(places));
            odd = _mm256_sll_epi64(odd, _mm_cvtsi32_si128(places));
        }
        wide.even[half] = _mm256_add_epi64(wide.even[half], even);
        wide.odd[half] = _mm256_add_epi64(wide.odd[half], odd);
    }
    return wide;
}

/* Shifts signed 64-bit sums to the right. AVX2 has no instruction for this, so a constant is added
 * before an unsigned shift to make all sums positive. */
static inline __m256i shift_sums(__m256i sums, int32_t shift)
{
    const __m256i positive = _mm256_add_epi64(sums, _mm256_set1_epi64x(INT64_C(1) << SUM_PLACES));
    return _mm256_sub_epi64(_mm256_srl_epi64(positive, _mm_cvtsi32_si128(shift)),
                            _mm256_set1_epi64x((INT64_C(1) << SUM_PLACES) >> shift));
}

static inline Wide wide_shift(Wide wide, int32_t shift)
{
    for (int half = 0; half < 2; half++) {
        wide.even[half] = shift_sums(wide.even[half], shift);
        wide.odd[half] = shift_sums(wide.odd[half], shift);
    }
    return wide;
}

/* Returns the lower 32 bits of 8 sums, with even and odd samples interleaved. `half` selects
 * samples 0 to 7 or 8 to 15. */
static inline __m256i wide_words(const Wide *shifted, int half)
{
    return _mm256_blend_epi32(shifted->even[half], _mm256_slli_epi64(shifted->odd[half], 32), 0xAA);
}

static inline void wide_store_32(Wide wide, int32_t shift, int32_t *to)
{
    const Wide shifted = wide_shift(wide, shift);
    for (int half = 0; half < 2; half++)
        _mm256_storeu_si256((__m256i *)(void *)(to + 8 * (size_t)half), wide_words(&shifted, half));
}

static inline void wide_store_64(Wide wide, int32_t shift, int64_t *to)
{
    const Wide shifted = wide_shift(wide, shift);
    for (int half = 0; half < 2; half++) {
        const __m256i low = _mm256_unpacklo_epi64(shifted.even[half], shifted.odd[half]);
        const __m256i high = _mm256_unpackhi_epi64(shifted.even[half], shifted.odd[half]);
        put_sums(_mm256_permute2x128_si256(low, high, 0x20), to + 8 * (size_t)half);
        put_sums(_mm256_permute2x128_si256(low, high, 0x31), to + 8 * (size_t)half + 4);
    }
}

static inline void wide_store_16(Wide wide, int32_t shift, uint8_t *lower, uint8_t *upper)
{
    enum { IN_ORDER = 0xD8 }; /* order of 64-bit lanes: 0, 2, 1, 3 */
    const Wide shifted = wide_shift(wide, shift);
    const __m256i samples = _mm256_permute4x64_epi64(
        _mm256_packus_epi32(wide_words(&shifted, 0), wide_words(&shifted, 1)), IN_ORDER);
    const __m256i bytes = _mm256_permute4x64_epi64(
        _mm256_packus_epi16(_mm256_and_si256(samples, _mm256_set1_epi16(255)),
                            _mm256_srli_epi16(samples, 8)),
        IN_ORDER);
    _mm_storeu_si128((__m128i *)(void *)lower, _mm256_castsi256_si128(bytes));
    _mm_storeu_si128((__m128i *)(void *)upper, _mm256_extracti128_si256(bytes, 1));
}

#endif
