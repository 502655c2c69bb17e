/* Private to resize on the CPU: narrow sums (resize.h; wide ones: resize_wide.h), compiled for
 * several processors. 16 rows of the result go together, and samples stand in pairs, as the
 * instruction that multiplies and adds two takes them:
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
    IMG_RESIZE_STRIP = 384, /* samples: whole slices, and pairs of pixels of any channels */
    IMG_RESIZE_SLICE = 128, /* samples that are summed downwards at a time: whole vectors */
    IMG_RESIZE_TURNED = 64, /* columns that are read at a time when they become rows, at most */
    IMG_RESIZE_SLACK = 16,  /* samples that may be read after a row of the middle */
};

/* A part of the result from column `first` to before `end`, and the source's pixel, an even number,
 * with which what it is made of begins. */
typedef struct ImgResizePart {
    int32_t first, end, from;
} ImgResizePart;

/* Rows of the source, two and two; samples of them from `at` on, up to IMG_RESIZE_SLICE or a
 * multiple of it. */
typedef struct ImgResizeSlice {
    const uint8_t *const *rows; /* [pair][2] */
    size_t count;               /* of pairs of rows */
    size_t at, samples;
    int16_t *pairs;
    size_t stride; /* samples from one pair of rows to the next */
} ImgResizeSlice;

/* A row of the middle, or what some pairs of rows add to one. */
typedef struct ImgResizeSum {
    const int16_t *pairs;
    size_t stride; /* samples from one pair of rows to the next */
    const int16_t *weights;
    int32_t taps;        /* weights, an even number; may be 0 */
    const int32_t *from; /* sums of pairs before; NULL: there are none */
    int32_t *to;         /* sums for pairs to come; NULL: there are none, and they go to `middle` */
    int16_t *middle;
} ImgResizeSum;

/* Of row `row` of the result, for narrow sums. */
static inline const int16_t *img_resize_down_weights(const ImgResize *own, int32_t row)
{
    const void *weights = (const uint8_t *)own + own->down.weights_at;
    return (const int16_t *)weights + (size_t)row * (size_t)own->down.taps;
}

typedef struct ImgResizeRows {
    void (*pair_rows)(const ImgResize *own, const ImgResizeSlice *slice);
    /* Of `count` samples, a multiple of IMG_RESIZE_SLICE. */
    void (*sum_down)(const ImgResize *own, const ImgResizeSum *sum, size_t count);
    /* 16 rows of the middle, each `stride` after the one before, as pairs of columns. */
    void (*pair_columns)(const int16_t *middle, size_t stride, int32_t channels, size_t count,
                         int16_t *pairs);
    void (*sum_across)(const ImgResize *own, const ImgResizePart *part, const int16_t *pairs,
                       uint8_t *columns);
    /* Columns as `rows` rows, up to 16. */
    void (*put_rows)(const uint8_t *columns, size_t count, int32_t rows, uint8_t *to,
                     size_t stride);
} ImgResizeRows;

extern const ImgResizeRows img_resize_rows_portable, img_resize_rows_neon;
extern const ImgResizeRows img_resize_rows_avx2, img_resize_rows_avx512;

#endif
