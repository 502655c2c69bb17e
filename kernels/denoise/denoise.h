/* Private to denoise: non-local means in integer arithmetic. (A. Buades, B. Coll, J.-M. Morel, "A
 * non-local algorithm for image denoising", CVPR 2005.)
 *
 * The new colour of a pixel is the weighted mean of all pixels in a square around it. The weight of
 * a pixel is the similarity of two patches, the squares around it and around the pixel to filter:
 *
 *     e^-(mean of the squared differences of the patches / strength^2)
 *
 * The mean is over all pixels and colours, as in OpenCV's fastNlMeansDenoising. decay.h computes
 * the weight; weights below 2^-15 are 0. 16-bit samples are compared by their first 11 bits. In
 * pictures with alpha, colours are multiplied by alpha before they are compared, and alpha is
 * compared too. The weight of a pixel is also multiplied by its alpha. Alpha itself does not
 * change, and pixels with alpha 0 do not change at all. */
#ifndef IMGTOOL_KERNELS_DENOISE_DENOISE_H
#define IMGTOOL_KERNELS_DENOISE_DENOISE_H

#include "kernels/denoise/decay.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* largest radius of a patch in pixels, for which sums of squares still fit 32 bits */
    IMG_DENOISE_PATCH = 5,
    /* Largest radius of the search in pixels. A search then has at most IMG_WEIGHED_MOST pixels. */
    IMG_DENOISE_SEARCH = 15,
};

typedef struct ImgDenoise {
    ImgWeighed weighed;
    int32_t patch, search; /* radius of a patch and of the search, in pixels */
    /* Sums of squares are clamped to `farthest`. The exponent of the weight is (sum << up >> down)
     * * factor / 2^16; `factor` and the shifted sum fit 16 bits. */
    uint32_t farthest, up, down, factor;
} ImgDenoise;

/* Returns the number that is compared for one sample of a pixel: the sample, or its first 11 bits
 * if samples have 16 bits. Colours are multiplied by `alpha` if the picture has alpha. */
IMG_HOST_DEVICE uint32_t img_denoise_guide(const ImgWeighed *weighed, uint32_t sample,
                                           uint32_t alpha, int32_t is_alpha)
{
    const uint32_t maximum = weighed->bits == 16 ? 65535 : 255;
    const uint32_t seen = weighed->has_alpha != 0 && is_alpha == 0
                              ? (sample * alpha + maximum / 2) / maximum
                              : sample;
    return weighed->bits == 16 ? seen >> 5 : seen;
}

/* Returns the weight of a neighbour for `sum`, the sum of squared differences of two patches. */
IMG_HOST_DEVICE uint32_t img_denoise_weight(const ImgDenoise *own, uint32_t sum)
{
    const uint32_t near = sum < own->farthest ? sum : own->farthest;
    return img_decay((near << own->up >> own->down) * own->factor >> 16);
}

/* The implementations of denoise, as functions of type ImgRunFunction. */
ImgStatus img_denoise_reference(const ImgCall *call, ImgError *err);
/* Implements ImgOp.cost.scratch: returns the bytes of scratch memory on the CPU. */
uint64_t img_denoise_scratch(ImgShape src, const void *params, int threads);
/* Part of ImgOp.cost.factor: returns the time per pixel, divided by the time per pixel in full
 * tiles. `patch` is the radius of patches. */
double img_denoise_padding(ImgShape src, int32_t patch);

IMG_CPU_RUNS(img_denoise_cpu);
ImgStatus img_denoise_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_denoise_cuda_tiled(const ImgCall *call, ImgError *err);
ImgStatus img_denoise_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
