/* Private: parts that the descriptors of this family share. */
#ifndef IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H
#define IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H

#include "kernels/blur/gaussian.h"

/* A blur, or an operation on the difference between the picture and its blur. All values are in
 * thousandths. */
typedef struct ImgBlurStep {
    int32_t sigma; /* of a pixel */
    bool sharpens;
    int32_t amount;    /* of the difference */
    int32_t threshold; /* of 1/255 of the range of samples */
} ImgBlurStep;

/* Makes the ImgBlurEnd, the constants of all implementations. */
ImgStatus img_blur_prepare(const ImgBlurStep *step, const ImgBorderParams *border, ImgFormat src,
                           ImgConstants *constants, ImgError *err);

extern const ImgImpl img_gaussian_impls[];

#endif
