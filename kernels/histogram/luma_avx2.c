/* Computes rows of luma with AVX2, for x86-64-v3. These functions may be called only if
 * img_cpu_level() allows it. The two 128-bit lanes of a vector process different pixels. Pixels are
 * loaded in such an order that they are adjacent after packing.
 *
 * The instruction pmaddwd multiplies pairs of signed 16-bit numbers and adds the two products. It
 * is used for red and green, and then for blue and 0. All weights are below 2^15. 32768 is
 * subtracted from 16-bit samples, which makes them signed. As the weights sum to 32768, this lowers
 * the sum by 2^30. */
#include <immintrin.h>

#include "kernels/histogram/luma_rest.h"

enum { LANE = 16, NONE = 0x80 }; /* NONE: byte index for which the shuffle writes 0 */

typedef struct Factors {
    __m256i red_green, blue;
} Factors;

static inline Factors factors_for(ImgLumaWeights weights)
{
    return (Factors){_mm256_set1_epi32((int)(weights.red | weights.green << 16)),
                     _mm256_set1_epi32((int)weights.blue)};
}

static inline __m256i weigh(__m256i red_green, __m256i blue, Factors factors, int offset)
{
    __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(red_green, factors.red_green),
                                   _mm256_madd_epi16(blue, factors.blue));
    return _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(offset)), IMG_LUMA_SHIFT);
}

static inline __m256i load_lanes(const uint8_t *p, size_t step)
{
    __m128i low = _mm_loadu_si128((const __m128i *)p);
    __m128i high = _mm_loadu_si128((const __m128i *)(p + step));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline __m256i both_lanes(const uint8_t order[LANE])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)order));
}

/* Computes the luma of 8-bit pixels with `size` bytes each: four pixels per lane and load, 32
 * pixels per iteration. */
static inline void luma8(const uint8_t *src, const uint8_t size, size_t count,
                         ImgLumaWeights weights, uint8_t *luma)
{
    enum { PIXELS = 32 };
    const uint8_t second = size, third = (uint8_t)(2 * size), fourth = (uint8_t)(3 * size);
    const uint8_t pick_red_green[LANE] = {
        0,     NONE, 1,         NONE, second, NONE, second + 1, NONE, /**/
        third, NONE, third + 1, NONE, fourth, NONE, fourth + 1, NONE};
    const uint8_t pick_blue[LANE] = {2,         NONE, NONE, NONE, second + 2, NONE, NONE, NONE,
                                     third + 2, NONE, NONE, NONE, fourth + 2, NONE, NONE, NONE};
    __m256i red_green = both_lanes(pick_red_green), blue = both_lanes(pick_blue);
    Factors factors = factors_for(weights);
    size_t x = 0;
    /* The last load of an iteration reads up to four bytes past its pixels. They belong to the next
     * two pixels, which must exist. */
    for (; x + PIXELS + 2 <= count; x += PIXELS) {
        __m256i sums[4];
        for (size_t i = 0; i < 4; i++) {
            __m256i v = load_lanes(src + (x + 4 * i) * size, 16 * (size_t)size);
            sums[i] = weigh(_mm256_shuffle_epi8(v, red_green), _mm256_shuffle_epi8(v, blue),
                            factors, IMG_LUMA_HALF);
        }
        __m256i packed = _mm256_packus_epi16(_mm256_packus_epi32(sums[0], sums[1]),
                                             _mm256_packus_epi32(sums[2], sums[3]));
        _mm256_storeu_si256((__m256i *)(luma + x), packed);
    }
    luma_rest8(src, size, x, count, weights, luma);
}

/* Computes the luma of 16-bit pixels with `size` bytes each: two pixels per lane and load, 16
 * pixels per iteration. */
static inline void luma16(const uint8_t *src, const uint8_t size, size_t count,
                          ImgLumaWeights weights, uint16_t *luma)
{
    enum { PIXELS = 16 };
    const uint8_t second = size;
    /* Byte indices for the shuffle: red and green of both pixels, then blue of both, each followed
     * by a 0. */
    const uint8_t pick[LANE] = {0, 1, 2,    3,    second,     second + 1, second + 2, second + 3,
                                4, 5, NONE, NONE, second + 4, second + 5, NONE,       NONE};
    const __m256i order = both_lanes(pick), sign = _mm256_set1_epi16((short)0x8000);
    Factors factors = factors_for(weights);
    size_t x = 0;
    /* The last load of an iteration reads up to four bytes past its pixels. They belong to the next
     * pixel, which must exist. */
    for (; x + PIXELS + 1 <= count; x += PIXELS) {
        __m256i sums[2];
        for (size_t i = 0; i < 2; i++) {
            const uint8_t *p = src + (x + 4 * i) * size;
            __m256i a = _mm256_xor_si256(load_lanes(p, 8 * (size_t)size), sign);
            __m256i b = _mm256_xor_si256(load_lanes(p + 2 * (size_t)size, 8 * (size_t)size), sign);
            a = _mm256_shuffle_epi8(a, order);
            b = _mm256_shuffle_epi8(b, order);
            sums[i] = weigh(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b), factors,
                            (1 << 30) + IMG_LUMA_HALF);
        }
        _mm256_storeu_si256((__m256i *)(luma + x), _mm256_packus_epi32(sums[0], sums[1]));
    }
    luma_rest16(src, size, x, count, weights, luma);
}

static void rgb8(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma8(src, 3, count, weights, luma);
}

static void rgba8(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma8(src, 4, count, weights, luma);
}

static void rgb16(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma16(src, 6, count, weights, luma);
}

static void rgba16(const uint8_t *src, size_t count, ImgLumaWeights weights, void *luma)
{
    luma16(src, 8, count, weights, luma);
}

const ImgLumaRows img_luma_rows_avx2 = {rgb8, rgba8, rgb16, rgba16};
