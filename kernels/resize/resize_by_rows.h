/* Private to resize on the CPU: processes rows of the source as they arrive and keeps none of them.
 *
 * Each source row is added, with its weight, to the sums of all rows of the result to which it
 * contributes. As soon as a band of 16 rows of the result has complete vertical sums, the band is
 * summed horizontally. So the code needs memory for a few rows only, even if the picture shrinks
 * strongly.
 *
 * A step is the unit of vertical summation: a pair of source rows for narrow sums, one source row
 * for wide sums (resize.h). A slot holds the incomplete sums of one row of the result. The middle
 * holds complete vertical sums. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_BY_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_BY_ROWS_H

#include "kernels/resize/resize_band.h"

/* largest number of steps (source rows or pairs of them) that are added together, so that a strip
 * of these rows fits in the first-level cache */
enum { IMG_RESIZE_STEPS = 16 };

typedef struct ImgResizeByRows {
    ImgCall call;
    /* The call of the operation, for the result with its margins. If adding the margins changes the
     * format of the pixels, `call` is for the scaled picture alone; otherwise `call` is for the
     * whole result, too. */
    ImgCall whole_call;
    /* the scaled picture without margins, to which `call` writes if adding the margins changes the
     * format of the pixels */
    ImgImage inner;
    const ImgResize *own;
    const ImgResizeVariant *variant;
    size_t samples, whole; /* samples of a source row; the same number rounded up to whole strips */
    /* number of slots: the largest number of rows of the result that are incomplete at the same
     * time */
    int32_t slots;
    /* index of the next step to add: a source row, or a pair of rows for narrow sums */
    int32_t step;
    /* Rows of the result before `band` are finished. Rows before `done` have complete vertical
     * sums. */
    int32_t band, done;
    ImgResizeAcross across;

    /* The following members are for narrow sums; they are NULL for wide sums. */
    int32_t *sums;   /* incomplete vertical sums; indices [slot][sample] */
    int16_t *pairs;  /* pairs of source rows; indices [pair][sample of the strip][2] */
    int16_t *middle; /* complete vertical sums; indices [row of the band][sample] */
    uint8_t *odd;    /* the first row of a pair whose second row has not arrived yet */

    /* The following members are for wide sums; they are NULL for narrow sums. */
    int64_t *wide_sums; /* incomplete vertical sums; indices [slot][sample] */
    /* values of source rows that are summed, as resize_wide.h defines them; indices [row][sample of
     * the strip]. If 32 bits do not suffice, `upper` has the upper bits; otherwise it is NULL. */
    int32_t *values, *upper;
    int32_t *wide_middle; /* complete vertical sums; indices [row of the band][sample] */
} ImgResizeByRows;

/* A group: the steps `from` to `end` - 1, which are added together. It has at most IMG_RESIZE_STEPS
 * steps. Without steps, the group only completes rows whose sums are already complete. */
typedef struct ImgResizeGroup {
    const ImgView *view; /* source rows that have arrived */
    int32_t first;       /* index in the source of the first row of `view` */
    int32_t from, end;
} ImgResizeGroup;

/* img_resize_first_step returns the first step that adds to row `row` of the result.
 * img_resize_end_step returns the step after the last step that adds to it. */
int32_t img_resize_first_step(const ImgResize *own, int32_t row);
int32_t img_resize_end_step(const ImgResize *own, int32_t row);

/* Returns row `y` of the source, or the last row of the source if `y` is beyond it. */
const uint8_t *img_resize_row_at(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t y);

/* The contribution of a group to one row of the result: the steps to add, and the place of the sums
 * to which they are added. */
typedef struct ImgResizeStepsOfRow {
    /* the steps `first` to `end` - 1 of the group, whose source rows contribute to the row. Empty
     * if the sums are already complete, and only have to be moved to the band. */
    int32_t first, end;
    int32_t before; /* number of steps of earlier groups that were added to the sums of this row */
    /* `begins`: no earlier group has steps for the row; `completes`: the sums are complete after
     * this group, and the row fits in the band */
    bool begins, completes;
    /* offsets, in samples, of the row among incomplete sums and among complete sums */
    size_t slot, in_band;
} ImgResizeStepsOfRow;

ImgResizeStepsOfRow img_resize_steps_of_row(const ImgResizeByRows *by, const ImgResizeGroup *group,
                                            int32_t row);

/* Functions of resize_by_rows_narrow.c and resize_by_rows_wide.c. `make` allocates memory and
 * returns false when memory is short. `lift` converts a strip of the rows of a group, from sample
 * `at` on, to the values that are summed. `add` adds this strip to row `row` of the result. `take`
 * is the callback for img_resize_make_band. */
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
