/* Narrow sums of rows as they come: pairs of rows, strip by strip. */
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_by_rows.h"

/* Rows that have come, and steps of them that are added at a time. */
typedef struct Group {
    const ImgView *view;
    int32_t first; /* number of the view's first row */
    int32_t from, end;
} Group;

/* Row `y`, or the last where that is beyond. */
static const uint8_t *row_at(const ImgResizeByRows *by, const Group *group, int32_t y)
{
    const int32_t inside = img_min32(y, by->own->down.span.src - 1);
    return inside < group->first
               ? by->odd
               : group->view->data + (size_t)(inside - group->first) * group->view->stride;
}

static void pair_strip(const ImgResizeByRows *by, const Group *group, size_t at, size_t count)
{
    for (int32_t i = group->from; i < group->end; i++)
        by->rows->pair_rows(by->own, row_at(by, group, 2 * i) + at,
                            row_at(by, group, 2 * i + 1) + at, count,
                            by->pairs + (size_t)(i - group->from) * 2 * IMG_RESIZE_STRIP);
}

/* To row `row` of the result, samples from `at` on. */
static void sum_row(const ImgResizeByRows *by, const Group *group, int32_t row, size_t at)
{
    const ImgResize *own = by->own;
    const int32_t own_first = img_resize_first_step(own, row),
                  own_end = img_resize_end_step(own, row);
    const int32_t first = own_first > group->from ? own_first : group->from;
    const int32_t pairs = img_min32(own_end, group->end) - first;
    const bool completes = own_end <= group->end && row < img_resize_band_limit(by);
    int32_t *sums = by->sums + (size_t)(row % by->slots) * by->whole + at;
    const ImgResizeSum sum = {
        .pairs = by->pairs + (size_t)(first - group->from) * 2 * IMG_RESIZE_STRIP,
        .stride = 2 * (size_t)IMG_RESIZE_STRIP,
        .weights = img_resize_down_weights(own, row) + 2 * (size_t)(first - own_first),
        .taps = pairs > 0 ? 2 * pairs : 0,
        .from = own_first < group->from ? sums : NULL,
        .to = completes ? NULL : sums,
        .middle = completes ? by->middle + (size_t)(row - by->band) * by->whole + at : NULL,
    };
    by->rows->sum_down(own, &sum, IMG_RESIZE_STRIP);
}

static void sum_group(const ImgResizeByRows *by, const Group *group)
{
    for (size_t at = 0; at < by->samples; at += IMG_RESIZE_STRIP) {
        pair_strip(by, group, at, img_min_size(by->samples - at, IMG_RESIZE_STRIP));
        for (int32_t row = by->done;
             row < by->own->down.span.count && img_resize_first_step(by->own, row) < group->end;
             row++)
            sum_row(by, group, row, at);
    }
}

void img_resize_take_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                          int16_t *to)
{
    const ImgResizeByRows *by = context;
    const size_t channels = (size_t)band->own->channels;
    band->rows->pair_columns(by->middle + (size_t)from * channels, by->whole, band->own->channels,
                             (size_t)(end - from) * channels, to);
}

/* Up to where the middle is full: rows that it has no room for are complete with no step more. */
static bool take_group(ImgResizeByRows *by, Group *group, int32_t end)
{
    const ImgResize *own = by->own;
    if (by->done == own->down.span.count)
        return false;
    const int32_t wanted = img_resize_first_step(own, by->done),
                  full = img_resize_end_step(own, img_resize_band_limit(by) - 1);
    const int32_t from = by->step > wanted ? by->step : img_min32(wanted, end);
    group->from = from;
    group->end = img_min32(img_min32(end, from + IMG_RESIZE_PAIRS), full > from ? full : from);
    if (from == group->end && img_resize_end_step(own, by->done) > from)
        return false;
    sum_group(by, group);
    by->step = group->end;
    while (by->done < img_resize_band_limit(by) && img_resize_end_step(own, by->done) <= group->end)
        by->done++;
    img_resize_complete_band(by);
    return true;
}

void img_resize_take_narrow(ImgResizeByRows *by, const ImgView *view, int32_t first)
{
    Group group = {.view = view, .first = first};
    const int32_t end = first + view->height;
    const bool ends = end == by->own->down.span.src;
    while (take_group(by, &group, ends ? (end + 1) / 2 : end / 2)) {
    }
    if (end % 2 == 1 && !ends)
        memcpy(by->odd, row_at(by, &group, end - 1), by->samples);
}
