/* Conversion of samples to signed 16-bit integers, which weighted sums need ("lifting"), and back
 * to samples of 8 or 16 bits ("lowering"). Lifting multiplies colours by alpha, so that hidden
 * colours cause no fringes. CPU and GPU share these functions. Lifted values:
 *
 *     without alpha, up to 8 bits   64 times the 8-bit sample: 0 to 16320
 *     without alpha, 16 bits        the sample - 32768
 *     alpha, up to 8 bits           colour * alpha - 32768, and alpha * 255 - 32768
 *     alpha, 16 bits                round(colour * alpha / 65535) - 32768, and alpha - 32768 */
#ifndef IMGTOOL_KERNELS_WINDOW_LIFT_H
#define IMGTOOL_KERNELS_WINDOW_LIFT_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"
#include "kernels/window/border.h"

enum { IMG_LIFT_PLACES = 6, IMG_LIFT_ZERO = 32768 };

/* Properties of a format that determine how pixels are lifted (converted to signed 16-bit samples)
 * and lowered (converted back). */
typedef struct ImgLift {
    int32_t channels, has_alpha;
    int32_t bits;   /* bits of a sample after lowering: 8 or 16 */
    uint32_t scale; /* factor that scales samples of fewer than 8 bits to 8 bits; otherwise 1 */
} ImgLift;

static inline ImgLift img_lift_of(ImgFormat format)
{
    ImgLift lift = {img_format_channels(format), img_format_has_alpha(format),
                    format.bits < 8 ? 8 : format.bits, img_window_scale(format)};
    return lift;
}

IMG_HOST_DEVICE int32_t img_lift_plain(uint32_t sample, int32_t bits)
{
    return bits == 16 ? (int32_t)sample - IMG_LIFT_ZERO : (int32_t)sample << IMG_LIFT_PLACES;
}

IMG_HOST_DEVICE int32_t img_lift_alpha(uint32_t alpha, int32_t bits)
{
    return (int32_t)(bits == 16 ? alpha : alpha * 255) - IMG_LIFT_ZERO;
}

IMG_HOST_DEVICE int32_t img_lift_color(uint32_t color, uint32_t alpha, int32_t bits)
{
    return (int32_t)(bits == 16 ? (color * alpha + 32767) / 65535 : color * alpha) - IMG_LIFT_ZERO;
}

/* Lifts a pixel of lift->channels samples to signed 16-bit samples. The loop has a constant length,
 * so that the compiler can keep samples in registers. */
IMG_HOST_DEVICE void img_lift_pixel(const ImgLift *lift, const uint32_t sample[4],
                                    int32_t lifted[4])
{
    const uint32_t alpha = lift->scale * (lift->channels == 2 ? sample[1] : sample[3]);
    for (int32_t c = 0; c < 4; c++) {
        const uint32_t value = sample[c] * lift->scale;
        if (c < lift->channels)
            lifted[c] = !lift->has_alpha          ? img_lift_plain(value, lift->bits)
                        : c + 1 == lift->channels ? img_lift_alpha(alpha, lift->bits)
                                                  : img_lift_color(value, alpha, lift->bits);
    }
}

IMG_HOST_DEVICE uint32_t img_lower_plain(int32_t lifted, int32_t bits)
{
    if (bits == 16)
        return (uint32_t)(lifted + IMG_LIFT_ZERO);
    const int32_t value = (lifted + (1 << (IMG_LIFT_PLACES - 1))) >> IMG_LIFT_PLACES;
    return (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

IMG_HOST_DEVICE uint32_t img_lower_alpha(int32_t lifted, int32_t bits)
{
    const uint32_t alpha = (uint32_t)(lifted + IMG_LIFT_ZERO);
    if (bits == 16)
        return alpha;
    return alpha < 65025 ? (alpha + 127) / 255 : 255;
}

/* Returns the alpha by which colours are divided. Sharpening may produce an alpha above the opaque
 * value; it is clamped to the opaque value. */
IMG_HOST_DEVICE uint32_t img_lower_divisor(int32_t lifted_alpha, int32_t bits)
{
    const uint32_t alpha = (uint32_t)(lifted_alpha + IMG_LIFT_ZERO), most = 255 * 255;
    return bits == 16 || alpha < most ? alpha : most;
}

/* Converts a lifted (premultiplied, signed) colour to a sample: divides it by alpha. If alpha is 0,
 * the result is 0. */
IMG_HOST_DEVICE uint32_t img_lower_color(int32_t lifted, int32_t lifted_alpha, int32_t bits)
{
    const uint32_t alpha = img_lower_divisor(lifted_alpha, bits);
    const uint32_t color = (uint32_t)(lifted + IMG_LIFT_ZERO), maximum = bits == 16 ? 65535 : 255;
    if (color >= alpha)
        return alpha > 0 ? maximum : 0;
    return (color * maximum + alpha / 2) / alpha;
}

IMG_HOST_DEVICE void img_lower_pixel(const ImgLift *lift, const int32_t lifted[4],
                                     uint32_t sample[4])
{
    const int32_t alpha = lift->channels == 2 ? lifted[1] : lifted[3];
    for (int32_t c = 0; c < 4; c++)
        if (c < lift->channels)
            sample[c] = !lift->has_alpha          ? img_lower_plain(lifted[c], lift->bits)
                        : c + 1 == lift->channels ? img_lower_alpha(alpha, lift->bits)
                                                  : img_lower_color(lifted[c], alpha, lift->bits);
}

/* Sets `lifted` to the background of IMG_BORDER_CONSTANT as a lifted (signed 16-bit) pixel. */
static inline void img_lift_background(ImgFormat format, const ImgBorderParams *params,
                                       int16_t lifted[4])
{
    const ImgLift lift = img_lift_of(format);
    uint16_t samples[4];
    img_border_samples(format, params, samples);
    const uint32_t sample[4] = {samples[0], samples[1], samples[2], samples[3]};
    int32_t result[4] = {0, 0, 0, 0};
    img_lift_pixel(&lift, sample, result);
    for (int i = 0; i < 4; i++)
        lifted[i] = (int16_t)result[i];
}

/* --- Unsharp masking -------------------------------------------------------------------------- */

/* Adds a multiple of the difference between a lifted sample and its blurred value. */
enum { IMG_AMOUNT_PLACES = 10, IMG_AMOUNT_MAX = 20 };

typedef struct ImgUnsharp {
    /* factor by which the difference from the blurred sample is multiplied, in units of 2^-10; at
     * most 20 * 2^10, so that products fit 32 bits */
    int32_t amount;
    int32_t threshold; /* smallest difference, of lifted samples, that changes the sample */
} ImgUnsharp;

IMG_HOST_DEVICE int32_t img_unsharp(const ImgUnsharp *mask, int32_t lifted, int32_t blurred)
{
    const int32_t difference = lifted - blurred;
    const int32_t distance = difference < 0 ? -difference : difference;
    const int32_t half = 1 << (IMG_AMOUNT_PLACES - 1);
    const int32_t more = (difference * mask->amount + half) >> IMG_AMOUNT_PLACES;
    const int32_t result = lifted + (distance < mask->threshold ? 0 : more);
    return result < -32768 ? -32768 : result > 32767 ? 32767 : result;
}

#endif
