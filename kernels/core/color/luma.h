/* Luma: brightness as a weighted sum of red, green and blue samples as they are stored (R'G'B').
 *
 * Weights are multiples of 1/32768, or of 2^-24 where sums have 64 bits. They add up to exactly
 * one, so white stays white and gray does not change. Y = (red * R + green * G + blue * B + 16384)
 * >> 15 is exact in 32 bits for samples of up to 16 bits. Sources: ITU-R BT.709-6, item 3.2
 * (0.2126, 0.7152, 0.0722); ITU-R BT.601-7, 2.5.1 (0.299, 0.587, 0.114). OpenCV's cvtColor uses the
 * same rounded weights of BT.601. */
#ifndef IMGTOOL_KERNELS_CORE_COLOR_LUMA_H
#define IMGTOOL_KERNELS_CORE_COLOR_LUMA_H

#include <stdint.h>

#include "kernels/core/cuda/host_device.h"
#include "kernels/core/op.h"

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

/* Returns the luma weights of red, green and blue in units of 2^-24. */
static inline ImgLumaWeights img_luma_weights_24(ImgLuma luma)
{
    const ImgLumaWeights bt601 = {5016387, 9848226, 1912603}, bt709 = {3566836, 11999065, 1211315};
    return luma == IMG_LUMA_601 ? bt601 : bt709;
}

/* Returns the luma of a 16-bit colour with the weights of BT.709, rounded to nearest. */
static inline uint16_t img_luma_of_color(uint16_t red, uint16_t green, uint16_t blue)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    const uint64_t sum = (uint64_t)weights.red * red + (uint64_t)weights.green * green +
                         (uint64_t)weights.blue * blue;
    return (uint16_t)((sum + (1 << 23)) >> 24);
}

IMG_HOST_DEVICE uint32_t img_luma(ImgLumaWeights weights, uint32_t red, uint32_t green,
                                  uint32_t blue)
{
    return (weights.red * red + weights.green * green + weights.blue * blue + IMG_LUMA_HALF) >>
           IMG_LUMA_SHIFT;
}

/* --- Names of the luma weights on the command line -------------------------------------------- */

/* Lists of choices. A choice whose name is NULL ends each list. */
/* the words 709 and 601, for the weights of BT.709 and BT.601 */
extern const ImgChoice img_luma_choices[];
/* the words 709, 601 and none; "none" is for results without luma */
extern const ImgChoice img_luma_or_none_choices[];

#endif
