/* Private to resize on the CPU: processes rows of the source as they arrive and keeps none of them.
 *
 * Each source row is added, with its weight, to the sums of all rows of the result that it
 * contributes to. As soon as a band of 16 rows of the result has complete vertical sums, it is
 * summed horizontally. So the code needs memory for a few rows only, however much the picture
 * shrinks.
 *
 * A step is the unit of vertical summation: a pair of source rows for narrow sums, one source row
 * for wide sums (resize.h). A slot holds the incomplete sums of one row of the result. The middle
 * holds complete vertical sums. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BY_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BY_ROWS_H

#include "kernels/resize/cpu/resize_band.h"

/* most steps in a group; a strip of all of them fits the first-level cache */
enum { IMG_RESIZE_STEPS = 16 };

typedef struct ImgResizeByRows {
    ImgCall call;
    ImgCall whole_call; /* the call for the result with its margins */
    /* the scaled picture without margins, if these have another format; `call` writes to it */
    ImgImage inner;
    const ImgResize *own;
    const ImgResizeVariant *variant;
    size_t samples, whole; /* samples of a source row; the same rounded up to whole strips */
    /* number of slots: most rows of the result that are incomplete at the same time */
    int32_t slots;
    int32_t step; /* next step to add */
    /* rows of the result before `band` are finished; rows before `done` have complete vertical
     * sums */
    int32_t band, done;
    ImgResizeAcross across;

    /* For narrow sums; NULL for wide sums. */
    int32_t *sums;   /* [slot][whole] */
    int16_t *pairs;  /* [pair][strip][2] */
    int16_t *middle; /* [row of the band][whole] */
    uint8_t *odd;    /* the first row of a pair whose second row has not arrived yet */

    /* For wide sums; NULL for narrow sums. */
    int64_t *wide_sums;      /* [slot][whole] */
    int32_t *values, *upper; /* [row][strip]; `upper` has the upper bits, if values have any */
    int32_t *wide_middle;    /* [row of the band][whole] */
} ImgResizeByRows;

/* Source rows that have arrived, and the steps `from` to before `end` that are added together. */
typedef struct ImgResizeGroup {
    const ImgView *view;
    int32_t first; /* number, in the source, of the first row of the view */
    int32_t from, end;
} ImgResizeGroup;

/* Return the first step that row `row` of the result uses, and the step after the last one. */
int32_t img_resize_first_step(const ImgResize *own, int32_t row);
int32_t img_resize_end_step(const ImgResize *own, int32_t row);

/* Returns row `y` of the source, or the last row if `y` is beyond it. */
const uint8_t *img_resize_row_at(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t y);

/* The contribution of a group to one row of the result: the steps to add, and the sums to which
 * they are added. */
typedef struct ImgResizeStepsOfRow {
    /* steps of the group that the row uses; none if the row is already summed and only moves to the
     * band */
    int32_t first, end;
    int32_t before; /* number of steps that earlier groups have added to the row */
    bool begins, completes;
    size_t slot, in_band; /* offsets, in samples, of the row in the sums and in the middle */
} ImgResizeStepsOfRow;

ImgResizeStepsOfRow img_resize_steps_of_row(const ImgResizeByRows *by, const ImgResizeGroup *group,
                                            int32_t row);

/* Functions of resize_by_rows_narrow.c and resize_by_rows_wide.c. `make` allocates memory. `lift`
 * converts a strip of the rows of a group, from sample `at` on, to the values that are summed.
 * `add` adds this strip to row `row` of the result. `take` is the callback for
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
