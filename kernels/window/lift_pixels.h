/* Lifts and lowers rows of pixels with alpha: converts them to the signed 16-bit samples of lift.h
 * and back. Compilers vectorise the loops if bits and channels are constants. A lifted pixel has
 * `lanes` samples, at least as many as channels. */
#ifndef IMGTOOL_KERNELS_WINDOW_LIFT_PIXELS_H
#define IMGTOOL_KERNELS_WINDOW_LIFT_PIXELS_H

#include "kernels/core/fixed/quotient.h"
#include "kernels/core/minmax.h"
#include "kernels/core/sample.h"
#include "kernels/window/lift.h"

#define LIFT_INLINE static inline __attribute__((always_inline))

/* Converts pixels with alpha to lifted pixels, which have `lanes` signed samples of 16 bits. All
 * samples after the colours are set to alpha. */
LIFT_INLINE void lift_pixels(int32_t bits, size_t channels, size_t lanes, const uint8_t *from,
                             int16_t *to, int32_t width)
{
    for (size_t x = 0; x < (size_t)width; x++) {
        const uint32_t alpha = img_sample(from, (x + 1) * channels - 1, bits);
        for (size_t c = 0; c + 1 < channels; c++)
            to[x * lanes + c] =
                (int16_t)img_lift_color(img_sample(from, x * channels + c, bits), alpha, bits);
        for (size_t c = channels - 1; c < lanes; c++)
            to[x * lanes + c] = (int16_t)img_lift_alpha(alpha, bits);
    }
}

/* Converts pixels without alpha to lifted pixels, which have `lanes` signed samples of 16 bits, as
 * if the pixels were opaque. All samples after the `colors` colours are set to the alpha of an
 * opaque pixel. */
LIFT_INLINE void lift_opaque(int32_t bits, size_t colors, size_t lanes, uint32_t scale,
                             const uint8_t *from, int16_t *to, int32_t width)
{
    const uint32_t alpha = bits == 16 ? 65535 : 255;
    for (size_t x = 0; x < (size_t)width; x++) {
        for (size_t c = 0; c < colors; c++)
            to[x * lanes + c] = (int16_t)img_lift_color(
                img_sample(from, x * colors + c, bits) * scale, alpha, bits);
        for (size_t c = colors; c < lanes; c++)
            to[x * lanes + c] = (int16_t)img_lift_alpha(alpha, bits);
    }
}

enum { LIFT_BLOCK = 64 }; /* number of pixels that are converted back together */

/* Divides the colours of a block of pixels by alpha, as img_lower_color does. Dividends have at
 * most 24 bits for 8-bit samples, and 32 bits for 16-bit samples. */
LIFT_INLINE void lower_colors(int32_t bits, const uint32_t *alpha, uint32_t *color)
{
    for (int i = 0; i < LIFT_BLOCK; i++) {
        const uint32_t divisor = alpha[i] > 0 ? alpha[i] : 1;
        const uint32_t value = color[i] < alpha[i] ? color[i] : alpha[i];
        color[i] = bits == 16 ? img_quotient_32(value * 65535 + alpha[i] / 2, divisor, 65535)
                              : img_quotient_24(value * 255 + alpha[i] / 2, divisor);
    }
}

LIFT_INLINE void lower_block(int32_t bits, int32_t channels, int32_t lanes, const int16_t *from,
                             uint8_t *to, int32_t count)
{
    uint32_t plane[4][LIFT_BLOCK];
    uint32_t *alpha = plane[channels - 1];
    for (int32_t x = 0; x < LIFT_BLOCK; x++)
        for (int32_t c = 0; c < channels; c++)
            plane[c][x] = x < count ? (uint32_t)(from[x * lanes + c] + IMG_LIFT_ZERO) : 0;
    for (int32_t x = 0; x < LIFT_BLOCK; x++)
        alpha[x] = img_lower_divisor((int32_t)alpha[x] - IMG_LIFT_ZERO, bits);
    for (int32_t c = 0; c + 1 < channels; c++)
        lower_colors(bits, alpha, plane[c]);
    for (int32_t x = 0; x < LIFT_BLOCK; x++)
        alpha[x] = img_lower_alpha((int32_t)alpha[x] - IMG_LIFT_ZERO, bits);
    for (int32_t x = 0; x < count; x++)
        for (int32_t c = 0; c < channels; c++)
            img_sample_set(to, (size_t)x * (size_t)channels + (size_t)c, bits, plane[c][x]);
}

LIFT_INLINE void lower_pixels(int32_t bits, int32_t channels, int32_t lanes, const int16_t *from,
                              uint8_t *to, int32_t width)
{
    const size_t size = (size_t)channels * (size_t)(bits / 8);
    for (int32_t x = 0; x < width; x += LIFT_BLOCK) {
        const int16_t *lifted = from + (size_t)x * (size_t)lanes;
        const int32_t count = img_min32(width - x, LIFT_BLOCK);
        if (count == LIFT_BLOCK) /* here the number of pixels is a compile-time constant */
            lower_block(bits, channels, lanes, lifted, to + (size_t)x * size, LIFT_BLOCK);
        else
            lower_block(bits, channels, lanes, lifted, to + (size_t)x * size, count);
    }
}

#endif
