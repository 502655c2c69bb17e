/* Implements the functions of ImgOverlayRows. This file is compiled once for each instruction set
 * (core/parallel/cpu.h). All loops are written for vectorisation. */
#include <string.h>

#include "kernels/canvas/overlay.h"
#include "kernels/core/parallel/cpu.h"

#define INLINE static inline __attribute__((always_inline))

/* Defines a function that composites one pixel at a time with the arithmetic that the GPU also
 * uses. */
#define COVER(NAME, SAMPLE, COLORS, HAS_ALPHA)                                                     \
    static void NAME(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity)        \
    {                                                                                              \
        for (int32_t i = 0; i < count; i++) {                                                      \
            SAMPLE own[(COLORS) + (HAS_ALPHA)], over[(COLORS) + 1];                                \
            uint32_t pixel[4] = {0}, above[4] = {0};                                               \
            memcpy(own, pixels + (size_t)i * sizeof own, sizeof own);                              \
            memcpy(over, logo + (size_t)i * sizeof over, sizeof over);                             \
            for (int c = 0; c < (COLORS) + (HAS_ALPHA); c++)                                       \
                pixel[c] = own[c];                                                                 \
            for (int c = 0; c <= (COLORS); c++)                                                    \
                above[c] = over[c];                                                                \
            if (!(HAS_ALPHA) && sizeof(SAMPLE) == 1)                                               \
                img_overlay_bytes(above, pixel, COLORS, opacity);                                  \
            else                                                                                   \
                img_overlay_pixel(above, pixel, COLORS, HAS_ALPHA, opacity, (SAMPLE)-1);           \
            for (int c = 0; c < (COLORS) + (HAS_ALPHA); c++)                                       \
                own[c] = (SAMPLE)pixel[c];                                                         \
            memcpy(pixels + (size_t)i * sizeof own, own, sizeof own);                              \
        }                                                                                          \
    }
COVER(any_gray_8, uint8_t, 1, 0)
COVER(any_rgb_8, uint8_t, 3, 0)
COVER(cover_gray_alpha_8, uint8_t, 1, 1)
COVER(cover_gray_16, uint16_t, 1, 0)
COVER(cover_gray_alpha_16, uint16_t, 1, 1)
COVER(cover_rgb_16, uint16_t, 3, 0)
COVER(cover_rgba_16, uint16_t, 3, 1)

/* --- Opacity 1 over opaque pixels of 8 bits --------------------------------------------------
 *
 * At full opacity, the result is (l a + p (255 - a)) / 255, rounded. Here l is a sample of the
 * logo, a is the logo's alpha, and p is a sample of the picture. Ties do not occur. For t =
 * numerator + 128, (t + t / 256) / 256 is the exact result, for all numerators up to 255^2. */

enum { BLOCK = 64 };

/* Blends `count` samples with those of `above`. `alpha` has one value per sample: the weight of
 * `above`. */
INLINE void mix(uint8_t *restrict samples, const uint8_t *above, const uint8_t *alpha, int count)
{
    for (int i = 0; i < count; i++) {
        const uint16_t a = alpha[i];
        const uint16_t t = (uint16_t)(above[i] * a + samples[i] * (255 - a) + 128);
        samples[i] = (uint8_t)((uint16_t)(t + (t >> 8)) >> 8);
    }
}

/* Composites a block of BLOCK pixels, at opacity 1. The picture's pixels have `channels` channels
 * and are opaque; an alpha channel keeps the value 255. */
INLINE void cover_block(uint8_t *pixels, const uint8_t *logo, int colors, int channels)
{
    uint8_t above[4 * BLOCK], alpha[4 * BLOCK];
    for (int i = 0; i < BLOCK; i++)
        for (int c = 0; c < channels; c++) {
            above[channels * i + c] = c < colors ? logo[(colors + 1) * i + c] : 255;
            alpha[channels * i + c] = logo[(colors + 1) * i + colors];
        }
    mix(pixels, above, alpha, channels * BLOCK);
}

#define COVER_OPAQUE(NAME, COLORS, ANY)                                                            \
    static void NAME(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity)        \
    {                                                                                              \
        for (; opacity == IMG_OVERLAY_OPAQUE && count >= BLOCK; count -= BLOCK) {                  \
            cover_block(pixels, logo, COLORS, COLORS);                                             \
            pixels += (COLORS)*BLOCK;                                                              \
            logo += ((COLORS) + 1) * BLOCK;                                                        \
        }                                                                                          \
        ANY(pixels, logo, count, opacity);                                                         \
    }
COVER_OPAQUE(cover_gray_8, 1, any_gray_8)
COVER_OPAQUE(cover_rgb_8, 3, any_rgb_8)

/* --- RGBA of 8 bits ---------------------------------------------------------------------------
 *
 * These functions compute img_overlay_pixel with one quotient, 1 / all, for the three colours;
 * `all` is the denominator of each colour of the result. All numbers are integers below 2^35, which
 * doubles hold exactly, except the quotient and its product with a numerator n. `all` is below
 * 2^26. So the distance of (n + 1/2) / all from any integer is at least 1/2 / all, more than 2^-27.
 * The errors of the two roundings are less than 2^-43. Therefore truncation gives n / all rounded
 * down. */

/* Returns the bit position of a channel in an RGBA pixel that was read as a 32-bit word. */
static inline int shift_of(int channel)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return 24 - 8 * channel;
#else
    return 8 * channel;
#endif
}

static inline int32_t channel_of(uint32_t pixel, int channel)
{
    return (int32_t)(pixel >> shift_of(channel) & 255);
}

static inline uint32_t cover_pixel(uint32_t logo, uint32_t pixel, uint32_t opacity)
{
    const int32_t unit = 255 * IMG_OVERLAY_OPAQUE, half_unit = unit / 2;
    const int32_t cover = channel_of(logo, 3) * (int32_t)opacity, under = channel_of(pixel, 3);
    const int32_t above = cover * 255, left = (unit - cover) * under;
    /* 1 if logo and picture are both fully transparent here: avoids a division by 0 */
    const int32_t none = above + left == 0;
    const int32_t below = left + none, all = above + below;
    const double one = 1.0 / all, half = (double)(all >> 1) + 0.5;
    const double share = above, rest = below;
    const int32_t alpha = (int32_t)((all - none + half_unit + 0.5) * (1.0 / unit));
    uint32_t result = (uint32_t)alpha << shift_of(3);
    for (int c = 0; c < 3; c++) {
        const double over = channel_of(logo, c), own = channel_of(pixel, c);
        result |= (uint32_t)(int32_t)((over * share + own * rest + half) * one) << shift_of(c);
    }
    return result;
}

static void mixed_rgba_8(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t above, pixel;
        memcpy(&above, logo + 4 * (size_t)i, sizeof above);
        memcpy(&pixel, pixels + 4 * (size_t)i, sizeof pixel);
        pixel = cover_pixel(above, pixel, opacity);
        memcpy(pixels + 4 * (size_t)i, &pixel, sizeof pixel);
    }
}

static bool is_opaque(const uint8_t *pixels)
{
    uint8_t all = 255;
    for (int i = 0; i < BLOCK; i++)
        all &= pixels[4 * i + 3];
    return all == 255;
}

static void cover_rgba_8(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity)
{
    for (; count >= BLOCK; count -= BLOCK) {
        if (opacity == IMG_OVERLAY_OPAQUE && is_opaque(pixels))
            cover_block(pixels, logo, 3, 4);
        else
            mixed_rgba_8(pixels, logo, BLOCK, opacity);
        pixels += 4 * BLOCK;
        logo += 4 * BLOCK;
    }
    mixed_rgba_8(pixels, logo, count, opacity);
}

const ImgOverlayRows IMG_VARIANT(img_overlay_rows) = {
    {{cover_gray_8, cover_gray_alpha_8, cover_rgb_8, cover_rgba_8},
     {cover_gray_16, cover_gray_alpha_16, cover_rgb_16, cover_rgba_16}}};
