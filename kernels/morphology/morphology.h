/* Private to the morphology family: erode, dilate, open and close. They compute minima and maxima
 * over a rectangle around each sample.
 *
 * The rectangle of a sample at x has `width` samples, from x - width / 2 (rounded down) on, and
 * likewise vertically. So the sample is in the middle if the side is odd, and just after the middle
 * if it is even, as in OpenCV. open and close take two steps, the second with the mirrored
 * rectangle. So the second step covers exactly those samples whose rectangles contained a sample in
 * the first. Therefore open <= source <= close holds at every sample, for every border and side
 * (see img_morphology for the border of the second step). */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_H
#define IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_H

#include "kernels/core/prepass/prepass.h"
#include "kernels/core/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest side of a rectangle, in pixels. With it, the halo of a tile fits the shared memory of
 * every GPU. */
enum { IMG_MORPHOLOGY_SIDE_MAX = 1023 };

typedef struct ImgMorphologyParams {
    ImgSize size; /* size of the rectangle; if only one side is given, it is a square */
    ImgBorderParams around;
} ImgMorphologyParams;

/* One step: minima or maxima over one rectangle. */
typedef struct ImgMorphologyStep {
    /* extent of the rectangle in each direction from its sample, in pixels */
    int32_t left, right, up, down;
    int32_t border; /* an ImgBorder value */
    int32_t is_maximum;
    uint16_t background[4]; /* for IMG_BORDER_CONSTANT: sample of each channel */
} ImgMorphologyStep;

typedef struct ImgMorphology {
    int32_t count; /* number of steps: 1 or 2 */
    ImgMorphologyStep steps[2];
} ImgMorphology;

/* Returns the steps of an operation on a picture of that shape. Rectangles are limited to the size
 * that covers all rows and columns. The first step has the border of the source. Beyond the result
 * of the first step there is nothing. Therefore the second step has IMG_BORDER_REPLICATE, which
 * adds no value that the rectangle does not contain. With IMG_BORDER_WRAP, the second step wraps
 * too. */
ImgMorphology img_morphology(const ImgOp *op, ImgShape src, const void *params);

IMG_HOST_DEVICE int32_t img_morphology_width(const ImgMorphologyStep *step)
{
    return step->left + step->right + 1;
}

IMG_HOST_DEVICE int32_t img_morphology_height(const ImgMorphologyStep *step)
{
    return step->up + step->down + 1;
}

/* Parts that the descriptors share. */
extern const ImgParam img_morphology_params[];
extern const ImgImpl img_morphology_impls[];
ImgStatus img_morphology_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
/* For operations of one step. */
ImgRows img_morphology_rows(ImgShape src, const void *params, ImgRows wanted);
/* For operations of two steps. */
ImgRows img_morphology_rows_twice(ImgShape src, const void *params, ImgRows wanted);

extern const ImgOp img_op_erode, img_op_dilate, img_op_open, img_op_close;

/* Returns the prepass of the operation. Maxima must not contain the colours of fully transparent
 * pixels. Minima may: these colours reach only pixels that become fully transparent, too. */
ImgPrepass img_morphology_prepass(const ImgOp *op);

/* Implement ImgOp.scratch. */
uint64_t img_morphology_scratch_erode(ImgShape src, const void *params, int threads);
uint64_t img_morphology_scratch_dilate(ImgShape src, const void *params, int threads);
uint64_t img_morphology_scratch_open(ImgShape src, const void *params, int threads);
uint64_t img_morphology_scratch_close(ImgShape src, const void *params, int threads);

ImgRunFunction img_morphology_reference, img_morphology_cpu, img_morphology_cpu_avx2,
    img_morphology_cpu_avx512;
ImgRunFunction img_morphology_cuda_naive, img_morphology_cuda_tiled, img_morphology_cuda_separable,
    img_morphology_cuda_passes, img_morphology_cuda_fast;

/* Returns the bytes of the picture between two steps, which is in the workspace of all CUDA
 * implementations. */
size_t img_morphology_cuda_between(const ImgOp *op, ImgShape src);

#ifdef __cplusplus
}
#endif
#endif
