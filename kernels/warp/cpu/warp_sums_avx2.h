/* Private: weighted sums of windows, and lifting, in vectors of 256 bits. The AVX2 and AVX-512
 * versions use this file. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_SUMS_AVX2_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_SUMS_AVX2_H

#include <immintrin.h>
#include <string.h>

#include "kernels/warp/cpu/warp_rows.h"

static inline __m128i row_of_2(const int16_t *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static inline __m256i row_of_4(const int16_t *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline int32_t pair_of(const int16_t *weights)
{
    int32_t pair;
    memcpy(&pair, weights, sizeof pair);
    return pair;
}

static inline __m256i both(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline __m256i both_pairs(const int16_t *low, const int16_t *high)
{
    return both(_mm_set1_epi32(pair_of(low)), _mm_set1_epi32(pair_of(high)));
}

/* Rounds eight sums of 32 bits, as img_warp_round does for one. */
static inline __m256i rounded_8(__m256i sums)
{
    const __m256i half = _mm256_set1_epi32(1 << (IMG_WARP_WEIGHT_PLACES - 1));
    return _mm256_srai_epi32(_mm256_add_epi32(sums, half), IMG_WARP_WEIGHT_PLACES);
}

/* Interleaves the samples of two adjacent pixels, channel by channel. Each half of the vector has
 * two such pixels. */
static inline __m256i columns_of_4(__m256i pixels)
{
    return _mm256_unpacklo_epi16(pixels, _mm256_unpackhi_epi64(pixels, pixels));
}

/* Rounded vertical sums of four columns, 16 bits each. If the sums are `wide`, they need 17 bits
 * and a sign. Then `value` has half of each sum, rounded down, and `rest` has the lowest bits. */
typedef struct Columns4 {
    __m256i value, rest;
} Columns4;

static inline Columns4 columns_4(__m256i low, __m256i high, bool wide)
{
    const __m256i one = _mm256_set1_epi32(1);
    if (!wide)
        return (Columns4){_mm256_packs_epi32(low, high), _mm256_setzero_si256()};
    return (Columns4){_mm256_packs_epi32(_mm256_srai_epi32(low, 1), _mm256_srai_epi32(high, 1)),
                      _mm256_packs_epi32(_mm256_and_si256(low, one), _mm256_and_si256(high, one))};
}

/* --- Lifting RGB pixels of 8 bits (core/window/lift.h) ---------------------------------------- */

/* Lifts pixels, four at a time: expands the 3 bytes of a pixel to four 16-bit samples. Returns the
 * number of lifted pixels. It leaves out the last pixels of the row, because a vector would extend
 * past their end. */
static inline int32_t lift_rgb_vectors(const uint8_t *from, int16_t *to, int32_t width)
{
    const __m256i apart =
        _mm256_setr_epi8(0, -1, 1, -1, 2, -1, -1, -1, 3, -1, 4, -1, 5, -1, -1, -1, /**/
                         6, -1, 7, -1, 8, -1, -1, -1, 9, -1, 10, -1, 11, -1, -1, -1);
    int32_t x = 0;
    for (; x + 6 <= width; x += 4, from += 12, to += (size_t)4 * IMG_WARP_LANES) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)from);
        const __m256i words = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), apart);
        _mm256_storeu_si256((__m256i *)to, _mm256_slli_epi16(words, IMG_LIFT_PLACES));
    }
    return x;
}

#endif
