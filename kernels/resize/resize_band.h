/* Private to resize on the CPU: from bands of up to 16 rows of the middle, whoever has them summed,
 * to rows of the result. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_BAND_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_BAND_H

#include "kernels/resize/resize_rows.h"

/* Rows of the result that are made. */
typedef struct ImgResizeBand {
    const ImgCall *call; /* source and sizes of the result; its source may have no data */
    const ImgResize *own;
    const ImgResizeRows *rows;
    int32_t row, end;
} ImgResizeBand;

ImgResizeBand img_resize_band(const ImgCall *call, const ImgResizeRows *rows, int32_t row,
                              int32_t end);

/* What a thread needs to sum parts of narrow rows across. Start from zeros; ends with
 * img_resize_across_free, whether it was made or not. */
typedef struct ImgResizeAcross {
    int16_t *pairs; /* of columns */
    uint8_t *columns;
} ImgResizeAcross;

/* False: no memory. */
bool img_resize_across_make(const ImgResize *own, ImgResizeAcross *across);
void img_resize_across_free(ImgResizeAcross *across);

/* Puts the band's middle, pixels of the source from `from` to before `end`, into `pairs` as pairs
 * of columns. */
typedef void ImgResizePartFunction(void *context, const ImgResizeBand *band, int32_t from,
                                   int32_t end, int16_t *pairs);

/* Narrow sums, part by part. */
void img_resize_make_band(const ImgResizeBand *band, const ImgResizeAcross *across,
                          ImgResizePartFunction *sum_part, void *context);

/* Wide sums. `columns`: the band of the middle, [sample][16 rows] of all of the source's columns.
 */
void img_resize_make_wide(const ImgResizeBand *band, const int32_t *columns);

/* Where no sums are made: row `row` of the result, from the source's row that it is one of. */
void img_resize_copy_row(const ImgCall *call, const uint8_t *from, int32_t row);

/* The background, around what is made. */
void img_resize_fill_around(const ImgCall *call);

#endif
