/* Private to resize on the CPU: wide sums (resize.h), compiled for several instruction sets. Values
 * fit 32 bits with a sign, except 16-bit linear light multiplied by alpha, whose upper bits are
 * separate. Products are added in 64 bits. 16 rows of the result are computed together:
 *
 *     columns           [sample][16 rows]         of the middle
 *     bytes of columns  [sample][byte][16 rows]   of the result, as they lie in memory */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_H

#include "kernels/resize/rows/resize_rows.h"

enum {
    IMG_RESIZE_WIDE_STEP = 64,        /* samples that are summed together */
    IMG_RESIZE_UPPER_PLACES = 19,     /* bits of a value below its upper bits */
    IMG_RESIZE_WIDE_STRIP_ROWS = 128, /* source rows that are lifted at a time */
};

/* A row of the middle, or the contribution of some rows to one. */
typedef struct ImgResizeWideSum {
    const int32_t *values, *upper; /* lifted rows; `upper` NULL: there are no upper bits */
    size_t stride;                 /* values from one row to the next */
    const int32_t *weights;
    int32_t taps;        /* number of weights; may be 0 */
    const int64_t *from; /* sums of previous rows, or NULL */
    /* sums for later rows; NULL: these are the last rows, and the result goes to `middle` */
    int64_t *to;
    int32_t *middle;
} ImgResizeWideSum;

typedef struct ImgResizeWide {
    /* Lifts `count` pixels of a row with `bits` per sample. */
    void (*lift)(const ImgResize *own, const uint8_t *row, int32_t bits, size_t count,
                 int32_t *values, int32_t *upper);
    /* Sums `count` samples vertically, a multiple of IMG_RESIZE_WIDE_STEP. The order of samples in
     * `from` and `to` is private to the variant. */
    void (*sum_down)(const ImgResize *own, const ImgResizeWideSum *sum, size_t count);
    /* Transposes 16 rows of the middle, `stride` samples apart, to columns. Up to 15 samples after
     * `count` are read and written. */
    void (*turn)(const int32_t *middle, size_t stride, size_t count, int32_t *columns);
    /* Sums a part of the result horizontally. */
    void (*sum_across)(const ImgResize *own, const ImgResizePart *part, const int32_t *columns,
                       uint8_t *bytes);
} ImgResizeWide;

extern const ImgResizeWide img_resize_wide_portable, img_resize_wide_avx2, img_resize_wide_avx512;

static inline size_t img_resize_wide_steps(size_t samples)
{
    return (samples + IMG_RESIZE_WIDE_STEP - 1) / IMG_RESIZE_WIDE_STEP * IMG_RESIZE_WIDE_STEP;
}

/* Returns true if lifted values have upper bits. */
static inline bool img_resize_has_upper(const ImgResize *own)
{
    return own->linear && own->has_alpha && own->bits == 16;
}

/* Returns the weights of row `row` of the result. */
static inline const int32_t *img_resize_wide_weights(const ImgResize *own,
                                                     const ImgResizeAxis *axis, int32_t row)
{
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return (const int32_t *)weights + (size_t)row * (size_t)axis->taps;
}

#endif
