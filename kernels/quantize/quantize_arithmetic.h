/* Private to quantize: its integer arithmetic, for CPU and GPU.
 *
 * A colour is a point with four coordinates, in units of 1/8 of a level: p - a / 2 for each
 * channel, with the premultiplied channel p and alpha a, and sqrt(3 / 4) a. The squared distance of
 * two points is half of the squared error on black plus that on white, summed over the channels. */
#ifndef IMGTOOL_KERNELS_QUANTIZE_QUANTIZE_ARITHMETIC_H
#define IMGTOOL_KERNELS_QUANTIZE_QUANTIZE_ARITHMETIC_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

enum {
    IMG_COLOR_SCALE = 8,
    /* The weight of alpha is 8 sqrt(3 / 4): its square is 48, and the weight is 6928 / 1000. */
    IMG_ALPHA_SQUARE = 48,
    IMG_ALPHA_WEIGHT = 6928,
    IMG_ALPHA_UNIT = 1000,
};

IMG_HOST_DEVICE int32_t img_channel(uint32_t pixel, int c)
{
    return (int32_t)(pixel >> (8 * c) & 255);
}

/* Returns the coordinate of channel `c`, 0 to 2. It is between -1020 and 1020. */
IMG_HOST_DEVICE int32_t img_color_coordinate(uint32_t pixel, int c)
{
    const int32_t alpha = img_channel(pixel, 3);
    return (IMG_COLOR_SCALE * img_channel(pixel, c) * alpha + 127) / 255 -
           IMG_COLOR_SCALE / 2 * alpha;
}

/* Returns the fourth coordinate, 0 to 1767. */
IMG_HOST_DEVICE int32_t img_alpha_coordinate(int32_t alpha)
{
    return (alpha * IMG_ALPHA_WEIGHT + IMG_ALPHA_UNIT / 2) / IMG_ALPHA_UNIT;
}

IMG_HOST_DEVICE void img_color_point(uint32_t pixel, int16_t point[4])
{
    for (int c = 0; c < 3; c++)
        point[c] = (int16_t)img_color_coordinate(pixel, c);
    point[3] = (int16_t)img_alpha_coordinate(img_channel(pixel, 3));
}

/* Returns the squared distance of two points. It is less than 2^24, also if the errors of dithering
 * have been added to one of them. */
IMG_HOST_DEVICE uint32_t img_color_distance(const int16_t a[4], const int16_t b[4])
{
    uint32_t sum = 0;
    for (int c = 0; c < 4; c++) {
        const int32_t difference = a[c] - b[c];
        sum += (uint32_t)(difference * difference);
    }
    return sum;
}

/* Returns the quotient of integers, rounded to nearest; `n` must be positive. */
IMG_HOST_DEVICE int64_t img_rounded_quotient(int64_t sum, int64_t n)
{
    const int64_t twice = 2 * sum + n;
    const int64_t quotient = twice / (2 * n);
    return quotient - (quotient * 2 * n > twice ? 1 : 0);
}

/* --- Dithering -------------------------------------------------------------------------------- */

enum {
    /* Largest error that is passed on, and largest offset of ordered dithering. They keep squared
     * distances below 2^24: 3 (2040 + 360 * 14 / 16)^2 + (360 * 14 / 16)^2 for Floyd-Steinberg, and
     * 3 (2040 + 300)^2 for offsets. */
    IMG_ERROR_MOST = 45 * IMG_COLOR_SCALE,
    IMG_OFFSET_MOST = 300,
    /* Strength of Floyd-Steinberg dithering, in sixteenths: FLAT where neighbours differ by at most
     * FLAT_MOST levels, falling by 1 per level to BUSY. In flat areas weak dithering leaves visible
     * bands, and in busy ones strong dithering adds noise. */
    IMG_STRENGTH_FLAT = 14,
    IMG_STRENGTH_BUSY = 8,
    IMG_FLAT_MOST = 2,
};

IMG_HOST_DEVICE int32_t img_clamped_error(int32_t error)
{
    error = error < -IMG_ERROR_MOST ? -IMG_ERROR_MOST : error;
    return error > IMG_ERROR_MOST ? IMG_ERROR_MOST : error;
}

/* Returns the largest difference between the channels of two pixels. */
IMG_HOST_DEVICE int32_t img_pixel_difference(uint32_t a, uint32_t b)
{
    int32_t largest = 0;
    for (int c = 0; c < 4; c++) {
        const int32_t difference = img_channel(a, c) - img_channel(b, c);
        const int32_t size = difference < 0 ? -difference : difference;
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* Returns the strength of dithering at a pixel of alpha `alpha` that differs from its neighbours by
 * up to `difference`. Fully transparent pixels take no errors. */
IMG_HOST_DEVICE int32_t img_dither_strength(int32_t difference, int32_t alpha)
{
    const int32_t falling = IMG_STRENGTH_FLAT + IMG_FLAT_MOST - difference;
    if (alpha == 0)
        return 0;
    if (difference <= IMG_FLAT_MOST)
        return IMG_STRENGTH_FLAT;
    return falling > IMG_STRENGTH_BUSY ? falling : IMG_STRENGTH_BUSY;
}

/* Returns the share of one coordinate that errors of neighbours add to a pixel. `left`, `up_left`,
 * `up` and `up_right` are the errors of the neighbours of these names. The weights are those of R.
 * W. Floyd and L. Steinberg, "An Adaptive Algorithm for Spatial Greyscale", Proc. SID 17 (1976). */
IMG_HOST_DEVICE int32_t img_dither_share(int32_t left, int32_t up_left, int32_t up,
                                         int32_t up_right, int32_t strength)
{
    return ((7 * left + up_left + 5 * up + 3 * up_right) * strength + 128) >> 8;
}

/* Returns the threshold of ordered dithering at a pixel, 0 to 63: Bayer's matrix of 8 x 8, made of
 * the bits of x and of x ^ y. Source: B. E. Bayer, "An optimum method for two-level rendition of
 * continuous-tone pictures", ICC 1973. */
IMG_HOST_DEVICE int32_t img_dither_threshold(int32_t x, int32_t y)
{
    int32_t value = 0;
    for (int bit = 0; bit < 3; bit++)
        value = value << 2 | ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1);
    return value;
}

/* Returns the offset of ordered dithering for a threshold: from about -amplitude to amplitude, and
 * less for pixels that are less opaque. */
IMG_HOST_DEVICE int32_t img_dither_offset(int32_t threshold, int32_t amplitude, int32_t alpha)
{
    return ((2 * threshold - 63) * amplitude * alpha) / (64 * 255);
}

#endif
