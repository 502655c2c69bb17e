/* resize on the CPU. Threads take bands of 16 rows of the result, part by part: the rows that these
 * are made of are paired strip by strip, summed down to 16 rows of the middle, and these, as pairs
 * of columns, summed across. Memory of a thread is that of a strip and a part, whatever the
 * picture's size. */
#include <stdatomic.h>
#include <stdlib.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_cpu_wide.h"

enum { STRIP_BYTES = 256 << 10 };

typedef struct Scratch {
    int16_t *row_pairs, *middle;
    ImgResizeAcross across;
    size_t strip; /* samples, a multiple of IMG_RESIZE_STRIP */
} Scratch;

/* --- Memory ----------------------------------------------------------------------------------- */

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* What rows of the result from `row` to before `end` are made of: pairs of rows of the source. */
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

static void scratch_free(Scratch *scratch)
{
    free(scratch->row_pairs);
    free(scratch->middle);
    img_resize_across_free(&scratch->across);
}

static bool scratch_make(const ImgResize *own, Scratch *scratch)
{
    const size_t pairs = (size_t)most_pairs(own);
    const size_t wanted = STRIP_BYTES / (pairs * 2 * sizeof(int16_t)) / IMG_RESIZE_STRIP;
    scratch->strip = (wanted < 1 ? 1 : wanted < 4 ? wanted : 4) * IMG_RESIZE_STRIP;
    scratch->row_pairs = calloc(pairs * scratch->strip * 2, sizeof(int16_t));
    scratch->middle = calloc(IMG_RESIZE_ROWS * scratch->strip + IMG_RESIZE_SLACK, sizeof(int16_t));
    return img_resize_across_make(own, &scratch->across) && scratch->row_pairs != NULL &&
           scratch->middle != NULL;
}

/* --- Narrow ----------------------------------------------------------------------------------- */

/* Strips are short: the processor does not see by itself which rows come next. */
static void prefetch(const ImgView *src, int32_t row, size_t at, size_t count)
{
    enum { LINE = 64, ROWS_AHEAD = 4 };
    const int32_t next = img_min32(row + ROWS_AHEAD, src->height - 1);
    const uint8_t *from = src->data + (size_t)next * src->stride + at;
    for (size_t i = 0; i < count; i += LINE)
        __builtin_prefetch(from + i);
}

/* `count` samples from sample `at` of each row. */
static void pair_strip(const ImgResizeBand *band, const Scratch *scratch, ImgRows pairs, size_t at,
                       size_t count)
{
    const ImgView *src = &band->call->src;
    for (int32_t i = pairs.first; i < pairs.end; i++) {
        const uint8_t *a = src->data + (size_t)img_min32(2 * i, src->height - 1) * src->stride;
        const uint8_t *b = src->data + (size_t)img_min32(2 * i + 1, src->height - 1) * src->stride;
        prefetch(src, 2 * i, at, count);
        prefetch(src, 2 * i + 1, at, count);
        band->variant->rows->pair_rows(band->own, a + at, b + at, count,
                                       scratch->row_pairs +
                                           (size_t)(i - pairs.first) * 2 * scratch->strip);
    }
}

static void sum_strip(const ImgResizeBand *band, const Scratch *scratch, ImgRows pairs,
                      size_t count)
{
    const ImgResize *own = band->own;
    const int32_t *firsts = img_resize_first(own, &own->down);
    const size_t whole = (count + IMG_RESIZE_STRIP - 1) / IMG_RESIZE_STRIP * IMG_RESIZE_STRIP;
    for (int32_t row = band->row; row < band->end; row++) {
        const ImgResizeSum sum = {
            .pairs =
                scratch->row_pairs + (size_t)(firsts[row] / 2 - pairs.first) * 2 * scratch->strip,
            .stride = 2 * scratch->strip,
            .weights = img_resize_down_weights(own, row),
            .taps = own->down.taps,
            .middle = scratch->middle + (size_t)(row - band->row) * scratch->strip,
        };
        band->variant->rows->sum_down(own, &sum, whole);
    }
}

static void sum_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                     const ImgResizeAcross *across)
{
    const Scratch *scratch = context;
    const size_t channels = (size_t)band->own->channels;
    const ImgRows pairs = pairs_of(&band->own->down, img_resize_first(band->own, &band->own->down),
                                   band->row, band->end);
    const size_t samples = (size_t)(end - from) * channels;
    for (size_t at = 0; at < samples; at += scratch->strip) {
        const size_t count = img_min_size(samples - at, scratch->strip);
        pair_strip(band, scratch, pairs, (size_t)from * channels + at, count);
        sum_strip(band, scratch, pairs, count);
        band->variant->rows->pair_columns(scratch->middle, scratch->strip, band->own->channels,
                                          count, across->pairs + at * IMG_RESIZE_ROWS);
    }
}

/* --- Bands ------------------------------------------------------------------------------------ */

typedef struct Work {
    const ImgCall *call;
    const ImgResizeVariant *variant;
    atomic_bool failed; /* no memory */
} Work;

static ImgResizeBand band_of(const Work *work, int64_t number)
{
    const ImgResize *own = work->call->constants.bytes;
    const int32_t row = (int32_t)number * IMG_RESIZE_ROWS;
    return img_resize_band(work->call, work->variant, row,
                           img_min32(row + IMG_RESIZE_ROWS, own->down.span.count));
}

static void narrow_bands(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    Scratch scratch = {.strip = 0};
    const bool made = scratch_make(work->call->constants.bytes, &scratch);
    if (!made)
        atomic_store(&work->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const ImgResizeBand band = band_of(work, number);
        img_resize_make_band(&band, &scratch.across, sum_part, &scratch);
    }
    scratch_free(&scratch);
}

static void wide_bands(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    ImgResizeWideBands bands = {.values = NULL};
    const bool made = img_resize_wide_bands_make(work->call->constants.bytes, &bands);
    if (!made)
        atomic_store(&work->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const ImgResizeBand band = band_of(work, number);
        img_resize_make_band(&band, &bands.across, img_resize_wide_part, &bands);
    }
    img_resize_wide_bands_free(&bands);
}

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const Work *work = context;
    const ImgResize *own = work->call->constants.bytes;
    const ImgView *src = &work->call->src;
    for (int64_t row = first; row < end; row++) {
        const size_t y = (size_t)img_resize_copied(own, &own->down, (int32_t)row);
        img_resize_copy_row(work->call, src->data + y * src->stride, (int32_t)row);
    }
}

static ImgStatus run(const ImgCall *call, const ImgResizeVariant *variant, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    const int32_t made = own->down.span.count;
    const bool small = img_op_traffic(call->op, img_view_shape(&call->src), call->params) <
                       IMG_BYTES_WORTH_THREADS;
    const int threads = small ? 1 : call->threads;
    Work work = {.call = call, .variant = variant};
    atomic_init(&work.failed, false);
    img_resize_fill_around(call);
    if (own->copies)
        img_parallel_for(call->team, threads, made, copy_rows, &work);
    else
        img_parallel_for(call->team, threads, (made - 1) / IMG_RESIZE_ROWS + 1,
                         own->wide ? wide_bands : narrow_bands, &work);
    if (atomic_load(&work.failed))
        return img_fail(err, IMG_E_MEMORY, "no memory to resize %d x %d pixels", call->src.width,
                        call->src.height);
    return IMG_OK;
}

ImgStatus img_resize_cpu(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_resize_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_avx2, err);
}

ImgStatus img_resize_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_avx512, err);
}
#endif
