/* Computes wide sums of source rows that arrive in order (resize_by_rows.h). Converts each row
 * once, strip by strip, to the values that are summed. */
#include <stdlib.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_by_rows.h"

bool img_resize_wide_make(ImgResizeByRows *by)
{
    enum { LIFTED = IMG_RESIZE_STEPS * IMG_RESIZE_STRIP };
    const bool has_upper = img_resize_has_upper(by->own);
    by->wide_sums = malloc((size_t)by->slots * by->whole * sizeof *by->wide_sums);
    by->values = calloc(LIFTED, sizeof *by->values);
    by->upper = has_upper ? calloc(LIFTED, sizeof *by->upper) : NULL;
    by->wide_middle =
        calloc(IMG_RESIZE_ROWS * by->whole + IMG_RESIZE_SLACK, sizeof *by->wide_middle);
    return by->wide_sums != NULL && by->values != NULL && (!has_upper || by->upper != NULL) &&
           by->wide_middle != NULL;
}

void img_resize_wide_lift(const ImgResizeByRows *by, const ImgResizeGroup *group, size_t at)
{
    const ImgFormat format = by->call.src.format;
    const size_t channels = (size_t)by->own->channels;
    const size_t count = img_min_size(by->samples - at, IMG_RESIZE_STRIP) / channels;
    for (int32_t y = group->from; y < group->end; y++) {
        const size_t to = (size_t)(y - group->from) * IMG_RESIZE_STRIP;
        by->variant->wide->lift(
            by->own,
            img_resize_row_at(by, group, y) + at / channels * img_format_pixel_size(format),
            format.bits, count, by->values + to, by->upper != NULL ? by->upper + to : NULL);
    }
}

void img_resize_wide_add(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t row,
                         size_t at)
{
    const ImgResizeStepsOfRow steps = img_resize_steps_of_row(by, group, row);
    const size_t from = (size_t)(steps.first - group->from) * IMG_RESIZE_STRIP;
    int64_t *sums = by->wide_sums + steps.slot + at;
    const ImgResizeWideSum sum = {
        .values = by->values + from,
        .upper = by->upper != NULL ? by->upper + from : NULL,
        .stride = IMG_RESIZE_STRIP,
        .weights = img_resize_wide_weights(by->own, &by->own->down, row) + steps.before,
        .taps = steps.end - steps.first,
        .from = steps.begins ? NULL : sums,
        .to = steps.completes ? NULL : sums,
        .middle = steps.completes ? by->wide_middle + steps.in_band + at : NULL,
    };
    const size_t samples = img_min_size(by->samples - at, IMG_RESIZE_STRIP);
    by->variant->wide->sum_down(by->own, &sum, img_resize_wide_steps(samples));
}

void img_resize_wide_take(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                          const ImgResizeAcross *across)
{
    const ImgResizeByRows *by = context;
    const size_t channels = (size_t)band->own->channels;
    band->variant->wide->turn(by->wide_middle + (size_t)from * channels, by->whole,
                              (size_t)(end - from) * channels, across->wide);
}
