/* Private to blur and sharpen: the Gaussian in whole numbers.
 *
 * Pixels are lifted (core/window/lift.h), pass a row of weights downwards and then one across, and
 * are lowered again; each sum is rounded to a lifted sample. Weights are multiples of 2^-15 and sum
 * to one.
 *
 * Up to a sigma of 3 the weights are those of the Gaussian, cut off at 3.5 sigma. From there on the
 * picture is first made smaller by a factor of 2, 4 ... 64, blurred, and enlarged again, so that
 * the cost does not grow with sigma. Both ways by cubic B-splines, which are near to Gaussians
 * themselves: of the variance they bring factor^2 / 3 each, and the Gaussian between them the rest.
 * (Source of the idea: P. J. Burt, "Fast filter transforms for image processing", CGIP 16 (1981);
 * of splines as Gaussians: M. Unser and others, IEEE Trans. Image Processing 1 (1992).)
 *
 * Error: the kernel as a whole differs from the Gaussian by at most 0.004 in the sum of absolute
 * differences, at the worst place for it (0.0018 by the splines at sigma 3 and below 0.001 from 4
 * on, 0.0005 by the cut, the rest by rounded weights): at most half of that share of the range of
 * samples, besides rounding (tests/unit/test_blur.c). */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_H

#include "kernels/core/window/lift.h"
#include "kernels/core/window/unsharp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WEIGHT_PLACES = 15,
    IMG_GAUSSIAN_RADIUS = 14, /* at most */
    IMG_GAUSSIAN_FACTOR = 64, /* at most */
    IMG_SPLINE_TAPS = 4,
};

typedef struct ImgGaussian {
    int32_t factor; /* a power of two; 1: the picture keeps its size */
    int32_t radius; /* 0: nothing changes */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];          /* 2 radius + 1 of them, then zeros */
    int16_t shrink[IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR]; /* 4 factor of them */
    int16_t enlarge[IMG_GAUSSIAN_FACTOR][IMG_SPLINE_TAPS]; /* by place in a group of `factor` */
    int16_t background[4];                                 /* lifted, of a constant border */
    int32_t border;
} ImgGaussian;

/* `sigma` in thousandths of a pixel, 100 to 200000. */
void img_gaussian_make(int32_t sigma, ImgFormat format, const ImgBorderParams *border,
                       ImgGaussian *gaussian);

/* Can sums be made of the source's own samples? */
bool img_gaussian_is_plain(const ImgGaussian *gaussian, ImgFormat format);

/* For ImgOp.scratch. */
uint64_t img_gaussian_scratch(int32_t sigma, ImgShape src, const ImgBorderParams *border,
                              int threads);

/* For ImgOp.rows_needed. */
ImgRows img_gaussian_rows(int32_t sigma, ImgShape src, const ImgBorderParams *border,
                          ImgRows wanted);

/* --- Along one axis --------------------------------------------------------------------------- */

/* The small picture's samples: number 0 stands where a group of `factor` samples does that begins
 * at 0. Those that groups from 0 to before `groups` need for the enlarging, and for the blurring
 * before it, begin at -img_gaussian_margin and are groups + twice the margin in number. */
IMG_HOST_DEVICE int32_t img_gaussian_margin(const ImgGaussian *gaussian)
{
    return gaussian->radius + 2;
}

/* The first of the 4 factor samples of which sample `i` of the small picture is made. */
IMG_HOST_DEVICE int64_t img_gaussian_shrink_first(const ImgGaussian *gaussian, int64_t i)
{
    return i * gaussian->factor - 3 * (int64_t)gaussian->factor / 2;
}

/* The first of the four small samples, counted from a group's own, that its sample number `place`
 * is made of. */
IMG_HOST_DEVICE int32_t img_gaussian_enlarge_first(const ImgGaussian *gaussian, int32_t place)
{
    return place < gaussian->factor / 2 ? -2 : -1;
}

/* --- What follows a blur ---------------------------------------------------------------------- */

/* What implementations get as constants. */
typedef struct ImgBlurEnd {
    ImgGaussian gaussian;
    int32_t sharpens; /* what follows the blur is the mask's, else the blur is the result */
    ImgUnsharp mask;
} ImgBlurEnd;

/* Implementations, of operations whose constants are an ImgBlurEnd. */
ImgStatus img_gaussian_reference(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu_neon(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cpu_avx512(const ImgCall *call, ImgError *err);
ImgStatus img_gaussian_cuda_naive(const ImgCall *call, ImgError *err);
/* Of those that keep the picture's size, and change anything. */
ImgStatus img_gaussian_cuda_tiled(const ImgCall *call, ImgError *err);
/* Of pictures without alpha that it changes. */
ImgStatus img_gaussian_cuda_fast(const ImgCall *call, ImgError *err);
size_t img_gaussian_fast_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_gaussian_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);

#ifdef __cplusplus
}
#endif
#endif
