/* AVX2 version of resize_vector_portable.h: two registers hold 16 sums. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_AVX2_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_AVX2_H

#include <string.h>

#include "kernels/resize/rows/resize_vector_turn.h"

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
    enum { IN_ORDER = 0xD8 }; /* order of 64-bit lanes: 0, 2, 1, 3 */
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(sums.low, sums.high), IN_ORDER);
}

enum {
    /* number of samples that pair_group converts; unpack instructions determine the order of pairs:
     * samples 0 to 3, 16 to 19, 4 to 7, 20 to 23, and so on */
    GROUP = 32,
    /* number of vectors of 16 sums that are computed together: as many as registers hold. Their
     * sums are a multiple of GROUP and a divisor of IMG_RESIZE_SLICE. */
    SUMS = 4,
};

static inline size_t sample_of_pair(size_t i)
{
    return (i & 4) << 2 | (i & 24) >> 1 | (i & 3);
}

static inline void sums_store_16(const Sums sums[2], int32_t shift, int16_t *to)
{
    const Sums first = sums_shift(sums[0], shift), last = sums_shift(sums[1], shift);
    const __m256i a = _mm256_packs_epi32(first.low, first.high);
    const __m256i b = _mm256_packs_epi32(last.low, last.high);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute2x128_si256(a, b, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)(to + 16), _mm256_permute2x128_si256(a, b, 0x31));
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

/* Converts 8 pairs of samples to values for the sums (resize.h): multiplies colours by alpha, and
 * alpha by 255, and subtracts 32768. */
static inline __m256i lift(__m256i words, int32_t channels)
{
    enum { LAST_OF_FOUR = 0xFF, LAST_OF_TWO = 0xF5 };
    if (channels == 0)
        return words;
    const __m256i alpha = channels == 4 ? _mm256_shuffle_epi32(words, LAST_OF_FOUR)
                                        : _mm256_shuffle_epi32(words, LAST_OF_TWO);
    const __m256i last = channels == 4 ? _mm256_set_epi32(0x00FF00FF, 0, 0, 0, 0x00FF00FF, 0, 0, 0)
                                       : _mm256_set1_epi64x(INT64_C(0x00FF00FF00000000));
    return _mm256_xor_si256(_mm256_mullo_epi16(_mm256_or_si256(words, last), alpha),
                            _mm256_set1_epi16(INT16_MIN));
}

/* Converts 16 pairs of samples with `lift` and stores them. */
static inline void lift_half(__m256i bytes, int32_t channels, int16_t *pairs)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i low = _mm256_unpacklo_epi8(bytes, zero), high = _mm256_unpackhi_epi8(bytes, zero);
    _mm256_storeu_si256((__m256i *)(void *)pairs, lift(low, channels));
    _mm256_storeu_si256((__m256i *)(void *)(pairs + 16), lift(high, channels));
}

static inline void pair_lifted(const uint8_t *a, const uint8_t *b, int32_t channels, int16_t *pairs)
{
    const __m256i from_a = _mm256_loadu_si256((const __m256i *)(const void *)a);
    const __m256i from_b = _mm256_loadu_si256((const __m256i *)(const void *)b);
    lift_half(_mm256_unpacklo_epi8(from_a, from_b), channels, pairs);
    lift_half(_mm256_unpackhi_epi8(from_a, from_b), channels, pairs + 32);
}

/* Number of columns that turn_columns transposes: 16 in each half of a vector. */
enum { TURNED = 32 };

/* Loads columns i and i + 16 into the two halves of a vector. */
static inline __m256i load_columns(const uint8_t *columns, size_t i)
{
    const __m128i *from = (const __m128i *)(const void *)columns + i;
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(from)),
                                   _mm_loadu_si128(from + 16), 1);
}

/* Does one of four equal steps that together transpose 16 x 16 bytes. It interleaves the bytes of
 * lines i and i + 8, which become lines 2 i and 2 i + 1. */
static inline void interleave_lines(const __m256i from[16], __m256i to[16])
{
    for (int i = 0; i < 8; i++) {
        to[2 * i] = _mm256_unpacklo_epi8(from[i], from[i + 8]);
        to[2 * i + 1] = _mm256_unpackhi_epi8(from[i], from[i + 8]);
    }
}

static inline void turn_columns(const uint8_t *columns, uint8_t *to, size_t stride)
{
    __m256i a[16], b[16];
    for (size_t i = 0; i < 16; i++)
        a[i] = load_columns(columns, i);
    interleave_lines(a, b);
    interleave_lines(b, a);
    interleave_lines(a, b);
    interleave_lines(b, a);
    for (size_t row = 0; row < 16; row++)
        _mm256_storeu_si256((__m256i *)(void *)(to + row * stride), a[row]);
}

#endif
