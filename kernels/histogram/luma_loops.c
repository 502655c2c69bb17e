/* Computes rows of luma. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). The lanes of a vector process different pixels. Pixels are loaded in such
 * an order that they are adjacent after packing.
 *
 * dot_i16 multiplies pairs of signed 16-bit numbers and adds the two products. It is used for red
 * and green, and then for blue and 0. All weights are below 2^15. 32768 is subtracted from 16-bit
 * samples, which makes them signed. As the weights sum to 32768, this lowers the sum by 2^30. */
#include <string.h>

#include "kernels/core/parallel/cpu.h"
#include "kernels/histogram/count.h"
#include "kernels/simd/simd.h"

enum { NONE = 255 }; /* byte index for which the shuffle writes 0 */

typedef struct Factors {
    vi16 red_green, blue;
} Factors;

static inline Factors factors_for(ImgLumaWeights weights)
{
    return (Factors){(vi16)all_u32(weights.red | weights.green << 16), (vi16)all_u32(weights.blue)};
}

static inline vi32 weigh(vu8 red_green, vu8 blue, Factors factors, int32_t offset)
{
    const vi32 sum =
        dot_i16((vi16)red_green, factors.red_green) + dot_i16((vi16)blue, factors.blue);
    return (vi32)((vu32)(sum + all_i32(offset)) >> IMG_LUMA_SHIFT);
}

/* Computes the luma of 8-bit pixels with `size` bytes each: four pixels per lane and load, 16 per
 * lane and iteration. Pixels after the last iteration are computed one by one. */
static inline void luma8(const uint8_t *src, const uint8_t size, size_t count,
                         ImgLumaWeights weights, uint8_t *luma)
{
    enum { PIXELS = 16 * V_LANES };
    const uint8_t second = size, third = (uint8_t)(2 * size), fourth = (uint8_t)(3 * size);
    const uint8_t pick_red_green[V_LANE] = {
        0,     NONE, 1,         NONE, second, NONE, second + 1, NONE, /**/
        third, NONE, third + 1, NONE, fourth, NONE, fourth + 1, NONE};
    const uint8_t pick_blue[V_LANE] = {2,         NONE, NONE, NONE, second + 2, NONE, NONE, NONE,
                                       third + 2, NONE, NONE, NONE, fourth + 2, NONE, NONE, NONE};
    const vu8 red_green = repeat_lane(pick_red_green), blue = repeat_lane(pick_blue);
    const Factors factors = factors_for(weights);
    size_t x = 0;
    /* The last load of an iteration reads up to four bytes past its pixels. They belong to the next
     * two pixels, which must exist. */
    for (; V_HAS_SHUFFLE && x + PIXELS + 2 <= count; x += PIXELS) {
        vi32 sums[4];
        for (size_t i = 0; i < 4; i++) {
            const vu8 v = load_lanes(src + (x + 4 * i) * size, 16 * (ptrdiff_t)size);
            sums[i] =
                weigh(shuffle_bytes(v, red_green), shuffle_bytes(v, blue), factors, IMG_LUMA_HALF);
        }
        store_u8(luma + x,
                 pack_i16((vi16)pack_u32(sums[0], sums[1]), (vi16)pack_u32(sums[2], sums[3])));
    }
    for (; x < count; x++) {
        const uint8_t *p = src + x * size;
        luma[x] = (uint8_t)img_luma(weights, p[0], p[1], p[2]);
    }
}

/* Computes the luma of 16-bit pixels with `size` bytes each: two pixels per lane and load, 8 per
 * lane and iteration. */
static inline void luma16(const uint8_t *src, const uint8_t size, size_t count,
                          ImgLumaWeights weights, uint16_t *luma)
{
    enum { PIXELS = 8 * V_LANES };
    const uint8_t second = size;
    /* Byte indices for the shuffle: red and green of both pixels, then blue of both, each followed
     * by a 0. */
    const uint8_t pick[V_LANE] = {0, 1, 2,    3,    second,     second + 1, second + 2, second + 3,
                                  4, 5, NONE, NONE, second + 4, second + 5, NONE,       NONE};
    const vu8 order = repeat_lane(pick), sign = (vu8)all_u16(0x8000);
    const Factors factors = factors_for(weights);
    size_t x = 0;
    /* The last load of an iteration reads up to four bytes past its pixels. They belong to the next
     * pixel, which must exist. */
    for (; V_HAS_SHUFFLE && x + PIXELS + 1 <= count; x += PIXELS) {
        vi32 sums[2];
        for (size_t i = 0; i < 2; i++) {
            const uint8_t *p = src + (x + 4 * i) * size;
            const vu8 a = load_lanes(p, 8 * (ptrdiff_t)size) ^ sign;
            const vu8 b = load_lanes(p + 2 * (size_t)size, 8 * (ptrdiff_t)size) ^ sign;
            const vu8 of_a = shuffle_bytes(a, order), of_b = shuffle_bytes(b, order);
            sums[i] = weigh(zip_low(of_a, of_b, 8), zip_high(of_a, of_b, 8), factors,
                            (1 << 30) + IMG_LUMA_HALF);
        }
        store_u16(luma + x, pack_u32(sums[0], sums[1]));
    }
    for (; x < count; x++) {
        uint16_t p[3];
        memcpy(p, src + x * size, sizeof p);
        luma[x] = (uint16_t)img_luma(weights, p[0], p[1], p[2]);
    }
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

const ImgLumaRows IMG_VARIANT(img_luma_rows) = {rgb8, rgba8, rgb16, rgba16};
