/* Private: what the descriptors of this family share. */
#ifndef IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H
#define IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H

#include "kernels/blur/gaussian.h"

/* A blur, or what is done with its difference from the picture; all in thousandths. */
typedef struct ImgBlurStep {
    int32_t sigma; /* of a pixel */
    bool sharpens;
    int32_t amount;    /* of the difference */
    int32_t threshold; /* of a 255th of the range of samples */
} ImgBlurStep;

/* Makes the ImgBlurEnd that implementations get as constants. */
ImgStatus img_blur_prepare(const ImgBlurStep *step, const ImgBorderParams *border, ImgFormat src,
                           ImgConstants *constants, ImgError *err);

extern const ImgImpl img_gaussian_impls[];

#endif
