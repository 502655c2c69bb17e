/* Private to resize on the CPU: narrow sums (resize.h; wide ones: resize_wide.h), compiled for
 * several instruction sets. 16 rows of the result are computed together. Samples are stored in
 * pairs, for the instruction that multiplies two and adds the products:
 *
 *     pairs of rows     [sample][2]           two rows of the source
 *     pairs of columns  [sample][16 rows][2]  sample: channel c of a pixel and of the next, whose
 *                                             first has an even number
 *     columns           [sample][16 rows]     of the result */
#ifndef IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_ROWS_RESIZE_ROWS_H

#include "kernels/resize/resize.h"

enum {
    IMG_RESIZE_ROWS = 16,
    /* samples: whole slices, and pairs of pixels of any number of channels */
    IMG_RESIZE_STRIP = 384,
    IMG_RESIZE_SLICE = 128, /* samples that are summed vertically at a time: whole vectors */
    IMG_RESIZE_TURNED = 64, /* most columns that are transposed at a time */
    IMG_RESIZE_SLACK = 16,  /* samples that may be read after a row of the middle */
};

/* A part of the result: columns `first` to before `end`. `from` is its first source pixel, an even
 * number. */
typedef struct ImgResizePart {
    int32_t first, end, from;
} ImgResizePart;

/* Rows of the source in pairs. `samples` of them are used, from `at` on: up to IMG_RESIZE_SLICE or
 * a multiple of it. */
typedef struct ImgResizeSlice {
    const uint8_t *const *rows; /* [pair][2] */
    size_t count;               /* number of pairs of rows */
    size_t at, samples;
    int16_t *pairs;
    size_t stride; /* samples from one pair of rows to the next */
} ImgResizeSlice;

/* A row of the middle, or the contribution of some pairs of rows to one. */
typedef struct ImgResizeSum {
    const int16_t *pairs;
    size_t stride; /* samples from one pair of rows to the next */
    const int16_t *weights;
    int32_t taps;        /* number of weights, even; may be 0 */
    const int32_t *from; /* sums of previous pairs; NULL: there are none */
    /* sums for later pairs; NULL: these are the last pairs, and the result goes to `middle` */
    int32_t *to;
    int16_t *middle;
} ImgResizeSum;

/* Returns the weights of row `row` of the result, for narrow sums. */
static inline const int16_t *img_resize_down_weights(const ImgResize *own, int32_t row)
{
    const void *weights = (const uint8_t *)own + own->down.weights_at;
    return (const int16_t *)weights + (size_t)row * (size_t)own->down.taps;
}

typedef struct ImgResizeRows {
    void (*pair_rows)(const ImgResize *own, const ImgResizeSlice *slice);
    /* Sums `count` samples vertically, a multiple of IMG_RESIZE_SLICE. */
    void (*sum_down)(const ImgResize *own, const ImgResizeSum *sum, size_t count);
    /* Converts 16 rows of the middle, `stride` samples apart, to pairs of columns. */
    void (*pair_columns)(const int16_t *middle, size_t stride, int32_t channels, size_t count,
                         int16_t *pairs);
    void (*sum_across)(const ImgResize *own, const ImgResizePart *part, const int16_t *pairs,
                       uint8_t *columns);
    /* Transposes columns to `rows` rows, up to 16. */
    void (*put_rows)(const uint8_t *columns, size_t count, int32_t rows, uint8_t *to,
                     size_t stride);
} ImgResizeRows;

extern const ImgResizeRows img_resize_rows_portable, img_resize_rows_neon;
extern const ImgResizeRows img_resize_rows_avx2, img_resize_rows_avx512;

#endif
