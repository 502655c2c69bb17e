/* Luma: brightness as the eye weighs red, green and blue, from the samples as they are (R'G'B').
 *
 * Weights in 1/32768, summing up to 32768, so that white stays white and gray stays as it is:
 * Y = (red * R + green * G + blue * B + 16384) >> 15, exact in 32 bits up to 16-bit samples.
 * Sources: ITU-R BT.709-6, item 3.2 (0.2126, 0.7152, 0.0722); ITU-R BT.601-7, 2.5.1 (0.299, 0.587,
 * 0.114). OpenCV's cvtColor rounds BT.601 to the same weights. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_LUMA_H
#define IMGTOOL_KERNELS_HISTOGRAM_LUMA_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

typedef enum ImgLuma { IMG_LUMA_NONE, IMG_LUMA_709, IMG_LUMA_601 } ImgLuma;

enum { IMG_LUMA_SHIFT = 15, IMG_LUMA_HALF = 1 << (IMG_LUMA_SHIFT - 1) };

typedef struct ImgLumaWeights {
    uint32_t red, green, blue;
} ImgLumaWeights;

static inline ImgLumaWeights img_luma_weights(ImgLuma luma)
{
    const ImgLumaWeights bt601 = {9798, 19235, 3735}, bt709 = {6966, 23436, 2366};
    return luma == IMG_LUMA_601 ? bt601 : bt709;
}

IMG_HOST_DEVICE uint32_t img_luma(ImgLumaWeights weights, uint32_t red, uint32_t green,
                                  uint32_t blue)
{
    return (weights.red * red + weights.green * green + weights.blue * blue + IMG_LUMA_HALF) >>
           IMG_LUMA_SHIFT;
}

#endif
