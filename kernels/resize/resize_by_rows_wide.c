/* Wide sums of rows as they come: each is lifted once. */
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_by_rows.h"

/* To all rows of the result that it has a part in. */
static void add_pixels(const ImgResizeByRows *by, int32_t y, size_t at, const int64_t *values,
                       size_t count)
{
    const ImgResize *own = by->own;
    const int32_t *firsts = img_resize_first(own, &own->down);
    for (int32_t row = by->done; row < own->down.span.count && firsts[row] <= y; row++) {
        int64_t *sums = by->wide_sums + (size_t)(row % by->slots) * by->samples + at;
        if (firsts[row] == y)
            memset(sums, 0, count * sizeof *sums);
        const int64_t weight = img_resize_weight(own, &own->down, row, y - firsts[row]);
        if (weight != 0)
            by->rows->wide_add(own, weight, values, count, sums);
    }
}

static void add_row(const ImgResizeByRows *by, const uint8_t *from, int32_t y)
{
    const ImgFormat format = by->call.src.format;
    const size_t channels = (size_t)by->own->channels, width = (size_t)by->call.src.width;
    for (size_t x = 0; x < width; x += IMG_RESIZE_WIDE) {
        int64_t values[4 * IMG_RESIZE_WIDE];
        const size_t count = img_min_size(width - x, IMG_RESIZE_WIDE);
        by->rows->wide_lift(by->own, from + x * img_format_pixel_size(format), format.bits, count,
                            values);
        add_pixels(by, y, x * channels, values, count * channels);
    }
}

static void complete_row(const ImgResizeByRows *by)
{
    const int64_t *sums = by->wide_sums + (size_t)(by->done % by->slots) * by->samples;
    const int32_t places = by->own->down.places - by->own->fraction;
    int32_t *column = by->columns + (by->done - by->band);
    for (size_t i = 0; i < by->samples; i++)
        column[i * IMG_RESIZE_ROWS] = (int32_t)img_resize_round(sums[i], places);
}

void img_resize_take_wide(ImgResizeByRows *by, const ImgView *view, int32_t first)
{
    for (int32_t i = 0; i < view->height; i++) {
        const int32_t count = by->own->down.span.count;
        if (by->done < count && img_resize_first_step(by->own, by->done) <= first + i)
            add_row(by, view->data + (size_t)i * view->stride, first + i);
        while (by->done < count && img_resize_end_step(by->own, by->done) <= first + i + 1) {
            complete_row(by);
            by->done++;
            img_resize_complete_band(by);
        }
    }
}
