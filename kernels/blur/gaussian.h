/* Private to blur and sharpen: the Gaussian in integers.
 *
 * Pixels are lifted (core/window/lift.h), filtered vertically and then horizontally, and lowered
 * again. Each sum is rounded to a lifted sample. Weights are multiples of 2^-15 and sum to one.
 *
 * Up to a sigma of 3 the weights are those of the Gaussian, cut off at 3.5 sigma. For larger sigmas
 * the picture is first reduced by a factor of 2, 4 ... 64, blurred, and enlarged again, so the cost
 * does not grow with sigma. Reducing and enlarging use cubic B-splines, which approximate
 * Gaussians. Each adds factor^2 / 3 to the variance, and the Gaussian between them adds the rest.
 * (Source of the idea: P. J. Burt, "Fast filter transforms for image processing", CGIP 16 (1981);
 * of splines as Gaussians: M. Unser and others, IEEE Trans. Image Processing 1 (1992).)
 *
 * Error: at the worst position, the whole kernel differs from the Gaussian by at most 0.004 in the
 * sum of absolute differences. The splines cause 0.0018 at sigma 3 and below 0.001 from 4 on, the
 * cut 0.0005, and rounded weights the rest. The result is off by at most half of that fraction of
 * the range of samples, besides rounding (tests/unit/test_blur.c). */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_H

#include "kernels/core/window/lift.h"
#include "kernels/core/window/unsharp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WEIGHT_PLACES = 15,
    IMG_GAUSSIAN_RADIUS = 14, /* largest radius */
    IMG_GAUSSIAN_FACTOR = 64, /* largest factor */
    IMG_SPLINE_TAPS = 4,
};

typedef struct ImgGaussian {
    /* factor by which the picture is reduced, a power of two; 1: the picture is not reduced */
    int32_t factor;
    int32_t radius; /* radius of the blur at that size; 0: the picture does not change */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];          /* 2 radius + 1 weights, then zeros */
    int16_t shrink[IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR]; /* 4 * factor weights for reducing */
    /* weights for enlarging, for each position in a group of `factor` pixels */
    int16_t enlarge[IMG_GAUSSIAN_FACTOR][IMG_SPLINE_TAPS];
    int16_t background[4]; /* lifted samples beyond the edges if the border is constant */
    int32_t border;
} ImgGaussian;

/* Computes the weights. `sigma` is in thousandths of a pixel, 100 to 200000. */
void img_gaussian_make(int32_t sigma, ImgFormat format, const ImgBorderParams *border,
                       ImgGaussian *gaussian);

/* Returns true if the sums can use the samples of the source without lifting them. */
bool img_gaussian_is_plain(const ImgGaussian *gaussian, ImgFormat format);

/* Implements ImgOp.scratch. */
uint64_t img_gaussian_scratch(int32_t sigma, ImgShape src, const ImgBorderParams *border,
                              int threads);

/* Implements ImgOp.rows_needed. */
ImgRows img_gaussian_rows(int32_t sigma, ImgShape src, const ImgBorderParams *border,
                          ImgRows wanted);

/* --- Along one axis --------------------------------------------------------------------------- */

/* Returns the margin: how many samples more than there are groups the reduced picture has on each
 * side. Its sample 0 belongs to the group of `factor` source samples that begins at 0. To enlarge
 * groups 0 to `groups` - 1 after the blur, samples from -margin to groups + margin - 1 are
 * needed. */
IMG_HOST_DEVICE int32_t img_gaussian_margin(const ImgGaussian *gaussian)
{
    return gaussian->radius + 2;
}

/* Returns the first of the 4 * factor source samples on which sample `i` of the reduced picture
 * depends. */
IMG_HOST_DEVICE int64_t img_gaussian_shrink_first(const ImgGaussian *gaussian, int64_t i)
{
    return i * gaussian->factor - 3 * (int64_t)gaussian->factor / 2;
}

/* Returns the first of the four reduced samples on which the sample at position `place` of a group
 * depends. It is relative to the reduced sample of that group. */
IMG_HOST_DEVICE int32_t img_gaussian_enlarge_first(const ImgGaussian *gaussian, int32_t place)
{
    return place < gaussian->factor / 2 ? -2 : -1;
}

/* --- After the blur --------------------------------------------------------------------------- */

/* The constants of all implementations: the blur, and the sharpening after it. */
typedef struct ImgBlurEnd {
    ImgGaussian gaussian;
    int32_t sharpens; /* 1: the blur is followed by the mask; 0: the blur is the result */
    ImgUnsharp mask;
} ImgBlurEnd;

/* Implementations for operations whose constants are an ImgBlurEnd. */
ImgStatus img_gaussian_reference(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu_neon(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu_avx512(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cuda_naive(const ImgCall *call, ImgError *err);
/* Only for blurs that change the picture but do not reduce it. */
ImgStatus img_gaussian_cuda_tiled(const ImgCall *call, ImgError *err);
/* Only for pictures without alpha that the blur changes. */
ImgStatus img_gaussian_cuda_fast(const ImgCall *call, ImgError *err);
size_t img_gaussian_fast_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_gaussian_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
