/* As warp_rows_avx2.c, with twice as many pixels at a time: two by bicubic and Lanczos, one in each
 * half, and four by bilinear. */
#include <immintrin.h>
#include <string.h>

#include "kernels/warp/cpu/warp_lift_avx2.h"

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

static inline __m256i rounded_8(__m256i sums)
{
    const __m256i half = _mm256_set1_epi32(1 << (IMG_WARP_WEIGHT_PLACES - 1));
    return _mm256_srai_epi32(_mm256_add_epi32(sums, half), IMG_WARP_WEIGHT_PLACES);
}

static inline __m512i rounded_16(__m512i sums)
{
    const __m512i half = _mm512_set1_epi32(1 << (IMG_WARP_WEIGHT_PLACES - 1));
    return _mm512_srai_epi32(_mm512_add_epi32(sums, half), IMG_WARP_WEIGHT_PLACES);
}

/* Two pixels side by side become pairs of the same channel. */
static inline __m256i columns_of_4(__m256i pixels)
{
    return _mm256_unpacklo_epi16(pixels, _mm256_unpackhi_epi64(pixels, pixels));
}

static inline __m512i columns_of_8(__m512i pixels)
{
    return _mm512_unpacklo_epi16(pixels, _mm512_unpackhi_epi64(pixels, pixels));
}

static inline __m512i halves(__m256i low, __m256i high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

static inline __m256i both(__m128i low, __m128i high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline __m256i both_pairs(const int16_t *low, const int16_t *high)
{
    return both(_mm_set1_epi32(pair_of(low)), _mm_set1_epi32(pair_of(high)));
}

static inline __m512i pairs_of_2(const int16_t *low, const int16_t *high)
{
    return halves(_mm256_set1_epi32(pair_of(low)), _mm256_set1_epi32(pair_of(high)));
}

/* What the last pixels of a row are made with: points that repeat the last. */
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

/* The sums down `rows` rows of four pixels, rounded, of two windows. */
static inline __m512i down_8(const int16_t *a, const int16_t *b, size_t pitch,
                             const int16_t *weights_a, const int16_t *weights_b, size_t rows)
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
    return _mm512_packs_epi32(rounded_16(low), rounded_16(high));
}

static inline __m256i down_4(const int16_t *a, const int16_t *b, size_t pitch,
                             const int16_t *weights_a, const int16_t *weights_b, size_t rows)
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
    return _mm256_packs_epi32(rounded_8(low), rounded_8(high));
}

/* The sums of four columns of both windows. */
static inline __m256i across_8(__m512i pixels, const int16_t *weights_a, const int16_t *weights_b)
{
    const __m512i weights =
        halves(both_pairs(weights_a, weights_a + 2), both_pairs(weights_b, weights_b + 2));
    const __m512i sums = _mm512_madd_epi16(columns_of_8(pixels), weights);
    const __m512i first = _mm512_shuffle_i64x2(sums, sums, 0x08);  /* 0 and 2 */
    const __m512i second = _mm512_shuffle_i64x2(sums, sums, 0x0d); /* 1 and 3 */
    return _mm256_add_epi32(_mm512_castsi512_si256(first), _mm512_castsi512_si256(second));
}

static inline void store_2(int16_t *to, __m256i sums)
{
    _mm_storeu_si128((__m128i *)to, _mm256_cvtsepi32_epi16(rounded_8(sums)));
}

static inline void bicubic_2(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                             const ImgWarpPoint *points, int16_t *to)
{
    const int16_t(*w)[IMG_WARP_STRIDE] = warp->weights;
    const __m512i pixels = down_8(tile + points[0].at, tile + points[1].at, pitch,
                                  w[points[0].down], w[points[1].down], 4);
    store_2(to, across_8(pixels, w[points[0].across], w[points[1].across]));
}

static inline void lanczos3_2(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                              const ImgWarpPoint *points, int16_t *to)
{
    const int16_t *a = tile + points[0].at, *b = tile + points[1].at;
    const int16_t *down_a = warp->weights[points[0].down], *down_b = warp->weights[points[1].down];
    const int16_t *across_a = warp->weights[points[0].across];
    const int16_t *across_b = warp->weights[points[1].across];
    const __m512i eight = down_8(a, b, pitch, down_a, down_b, 6);
    const size_t right = (size_t)4 * IMG_WARP_LANES;
    const __m256i four = down_4(a + right, b + right, pitch, down_a, down_b, 6);
    const __m256i rest =
        _mm256_madd_epi16(columns_of_4(four), both_pairs(across_a + 4, across_b + 4));
    store_2(to, _mm256_add_epi32(across_8(eight, across_a, across_b), rest));
}

static inline void lanczos4_2(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                              const ImgWarpPoint *points, int16_t *to)
{
    const int16_t *a = tile + points[0].at, *b = tile + points[1].at;
    const int16_t *down_a = warp->weights[points[0].down], *down_b = warp->weights[points[1].down];
    const int16_t *across_a = warp->weights[points[0].across];
    const int16_t *across_b = warp->weights[points[1].across];
    const size_t right = (size_t)4 * IMG_WARP_LANES;
    const __m512i first = down_8(a, b, pitch, down_a, down_b, 8);
    const __m512i rest = down_8(a + right, b + right, pitch, down_a, down_b, 8);
    store_2(to, _mm256_add_epi32(across_8(first, across_a, across_b),
                                 across_8(rest, across_a + 4, across_b + 4)));
}

#define BY_TWO(name)                                                                               \
    static void name(const ImgWarp *warp, const int16_t *tile, size_t pitch,                       \
                     const ImgWarpPoint *points, int32_t count, int16_t *to)                       \
    {                                                                                              \
        ImgWarpPoint last[2];                                                                      \
        for (int32_t x = 0; x + 2 <= count; x += 2)                                                \
            name##_2(warp, tile, pitch, points + x, to + (size_t)x * IMG_WARP_LANES);              \
        if (count % 2 != 0) {                                                                      \
            repeat_last(points + count - 1, 1, 2, last);                                           \
            name##_2(warp, tile, pitch, last, to + (size_t)(count - 1) * IMG_WARP_LANES);          \
        }                                                                                          \
    }

BY_TWO(bicubic)
BY_TWO(lanczos3)
BY_TWO(lanczos4)

#define ROWS img_warp_rows_avx512
#include "kernels/warp/cpu/warp_rows_source.h"
