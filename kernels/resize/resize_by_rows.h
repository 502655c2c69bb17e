/* Private to resize on the CPU: rows of the source as they come, none of which is kept. Each is
 * added, with its weight, to the sums of all rows of the result that it has a part in. When 16 of
 * these are complete, a band, they are summed across. So memory is that of a few rows, however far
 * the picture shrinks.
 *
 * `step`: a pair of rows of the source where sums are narrow, else a row. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_BY_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_BY_ROWS_H

#include "kernels/resize/resize_band.h"

enum { IMG_RESIZE_PAIRS = 16 }; /* of rows that stay in the first cache, a strip of each */

typedef struct ImgResizeByRows {
    ImgCall call;
    const ImgResize *own;
    const ImgResizeRows *rows;
    size_t samples, whole; /* of a row of the source; and up to a multiple of a strip */
    int32_t slots;         /* rows of the result that are begun and not complete, at most */
    int32_t step;          /* the first that is not added yet */
    int32_t band, done;    /* rows of the result before them are made; are summed down */

    /* Narrow sums. */
    int32_t *sums;   /* [slot][whole] */
    int16_t *pairs;  /* [pair][strip][2] */
    int16_t *middle; /* [row of the band][whole] */
    uint8_t *odd;    /* a row whose pair is not there yet */
    ImgResizeAcross across;

    /* Wide sums. */
    int64_t *wide_sums; /* [slot][samples] */
    int32_t *columns;   /* the band's middle: [sample][16 rows] */
} ImgResizeByRows;

/* Which steps a row of the result is made of: the first, and that after the last. */
int32_t img_resize_first_step(const ImgResize *own, int32_t row);
int32_t img_resize_end_step(const ImgResize *own, int32_t row);

/* Rows of the result before this one have room in the band. */
int32_t img_resize_band_limit(const ImgResizeByRows *by);

/* resize_by_rows_narrow.c, resize_by_rows_wide.c: adds rows from number `first` on. */
void img_resize_take_narrow(ImgResizeByRows *by, const ImgView *view, int32_t first);
void img_resize_take_wide(ImgResizeByRows *by, const ImgView *view, int32_t first);

/* Of narrow sums, for img_resize_make_band. */
ImgResizePartFunction img_resize_take_part;

/* Makes rows of the result once the band is full, or all are there. */
void img_resize_complete_band(ImgResizeByRows *by);

#endif
