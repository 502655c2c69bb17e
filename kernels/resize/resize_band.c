/* Computes a band of rows of the result by horizontal sums, some columns at a time; also copies
 * pixels and fills margins (resize_band.h). */
#include "kernels/resize/resize_band.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"

enum {
    /* largest number of columns in a part; a part is some columns of a band that are computed
     * together */
    PART_COLUMNS = 1024,
    /* largest number of source pixels in a part; if one column needs more than 512 of them, the
     * limit is four times the pixels of a column (most_pixels) */
    PART_PIXELS = 2048,
};

const ImgResizeVariant img_resize_portable = {&img_resize_rows_portable, &img_resize_wide_portable};
#ifdef IMGTOOL_X86
const ImgResizeVariant img_resize_avx2 = {&img_resize_rows_avx2, &img_resize_wide_avx2};
const ImgResizeVariant img_resize_avx512 = {&img_resize_rows_avx512, &img_resize_wide_avx512};
#endif

ImgResizeBand img_resize_band(const ImgCall *call, const ImgResizeVariant *variant, int32_t row,
                              int32_t end)
{
    return (ImgResizeBand){call, call->constants.bytes, variant, row, end};
}

static uint8_t *result_at(const ImgCall *call, int32_t row, int32_t column)
{
    const ImgResize *own = call->constants.bytes;
    return call->dst.data + (size_t)(own->down.span.at + row) * call->dst.stride +
           (size_t)(own->across.span.at + column) * img_format_pixel_size(call->dst.format);
}

void *img_resize_zeros(size_t count, size_t size)
{
    enum { LINE = 64 };
    const size_t bytes = (count * size + LINE - 1) / LINE * LINE;
    void *zeros = aligned_alloc(LINE, bytes);
    return zeros == NULL ? NULL : memset(zeros, 0, bytes);
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* Returns the largest number of source pixels that a part of the band may need. */
static int32_t most_pixels(const ImgResize *own)
{
    const int64_t taps = own->across.taps, all = own->across.span.src + taps;
    const int64_t wanted = 4 * taps > PART_PIXELS ? 4 * taps : PART_PIXELS;
    return (int32_t)(wanted < all ? wanted : all);
}

/* Returns the size in bytes of `columns` pixels of the result. */
static size_t bytes_of(const ImgResize *own, int32_t columns)
{
    return (size_t)columns * (size_t)own->channels * (size_t)(own->bits / 8);
}

/* Returns the number of vertical sums for which an ImgResizeAcross needs memory: the sums of the
 * largest part, in all rows of a band. It includes two more pixels and one more strip, because
 * loops may write past the last sum. */
static size_t across_samples(const ImgResize *own)
{
    const size_t samples = ((size_t)most_pixels(own) + 2) * (size_t)own->channels;
    return (samples + IMG_RESIZE_STRIP) * IMG_RESIZE_ROWS;
}

static size_t across_result(const ImgResize *own)
{
    return (bytes_of(own, PART_COLUMNS) + IMG_RESIZE_TURNED) * IMG_RESIZE_ROWS;
}

uint64_t img_resize_across_bytes(const ImgResize *own)
{
    return across_samples(own) * (own->wide ? sizeof(int32_t) : sizeof(int16_t)) +
           across_result(own);
}

bool img_resize_across_make(const ImgResize *own, ImgResizeAcross *across)
{
    if (own->wide)
        across->wide = img_resize_zeros(across_samples(own), sizeof(int32_t));
    else
        across->pairs = img_resize_zeros(across_samples(own), sizeof(int16_t));
    across->bytes = img_resize_zeros(across_result(own), 1);
    return (own->wide ? across->wide != NULL : across->pairs != NULL) && across->bytes != NULL;
}

void img_resize_across_free(ImgResizeAcross *across)
{
    free(across->pairs);
    free(across->wide);
    free(across->bytes);
}

static void make_part(const ImgResizeBand *band, const ImgResizePart *part,
                      const ImgResizeAcross *across)
{
    const ImgResize *own = band->own;
    if (own->wide)
        band->variant->wide->sum_across(own, part, across->wide, across->bytes);
    else
        band->variant->rows->sum_across(own, part, across->pairs, across->bytes);
    band->variant->rows->put_rows(
        across->bytes, bytes_of(own, part->end - part->first), band->end - band->row,
        result_at(band->call, band->row, part->first), band->call->dst.stride);
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
        sum_part(context, band, part.from, img_min32(last, band->call->src.width), across);
        make_part(band, &part, across);
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

/* Fills columns `first` to `end` - 1 of row `y` of the result with the background. */
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
