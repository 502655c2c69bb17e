/* Narrow sums of rows as they arrive: adds source rows in pairs, strip by strip
 * (resize_by_rows.h). */
#include <stdlib.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_by_rows.h"

bool img_resize_narrow_make(ImgResizeByRows *by)
{
    by->sums = img_resize_zeros((size_t)by->slots * by->whole, sizeof *by->sums);
    by->pairs =
        img_resize_zeros(IMG_RESIZE_STEPS * 2 * (size_t)IMG_RESIZE_STRIP, sizeof *by->pairs);
    by->middle =
        img_resize_zeros(IMG_RESIZE_ROWS * by->whole + IMG_RESIZE_SLACK, sizeof *by->middle);
    by->odd = malloc(by->samples);
    return by->sums != NULL && by->pairs != NULL && by->middle != NULL && by->odd != NULL;
}

void img_resize_narrow_lift(const ImgResizeByRows *by, const ImgResizeGroup *group, size_t at)
{
    const uint8_t *rows[2 * IMG_RESIZE_STEPS];
    for (int32_t i = 2 * group->from; i < 2 * group->end; i++)
        rows[i - 2 * group->from] = img_resize_row_at(by, group, i);
    const ImgResizeSlice slice = {
        .rows = rows,
        .count = (size_t)(group->end - group->from),
        .at = at,
        .samples = img_min_size(by->samples - at, IMG_RESIZE_STRIP),
        .pairs = by->pairs,
        .stride = 2 * (size_t)IMG_RESIZE_STRIP,
    };
    by->variant->rows->pair_rows(by->own, &slice);
}

void img_resize_narrow_add(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t row,
                           size_t at)
{
    const ImgResizeStepsOfRow steps = img_resize_steps_of_row(by, group, row);
    int32_t *sums = by->sums + steps.slot + at;
    const ImgResizeSum sum = {
        .pairs = by->pairs + (size_t)(steps.first - group->from) * 2 * IMG_RESIZE_STRIP,
        .stride = 2 * (size_t)IMG_RESIZE_STRIP,
        .weights = img_resize_down_weights(by->own, row) + 2 * (size_t)steps.before,
        .taps = 2 * (steps.end - steps.first),
        .from = steps.begins ? NULL : sums,
        .to = steps.completes ? NULL : sums,
        .middle = steps.completes ? by->middle + steps.in_band + at : NULL,
    };
    by->variant->rows->sum_down(by->own, &sum, IMG_RESIZE_STRIP);
}

void img_resize_narrow_take(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                            const ImgResizeAcross *across)
{
    const ImgResizeByRows *by = context;
    const size_t channels = (size_t)band->own->channels;
    band->variant->rows->pair_columns(by->middle + (size_t)from * channels, by->whole,
                                      band->own->channels, (size_t)(end - from) * channels,
                                      across->pairs);
}
