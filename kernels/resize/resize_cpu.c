/* resize on the CPU, for a picture in memory. Each thread takes bands of 16 rows of the result. It
 * computes a band a few columns at a time, with narrow or wide sums. */
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_band.h"

/* --- Narrow sums ------------------------------------------------------------------------------ */

enum {
    /* number of vertical sums per row that are computed before they are stored as pairs of
     * columns */
    STRIP = 2 * IMG_RESIZE_STRIP,
    /* distance in bytes from the slice that is being summed to the bytes that are prefetched */
    AHEAD = 256,
};

/* The source rows of a band are stored in pairs, slice by slice, so that a slice of all rows fits
 * in the first-level cache. Vertical sums of the pairs give 16 rows of a strip. These rows are
 * stored as pairs of columns for the horizontal sums. A thread needs memory for one strip and one
 * part, independent of the size of the picture. */

/* Memory of a thread. make_narrow_bands initialises it. Call
 * free_narrow_bands even if make_narrow_bands failed. */
typedef struct NarrowBands {
    const uint8_t **rows; /* source rows of the band; indices [pair][2] */
    ImgRows pairs;        /* the band's pairs of source rows, as a range of indices of pairs */
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
} NarrowBands;

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

static bool make_narrow_bands(const ImgResize *own, NarrowBands *bands)
{
    const size_t pairs = (size_t)most_pairs(own);
    *bands = (NarrowBands){
        .rows = calloc(2 * pairs, sizeof *bands->rows),
        .row_pairs = img_resize_zeros(2 * pairs * IMG_RESIZE_SLICE, sizeof(int16_t)),
        .middle = img_resize_zeros(IMG_RESIZE_ROWS * STRIP + IMG_RESIZE_SLACK, sizeof(int16_t)),
    };
    return img_resize_across_make(own, &bands->across) && bands->rows != NULL &&
           bands->row_pairs != NULL && bands->middle != NULL;
}

static void free_narrow_bands(NarrowBands *bands)
{
    free((void *)bands->rows);
    free(bands->row_pairs);
    free(bands->middle);
    img_resize_across_free(&bands->across);
}

static void find_rows(const ImgResizeBand *band, NarrowBands *bands)
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
static void pair_slice(const ImgResizeBand *band, const NarrowBands *bands, size_t at,
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
prefetch(const ImgResizeBand *band, const NarrowBands *bands, int32_t row, size_t at)
{
    enum { LINE = 64 };
    const size_t rows = 2 * (size_t)(bands->pairs.end - bands->pairs.first);
    const size_t number = (size_t)(row - band->row), count = (size_t)(band->end - band->row);
    const size_t end = (number + 1) * rows / count;
    for (size_t i = number * rows / count; i < end; i++)
        for (size_t k = 0; k < IMG_RESIZE_SLICE; k += LINE)
            __builtin_prefetch(bands->rows[i] + at + k);
}

static void sum_slice(const ImgResizeBand *band, const NarrowBands *bands, size_t at,
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

static void narrow_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                        const ImgResizeAcross *across)
{
    const NarrowBands *bands = context;
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

static void make_narrow_band(const ImgResizeBand *band, NarrowBands *bands)
{
    find_rows(band, bands);
    img_resize_make_band(band, &bands->across, narrow_part, bands);
}

/* --- Wide sums -------------------------------------------------------------------------------- */

/* Works strip by strip. For each strip, the code converts some source rows to the values that are
 * summed. It adds them to all rows of the band that use them. Then it continues with the next
 * source rows. */

/* Memory of a thread. Initialise it with zeros. Call free_wide_bands even if
 * make_wide_bands failed. */
typedef struct WideBands {
    /* values of source rows that are summed, as resize_wide.h defines them; indices [source
     * row][sample of the strip]. If 32 bits do not suffice, `upper` has the upper bits; otherwise
     * it is NULL. */
    int32_t *values, *upper;
    int64_t *sums;   /* incomplete vertical sums; indices [row of the band][sample of the strip] */
    int32_t *middle; /* complete vertical sums; indices [row of the band][sample of the strip] */
    ImgResizeAcross across;
} WideBands;

static bool make_wide_bands(const ImgResize *own, WideBands *bands)
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

static void free_wide_bands(WideBands *bands)
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
    const WideBands *bands;
    int32_t x, pixels;
    ImgRows rows;
} Strip;

static void lift_rows(const Strip *strip)
{
    const ImgView *src = &strip->band->call->src;
    const WideBands *bands = strip->bands;
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
    const WideBands *bands = strip->bands;
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

static void wide_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                      const ImgResizeAcross *across)
{
    const WideBands *bands = context;
    const int32_t channels = band->own->channels, pixels = IMG_RESIZE_STRIP / channels;
    for (int32_t x = from; x < end; x += pixels) {
        Strip strip = {band, bands, x, img_min32(end - x, pixels), {0, 0}};
        sum_strip(&strip);
        band->variant->wide->turn(
            bands->middle, IMG_RESIZE_STRIP, (size_t)strip.pixels * (size_t)channels,
            across->wide + (size_t)(x - from) * (size_t)channels * IMG_RESIZE_ROWS);
    }
}

/* --- All bands -------------------------------------------------------------------------------- */

/* Data that the threads for all bands of a picture share. */
typedef struct ResizeBands {
    const ImgCall *call;
    const ImgResizeVariant *variant;
    atomic_bool failed; /* true if a thread could not allocate memory */
} ResizeBands;

static ImgResizeBand band_of(const ResizeBands *shared, int64_t number)
{
    const ImgResize *own = shared->call->constants.bytes;
    const int32_t row = (int32_t)number * IMG_RESIZE_ROWS;
    return img_resize_band(shared->call, shared->variant, row,
                           img_min32(row + IMG_RESIZE_ROWS, own->down.span.count));
}

static void narrow_bands(void *context, int64_t first, int64_t end)
{
    ResizeBands *shared = context;
    NarrowBands bands;
    const bool made = make_narrow_bands(shared->call->constants.bytes, &bands);
    if (!made)
        atomic_store(&shared->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const ImgResizeBand band = band_of(shared, number);
        make_narrow_band(&band, &bands);
    }
    free_narrow_bands(&bands);
}

static void wide_bands(void *context, int64_t first, int64_t end)
{
    ResizeBands *shared = context;
    WideBands bands = {.values = NULL};
    const bool made = make_wide_bands(shared->call->constants.bytes, &bands);
    if (!made)
        atomic_store(&shared->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const ImgResizeBand band = band_of(shared, number);
        img_resize_make_band(&band, &bands.across, wide_part, &bands);
    }
    free_wide_bands(&bands);
}

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const ResizeBands *shared = context;
    const ImgResize *own = shared->call->constants.bytes;
    const ImgView *src = &shared->call->src;
    for (int64_t row = first; row < end; row++) {
        const size_t y = (size_t)img_resize_copied(own, &own->down, (int32_t)row);
        img_resize_copy_row(shared->call, src->data + y * src->stride, (int32_t)row);
    }
}

static ImgStatus run(const ImgCall *call, const ImgResizeVariant *variant, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    const int32_t made = own->down.span.count;
    const bool small = img_op_traffic(call->op, img_view_shape(&call->src), call->params) <
                       IMG_BYTES_WORTH_THREADS;
    const int threads = small ? 1 : call->threads;
    ResizeBands shared = {.call = call, .variant = variant};
    atomic_init(&shared.failed, false);
    img_resize_fill_around(call);
    if (own->copies)
        img_parallel_for(call->team, threads, made, copy_rows, &shared);
    else
        img_parallel_for(call->team, threads, (made - 1) / IMG_RESIZE_ROWS + 1,
                         own->wide ? wide_bands : narrow_bands, &shared);
    if (atomic_load(&shared.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to resize %d x %d pixels", call->src.width,
                        call->src.height);
    return IMG_OK;
}

/* Returns how many bytes a thread allocates for the vertical sums of a band. Narrow sums need pairs
 * of source rows, wide sums need strips of converted rows. */
static uint64_t bands_bytes(const ImgResize *own)
{
    const ImgResizeSpan *span = &own->down.span;
    const uint64_t rows = IMG_RESIZE_ROWS * (uint64_t)span->src / (uint64_t)span->full + 1;
    const uint64_t reached = rows + (uint64_t)own->down.taps + 4;
    const uint64_t strip = IMG_RESIZE_STRIP * sizeof(int64_t);
    if (own->wide)
        return 2 * (IMG_RESIZE_WIDE_STRIP_ROWS + IMG_RESIZE_ROWS) * strip;
    return reached * (sizeof(void *) + IMG_RESIZE_SLICE * sizeof(int16_t)) +
           IMG_RESIZE_ROWS * strip;
}

uint64_t img_resize_scratch(ImgShape src, const void *params, int threads)
{
    const ImgResize own = img_resize_describe(params, src);
    const int bands = (own.down.span.count - 1) / IMG_RESIZE_ROWS + 1;
    const uint64_t used = (uint64_t)(bands < threads ? bands : threads);
    const uint64_t each = own.copies ? 0 : img_resize_across_bytes(&own) + bands_bytes(&own);
    return used * each + img_resize_inner_bytes(params, src);
}

IMG_DEFINE_CPU_RUNS(img_resize_cpu, run, &img_resize)
