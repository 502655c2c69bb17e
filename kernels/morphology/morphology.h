/* Private to the morphology family: erode, dilate, open and close. They compute minima and maxima
 * over a rectangle around each sample.
 *
 * The rectangle of the sample at x covers `width` samples, from x - width / 2 (rounded down) on.
 * Vertically, it covers `height` samples in the same way. So the sample is in the middle of an odd
 * side, and just after the middle of an even one, as in OpenCV. open and close take two steps, and
 * the second one uses the mirrored rectangle. So in the second step, the rectangle of a sample
 * covers exactly the samples whose rectangles contained it in the first step. Therefore open <=
 * source <= close holds at every sample, for every border and side (see img_morphology for the
 * border of the second step). */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_H
#define IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_H

#include "kernels/core/cuda/textbook.h"
#include "kernels/core/prepass/prepass.h"
#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest side of a rectangle, in pixels. Up to this side, a part of a row and its margins fit the
 * shared memory of every GPU. */
enum { IMG_MORPHOLOGY_SIDE_MAX = 1023 };

typedef struct ImgMorphologyParams {
    ImgSize size; /* size of the rectangle in pixels; if only one side is given, it is a square */
    ImgBorderParams around;
} ImgMorphologyParams;

/* One step of an operation: minima or maxima over one rectangle. */
typedef struct ImgMorphologyStep {
    /* reach of the rectangle in each direction from its sample, in pixels */
    int32_t left, right, up, down;
    int32_t border; /* an ImgBorder value */
    int32_t is_maximum;
    uint16_t background[4]; /* sample of each channel, for IMG_BORDER_CONSTANT */
} ImgMorphologyStep;

typedef struct ImgMorphology {
    int32_t count; /* number of steps: 1 or 2 */
    ImgMorphologyStep steps[2];
} ImgMorphology;

/* Returns the steps of an operation on a picture of shape `src`. Rectangles are limited to a size
 * that covers all rows and columns. The first step uses the border that the user chose. The second
 * step must not read anything beyond the result of the first. So it has IMG_BORDER_REPLICATE, which
 * adds only values that the rectangle contains anyway. With IMG_BORDER_WRAP, the second step wraps
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

/* Parts that the descriptors of the four operations have in common. */
extern const ImgParam img_morphology_params[];
extern const ImgImpl img_morphology_impls[];
ImgStatus img_morphology_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err);
/* Implements ImgOp.bands.part for operations of one step. */
bool img_morphology_part(ImgShape src, const void *params, ImgRows wanted, ImgPart *part);
/* Implements ImgOp.bands.part for operations of two steps. */
bool img_morphology_part_twice(ImgShape src, const void *params, ImgRows wanted, ImgPart *part);

extern const ImgOp img_op_erode, img_op_dilate, img_op_open, img_op_close;

/* Returns the prepass of the operation. Before maxima are computed, it clears the colours of fully
 * transparent pixels, which must not spread. Minima need no clearing, because there these colours
 * reach only pixels that become fully transparent too. */
ImgPrepass img_morphology_prepass(const ImgOp *op);

/* These functions implement ImgOp.cost.scratch for the four operations. */
uint64_t img_morphology_scratch_erode(ImgShape src, const void *params, int threads);
uint64_t img_morphology_scratch_dilate(ImgShape src, const void *params, int threads);
uint64_t img_morphology_scratch_open(ImgShape src, const void *params, int threads);
uint64_t img_morphology_scratch_close(ImgShape src, const void *params, int threads);

ImgRunFunction img_morphology_reference, img_morphology_cpu, img_morphology_cpu_avx2,
    img_morphology_cpu_avx512;
IMG_TEXTBOOK ImgRunFunction img_morphology_cuda_naive, img_morphology_cuda_tiled,
    img_morphology_cuda_separable;
ImgRunFunction img_morphology_cuda_passes, img_morphology_cuda_fast;

/* Returns the bytes of the intermediate picture between two steps. All CUDA implementations have it
 * in their workspace. */
size_t img_morphology_cuda_between(const ImgOp *op, ImgShape src);

/* --- Parts on the CPU ------------------------------------------------------------------------- */

/* Functions that apply one step to a part of a picture. morphology_loops.c is compiled once for
 * each instruction set. */
typedef struct ImgMorphologyPart {
    const ImgMorphologyStep *step;
    const ImgView *src; /* the whole source picture, which may be unaligned */
    /* rectangle of the result in pixels; parts of it may be beyond `src` */
    int32_t left, top, width, height;
    uint8_t *to; /* address of the result, which may be unaligned */
    size_t to_stride;
    bool streamed;    /* true: use non-temporal stores, which bypass the caches */
    uint8_t *scratch; /* scratch memory of img_morphology_scratch bytes */
} ImgMorphologyPart;

typedef void ImgMorphologyRows(const ImgMorphologyPart *part);

ImgMorphologyRows img_morphology_rows_portable, img_morphology_rows_avx2,
    img_morphology_rows_avx512;

/* Returns the bytes of scratch memory for a part of `width` pixels per row. It has room for two
 * rows extended beyond their ends, two rows of running minima, and a row of results. It also has a
 * row for each row of the rectangle. */
static inline size_t img_morphology_scratch(const ImgMorphologyStep *step, int32_t width,
                                            size_t pixel)
{
    const size_t around = (size_t)width + (size_t)img_morphology_width(step);
    return (2 * around + ((size_t)img_morphology_height(step) + 3) * (size_t)width) * pixel;
}

#ifdef __cplusplus
}
#endif
#endif
