/* Private to bilateral and denoise: weights 2^-e as integers of 16 bits, and functions that read
 * the pixels to average. The weights are the same in vectors, on GPUs and in plain C. */
#ifndef IMGTOOL_KERNELS_DENOISE_DECAY_H
#define IMGTOOL_KERNELS_DENOISE_DECAY_H

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/sample.h"
#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* number of fractional bits of an exponent: adding 1024 to it halves the weight */
    IMG_DECAY_PLACES = 10,
    IMG_DECAY_NOTHING = 15 << 10, /* exponents of at least this value have weight 0 */
    IMG_DECAY_ONE = 1 << 14,      /* weight for exponent 0 */
    /* Coefficients of the approximation 2^-x = 1 - x (FIRST - x (SECOND - x THIRD)), in units of
     * 2^-15. For x from 0 to 1, its error is at most 9e-5. They minimise the maximum error; a
     * search around the least-squares solution found them. */
    IMG_DECAY_FIRST = 22664,
    IMG_DECAY_SECOND = 7589,
    IMG_DECAY_THIRD = 1310,
    /* Largest number of weights in a sum. The sum of this many products of a weight and 255 fits 32
     * bits. */
    IMG_WEIGHED_MOST = 31 * 31,
};

/* Returns a * b / 2^15, rounded to nearest, like the x86 instruction pmulhrsw. */
IMG_HOST_DEVICE uint32_t img_scale_15(uint32_t a, uint32_t b)
{
    return (a * b + (1 << 14)) >> 15;
}

/* Returns IMG_DECAY_ONE * 2^-(exponent / 1024), an integer from 0 to IMG_DECAY_ONE. It differs from
 * the exact value by at most 0.6. */
IMG_HOST_DEVICE uint32_t img_decay(uint32_t exponent)
{
    if (exponent >= IMG_DECAY_NOTHING)
        return 0;
    const uint32_t x = (exponent & ((1 << IMG_DECAY_PLACES) - 1)) << (15 - IMG_DECAY_PLACES);
    const uint32_t inner = IMG_DECAY_SECOND - img_scale_15(x, IMG_DECAY_THIRD);
    const uint32_t part = 32767 - img_scale_15(x, IMG_DECAY_FIRST - img_scale_15(x, inner));
    return img_scale_15(part, (uint32_t)IMG_DECAY_ONE >> (exponent >> IMG_DECAY_PLACES));
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* How pixels of a format are read, including pixels beyond the edges. Samples of fewer than 8 bits
 * are scaled to 8 bits. */
typedef struct ImgWeighed {
    /* `border`: an ImgBorder value; `channels` and `colors`: number of channels with alpha and
     * without it; `colors` is 1 or 3 */
    int32_t border, channels, colors;
    int32_t has_alpha, bits; /* `bits`: bits per sample after scaling, 8 or 16 */
    uint32_t scale;
    uint16_t background[4];
} ImgWeighed;

ImgWeighed img_weighed_of(ImgFormat src, const ImgBorderParams *border);

/* Returns sample number `index` of a row of the source, multiplied by `scale`. */
IMG_HOST_DEVICE uint32_t img_weighed_sample(const uint8_t *row, size_t index, int32_t src_bits,
                                            uint32_t scale)
{
#ifdef __cplusplus /* CUDA code, whose rows are aligned: samples can be read directly */
    return src_bits == 16 ? ((const uint16_t *)(const void *)row)[index] : row[index] * scale;
#else
    return img_sample(row, index, src_bits) * scale;
#endif
}

/* Reads the pixel (x, y), which may be beyond the edges. The loops have a constant length, so that
 * the compiler can keep the samples in registers. */
IMG_HOST_DEVICE void img_weighed_pixel(const ImgWeighed *own, const ImgView *src, int64_t x,
                                       int64_t y, uint32_t pixel[4])
{
    const int32_t column = img_border_place(x, src->width, own->border);
    const int32_t line = img_border_place(y, src->height, own->border);
    const uint8_t *row = src->data + (size_t)(line < 0 ? 0 : line) * src->stride;
    const size_t first = (size_t)(column < 0 ? 0 : column) * (size_t)own->channels;
    for (int32_t c = 0; c < 4; c++) {
        pixel[c] = 0;
        if (c < own->channels)
            pixel[c] = column < 0 || line < 0 ? own->background[c]
                                              : img_weighed_sample(row, first + (size_t)c,
                                                                   src->format.bits, own->scale);
    }
}

/* Returns alpha as a factor in units of 2^-15, for img_scale_15. The factor of an opaque pixel
 * leaves weights unchanged. The factor of any other alpha above 0 keeps a weight of IMG_DECAY_ONE
 * above 0. */
IMG_HOST_DEVICE uint32_t img_alpha_15(uint32_t alpha, int32_t bits)
{
    const uint32_t maximum = bits == 16 ? 65535 : 255;
    const uint32_t share = (alpha * 32768 + maximum / 2) / maximum;
    return share < 32767 ? share : 32767;
}

/* Returns sum / weights, rounded to nearest, ties up. Returns 0 if both are 0. */
IMG_HOST_DEVICE uint32_t img_weighed_mean(uint64_t sum, uint32_t weights)
{
    return (uint32_t)((sum + weights / 2) / (weights > 0 ? weights : 1));
}

#ifdef __cplusplus
}
#endif
#endif
