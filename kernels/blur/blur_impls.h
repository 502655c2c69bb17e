/* Private: declarations that the operations blur and sharpen share. */
#ifndef IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H
#define IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H

#include "kernels/blur/gaussian.h"

/* Parameters of a blur or of an unsharp mask. An unsharp mask adds to the picture a multiple of its
 * difference from the blurred picture. */
typedef struct ImgBlurStep {
    int32_t sigma; /* standard deviation of the blur, in thousandths of a pixel */
    bool sharpens;
    /* factor by which the difference from the blurred picture is multiplied, in thousandths */
    int32_t amount;
    /* smallest difference from the blurred sample that changes a sample, in thousandths of 1/255 of
     * the range of samples */
    int32_t threshold;
} ImgBlurStep;

/* Computes the constants that all implementations use and stores them in `constants`, as an
 * ImgBlurEnd. */
ImgStatus img_blur_prepare(const ImgBlurStep *step, const ImgBorderParams *border, ImgFormat src,
                           ImgConstants *constants, ImgError *err);

extern const ImgImpl img_gaussian_impls[];

#endif
