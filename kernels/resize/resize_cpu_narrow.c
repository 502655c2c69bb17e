/* Narrow sums of bands of a picture in memory (resize_cpu_priv.h). */
#include "kernels/resize/resize_cpu_priv.h"

#include <stdlib.h>

#include "kernels/core/minmax.h"

enum {
    /* number of vertical sums per row that are computed before they are stored as pairs of
     * columns */
    STRIP = 2 * IMG_RESIZE_STRIP,
    /* distance in bytes from the slice that is being summed to the bytes that are prefetched */
    AHEAD = 256,
};

/* --- Memory ----------------------------------------------------------------------------------- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Returns the pairs of source rows that rows `row` to `end` - 1 of the result use, as a range of
 * indices of pairs. */
static ImgRows pairs_of(const ImgResizeAxis *axis, const int32_t *firsts, int32_t row, int32_t end)
{
    return (ImgRows){firsts[row] / 2, (firsts[end - 1] + axis->taps) / 2};
}

static int32_t most_pairs(const ImgResize *own)
{
    const int32_t *firsts = img_resize_first(own, &own->down);
    int32_t most = 1;
    for (int32_t row = 0; row < own->down.span.count; row += IMG_RESIZE_ROWS) {
        const int32_t end = img_min32(row + IMG_RESIZE_ROWS, own->down.span.count);
        const ImgRows pairs = pairs_of(&own->down, firsts, row, end);
        most = larger(most, pairs.end - pairs.first);
    }
    return most;
}

bool img_resize_narrow_bands_make(const ImgResize *own, ImgResizeNarrowBands *bands)
{
    const size_t pairs = (size_t)most_pairs(own);
    *bands = (ImgResizeNarrowBands){
        .rows = calloc(2 * pairs, sizeof *bands->rows),
        .row_pairs = img_resize_zeros(2 * pairs * IMG_RESIZE_SLICE, sizeof(int16_t)),
        .middle = img_resize_zeros(IMG_RESIZE_ROWS * STRIP + IMG_RESIZE_SLACK, sizeof(int16_t)),
    };
    return img_resize_across_make(own, &bands->across) && bands->rows != NULL &&
           bands->row_pairs != NULL && bands->middle != NULL;
}

void img_resize_narrow_bands_free(ImgResizeNarrowBands *bands)
{
    free((void *)bands->rows);
    free(bands->row_pairs);
    free(bands->middle);
    img_resize_across_free(&bands->across);
}

/* --- Slices ----------------------------------------------------------------------------------- */

static void find_rows(const ImgResizeBand *band, ImgResizeNarrowBands *bands)
{
    const ImgView *src = &band->call->src;
    const ImgResizeAxis *down = &band->own->down;
    bands->pairs = pairs_of(down, img_resize_first(band->own, down), band->row, band->end);
    for (int32_t y = 2 * bands->pairs.first; y < 2 * bands->pairs.end; y++)
        bands->rows[y - 2 * bands->pairs.first] =
            src->data + (size_t)img_min32(y, src->height - 1) * src->stride;
}

/* Interleaves the two rows of each pair of source rows, sample by sample: `samples` samples of each
 * row, from index `at` on. */
static void pair_slice(const ImgResizeBand *band, const ImgResizeNarrowBands *bands, size_t at,
                       size_t samples)
{
    const ImgResizeSlice slice = {
        .rows = bands->rows,
        .count = (size_t)(bands->pairs.end - bands->pairs.first),
        .at = at,
        .samples = samples,
        .pairs = bands->row_pairs,
        .stride = 2 * (size_t)IMG_RESIZE_SLICE,
    };
    band->variant->rows->pair_rows(band->own, &slice);
}

/* Prefetches a slice of the source rows from byte `at` on. The hardware prefetcher does not predict
 * slices, because they are short parts of rows. The function is called once for each row of the
 * band, and each call prefetches some of the source rows. It is always inlined, because gcc removes
 * calls of functions that only prefetch. */
__attribute__((always_inline)) static inline void
prefetch(const ImgResizeBand *band, const ImgResizeNarrowBands *bands, int32_t row, size_t at)
{
    enum { LINE = 64 };
    const size_t rows = 2 * (size_t)(bands->pairs.end - bands->pairs.first);
    const size_t number = (size_t)(row - band->row), count = (size_t)(band->end - band->row);
    const size_t end = (number + 1) * rows / count;
    for (size_t i = number * rows / count; i < end; i++)
        for (size_t k = 0; k < IMG_RESIZE_SLICE; k += LINE)
            __builtin_prefetch(bands->rows[i] + at + k);
}

static void sum_slice(const ImgResizeBand *band, const ImgResizeNarrowBands *bands, size_t at,
                      int16_t *middle)
{
    const ImgResize *own = band->own;
    const int32_t *firsts = img_resize_first(own, &own->down);
    const size_t samples = (size_t)band->call->src.width * (size_t)own->channels;
    const bool ends = at + AHEAD + IMG_RESIZE_SLICE > samples;
    for (int32_t row = band->row; row < band->end; row++) {
        const size_t pair = (size_t)(firsts[row] / 2 - bands->pairs.first);
        const ImgResizeSum sum = {
            .pairs = bands->row_pairs + pair * 2 * IMG_RESIZE_SLICE,
            .stride = 2 * (size_t)IMG_RESIZE_SLICE,
            .weights = img_resize_down_weights(own, row),
            .taps = own->down.taps,
            .middle = middle + (size_t)(row - band->row) * STRIP,
        };
        if (!ends)
            prefetch(band, bands, row, at + AHEAD);
        band->variant->rows->sum_down(own, &sum, IMG_RESIZE_SLICE);
    }
}

static void sum_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                     const ImgResizeAcross *across)
{
    const ImgResizeNarrowBands *bands = context;
    const size_t channels = (size_t)band->own->channels, first = (size_t)from * channels;
    const size_t samples = (size_t)(end - from) * channels;
    for (size_t at = 0; at < samples; at += STRIP) {
        const size_t count = img_min_size(samples - at, STRIP);
        for (size_t i = 0; i < count; i += IMG_RESIZE_SLICE) {
            pair_slice(band, bands, first + at + i, img_min_size(count - i, IMG_RESIZE_SLICE));
            sum_slice(band, bands, first + at + i, bands->middle + i);
        }
        band->variant->rows->pair_columns(bands->middle, STRIP, band->own->channels, count,
                                          across->pairs + at * IMG_RESIZE_ROWS);
    }
}

void img_resize_make_narrow(const ImgResizeBand *band, ImgResizeNarrowBands *bands)
{
    find_rows(band, bands);
    img_resize_make_band(band, &bands->across, sum_part, bands);
}
