/* Private to resize on the CPU: rows of the source as they come, none of which is kept. Each is
 * added, with its weight, to the sums of all rows of the result that it has a part in. When 16 of
 * these are complete, a band, they are summed across. So memory is that of a few rows, however far
 * the picture shrinks.
 *
 * `step`: a pair of rows of the source where sums are narrow, else a row. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BY_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BY_ROWS_H

#include "kernels/resize/cpu/resize_band.h"

enum { IMG_RESIZE_STEPS = 16 }; /* of which a strip each stays in the first cache */

typedef struct ImgResizeByRows {
    ImgCall call;
    ImgCall whole_call; /* with margins */
    ImgImage inner;     /* its picture alone, which is the result of `call`, where it is apart */
    const ImgResize *own;
    const ImgResizeVariant *variant;
    size_t samples, whole; /* of a row of the source; and up to a multiple of a strip */
    int32_t slots;         /* rows of the result that are begun and not complete, at most */
    int32_t step;          /* the first that is not added yet */
    int32_t band, done;    /* rows of the result before them are made; are summed down */
    ImgResizeAcross across;

    /* Narrow sums. */
    int32_t *sums;   /* [slot][whole] */
    int16_t *pairs;  /* [pair][strip][2] */
    int16_t *middle; /* [row of the band][whole] */
    uint8_t *odd;    /* a row whose pair is not there yet */

    /* Wide sums. */
    int64_t *wide_sums;      /* [slot][whole] */
    int32_t *values, *upper; /* [row][strip]; upper bits, where there are any */
    int32_t *wide_middle;    /* [row of the band][whole] */
} ImgResizeByRows;

/* Rows that have come, and steps of them that are added at a time. */
typedef struct ImgResizeGroup {
    const ImgView *view;
    int32_t first; /* number of the view's first row */
    int32_t from, end;
} ImgResizeGroup;

/* Which steps a row of the result is made of: the first, and that after the last. */
int32_t img_resize_first_step(const ImgResize *own, int32_t row);
int32_t img_resize_end_step(const ImgResize *own, int32_t row);

/* Row `y` of the source, or the last where that is beyond. */
const uint8_t *img_resize_row_at(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t y);

/* Where a group's part of a row of the result lies: the sums that it adds to, and whether it ends
 * them. */
typedef struct ImgResizeStepsOfRow {
    int32_t first, end; /* steps of the group; none where it only takes a row out of its slot */
    int32_t before;     /* steps of the row before these */
    bool begins, completes;
    size_t slot, in_band; /* samples to its row of the sums, and of the middle */
} ImgResizeStepsOfRow;

ImgResizeStepsOfRow img_resize_steps_of_row(const ImgResizeByRows *by, const ImgResizeGroup *group,
                                            int32_t row);

/* resize_by_rows_narrow.c, resize_by_rows_wide.c: memory; samples of a group, from `at` on, up to a
 * strip of them, ready to be weighed; what they add to row `row` of the result; and for
 * img_resize_make_band. */
bool img_resize_narrow_make(ImgResizeByRows *by);
bool img_resize_wide_make(ImgResizeByRows *by);
void img_resize_narrow_lift(const ImgResizeByRows *by, const ImgResizeGroup *group, size_t at);
void img_resize_wide_lift(const ImgResizeByRows *by, const ImgResizeGroup *group, size_t at);
void img_resize_narrow_add(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t row,
                           size_t at);
void img_resize_wide_add(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t row,
                         size_t at);
ImgResizePartFunction img_resize_narrow_take, img_resize_wide_take;

#endif
