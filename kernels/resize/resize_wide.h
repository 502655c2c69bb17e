/* Private to resize on the CPU: wide sums (resize.h), compiled once for each instruction set.
 * "Lifted" values are the values that are summed: samples or linear light, multiplied by alpha if
 * there is alpha. They fit in signed 32 bits, except 16-bit linear light multiplied by alpha, whose
 * upper bits are stored separately. Products are added in 64 bits. 16 rows of the result are
 * computed together. The middle is the picture after vertical sums. Formats of the samples in
 * memory:
 *
 *     columns           [sample][16 rows]         columns of the middle
 *     bytes of columns  [sample][byte][16 rows]   columns of the result; bytes have the order
 *                                             of the machine */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_WIDE_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_WIDE_H

#include "kernels/resize/resize_rows.h"

enum {
    IMG_RESIZE_WIDE_STEP = 64, /* number of samples that are summed together */
    /* number of bits in the lower part of a value that is stored in two parts */
    IMG_RESIZE_UPPER_PLACES = 19,
    /* largest number of source rows that are in memory together as values to sum */
    IMG_RESIZE_WIDE_STRIP_ROWS = 128,
};

/* Input and output of vertical sums for one row of the result. The sums may be complete, or include
 * only some of the source rows. */
typedef struct ImgResizeWideSum {
    /* source rows, converted to the values that are summed. If values are stored in two parts,
     * `values` has the lower parts and `upper` the upper ones; otherwise `upper` is NULL. */
    const int32_t *values, *upper;
    size_t stride; /* distance from one row to the next in `values` and `upper`, in values */
    const int32_t *weights;
    int32_t taps;        /* number of weights; may be 0 */
    const int64_t *from; /* sums of earlier source rows; NULL if there are none */
    /* receives incomplete sums if more rows follow; NULL if the sums are complete and `middle`
     * receives them */
    int64_t *to;
    int32_t *middle;
} ImgResizeWideSum;

typedef struct ImgResizeWide {
    /* Converts `count` pixels of a row whose samples have `bits` bits to the values that are
     * summed. Stores them in `values` and, if it is not NULL, `upper`. */
    void (*lift)(const ImgResize *own, const uint8_t *row, int32_t bits, size_t count,
                 int32_t *values, int32_t *upper);
    /* Computes `count` vertical sums, one for each of `count` samples of a row. `count` must be a
     * multiple of IMG_RESIZE_WIDE_STEP. Each variant has its own order of samples in `from` and
     * `to`. */
    void (*sum_down)(const ImgResize *own, const ImgResizeWideSum *sum, size_t count);
    /* Transposes `count` vertical sums of each of 16 rows to columns. The rows are `stride` sums
     * apart. Up to 15 more sums are read and written. */
    void (*turn)(const int32_t *middle, size_t stride, size_t count, int32_t *columns);
    /* Computes the horizontal sums of a part of the result, column by column: reads the vertical
     * sums from `columns`, and writes the rounded samples to `bytes`. */
    void (*sum_across)(const ImgResize *own, const ImgResizePart *part, const int32_t *columns,
                       uint8_t *bytes);
} ImgResizeWide;

extern const ImgResizeWide img_resize_wide_portable, img_resize_wide_avx2, img_resize_wide_avx512;

static inline size_t img_resize_wide_steps(size_t samples)
{
    return (samples + IMG_RESIZE_WIDE_STEP - 1) / IMG_RESIZE_WIDE_STEP * IMG_RESIZE_WIDE_STEP;
}

/* Returns true if the values that are summed have upper bits, because 32 bits do not suffice. */
static inline bool img_resize_has_upper(const ImgResize *own)
{
    return own->linear && own->has_alpha && own->bits == 16;
}

/* Returns the wide weights of row `row` of the result, or of column `row` if `axis` is
 * horizontal. */
static inline const int32_t *img_resize_wide_weights(const ImgResize *own,
                                                     const ImgResizeAxis *axis, int32_t row)
{
    const void *weights = (const uint8_t *)own + axis->weights_at;
    return (const int32_t *)weights + (size_t)row * (size_t)axis->taps;
}

#endif
