/* Private: parts that the descriptors of blur and sharpen share. */
#ifndef IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H
#define IMGTOOL_KERNELS_BLUR_BLUR_IMPLS_H

#include "kernels/blur/gaussian.h"

/* A blur, or an unsharp mask: the picture plus a part of its difference from the blur. All values
 * are in thousandths. */
typedef struct ImgBlurStep {
    int32_t sigma; /* standard deviation of the blur, in thousandths of a pixel */
    bool sharpens;
    int32_t amount; /* part of the difference to add, in thousandths */
    /* smallest difference that counts, in thousandths of 1/255 of the range of samples */
    int32_t threshold;
} ImgBlurStep;

/* Creates the constants of all implementations, an ImgBlurEnd. */
ImgStatus img_blur_prepare(const ImgBlurStep *step, const ImgBorderParams *border, ImgFormat src,
                           ImgConstants *constants, ImgError *err);

extern const ImgImpl img_gaussian_impls[];

#endif
