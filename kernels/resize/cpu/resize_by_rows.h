/* Private to resize on the CPU: takes rows of the source as they arrive, and keeps none of them.
 * Each row is added, with its weight, to the sums of all rows of the result that it contributes to.
 * When 16 of these, a band, are complete, they are summed horizontally. So memory is that of a few
 * rows, however much the picture shrinks.
 *
 * `step`: a pair of source rows for narrow sums, one row for wide sums. */
#ifndef IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BY_ROWS_H
#define IMGTOOL_KERNELS_RESIZE_CPU_RESIZE_BY_ROWS_H

#include "kernels/resize/cpu/resize_band.h"

/* steps per group; a strip of each stays in the first-level cache */
enum { IMG_RESIZE_STEPS = 16 };

typedef struct ImgResizeByRows {
    ImgCall call;
    ImgCall whole_call; /* including margins */
    /* the scaled picture alone, the result of `call`, if margins have another format */
    ImgImage inner;
    const ImgResize *own;
    const ImgResizeVariant *variant;
    size_t samples, whole; /* samples per source row; rounded up to whole strips */
    int32_t slots;         /* most rows of the result that are incomplete at the same time */
    int32_t step;          /* the first step that is not added yet */
    /* rows of the result before `band` are finished; those before `done` are summed vertically */
    int32_t band, done;
    ImgResizeAcross across;

    /* For narrow sums. */
    int32_t *sums;   /* [slot][whole] */
    int16_t *pairs;  /* [pair][strip][2] */
    int16_t *middle; /* [row of the band][whole] */
    uint8_t *odd;    /* a row whose partner has not arrived yet */

    /* For wide sums. */
    int64_t *wide_sums;      /* [slot][whole] */
    int32_t *values, *upper; /* [row][strip]; upper bits, if there are any */
    int32_t *wide_middle;    /* [row of the band][whole] */
} ImgResizeByRows;

/* The rows that have arrived, and the steps of them that are added together. */
typedef struct ImgResizeGroup {
    const ImgView *view;
    int32_t first; /* number of the first row in the view */
    int32_t from, end;
} ImgResizeGroup;

/* Return the first step that a row of the result uses, and the step after the last. */
int32_t img_resize_first_step(const ImgResize *own, int32_t row);
int32_t img_resize_end_step(const ImgResize *own, int32_t row);

/* Returns row `y` of the source, or the last row if `y` is beyond it. */
const uint8_t *img_resize_row_at(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t y);

/* The part that a group has in a row of the result: its steps, the sums that they are added to, and
 * whether they complete these. */
typedef struct ImgResizeStepsOfRow {
    /* steps of the group; none if the group only takes a finished row out of its slot */
    int32_t first, end;
    int32_t before; /* steps of the row before this group */
    bool begins, completes;
    size_t slot, in_band; /* offsets, in samples, of its row in the sums and in the middle */
} ImgResizeStepsOfRow;

ImgResizeStepsOfRow img_resize_steps_of_row(const ImgResizeByRows *by, const ImgResizeGroup *group,
                                            int32_t row);

/* Functions of resize_by_rows_narrow.c and resize_by_rows_wide.c. `make` allocates memory. `lift`
 * prepares a strip of the samples of a group, from `at` on. `add` adds them to row `row` of the
 * result. The last one is for img_resize_make_band. */
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
