/* resize on the CPU. Threads take bands of 16 rows of the result, part by part: the rows that these
 * are made of are paired strip by strip, summed down to 16 rows of the middle, and these, as pairs
 * of columns, summed across. Memory of a thread is that of a strip and a part, whatever the
 * picture's size. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_rows.h"

enum {
    PART_COLUMNS = 1024, /* of the result, at most */
    PART_PIXELS = 2048,  /* of the source, or what one column needs */
    STRIP_BYTES = 256 << 10,
};

typedef struct Scratch {
    int16_t *row_pairs, *middle, *column_pairs;
    uint8_t *columns;
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

/* Pixels of the source that a part may have. */
static int32_t most_pixels(const ImgResize *own)
{
    return larger(PART_PIXELS, 4 * own->across.taps);
}

static void scratch_free(Scratch *scratch)
{
    free(scratch->row_pairs);
    free(scratch->middle);
    free(scratch->column_pairs);
    free(scratch->columns);
}

static bool scratch_make(const ImgResize *own, Scratch *scratch)
{
    const size_t pairs = (size_t)most_pairs(own), channels = (size_t)own->channels;
    const size_t samples = ((size_t)most_pixels(own) + 2) * channels;
    const size_t wanted = STRIP_BYTES / (pairs * 2 * sizeof(int16_t)) / IMG_RESIZE_STRIP;
    scratch->strip = (wanted < 1 ? 1 : wanted < 4 ? wanted : 4) * IMG_RESIZE_STRIP;
    scratch->row_pairs = calloc(pairs * scratch->strip * 2, sizeof(int16_t));
    scratch->middle = calloc(IMG_RESIZE_ROWS * scratch->strip + IMG_RESIZE_SLACK, sizeof(int16_t));
    scratch->column_pairs = calloc((samples + scratch->strip) * IMG_RESIZE_ROWS, sizeof(int16_t));
    scratch->columns = calloc((PART_COLUMNS * channels + 15) / 16 * 16 * IMG_RESIZE_ROWS, 1);
    return scratch->row_pairs != NULL && scratch->middle != NULL && scratch->column_pairs != NULL &&
           scratch->columns != NULL;
}

/* --- Narrow ----------------------------------------------------------------------------------- */

typedef struct Band {
    const ImgCall *call;
    const ImgResize *own;
    const ImgResizeRows *rows;
    Scratch *scratch;
    int32_t row, end; /* of the result that is made */
} Band;

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
static void pair_strip(const Band *band, ImgRows pairs, size_t at, size_t count)
{
    const ImgView *src = &band->call->src;
    for (int32_t i = pairs.first; i < pairs.end; i++) {
        const uint8_t *a = src->data + (size_t)img_min32(2 * i, src->height - 1) * src->stride;
        const uint8_t *b = src->data + (size_t)img_min32(2 * i + 1, src->height - 1) * src->stride;
        prefetch(src, 2 * i, at, count);
        prefetch(src, 2 * i + 1, at, count);
        band->rows->pair_rows(band->own, a + at, b + at, count,
                              band->scratch->row_pairs +
                                  (size_t)(i - pairs.first) * 2 * band->scratch->strip);
    }
}

static void sum_strip(const Band *band, ImgRows pairs, size_t count)
{
    const ImgResize *own = band->own;
    Scratch *scratch = band->scratch;
    const uint8_t *block = (const uint8_t *)own + own->down.weights_at;
    const int16_t *weights = (const int16_t *)(const void *)block;
    const int32_t *firsts = img_resize_first(own, &own->down);
    const size_t whole = (count + IMG_RESIZE_STRIP - 1) / IMG_RESIZE_STRIP * IMG_RESIZE_STRIP;
    for (int32_t row = band->row; row < band->end; row++)
        band->rows->sum_down(
            own, scratch->row_pairs + (size_t)(firsts[row] / 2 - pairs.first) * 2 * scratch->strip,
            2 * scratch->strip, weights + (size_t)row * (size_t)own->down.taps, whole,
            scratch->middle + (size_t)(row - band->row) * scratch->strip);
}

/* Pixels of the source from `from` to before `end` as pairs of columns. */
static void sum_part_down(const Band *band, int32_t from, int32_t end)
{
    const size_t channels = (size_t)band->own->channels;
    const ImgRows pairs = pairs_of(&band->own->down, img_resize_first(band->own, &band->own->down),
                                   band->row, band->end);
    const size_t samples = (size_t)(end - from) * channels;
    for (size_t at = 0; at < samples; at += band->scratch->strip) {
        const size_t count =
            samples - at < band->scratch->strip ? samples - at : band->scratch->strip;
        pair_strip(band, pairs, (size_t)from * channels + at, count);
        sum_strip(band, pairs, count);
        band->rows->pair_columns(band->scratch->middle, band->scratch->strip, band->own->channels,
                                 count, band->scratch->column_pairs + at * IMG_RESIZE_ROWS);
    }
}

static uint8_t *result_at(const ImgCall *call, int32_t row, int32_t column)
{
    const ImgResize *own = call->constants.bytes;
    return call->dst.data + (size_t)(own->down.span.at + row) * call->dst.stride +
           (size_t)(own->across.span.at + column) * img_format_pixel_size(call->dst.format);
}

static void make_part(const Band *band, const ImgResizePart *part, int32_t pixels)
{
    sum_part_down(band, part->from, part->from + pixels);
    band->rows->sum_across(band->own, part, band->scratch->column_pairs, band->scratch->columns);
    band->rows->put_rows(band->scratch->columns,
                         (size_t)(part->end - part->first) * (size_t)band->own->channels,
                         band->end - band->row, result_at(band->call, band->row, part->first),
                         band->call->dst.stride);
}

static void make_band(const Band *band)
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
        make_part(band, &part, img_min32(last, band->call->src.width) - part.from);
    }
}

/* --- Wide ------------------------------------------------------------------------------------- */

static void put_wide(const Band *band, int32_t column, int64_t sums[IMG_RESIZE_ROWS][4])
{
    for (int32_t row = band->row; row < band->end; row++) {
        uint32_t pixel[4];
        img_resize_lower(band->own, sums[row - band->row], pixel);
        uint8_t *to = result_at(band->call, row, column);
        for (int32_t c = 0; c < band->own->channels; c++)
            img_sample_set(to, (size_t)c, band->own->bits, pixel[c]);
    }
}

/* `columns`: a band of the middle, all of its columns; `middle`: a row of it. */
static void make_wide(const Band *band, int32_t *columns, int32_t *middle)
{
    const size_t samples = (size_t)band->call->src.width * (size_t)band->own->channels;
    for (int32_t row = band->row; row < band->end; row++) {
        band->rows->wide_down(band->call, row, 0, band->call->src.width, middle);
        for (size_t i = 0; i < samples; i++)
            columns[i * IMG_RESIZE_ROWS + (size_t)(row - band->row)] = middle[i];
    }
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

static void copy_row(const ImgCall *call, int32_t row)
{
    const ImgResize *own = call->constants.bytes;
    const int32_t y = img_resize_copied(own, &own->down, row);
    const uint8_t *from = call->src.data + (size_t)y * call->src.stride;
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

static void fill_around(const ImgCall *call)
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

/* --- Bands ------------------------------------------------------------------------------------ */

typedef struct Work {
    const ImgCall *call;
    const ImgResizeRows *rows;
    atomic_bool failed; /* no memory */
} Work;

static Band band_of(const Work *work, int64_t number)
{
    const ImgResize *own = work->call->constants.bytes;
    const int32_t row = (int32_t)number * IMG_RESIZE_ROWS;
    return (Band){work->call, own, work->rows,
                  NULL,       row, img_min32(row + IMG_RESIZE_ROWS, own->down.span.count)};
}

static void narrow_bands(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    Scratch scratch = {.strip = 0};
    const bool made = scratch_make(work->call->constants.bytes, &scratch);
    if (!made)
        atomic_store(&work->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        Band band = band_of(work, number);
        band.scratch = &scratch;
        make_band(&band);
    }
    scratch_free(&scratch);
}

static void wide_bands(void *context, int64_t first, int64_t end)
{
    Work *work = context;
    const ImgResize *own = work->call->constants.bytes;
    const size_t samples = (size_t)work->call->src.width * (size_t)own->channels;
    int32_t *middle = calloc(samples, sizeof *middle);
    int32_t *columns = calloc(samples * IMG_RESIZE_ROWS, sizeof *columns);
    const bool made = middle != NULL && columns != NULL;
    if (!made)
        atomic_store(&work->failed, true);
    for (int64_t number = first; made && number < end; number++) {
        const Band band = band_of(work, number);
        make_wide(&band, columns, middle);
    }
    free(middle);
    free(columns);
}

static void copy_rows(void *context, int64_t first, int64_t end)
{
    const Work *work = context;
    for (int64_t row = first; row < end; row++)
        copy_row(work->call, (int32_t)row);
}

static ImgStatus run(const ImgCall *call, const ImgResizeRows *rows, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    const int32_t made = own->down.span.count;
    const bool small = img_op_traffic(call->op, img_view_shape(&call->src), call->params) <
                       IMG_BYTES_WORTH_THREADS;
    const int threads = small ? 1 : call->threads;
    Work work = {.call = call, .rows = rows};
    atomic_init(&work.failed, false);
    fill_around(call);
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
    return run(call, &img_resize_rows_portable, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_resize_cpu_avx2(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_rows_avx2, err);
}

ImgStatus img_resize_cpu_avx512(const ImgCall *call, ImgError *err)
{
    return run(call, &img_resize_rows_avx512, err);
}
#endif
