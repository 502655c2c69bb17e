/* Private to resize on the CPU: wide sums (resize.h), compiled for several processors. What is
 * weighed fits 32 bits with its sign, but for 16-bit linear light by alpha, whose upper bits come
 * apart; products are added up in 64 bits. 16 rows of the result go together:
 *
 *     columns           [sample][16 rows]         of the middle
 *     bytes of columns  [sample][byte][16 rows]   of the result, as they lie in memory */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_H

#include "kernels/resize/rows/resize_rows.h"

enum {
    IMG_RESIZE_WIDE_STEP = 64,        /* samples that are summed together */
    IMG_RESIZE_UPPER_PLACES = 19,     /* bits below the upper ones */
    IMG_RESIZE_WIDE_STRIP_ROWS = 128, /* of the source that are lifted at a time */
};

/* A row of the middle, or what some rows add to one. */
typedef struct ImgResizeWideSum {
    const int32_t *values, *upper; /* lifted rows; `upper` NULL: there are no upper bits */
    size_t stride;                 /* values from one row to the next */
    const int32_t *weights;
    int32_t taps;        /* weights; may be 0 */
    const int64_t *from; /* sums of rows before, or NULL */
    int64_t *to;         /* sums for rows to come; NULL: it ends here, in `middle` */
    int32_t *middle;
} ImgResizeWideSum;

typedef struct ImgResizeWide {
    /* `count` pixels of a row of samples of `bits`. */
    void (*lift)(const ImgResize *own, const uint8_t *row, int32_t bits, size_t count,
                 int32_t *values, int32_t *upper);
    /* Of `count` samples, a multiple of IMG_RESIZE_WIDE_STEP; in which order `from` and `to` hold
     * them is this variant's own. */
    void (*sum_down)(const ImgResize *own, const ImgResizeWideSum *sum, size_t count);
    /* 16 rows of the middle, each `stride` after the one before, as columns; up to 15 samples more
     * than `count` are read and written. */
    void (*turn)(const int32_t *middle, size_t stride, size_t count, int32_t *columns);
    /* A part of the result. */
    void (*sum_across)(const ImgResize *own, const ImgResizePart *part, const int32_t *columns,
                       uint8_t *bytes);
} ImgResizeWide;

extern const ImgResizeWide img_resize_wide_portable, img_resize_wide_avx2, img_resize_wide_avx512;

static inline size_t img_resize_wide_steps(size_t samples)
{
    return (samples + IMG_RESIZE_WIDE_STEP - 1) / IMG_RESIZE_WIDE_STEP * IMG_RESIZE_WIDE_STEP;
}

/* Whether lifted values have upper bits. */
static inline bool img_resize_has_upper(const ImgResize *own)
{
    return own->linear && own->has_alpha && own->bits == 16;
}

/* Weights of row `row` of the result. */
static inline const int32_t *img_resize_wide_weights(const ImgResize *own,
                                                     const ImgResizeAxis *axis, int32_t row)
{
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return (const int32_t *)weights + (size_t)row * (size_t)axis->taps;
}

#endif
