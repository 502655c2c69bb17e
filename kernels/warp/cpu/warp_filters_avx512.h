/* AVX-512 version of warp_rows.h. It works like warp_filters_avx2.h, but processes twice as many
 * pixels at a time: two with the bicubic and Lanczos filters, one in each half of a vector, and
 * four with the bilinear filter. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_FILTERS_AVX512_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_FILTERS_AVX512_H

#include <immintrin.h>

#include "kernels/warp/cpu/warp_sums_avx2.h"

static inline __m512i rounded_16(__m512i sums)
{
    const __m512i half = _mm512_set1_epi32(1 << (IMG_WARP_WEIGHT_PLACES - 1));
    return _mm512_srai_epi32(_mm512_add_epi32(sums, half), IMG_WARP_WEIGHT_PLACES);
}

static inline __m512i columns_of_8(__m512i pixels)
{
    return _mm512_unpacklo_epi16(pixels, _mm512_unpackhi_epi64(pixels, pixels));
}

static inline __m512i halves(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static inline __m512i pairs_of_2(const int16_t *low, const int16_t *high)
{
    return halves(_mm256_set1_epi32(pair_of(low)), _mm256_set1_epi32(pair_of(high)));
}

/* Copies the last `count` points of a row to `to`, and repeats the last one until `to` has `wanted`
 * points. */
static inline void repeat_last(const ImgWarpPoint *points, int32_t count, int32_t wanted,
                               ImgWarpPoint *to)
{
    for (int32_t i = 0; i < wanted; i++)
        to[i] = points[i < count ? i : count - 1];
}

/* --- Bilinear --------------------------------------------------------------------------------- */

static inline __m512i rows_of_4(const int16_t *tile, const ImgWarpPoint *points, size_t below)
{
    tile += below;
    return halves(both(row_of_2(tile + points[0].at), row_of_2(tile + points[1].at)),
                  both(row_of_2(tile + points[2].at), row_of_2(tile + points[3].at)));
}

static inline __m256i bilinear_4(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                                 const ImgWarpPoint *points)
{
    const int16_t(*w)[IMG_WARP_STRIDE] = warp->weights;
    const __m512i upper = rows_of_4(tile, points, 0), lower = rows_of_4(tile, points, pitch);
    const __m512i down = halves(both_pairs(w[points[0].down], w[points[1].down]),
                                both_pairs(w[points[2].down], w[points[3].down]));
    const __m512i across = halves(both_pairs(w[points[0].across], w[points[1].across]),
                                  both_pairs(w[points[2].across], w[points[3].across]));
    const __m512i low = _mm512_madd_epi16(_mm512_unpacklo_epi16(upper, lower), down);
    const __m512i high = _mm512_madd_epi16(_mm512_unpackhi_epi16(upper, lower), down);
    const __m512i pixels = _mm512_packs_epi32(rounded_16(low), rounded_16(high));
    return _mm512_cvtsepi32_epi16(rounded_16(_mm512_madd_epi16(columns_of_8(pixels), across)));
}

static void bilinear(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                     const ImgWarpPoint *points, int32_t count, int16_t *to)
{
    ImgWarpPoint last[4];
    for (int32_t x = 0; x < count; x += 4, to += (size_t)4 * IMG_WARP_LANES) {
        const ImgWarpPoint *four = points + x;
        if (count - x < 4) {
            repeat_last(four, count - x, 4, last);
            four = last;
        }
        _mm256_storeu_si256((__m256i *)to, bilinear_4(warp, tile, pitch, four));
    }
}

/* --- Bicubic and Lanczos ---------------------------------------------------------------------- */

typedef struct Columns8 {
    __m512i value, rest;
} Columns8;

static inline Columns8 columns_8(__m512i low, __m512i high, bool wide)
{
    const __m512i one = _mm512_set1_epi32(1);
    if (!wide)
        return (Columns8){_mm512_packs_epi32(low, high), _mm512_setzero_si512()};
    return (Columns8){_mm512_packs_epi32(_mm512_srai_epi32(low, 1), _mm512_srai_epi32(high, 1)),
                      _mm512_packs_epi32(_mm512_and_si512(low, one), _mm512_and_si512(high, one))};
}

static inline Columns8 down_8(const int16_t *a, const int16_t *b, size_t pitch,
                              const int16_t *weights_a, const int16_t *weights_b, size_t rows,
                              bool wide)
{
    __m512i low = _mm512_setzero_si512(), high = low;
    for (size_t k = 0; k < rows; k += 2) {
        const __m512i upper = halves(row_of_4(a + k * pitch), row_of_4(b + k * pitch));
        const __m512i lower = halves(row_of_4(a + (k + 1) * pitch), row_of_4(b + (k + 1) * pitch));
        const __m512i pairs = pairs_of_2(weights_a + k, weights_b + k);
        low = _mm512_add_epi32(low, _mm512_madd_epi16(_mm512_unpacklo_epi16(upper, lower), pairs));
        high =
            _mm512_add_epi32(high, _mm512_madd_epi16(_mm512_unpackhi_epi16(upper, lower), pairs));
    }
    return columns_8(rounded_16(low), rounded_16(high), wide);
}

static inline Columns4 down_4(const int16_t *a, const int16_t *b, size_t pitch,
                              const int16_t *weights_a, const int16_t *weights_b, size_t rows,
                              bool wide)
{
    __m256i low = _mm256_setzero_si256(), high = low;
    for (size_t k = 0; k < rows; k += 2) {
        const __m256i upper = both(row_of_2(a + k * pitch), row_of_2(b + k * pitch));
        const __m256i lower = both(row_of_2(a + (k + 1) * pitch), row_of_2(b + (k + 1) * pitch));
        const __m256i pairs = both_pairs(weights_a + k, weights_b + k);
        low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower), pairs));
        high =
            _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower), pairs));
    }
    return columns_4(rounded_8(low), rounded_8(high), wide);
}

/* Returns the weighted sums of two columns, for two windows at a time. */
static inline __m256i across_4(Columns4 columns, const int16_t *weights_a, const int16_t *weights_b,
                               bool wide)
{
    const __m256i pairs = both_pairs(weights_a, weights_b);
    const __m256i sums = _mm256_madd_epi16(columns_of_4(columns.value), pairs);
    return !wide ? sums
                 : _mm256_add_epi32(_mm256_slli_epi32(sums, 1),
                                    _mm256_madd_epi16(columns_of_4(columns.rest), pairs));
}

/* Returns the weighted sums of four columns, for two windows at a time. */
static inline __m256i across_8(Columns8 columns, const int16_t *weights_a, const int16_t *weights_b,
                               bool wide)
{
    const __m512i pairs =
        halves(both_pairs(weights_a, weights_a + 2), both_pairs(weights_b, weights_b + 2));
    __m512i sums = _mm512_madd_epi16(columns_of_8(columns.value), pairs);
    if (wide)
        sums = _mm512_add_epi32(_mm512_slli_epi32(sums, 1),
                                _mm512_madd_epi16(columns_of_8(columns.rest), pairs));
    const __m512i first = _mm512_shuffle_i64x2(sums, sums, 0x08);  /* quarters 0 and 2 of `sums` */
    const __m512i second = _mm512_shuffle_i64x2(sums, sums, 0x0d); /* quarters 1 and 3 of `sums` */
    return _mm256_add_epi32(_mm512_castsi512_si256(first), _mm512_castsi512_si256(second));
}

static inline void store_2(int16_t *to, __m256i sums)
{
    _mm_storeu_si128((__m128i *)to, _mm256_cvtsepi32_epi16(rounded_8(sums)));
}

/* Window of a pixel: position of its first sample, and its vertical and horizontal weights. */
typedef struct Window {
    const int16_t *at, *down, *across;
} Window;

static inline Window window_of(const ImgWarp *warp, const int16_t *tile, const ImgWarpPoint *point)
{
    return (Window){tile + point->at, warp->weights[point->down], warp->weights[point->across]};
}

static inline __m256i bicubic_2(Window a, Window b, size_t pitch, bool wide)
{
    return across_8(down_8(a.at, b.at, pitch, a.down, b.down, 4, wide), a.across, b.across, wide);
}

static inline __m256i lanczos3_2(Window a, Window b, size_t pitch, bool wide)
{
    const size_t right = (size_t)4 * IMG_WARP_LANES;
    const Columns8 eight = down_8(a.at, b.at, pitch, a.down, b.down, 6, wide);
    const Columns4 four = down_4(a.at + right, b.at + right, pitch, a.down, b.down, 6, wide);
    return _mm256_add_epi32(across_8(eight, a.across, b.across, wide),
                            across_4(four, a.across + 4, b.across + 4, wide));
}

static inline __m256i lanczos4_2(Window a, Window b, size_t pitch, bool wide)
{
    const size_t right = (size_t)4 * IMG_WARP_LANES;
    const Columns8 first = down_8(a.at, b.at, pitch, a.down, b.down, 8, wide);
    const Columns8 rest = down_8(a.at + right, b.at + right, pitch, a.down, b.down, 8, wide);
    return _mm256_add_epi32(across_8(first, a.across, b.across, wide),
                            across_8(rest, a.across + 4, b.across + 4, wide));
}

#define BY_TWO(name)                                                                               \
    static inline void name##_all(const ImgWarp *warp, const int16_t *tile, size_t pitch,          \
                                  const ImgWarpPoint *points, int32_t count, int16_t *to,          \
                                  bool wide)                                                       \
    {                                                                                              \
        ImgWarpPoint last[2];                                                                      \
        for (int32_t x = 0; x + 2 <= count; x += 2)                                                \
            store_2(to + (size_t)x * IMG_WARP_LANES,                                               \
                    name##_2(window_of(warp, tile, points + x),                                    \
                             window_of(warp, tile, points + x + 1), pitch, wide));                 \
        if (count % 2 != 0) {                                                                      \
            repeat_last(points + count - 1, 1, 2, last);                                           \
            store_2(to + (size_t)(count - 1) * IMG_WARP_LANES,                                     \
                    name##_2(window_of(warp, tile, last), window_of(warp, tile, last + 1), pitch,  \
                             wide));                                                               \
        }                                                                                          \
    }                                                                                              \
    static void name(const ImgWarp *warp, const int16_t *tile, size_t pitch,                       \
                     const ImgWarpPoint *points, int32_t count, int16_t *to)                       \
    {                                                                                              \
        if (img_warp_is_wide(warp))                                                                \
            name##_all(warp, tile, pitch, points, count, to, true);                                \
        else                                                                                       \
            name##_all(warp, tile, pitch, points, count, to, false);                               \
    }

BY_TWO(bicubic)
BY_TWO(lanczos3)
BY_TWO(lanczos4)

#endif
