/* Wide sums of bands of a picture in memory, strip by strip (resize_cpu_priv.h). For each strip,
 * the code converts some source rows to the values that are summed. It adds them to all rows of the
 * band that use them. Then it continues with the next source rows. */
#include "kernels/resize/resize_cpu_priv.h"

#include <stdlib.h>

#include "kernels/core/minmax.h"

bool img_resize_wide_bands_make(const ImgResize *own, ImgResizeWideBands *bands)
{
    const size_t all = (size_t)own->down.span.src + (size_t)own->down.taps;
    const size_t rows = img_min_size(IMG_RESIZE_WIDE_STRIP_ROWS, all);
    const size_t lifted = rows * IMG_RESIZE_STRIP;
    const size_t band = (size_t)IMG_RESIZE_ROWS * IMG_RESIZE_STRIP;
    const bool has_upper = img_resize_has_upper(own);
    bands->values = calloc(lifted, sizeof *bands->values);
    bands->upper = has_upper ? calloc(lifted, sizeof *bands->upper) : NULL;
    bands->sums = calloc(band, sizeof *bands->sums);
    bands->middle = calloc(band, sizeof *bands->middle);
    return img_resize_across_make(own, &bands->across) && bands->values != NULL &&
           (!has_upper || bands->upper != NULL) && bands->sums != NULL && bands->middle != NULL;
}

void img_resize_wide_bands_free(ImgResizeWideBands *bands)
{
    free(bands->values);
    free(bands->upper);
    free(bands->sums);
    free(bands->middle);
    img_resize_across_free(&bands->across);
}

/* A strip: the columns `x` to `x` + `pixels` - 1 of the source rows `rows`. bands->values has the
 * converted samples of these pixels. */
typedef struct Strip {
    const ImgResizeBand *band;
    const ImgResizeWideBands *bands;
    int32_t x, pixels;
    ImgRows rows;
} Strip;

static void lift_rows(const Strip *strip)
{
    const ImgView *src = &strip->band->call->src;
    const ImgResizeWideBands *bands = strip->bands;
    for (int32_t y = strip->rows.first; y < strip->rows.end; y++) {
        const size_t at = (size_t)(y - strip->rows.first) * IMG_RESIZE_STRIP;
        const uint8_t *row = src->data + (size_t)img_min32(y, src->height - 1) * src->stride +
                             (size_t)strip->x * img_format_pixel_size(src->format);
        strip->band->variant->wide->lift(strip->band->own, row, src->format.bits,
                                         (size_t)strip->pixels, bands->values + at,
                                         bands->upper != NULL ? bands->upper + at : NULL);
    }
}

/* Adds the rows of the strip to the sums of row `row` of the result. */
static void add_rows(const Strip *strip, int32_t row)
{
    const ImgResize *own = strip->band->own;
    const ImgResizeWideBands *bands = strip->bands;
    const int32_t own_first = img_resize_first(own, &own->down)[row];
    const int32_t own_end = own_first + own->down.taps;
    const int32_t first = own_first > strip->rows.first ? own_first : strip->rows.first;
    const int32_t end = img_min32(own_end, strip->rows.end);
    if (first >= end)
        return;
    const size_t at = (size_t)(first - strip->rows.first) * IMG_RESIZE_STRIP;
    const size_t in_band = (size_t)(row - strip->band->row) * IMG_RESIZE_STRIP;
    const ImgResizeWideSum sum = {
        .values = bands->values + at,
        .upper = bands->upper != NULL ? bands->upper + at : NULL,
        .stride = IMG_RESIZE_STRIP,
        .weights = img_resize_wide_weights(own, &own->down, row) + (first - own_first),
        .taps = end - first,
        .from = first > own_first ? bands->sums + in_band : NULL,
        .to = end < own_end ? bands->sums + in_band : NULL,
        .middle = bands->middle + in_band,
    };
    const size_t samples = (size_t)strip->pixels * (size_t)own->channels;
    strip->band->variant->wide->sum_down(own, &sum, img_resize_wide_steps(samples));
}

static void sum_strip(Strip *strip)
{
    const ImgResize *own = strip->band->own;
    const int32_t *firsts = img_resize_first(own, &own->down);
    const int32_t end = firsts[strip->band->end - 1] + own->down.taps;
    for (int32_t y = firsts[strip->band->row]; y < end; y = strip->rows.end) {
        strip->rows = (ImgRows){y, img_min32(y + IMG_RESIZE_WIDE_STRIP_ROWS, end)};
        lift_rows(strip);
        for (int32_t row = strip->band->row; row < strip->band->end; row++)
            add_rows(strip, row);
    }
}

void img_resize_wide_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                          const ImgResizeAcross *across)
{
    const ImgResizeWideBands *bands = context;
    const int32_t channels = band->own->channels, pixels = IMG_RESIZE_STRIP / channels;
    for (int32_t x = from; x < end; x += pixels) {
        Strip strip = {band, bands, x, img_min32(end - x, pixels), {0, 0}};
        sum_strip(&strip);
        band->variant->wide->turn(
            bands->middle, IMG_RESIZE_STRIP, (size_t)strip.pixels * (size_t)channels,
            across->wide + (size_t)(x - from) * (size_t)channels * IMG_RESIZE_ROWS);
    }
}
