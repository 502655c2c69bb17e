/* AVX-512 version of resize_vector_portable.h: one register holds 16 sums. */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_AVX512_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_VECTOR_AVX512_H

#include <string.h>

#include "kernels/resize/rows/resize_vector_turn.h"

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

enum {
    /* number of samples that pair_group converts; unpack instructions determine the order of pairs:
     * samples 0 to 3, 16 to 19, 32 to 35, 48 to 51, 4 to 7, and so on */
    GROUP = 64,
    /* number of vectors of 16 sums that are computed together: as many as registers hold. Their
     * sums are a multiple of GROUP and a divisor of IMG_RESIZE_SLICE. */
    SUMS = 8,
};

static inline size_t sample_of_pair(size_t i)
{
    return (i & 12) << 2 | (i & 48) >> 2 | (i & 3);
}

static inline void sums_store_16(const Sums sums[4], int32_t shift, int16_t *to)
{
    const __m512i first =
        _mm512_packs_epi32(sums_shift(sums[0], shift), sums_shift(sums[1], shift));
    const __m512i last = _mm512_packs_epi32(sums_shift(sums[2], shift), sums_shift(sums[3], shift));
    const __m512i low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi64(first, low, last));
    _mm512_storeu_si512(to + 32, _mm512_permutex2var_epi64(first, high, last));
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

/* Converts 16 pairs of samples to values for the sums (resize.h): multiplies colours by alpha, and
 * alpha by 255, and subtracts 32768. */
static inline __m512i lift(__m512i words, int32_t channels)
{
    if (channels == 0)
        return words;
    const __m512i alpha = channels == 4 ? _mm512_shuffle_epi32(words, _MM_PERM_DDDD)
                                        : _mm512_shuffle_epi32(words, _MM_PERM_DDBB);
    const __mmask16 last = channels == 4 ? 0x8888 : 0xAAAA;
    const __m512i others = _mm512_mask_set1_epi32(words, last, 0x00FF00FF);
    return _mm512_xor_si512(_mm512_mullo_epi16(others, alpha), _mm512_set1_epi16(INT16_MIN));
}

/* Converts 32 pairs of samples with `lift` and stores them. */
static inline void lift_half(__m512i bytes, int32_t channels, int16_t *pairs)
{
    const __m512i zero = _mm512_setzero_si512();
    _mm512_storeu_si512(pairs, lift(_mm512_unpacklo_epi8(bytes, zero), channels));
    _mm512_storeu_si512(pairs + 32, lift(_mm512_unpackhi_epi8(bytes, zero), channels));
}

static inline void pair_lifted(const uint8_t *a, const uint8_t *b, int32_t channels, int16_t *pairs)
{
    const __m512i from_a = _mm512_loadu_si512(a), from_b = _mm512_loadu_si512(b);
    lift_half(_mm512_unpacklo_epi8(from_a, from_b), channels, pairs);
    lift_half(_mm512_unpackhi_epi8(from_a, from_b), channels, pairs + 64);
}

/* Number of columns that turn_columns transposes: 16 in each quarter of a vector. */
enum { TURNED = 64 };

/* Loads columns i, i + 16, i + 32 and i + 48 into the four quarters of a vector. */
static inline __m512i load_columns(const uint8_t *columns, size_t i)
{
    const __m128i *from = (const __m128i *)(const void *)columns + i;
    __m512i of = _mm512_castsi128_si512(_mm_loadu_si128(from));
    of = _mm512_inserti32x4(of, _mm_loadu_si128(from + 16), 1);
    of = _mm512_inserti32x4(of, _mm_loadu_si128(from + 32), 2);
    return _mm512_inserti32x4(of, _mm_loadu_si128(from + 48), 3);
}

/* Does one of four equal steps that together transpose 16 x 16 bytes. It interleaves the bytes of
 * lines i and i + 8, which become lines 2 i and 2 i + 1. */
static inline void interleave_lines(const __m512i from[16], __m512i to[16])
{
    for (int i = 0; i < 8; i++) {
        to[2 * i] = _mm512_unpacklo_epi8(from[i], from[i + 8]);
        to[2 * i + 1] = _mm512_unpackhi_epi8(from[i], from[i + 8]);
    }
}

static inline void turn_columns(const uint8_t *columns, uint8_t *to, size_t stride)
{
    __m512i a[16], b[16];
    for (size_t i = 0; i < 16; i++)
        a[i] = load_columns(columns, i);
    interleave_lines(a, b);
    interleave_lines(b, a);
    interleave_lines(a, b);
    interleave_lines(b, a);
    for (size_t row = 0; row < 16; row++)
        _mm512_storeu_si512(to + row * stride, a[row]);
}

#endif
