/* Private to resize on the CPU: wide sums (resize.h), compiled for several instruction sets.
 * "Lifted" values are those that are summed: samples, linear light, or either of them multiplied by
 * alpha. They fit signed 32 bits, except 16-bit linear light multiplied by alpha, whose upper bits
 * are stored separately. Products are added in 64 bits. 16 rows of the result are computed
 * together. Formats:
 *
 *     columns           [sample][16 rows]         columns of the middle
 *     bytes of columns  [sample][byte][16 rows]   columns of the result, in the byte order of
 * memory */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_WIDE_H

#include "kernels/resize/rows/resize_rows.h"

enum {
    IMG_RESIZE_WIDE_STEP = 64, /* samples that are summed together */
    /* number of bits in the lower part of a value; the other bits are its upper part */
    IMG_RESIZE_UPPER_PLACES = 19,
    /* most source rows whose lifted values are in memory together */
    IMG_RESIZE_WIDE_STRIP_ROWS = 128,
};

/* Input and output of vertical sums: for a whole row of the middle, or only the contribution of
 * some source rows to it. */
typedef struct ImgResizeWideSum {
    const int32_t *values, *upper; /* lifted rows; `upper` is NULL if values have no upper bits */
    size_t stride;                 /* distance from one row to the next, in values */
    const int32_t *weights;
    int32_t taps;        /* number of weights; may be 0 */
    const int64_t *from; /* sums of earlier rows; NULL if there are none */
    /* receives the sums if more rows follow; NULL if these are the last rows, and the result goes
     * to `middle` */
    int64_t *to;
    int32_t *middle;
} ImgResizeWideSum;

typedef struct ImgResizeWide {
    /* Lifts `count` pixels of a row whose samples have `bits` bits. */
    void (*lift)(const ImgResize *own, const uint8_t *row, int32_t bits, size_t count,
                 int32_t *values, int32_t *upper);
    /* Sums `count` samples vertically; `count` is a multiple of IMG_RESIZE_WIDE_STEP. Each variant
     * has its own order of samples in `from` and `to`. */
    void (*sum_down)(const ImgResize *own, const ImgResizeWideSum *sum, size_t count);
    /* Transposes `count` samples of 16 rows of the middle, which are `stride` samples apart, to
     * columns. Up to 15 samples after these are read and written too. */
    void (*turn)(const int32_t *middle, size_t stride, size_t count, int32_t *columns);
    /* Sums a part of the result horizontally: from columns of the middle to bytes of columns. */
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

/* Returns the weights that row (or column) `row` of the result has along `axis`. */
static inline const int32_t *img_resize_wide_weights(const ImgResize *own,
                                                     const ImgResizeAxis *axis, int32_t row)
{
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return (const int32_t *)weights + (size_t)row * (size_t)axis->taps;
}

#endif
