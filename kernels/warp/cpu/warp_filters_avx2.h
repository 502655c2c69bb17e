/* AVX2 version of warp_rows.h: filters one pixel at a time. One instruction multiplies two rows of
 * its window by their weights, and later two columns. The bilinear filter processes two pixels at a
 * time, one in each half of a vector. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_FILTERS_AVX2_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_FILTERS_AVX2_H

#include <immintrin.h>

#include "kernels/warp/cpu/warp_sums_avx2.h"

static inline __m128i rounded_4(__m128i sums)
{
    const __m128i half = _mm_set1_epi32(1 << (IMG_WARP_WEIGHT_PLACES - 1));
    return _mm_srai_epi32(_mm_add_epi32(sums, half), IMG_WARP_WEIGHT_PLACES);
}

/* Interleaves the samples of two adjacent pixels, channel by channel. */
static inline __m128i columns_of_2(__m128i pixels)
{
    return _mm_unpacklo_epi16(pixels, _mm_unpackhi_epi64(pixels, pixels));
}

static inline void store_pixel(int16_t *to, __m128i sums)
{
    const __m128i value = rounded_4(sums);
    _mm_storel_epi64((__m128i *)to, _mm_packs_epi32(value, value));
}

/* --- Bilinear --------------------------------------------------------------------------------- */

static inline __m256i bilinear_pair(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                                    const ImgWarpPoint *points)
{
    const int16_t *a = tile + points[0].at, *b = tile + points[1].at;
    const __m256i upper = both(row_of_2(a), row_of_2(b));
    const __m256i lower = both(row_of_2(a + pitch), row_of_2(b + pitch));
    const __m256i down = both_pairs(warp->weights[points[0].down], warp->weights[points[1].down]);
    const __m256i across =
        both_pairs(warp->weights[points[0].across], warp->weights[points[1].across]);
    const __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower), down);
    const __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower), down);
    const __m256i pixels = _mm256_packs_epi32(rounded_8(low), rounded_8(high));
    const __m256i sums = rounded_8(_mm256_madd_epi16(columns_of_4(pixels), across));
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(sums, sums), 0x08);
}

static void bilinear(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                     const ImgWarpPoint *points, int32_t count, int16_t *to)
{
    int32_t x = 0;
    for (; x + 2 <= count; x += 2)
        _mm_storeu_si128((__m128i *)(to + (size_t)x * IMG_WARP_LANES),
                         _mm256_castsi256_si128(bilinear_pair(warp, tile, pitch, points + x)));
    if (x < count) {
        const ImgWarpPoint twice[2] = {points[x], points[x]};
        _mm_storel_epi64((__m128i *)(to + (size_t)x * IMG_WARP_LANES),
                         _mm256_castsi256_si128(bilinear_pair(warp, tile, pitch, twice)));
    }
}

/* --- Bicubic and Lanczos ---------------------------------------------------------------------- */

/* Rounded vertical sums of two columns, in the format of Columns4 (warp_sums_avx2.h). */
typedef struct Columns2 {
    __m128i value, rest;
} Columns2;

static inline Columns2 columns_2(__m128i low, __m128i high, bool wide)
{
    const __m128i one = _mm_set1_epi32(1);
    if (!wide)
        return (Columns2){_mm_packs_epi32(low, high), _mm_setzero_si128()};
    return (Columns2){_mm_packs_epi32(_mm_srai_epi32(low, 1), _mm_srai_epi32(high, 1)),
                      _mm_packs_epi32(_mm_and_si128(low, one), _mm_and_si128(high, one))};
}

static inline Columns4 down_4(const int16_t *window, size_t pitch, const int16_t *weights,
                              size_t rows, bool wide)
{
    __m256i low = _mm256_setzero_si256(), high = low;
    for (size_t k = 0; k < rows; k += 2) {
        const __m256i a = row_of_4(window + k * pitch), b = row_of_4(window + (k + 1) * pitch);
        const __m256i pair = _mm256_set1_epi32(pair_of(weights + k));
        low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), pair));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), pair));
    }
    return columns_4(rounded_8(low), rounded_8(high), wide);
}

static inline Columns2 down_2(const int16_t *window, size_t pitch, const int16_t *weights,
                              size_t rows, bool wide)
{
    __m128i low = _mm_setzero_si128(), high = low;
    for (size_t k = 0; k < rows; k += 2) {
        const __m128i a = row_of_2(window + k * pitch), b = row_of_2(window + (k + 1) * pitch);
        const __m128i pair = _mm_set1_epi32(pair_of(weights + k));
        low = _mm_add_epi32(low, _mm_madd_epi16(_mm_unpacklo_epi16(a, b), pair));
        high = _mm_add_epi32(high, _mm_madd_epi16(_mm_unpackhi_epi16(a, b), pair));
    }
    return columns_2(rounded_4(low), rounded_4(high), wide);
}

static inline __m128i across_2(Columns2 columns, const int16_t *weights, bool wide)
{
    const __m128i pair = _mm_set1_epi32(pair_of(weights));
    const __m128i sums = _mm_madd_epi16(columns_of_2(columns.value), pair);
    return !wide ? sums
                 : _mm_add_epi32(_mm_slli_epi32(sums, 1),
                                 _mm_madd_epi16(columns_of_2(columns.rest), pair));
}

static inline __m128i across_4(Columns4 columns, const int16_t *weights, bool wide)
{
    const __m256i pairs = both_pairs(weights, weights + 2);
    __m256i sums = _mm256_madd_epi16(columns_of_4(columns.value), pairs);
    if (wide)
        sums = _mm256_add_epi32(_mm256_slli_epi32(sums, 1),
                                _mm256_madd_epi16(columns_of_4(columns.rest), pairs));
    return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

static inline __m128i bicubic_1(const int16_t *window, size_t pitch, const int16_t *down,
                                const int16_t *across, bool wide)
{
    return across_4(down_4(window, pitch, down, 4, wide), across, wide);
}

static inline __m128i lanczos3_1(const int16_t *window, size_t pitch, const int16_t *down,
                                 const int16_t *across, bool wide)
{
    const Columns4 four = down_4(window, pitch, down, 6, wide);
    const Columns2 two = down_2(window + (size_t)4 * IMG_WARP_LANES, pitch, down, 6, wide);
    return _mm_add_epi32(across_4(four, across, wide), across_2(two, across + 4, wide));
}

static inline __m128i lanczos4_1(const int16_t *window, size_t pitch, const int16_t *down,
                                 const int16_t *across, bool wide)
{
    const size_t right = (size_t)4 * IMG_WARP_LANES;
    const __m128i sums = across_4(down_4(window, pitch, down, 8, wide), across, wide);
    const __m128i rest = across_4(down_4(window + right, pitch, down, 8, wide), across + 4, wide);
    return _mm_add_epi32(sums, rest);
}

#define BY_ONE(name)                                                                               \
    static inline void name##_all(const ImgWarp *warp, const int16_t *tile, size_t pitch,          \
                                  const ImgWarpPoint *points, int32_t count, int16_t *to,          \
                                  bool wide)                                                       \
    {                                                                                              \
        for (int32_t x = 0; x < count; x++, to += IMG_WARP_LANES)                                  \
            store_pixel(to, name##_1(tile + points[x].at, pitch, warp->weights[points[x].down],    \
                                     warp->weights[points[x].across], wide));                      \
    }                                                                                              \
    static void name(const ImgWarp *warp, const int16_t *tile, size_t pitch,                       \
                     const ImgWarpPoint *points, int32_t count, int16_t *to)                       \
    {                                                                                              \
        if (img_warp_is_wide(warp))                                                                \
            name##_all(warp, tile, pitch, points, count, to, true);                                \
        else                                                                                       \
            name##_all(warp, tile, pitch, points, count, to, false);                               \
    }

BY_ONE(bicubic)
BY_ONE(lanczos3)
BY_ONE(lanczos4)

#endif
