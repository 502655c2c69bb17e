/* Private to blur and sharpen: the Gaussian in integers.
 *
 * Pixels are lifted (converted to signed samples, with colours multiplied by alpha;
 * window/lift.h), filtered vertically and then horizontally, and converted back. Each sum is
 * rounded to a lifted sample. Weights are multiples of 2^-15 and sum to one.
 *
 * Up to a sigma of 3 the weights are those of the Gaussian, cut off at 3.5 sigma. For larger sigmas
 * the picture is first reduced by a factor of 2, 4 ... 64, blurred, and enlarged again, so the cost
 * does not grow with sigma. Reducing and enlarging use cubic B-splines, which approximate
 * Gaussians. Each of these two steps adds factor^2 / 3 to the variance, and the Gaussian between
 * them adds the rest. Source of the method: P. J. Burt, "Fast filter transforms for image
 * processing", CGIP 16 (1981). Source for splines as Gaussians: M. Unser and others, IEEE Trans.
 * Image Processing 1 (1992).
 *
 * Error: at the worst position, the sum of absolute differences between the whole kernel and the
 * Gaussian is at most 0.004. The splines cause 0.0018 at sigma 3 and below 0.001 from 4 on, the cut
 * causes 0.0005, and rounded weights cause the rest. Apart from rounding, the result is off by at
 * most 0.002 of the range of samples: half of 0.004, because the positive and the negative
 * differences have equal sums (tests/unit/test_blur.c). */
#ifndef IMGTOOL_KERNELS_BLUR_GAUSSIAN_H
#define IMGTOOL_KERNELS_BLUR_GAUSSIAN_H

#include "kernels/window/lift.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_WEIGHT_PLACES = 15,
    IMG_GAUSSIAN_RADIUS = 14, /* largest radius of the blur, in pixels */
    IMG_GAUSSIAN_FACTOR = 64, /* largest factor by which a picture is reduced */
    IMG_SPLINE_TAPS = 4,
};

typedef struct ImgGaussian {
    /* factor by which the picture is reduced, a power of two; 1: the picture is not reduced */
    int32_t factor;
    /* radius of the blur in pixels, after reducing; 0: the picture does not change */
    int32_t radius;
    /* weights of the blur: 2 * radius + 1 of them, then zeros */
    int16_t weights[2 * IMG_GAUSSIAN_RADIUS + 2];
    /* weights for reducing: IMG_SPLINE_TAPS * factor of them, then zeros */
    int16_t shrink[IMG_SPLINE_TAPS * IMG_GAUSSIAN_FACTOR];
    /* weights for enlarging: IMG_SPLINE_TAPS for each position in a group of `factor` pixels */
    int16_t enlarge[IMG_GAUSSIAN_FACTOR][IMG_SPLINE_TAPS];
    /* samples beyond the edges for IMG_BORDER_CONSTANT, lifted (window/lift.h) */
    int16_t background[4];
    int32_t border;
} ImgGaussian;

/* Computes the weights and the background for a blur. `sigma` is in thousandths of a pixel, from
 * 100 to 200000. */
void img_gaussian_make(int32_t sigma, ImgFormat format, const ImgBorderParams *border,
                       ImgGaussian *gaussian);

/* Returns true if weighted sums can read the samples of the source directly, without lifting them
 * (window/lift.h). */
bool img_gaussian_is_plain(const ImgGaussian *gaussian, ImgFormat format);

/* Returns the memory in bytes that the CPU implementations allocate with `threads` threads
 * (ImgOp.cost.scratch). */
uint64_t img_gaussian_scratch(int32_t sigma, ImgShape src, const ImgBorderParams *border,
                              int threads);

/* Implements ImgOp.bands.part. Returns true. */
bool img_gaussian_part(int32_t sigma, ImgShape src, const ImgBorderParams *border, ImgRows wanted,
                       ImgPart *part);

/* --- Along one axis --------------------------------------------------------------------------- */

/* Returns the margin: the number of additional samples on each side of the reduced picture. Sample
 * 0 of the reduced picture belongs to the group of `factor` source samples that begins at 0.
 * Enlarging groups 0 to n - 1 after the blur needs the reduced samples from -margin up to but not
 * including n + margin. */
IMG_HOST_DEVICE int32_t img_gaussian_margin(const ImgGaussian *gaussian)
{
    return gaussian->radius + 2;
}

/* Returns the position of the first of the 4 * factor source samples on which sample `i` of the
 * reduced picture depends. */
IMG_HOST_DEVICE int64_t img_gaussian_shrink_first(const ImgGaussian *gaussian, int64_t i)
{
    return i * gaussian->factor - 3 * (int64_t)gaussian->factor / 2;
}

/* Enlarging replaces each reduced sample by a group of `factor` samples. Each sample of a group
 * depends on four reduced samples. Returns the position of the first of these four for the sample
 * at position `place` of a group, relative to the group's own reduced sample. */
IMG_HOST_DEVICE int32_t img_gaussian_enlarge_first(const ImgGaussian *gaussian, int32_t place)
{
    return place < gaussian->factor / 2 ? -2 : -1;
}

/* --- After the blur --------------------------------------------------------------------------- */

/* The constants of all implementations: parameters of the blur, and of the unsharp mask after
 * it. */
typedef struct ImgBlurEnd {
    ImgGaussian gaussian;
    int32_t sharpens; /* 1: the unsharp mask is applied after the blur; 0: the blur is the result */
    ImgUnsharp mask;
} ImgBlurEnd;

/* Implementations for operations whose constants are an ImgBlurEnd. */
ImgStatus img_gaussian_reference(const ImgCall *call, ImgError *err);
IMG_CPU_RUNS(img_gaussian_cpu);
ImgStatus img_gaussian_cuda_naive(const ImgCall *call, ImgError *err);
/* Supports only blurs that change the picture without reducing it first. */
ImgStatus img_gaussian_cuda_tiled(const ImgCall *call, ImgError *err);
/* Supports only pictures without alpha, and only blurs that change the picture. */
ImgStatus img_gaussian_cuda_fast(const ImgCall *call, ImgError *err);
size_t img_gaussian_fast_workspace(const ImgOp *op, ImgShape src, const void *params);
size_t img_gaussian_cuda_workspace(const ImgOp *op, ImgShape src, const void *params);

/* --- The operations blur and sharpen ---------------------------------------------------------- */

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

#ifdef __cplusplus
}
#endif
#endif
