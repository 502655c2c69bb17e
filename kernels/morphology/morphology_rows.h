/* Private: one step (morphology.h) on a part of a picture. morphology_rows_source.h is compiled
 * once for each variant. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_ROWS_H
#define IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_ROWS_H

#include "kernels/morphology/morphology.h"

typedef struct ImgMorphologyPart {
    const ImgMorphologyStep *step;
    const ImgView *src;               /* the whole picture, of any alignment */
    int32_t left, top, width, height; /* rectangle of the result; parts of it may be beyond `src` */
    uint8_t *to;                      /* destination, of any alignment */
    size_t to_stride;
    bool streamed;    /* use non-temporal stores */
    uint8_t *scratch; /* memory of img_morphology_scratch bytes */
} ImgMorphologyPart;

typedef void ImgMorphologyRows(const ImgMorphologyPart *part);

ImgMorphologyRows img_morphology_rows_portable, img_morphology_rows_avx2,
    img_morphology_rows_avx512;

/* Returns the bytes of scratch memory: for two rows extended beyond their ends, two rows of minima
 * from the top of a segment, a row of results, and a row for each row of the rectangle. */
static inline size_t img_morphology_scratch(const ImgMorphologyStep *step, int32_t width,
                                            size_t pixel)
{
    const size_t around = (size_t)width + (size_t)img_morphology_width(step);
    return (2 * around + ((size_t)img_morphology_height(step) + 3) * (size_t)width) * pixel;
}

#endif
