/* Private to resize on the CPU: the functions that compute narrow sums, compiled once for each
 * instruction set. Narrow sums are weighted sums that fit 32 bits, of numbers that fit 16 bits
 * (resize.h). resize_wide.h has the functions for wide sums. 16 rows of the result are computed
 * together. Samples are stored in pairs, because one instruction multiplies two samples by two
 * weights and adds the products. Formats of the samples in memory:
 *
 *     pairs of rows     [sample][2]           two source rows
 *     pairs of columns  [sample][16 rows][2]  vertical sums: channel c of two adjacent pixels; the
 *                                             first pixel has an even number
 *     columns           [sample][16 rows]     columns of the result */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_ROWS_H

#include "kernels/resize/resize.h"

enum {
    IMG_RESIZE_ROWS = 16,
    /* number of samples of a strip: a multiple of IMG_RESIZE_SLICE, and a whole number of pairs of
     * pixels for any number of channels */
    IMG_RESIZE_STRIP = 384,
    /* number of samples of a slice, which are summed vertically together; a multiple of the samples
     * per vector */
    IMG_RESIZE_SLICE = 128,
    IMG_RESIZE_TURNED = 64, /* largest number of columns that a function transposes together */
    /* number of samples after a row of vertical sums that a function may read */
    IMG_RESIZE_SLACK = 16,
};

/* A part of the result: columns `first` to `end` - 1. `from` is the first source pixel that the
 * part needs, an even number. */
typedef struct ImgResizePart {
    int32_t first, end, from;
} ImgResizePart;

/* Pairs of source rows to convert: `samples` samples of each row, from sample `at` on. `samples`
 * must be at most IMG_RESIZE_SLICE, or a multiple of it. */
typedef struct ImgResizeSlice {
    const uint8_t *const *rows; /* source rows; indices [pair][2] */
    size_t count;               /* number of pairs of rows */
    size_t at, samples;
    int16_t *pairs;
    size_t stride; /* distance from one pair of rows to the next in `pairs`, in samples */
} ImgResizeSlice;

/* Input and output of vertical sums for one row of the result. The sums may be complete, or only
 * the contribution of some pairs of source rows. */
typedef struct ImgResizeSum {
    const int16_t *pairs;
    size_t stride; /* distance from one pair of rows to the next in `pairs`, in samples */
    const int16_t *weights;
    int32_t taps;        /* number of weights: even; may be 0 */
    const int32_t *from; /* sums of earlier pairs of rows; NULL if there are none */
    /* receives incomplete sums if more pairs of rows follow; NULL if the sums are complete and
     * `middle` receives them */
    int32_t *to;
    int16_t *middle;
} ImgResizeSum;

/* Returns the vertical weights, own->down.taps numbers of 16 bits, of row `row` of the result. Call
 * it only if the sums are narrow (resize.h): the weights for wide sums have 32 bits. */
static inline const int16_t *img_resize_down_weights(const ImgResize *own, int32_t row)
{
    const void *weights = (const uint8_t *)own + own->down.weights_at;
    return (const int16_t *)weights + (size_t)row * (size_t)own->down.taps;
}

typedef struct ImgResizeRows {
    void (*pair_rows)(const ImgResize *own, const ImgResizeSlice *slice);
    /* Computes `count` vertical sums, one for each of `count` samples of a row. `count` must be a
     * multiple of IMG_RESIZE_SLICE. */
    void (*sum_down)(const ImgResize *own, const ImgResizeSum *sum, size_t count);
    /* Converts `count` vertical sums of each of 16 rows to pairs of columns. The rows are `stride`
     * sums apart. */
    void (*pair_columns)(const int16_t *middle, size_t stride, int32_t channels, size_t count,
                         int16_t *pairs);
    void (*sum_across)(const ImgResize *own, const ImgResizePart *part, const int16_t *pairs,
                       uint8_t *columns);
    /* Transposes `count` columns of the result to `rows` rows, at most 16, which are `stride` bytes
     * apart. */
    void (*put_rows)(const uint8_t *columns, size_t count, int32_t rows, uint8_t *to,
                     size_t stride);
} ImgResizeRows;

extern const ImgResizeRows img_resize_rows_portable;
extern const ImgResizeRows img_resize_rows_avx2, img_resize_rows_avx512;

#endif
