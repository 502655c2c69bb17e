/* Rows of pixels with alpha, lifted and lowered (lift.h) in loops that compilers make vectors of,
 * once bits and channels are numbers that they know: channel by channel, some pixels at a time. */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_LIFT_PIXELS_H
#define IMGTOOL_KERNELS_CORE_WINDOW_LIFT_PIXELS_H

#include "kernels/core/minmax.h"
#include "kernels/core/quotient.h"
#include "kernels/core/sample.h"
#include "kernels/core/window/lift.h"

#define LIFT_INLINE static inline __attribute__((always_inline))

LIFT_INLINE void lift_pixels(int32_t bits, int32_t channels, const uint8_t *from, int16_t *to,
                             int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        const size_t at = (size_t)x * (size_t)channels;
        const uint32_t alpha = img_sample(from, at + (size_t)channels - 1, bits);
        for (size_t c = 0; c + 1 < (size_t)channels; c++)
            to[at + c] = (int16_t)img_lift_color(img_sample(from, at + c, bits), alpha, bits);
        to[at + (size_t)channels - 1] = (int16_t)img_lift_alpha(alpha, bits);
    }
}

enum { LIFT_BLOCK = 64 }; /* pixels */

/* As img_lower_color, whose dividends have at most 24 bits, or 32. */
LIFT_INLINE void lower_colors(int32_t bits, const uint32_t *alpha, uint32_t *color)
{
    for (int i = 0; i < LIFT_BLOCK; i++) {
        const uint32_t divisor = alpha[i] > 0 ? alpha[i] : 1;
        const uint32_t value = color[i] < alpha[i] ? color[i] : alpha[i];
        color[i] = bits == 16 ? img_quotient_32(value * 65535 + alpha[i] / 2, divisor, 65535)
                              : img_quotient_24(value * 255 + alpha[i] / 2, divisor);
    }
}

LIFT_INLINE void lower_block(int32_t bits, int32_t channels, const int16_t *from, uint8_t *to,
                             int32_t count)
{
    uint32_t plane[4][LIFT_BLOCK];
    uint32_t *alpha = plane[channels - 1];
    for (int32_t x = 0; x < LIFT_BLOCK; x++)
        for (int32_t c = 0; c < channels; c++)
            plane[c][x] = x < count ? (uint32_t)(from[x * channels + c] + IMG_LIFT_ZERO) : 0;
    for (int32_t c = 0; c + 1 < channels; c++)
        lower_colors(bits, alpha, plane[c]);
    for (int32_t x = 0; x < LIFT_BLOCK; x++)
        alpha[x] = img_lower_alpha((int32_t)alpha[x] - IMG_LIFT_ZERO, bits);
    for (int32_t x = 0; x < count; x++)
        for (int32_t c = 0; c < channels; c++)
            img_sample_set(to, (size_t)(x * channels + c), bits, plane[c][x]);
}

LIFT_INLINE void lower_pixels(int32_t bits, int32_t channels, const int16_t *from, uint8_t *to,
                              int32_t width)
{
    for (int32_t x = 0; x < width; x += LIFT_BLOCK) {
        const size_t at = (size_t)x * (size_t)channels;
        const int32_t count = img_min32(width - x, LIFT_BLOCK);
        if (count == LIFT_BLOCK) /* a number that the compiler knows */
            lower_block(bits, channels, from + at, to + at * (size_t)(bits / 8), LIFT_BLOCK);
        else
            lower_block(bits, channels, from + at, to + at * (size_t)(bits / 8), count);
    }
}

#endif
