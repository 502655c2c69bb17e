/* See resize_band.h. */
#include "kernels/resize/resize_band.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"

enum {
    PART_COLUMNS = 1024, /* of the result, at most */
    PART_PIXELS = 2048,  /* of the source, or what one column needs */
};

ImgResizeBand img_resize_band(const ImgCall *call, const ImgResizeRows *rows, int32_t row,
                              int32_t end)
{
    return (ImgResizeBand){call, call->constants.bytes, rows, row, end};
}

static uint8_t *result_at(const ImgCall *call, int32_t row, int32_t column)
{
    const ImgResize *own = call->constants.bytes;
    return call->dst.data + (size_t)(own->down.span.at + row) * call->dst.stride +
           (size_t)(own->across.span.at + column) * img_format_pixel_size(call->dst.format);
}

/* --- Narrow ----------------------------------------------------------------------------------- */

/* Pixels of the source that a part may have. */
static int32_t most_pixels(const ImgResize *own)
{
    const int32_t needed = 4 * own->across.taps;
    return needed > PART_PIXELS ? needed : PART_PIXELS;
}

bool img_resize_across_make(const ImgResize *own, ImgResizeAcross *across)
{
    const size_t channels = (size_t)own->channels;
    const size_t samples = ((size_t)most_pixels(own) + 2) * channels;
    across->pairs = calloc((samples + IMG_RESIZE_STRIP) * IMG_RESIZE_ROWS, sizeof(int16_t));
    across->columns = calloc((PART_COLUMNS * channels + 15) / 16 * 16 * IMG_RESIZE_ROWS, 1);
    return across->pairs != NULL && across->columns != NULL;
}

void img_resize_across_free(ImgResizeAcross *across)
{
    free(across->pairs);
    free(across->columns);
}

static void make_part(const ImgResizeBand *band, const ImgResizePart *part,
                      const ImgResizeAcross *across)
{
    band->rows->sum_across(band->own, part, across->pairs, across->columns);
    band->rows->put_rows(across->columns,
                         (size_t)(part->end - part->first) * (size_t)band->own->channels,
                         band->end - band->row, result_at(band->call, band->row, part->first),
                         band->call->dst.stride);
}

void img_resize_make_band(const ImgResizeBand *band, const ImgResizeAcross *across,
                          ImgResizePartFunction *sum_part, void *context)
{
    const ImgResizeAxis *axis = &band->own->across;
    const int32_t *firsts = img_resize_first(band->own, axis);
    ImgResizePart part = {.first = 0};
    for (; part.first < axis->span.count; part.first = part.end) {
        part.from = firsts[part.first];
        part.end = part.first + 1;
        while (part.end < axis->span.count && part.end - part.first < PART_COLUMNS &&
               firsts[part.end] + axis->taps - part.from <= most_pixels(band->own))
            part.end++;
        const int32_t last = firsts[part.end - 1] + axis->taps;
        sum_part(context, band, part.from, img_min32(last, band->call->src.width), across->pairs);
        make_part(band, &part, across);
    }
}

/* --- Wide ------------------------------------------------------------------------------------- */

static void put_wide(const ImgResizeBand *band, int32_t column, int64_t sums[IMG_RESIZE_ROWS][4])
{
    for (int32_t row = band->row; row < band->end; row++) {
        uint32_t pixel[4];
        img_resize_lower(band->own, sums[row - band->row], pixel);
        uint8_t *to = result_at(band->call, row, column);
        for (int32_t c = 0; c < band->own->channels; c++)
            img_sample_set(to, (size_t)c, band->own->bits, pixel[c]);
    }
}

void img_resize_make_wide(const ImgResizeBand *band, const int32_t *columns)
{
    for (int32_t x = 0; x < band->own->across.span.count; x++) {
        int64_t sums[IMG_RESIZE_ROWS][4];
        band->rows->wide_across(band->own, columns, x, sums);
        put_wide(band, x, sums);
    }
}

/* --- Copies and backgrounds ------------------------------------------------------------------- */

static void read_pixel(const ImgResize *own, const uint8_t *row, int bits, size_t x, uint8_t *pixel)
{
    const size_t channels = (size_t)own->channels;
    for (size_t c = 0; c < channels; c++)
        img_sample_set(pixel, c, own->bits, img_sample(row, x * channels + c, bits) * own->scale);
}

void img_resize_copy_row(const ImgCall *call, const uint8_t *from, int32_t row)
{
    const ImgResize *own = call->constants.bytes;
    const size_t size = img_format_pixel_size(call->dst.format);
    uint8_t *to = result_at(call, row, 0);
    for (int32_t x = 0; x < own->across.span.count; x++) {
        const size_t place = (size_t)img_resize_copied(own, &own->across, x);
        if (own->scale == 1)
            memcpy(to + (size_t)x * size, from + place * size, size);
        else
            read_pixel(own, from, call->src.format.bits, place, to + (size_t)x * size);
    }
}

/* Columns from `first` to before `end` of a row of the result. */
static void fill_row(const ImgCall *call, int32_t y, int32_t first, int32_t end)
{
    const ImgResize *own = call->constants.bytes;
    const size_t channels = (size_t)own->channels;
    uint8_t *row = call->dst.data + (size_t)y * call->dst.stride;
    for (int32_t x = first; x < end; x++)
        for (size_t c = 0; c < channels; c++)
            img_sample_set(row, (size_t)x * channels + c, own->bits, own->background[c]);
}

void img_resize_fill_around(const ImgCall *call)
{
    const ImgResize *own = call->constants.bytes;
    const ImgResizeSpan across = own->across.span, down = own->down.span;
    for (int32_t y = 0; y < own->height; y++) {
        const bool inside = y >= down.at && y < down.at + down.count;
        fill_row(call, y, 0, inside ? across.at : own->width);
        if (inside)
            fill_row(call, y, across.at + across.count, own->width);
    }
}
