/* Rows of luma on vectors of 128-bit lanes; the file that includes this defines them. Each lane
 * takes pixels of its own, in the order in which packing puts them next to each other.
 *
 * pmaddwd multiplies pairs of signed 16-bit numbers and adds the two products: red and green by
 * their weights, then blue and 0. All weights are below 2^15; 16-bit samples become signed by
 * taking 32768 away, which the weights, 32768 in sum, turn into 2^30. */
#include "kernels/histogram/luma_rest.h"

enum { LANE = 16, NONE = 0x80 };

typedef struct Factors {
    Vector red_green, blue;
} Factors;

static inline Factors factors_for(ImgLumaWeights weights)
{
    return (Factors){ALL_32((int)(weights.red | weights.green << 16)), ALL_32((int)weights.blue)};
}

static inline Vector weigh(Vector red_green, Vector blue, Factors factors, int offset)
{
    Vector sum =
        ADD_32(MULTIPLY_PAIRS(red_green, factors.red_green), MULTIPLY_PAIRS(blue, factors.blue));
    return SHIFT_RIGHT_32(ADD_32(sum, ALL_32(offset)), IMG_LUMA_SHIFT);
}

static inline Vector order_of(const uint8_t order[LANE])
{
    return ALL_LANES(_mm_loadu_si128((const __m128i *)order));
}

/* Four pixels a lane and vector, 16 a lane and turn. */
static inline void luma8(const uint8_t *src, const size_t pixel_size, size_t count,
                         ImgLumaWeights weights, uint8_t *luma)
{
    enum { PIXELS = 16 * LANES };
    uint8_t pick_red_green[LANE], pick_blue[LANE];
    for (size_t i = 0; i < LANE; i++) {
        size_t pixel = i / 4 * pixel_size;
        pick_red_green[i] = (uint8_t)(i % 2 == 1 ? NONE : pixel + i % 4 / 2);
        pick_blue[i] = (uint8_t)(i % 4 != 0 ? NONE : pixel + 2);
    }
    Vector red_green = order_of(pick_red_green), blue = order_of(pick_blue);
    Factors factors = factors_for(weights);
    size_t x = 0;
    /* The last load of a turn reaches up to four bytes behind its pixels: that is two of them. */
    for (; x + PIXELS + 2 <= count; x += PIXELS) {
        Vector sums[4];
        for (size_t i = 0; i < 4; i++) {
            Vector v = load_lanes(src + (x + 4 * i) * pixel_size, 16 * pixel_size);
            sums[i] =
                weigh(SHUFFLE_BYTES(v, red_green), SHUFFLE_BYTES(v, blue), factors, IMG_LUMA_HALF);
        }
        STORE(luma + x,
              PACK_16_TO_8(PACK_32_TO_16(sums[0], sums[1]), PACK_32_TO_16(sums[2], sums[3])));
    }
    luma_rest8(src, pixel_size, x, count, weights, luma);
}

/* Two pixels a lane and load, eight a lane and turn. */
static inline void luma16(const uint8_t *src, const size_t pixel_size, size_t count,
                          ImgLumaWeights weights, uint16_t *luma)
{
    enum { PIXELS = 8 * LANES };
    /* Red and green of both pixels, then blue of both with zeros: 4 bytes each. */
    uint8_t pick[LANE];
    for (size_t i = 0; i < LANE; i++) {
        size_t pixel = i / 4 % 2 * pixel_size;
        pick[i] = (uint8_t)(i < 8 ? pixel + i % 4 : i % 4 < 2 ? pixel + 4 + i % 4 : NONE);
    }
    Vector order = order_of(pick);
    Vector sign = ALL_32((int)0x80008000);
    Factors factors = factors_for(weights);
    size_t x = 0;
    for (; x + PIXELS + 1 <= count; x += PIXELS) {
        Vector sums[2];
        for (size_t i = 0; i < 2; i++) {
            const uint8_t *p = src + (x + 4 * i) * pixel_size;
            Vector a = XOR(load_lanes(p, 8 * pixel_size), sign);
            Vector b = XOR(load_lanes(p + 2 * pixel_size, 8 * pixel_size), sign);
            a = SHUFFLE_BYTES(a, order);
            b = SHUFFLE_BYTES(b, order);
            sums[i] =
                weigh(ZIP_LOW_64(a, b), ZIP_HIGH_64(a, b), factors, (1 << 30) + IMG_LUMA_HALF);
        }
        STORE(luma + x, PACK_32_TO_16(sums[0], sums[1]));
    }
    luma_rest16(src, pixel_size, x, count, weights, luma);
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

const ImgLumaRows LUMA_ROWS = {rgb8, rgba8, rgb16, rgba16};
