/* Private to the morphology family on the CPU: applies one step (morphology.h) to a part of a
 * picture. morphology_loops.c is compiled once for each instruction set. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_ROWS_H
#define IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_ROWS_H

#include "kernels/morphology/morphology.h"

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

#endif
