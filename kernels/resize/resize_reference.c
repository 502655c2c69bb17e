/* Reference implementation of resize: computes all vertical sums, then all horizontal sums, one
 * sample at a time. */
#include <stdlib.h>

#include "kernels/resize/resize.h"

static void read_pixel(const ImgResize *own, const ImgView *src, int32_t x, int32_t y,
                       uint32_t pixel[4])
{
    const uint8_t *row = src->data + (size_t)y * src->stride;
    const size_t first = (size_t)x * (size_t)own->channels;
    for (int32_t c = 0; c < own->channels; c++)
        pixel[c] = img_sample(row, first + (size_t)c, src->format.bits) * own->scale;
}

static void write_pixel(const ImgResize *own, const ImgView *dst, int32_t x, int32_t y,
                        const uint32_t pixel[4])
{
    uint8_t *row = dst->data + (size_t)y * dst->stride;
    const size_t first = (size_t)x * (size_t)own->channels;
    for (int32_t c = 0; c < own->channels; c++)
        img_sample_set(row, first + (size_t)c, own->bits, pixel[c]);
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Computes the vertical sums of all channels of source column x, for result row `row`, and stores
 * them in `middle`. */
static void sum_column(const ImgResize *own, const ImgView *src, int32_t x, int32_t row,
                       int32_t *middle)
{
    const ImgResizeAxis *axis = &own->down;
    const int32_t first = img_resize_first(own, axis)[row];
    int64_t sums[4] = {0, 0, 0, 0};
    for (int32_t k = 0; k < axis->taps; k++) {
        uint32_t pixel[4] = {0, 0, 0, 0};
        read_pixel(own, src, x, img_resize_place(axis, first, k), pixel);
        for (int32_t c = 0; c < own->channels; c++)
            sums[c] += img_resize_weight(own, axis, row, k) * img_resize_lift(own, pixel, c);
    }
    for (int32_t c = 0; c < own->channels; c++)
        middle[c] = (int32_t)img_resize_round(sums[c], axis->places - own->fraction);
}

static void sum_row(const ImgResize *own, const int32_t *middle, int32_t column, uint32_t pixel[4])
{
    const ImgResizeAxis *axis = &own->across;
    const int32_t first = img_resize_first(own, axis)[column];
    int64_t sums[4] = {0, 0, 0, 0};
    for (int32_t k = 0; k < axis->taps; k++)
        for (int32_t c = 0; c < own->channels; c++)
            sums[c] +=
                img_resize_weight(own, axis, column, k) *
                (int64_t)middle[(ptrdiff_t)img_resize_place(axis, first, k) * own->channels + c];
    for (int32_t c = 0; c < own->channels; c++)
        sums[c] = own->zero + img_resize_round(sums[c], axis->places + own->fraction);
    img_resize_lower(own, sums, pixel);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void copy_pixels(const ImgResize *own, const ImgView *src, const ImgView *dst)
{
    for (int32_t y = 0; y < own->down.span.count; y++)
        for (int32_t x = 0; x < own->across.span.count; x++) {
            uint32_t pixel[4];
            read_pixel(own, src, img_resize_copied(own, &own->across, x),
                       img_resize_copied(own, &own->down, y), pixel);
            write_pixel(own, dst, own->across.span.at + x, own->down.span.at + y, pixel);
        }
}

static void weigh_row(const ImgResize *own, const ImgCall *call, int32_t row, int32_t *middle)
{
    for (int32_t x = 0; x < call->src.width; x++)
        sum_column(own, &call->src, x, row, middle + (size_t)x * (size_t)own->channels);
    for (int32_t x = 0; x < own->across.span.count; x++) {
        uint32_t pixel[4];
        sum_row(own, middle, x, pixel);
        write_pixel(own, &call->dst, own->across.span.at + x, own->down.span.at + row, pixel);
    }
}

static void fill(const ImgResize *own, const ImgView *dst)
{
    const uint32_t pixel[4] = {own->background[0], own->background[1], own->background[2],
                               own->background[3]};
    for (int32_t y = 0; y < dst->height; y++)
        for (int32_t x = 0; x < dst->width; x++)
            write_pixel(own, dst, x, y, pixel);
}

ImgStatus img_resize_reference(const ImgCall *call, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    int32_t *middle = calloc((size_t)call->src.width * (size_t)own->channels, sizeof *middle);
    if (middle == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for a row of %d pixels", call->src.width);
    fill(own, &call->dst);
    if (own->copies)
        copy_pixels(own, &call->src, &call->dst);
    for (int32_t row = 0; !own->copies && row < own->down.span.count; row++)
        weigh_row(own, call, row, middle);
    free(middle);
    return IMG_OK;
}
