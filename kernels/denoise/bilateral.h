/* Private to bilateral: the bilateral filter in integer arithmetic. (C. Tomasi, R. Manduchi,
 * "Bilateral filtering for gray and color images", ICCV 1998.)
 *
 * The new colour of a pixel is the weighted mean of all pixels in a disc of radius `radius` around
 * it. The weight is
 *
 *     e^-(distance^2 / (2 sigma_range^2)) * e^-(place^2 / (2 sigma_space^2))
 *
 * where `distance` is the sum of the absolute differences of colours, as in OpenCV, and `place` is
 * the distance between their positions. The two exponents are added, and decay.h computes the
 * weight; weights below 2^-15 are 0. 16-bit samples are compared without their last two bits, so
 * that distances fit 16 bits. The weight of a pixel is also multiplied by its alpha. Alpha itself
 * does not change, and pixels with alpha 0 do not change at all. */
#ifndef IMGTOOL_KERNELS_DENOISE_BILATERAL_H
#define IMGTOOL_KERNELS_DENOISE_BILATERAL_H

#include "kernels/denoise/decay.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_BILATERAL_RADIUS = 16, /* largest radius, in pixels */
    IMG_BILATERAL_TAPS = 798,  /* number of pixels in the largest disc, plus one to make it even */
};

typedef struct ImgBilateralTap {
    int16_t x, y;      /* position relative to the pixel to filter, in pixels */
    uint16_t exponent; /* exponent of the spatial part of the weight */
    uint16_t zero;
} ImgBilateralTap;

typedef struct ImgBilateral {
    ImgWeighed weighed;
    int32_t radius;
    /* Colour distances are clamped to `farthest`. The exponent of a distance is the square of
     * (distance << shift) * factor / 2^15; (distance << shift) and factor fit 16 bits. */
    uint32_t farthest, shift, factor;
    int32_t count; /* number of taps, always even; the last tap may have weight 0 */
    ImgBilateralTap taps[IMG_BILATERAL_TAPS];
} ImgBilateral;

/* Returns the part of a sample that is compared with other samples: all of it, or its first 14 bits
 * if `bits` is 16. */
IMG_HOST_DEVICE uint32_t img_bilateral_guide(uint32_t sample, int32_t bits)
{
    return bits == 16 ? sample >> 2 : sample;
}

IMG_HOST_DEVICE uint32_t img_bilateral_weight(const ImgBilateral *own, uint32_t distance,
                                              uint32_t exponent)
{
    const uint32_t near = distance < own->farthest ? distance : own->farthest;
    const uint32_t root = 2 * ((near << own->shift) * own->factor >> 16);
    return img_decay((root * root >> 16) + exponent);
}

/* The implementations of bilateral, as functions of type ImgRunFunction. */
ImgStatus img_bilateral_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.cost.scratch for a disc of radius `radius`. */
uint64_t img_bilateral_scratch(int32_t radius, ImgShape src, int threads);

IMG_CPU_RUNS(img_bilateral_cpu);
ImgStatus img_bilateral_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cuda_tiled(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
