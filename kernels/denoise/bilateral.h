/* Private: the bilateral filter in integers. (C. Tomasi, R. Manduchi, "Bilateral filtering for gray
 * and color images", ICCV 1998.)
 *
 * A pixel becomes the mean of those within `radius` (a disc), weighted by
 *
 *     e^-(distance^2 / (2 sigma_range^2)) * e^-(place^2 / (2 sigma_space^2))
 *
 * where distance is the sum of the absolute differences of colours, as in OpenCV. Both exponents
 * are added, and decay.h computes the weight; weights below 2^-15 are 0. Samples of 16 bits are
 * compared without their last two bits, so that distances fit 16 bits. A neighbour is also weighted
 * by its alpha. Alpha itself does not change, and where it is 0 nothing changes. */
#ifndef IMGTOOL_KERNELS_DENOISE_BILATERAL_H
#define IMGTOOL_KERNELS_DENOISE_BILATERAL_H

#include "kernels/denoise/decay.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_BILATERAL_RADIUS = 16, /* the largest radius */
    IMG_BILATERAL_TAPS = 798,  /* pixels in the largest disc, and one more for an even number */
};

typedef struct ImgBilateralTap {
    int16_t x, y;      /* relative to the pixel that is filtered */
    uint16_t exponent; /* of the weight of its position */
    uint16_t zero;
} ImgBilateralTap;

typedef struct ImgBilateral {
    ImgWeighed weighed;
    int32_t radius;
    /* Distances are limited to `farthest`. The exponent is the square of (distance << shift) *
     * factor / 2^15, and both factors fit 16 bits. */
    uint32_t farthest, shift, factor;
    int32_t count; /* even: the last tap may have no weight */
    ImgBilateralTap taps[IMG_BILATERAL_TAPS];
} ImgBilateral;

/* Returns the part of a sample that is compared. */
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

/* Implementations. */
ImgStatus img_bilateral_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.scratch. */
uint64_t img_bilateral_scratch(int32_t radius, ImgShape src, int threads);

ImgStatus img_bilateral_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cpu_avx512(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cuda_tiled(const ImgCall *call, ImgError *err);
ImgStatus img_bilateral_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
