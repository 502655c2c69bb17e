/* resize on the CPU while rows of the source come, of which it keeps none: each is added, with its
 * weight, to the sums of all rows of the result that it has a part in. When 16 of these are
 * complete they are summed across. So memory is that of a few rows, however far the picture
 * shrinks.
 *
 * `step`: a pair of rows of the source where sums are narrow, else a row. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_band.h"

enum { MOST_PAIRS = 16 }; /* that stay in the first cache, a strip of each */

typedef struct ByRows {
    ImgCall call;
    const ImgResize *own;
    const ImgResizeRows *rows;
    size_t samples, whole; /* of a row of the source; and up to a multiple of a strip */
    int32_t slots;         /* rows of the result that are begun and not complete, at most */
    int32_t step;          /* the first that is not added yet */
    int32_t band, done;    /* rows of the result before them are made; are summed down */

    /* Narrow sums. */
    int32_t *sums;   /* [slot][whole] */
    int16_t *pairs;  /* [pair][strip][2] */
    int16_t *middle; /* [row of the band][whole] */
    uint8_t *odd;    /* a row whose pair is not there yet */
    ImgResizeAcross across;

    /* Wide sums. */
    int64_t *wide_sums; /* [slot][samples] */
    int32_t *columns;   /* the band's middle: [sample][16 rows] */
} ByRows;

/* --- Which rows make which -------------------------------------------------------------------- */

static int32_t rows_of_step(const ImgResize *own)
{
    return own->wide ? 1 : 2;
}

static int32_t first_step(const ImgResize *own, int32_t row)
{
    return img_resize_first(own, &own->down)[row] / rows_of_step(own);
}

/* That after the last; weights beyond the edge are 0. */
static int32_t end_step(const ImgResize *own, int32_t row)
{
    const int32_t end = img_resize_first(own, &own->down)[row] + own->down.taps;
    const int32_t size = rows_of_step(own);
    return (img_min32(end, own->down.span.src) + size - 1) / size;
}

/* The most rows of the result that can be begun before some step and not be complete before it. */
static int32_t most_slots(const ImgResize *own)
{
    int32_t most = 1;
    const int32_t count = own->down.span.count;
    for (int32_t row = 0, end = 0; row < count; row++) {
        while (end < count && first_step(own, end) < end_step(own, row))
            end++;
        most = end - row > most ? end - row : most;
    }
    return most;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static size_t whole_strips(size_t samples)
{
    return (samples + IMG_RESIZE_STRIP - 1) / IMG_RESIZE_STRIP * IMG_RESIZE_STRIP;
}

uint64_t img_resize_by_rows_bytes(ImgShape src, const void *params)
{
    const ImgResize own = img_resize_describe(params, src);
    const ImgResizeSpan *span = &own.down.span;
    const uint64_t samples = (uint64_t)src.width * (uint64_t)own.channels;
    const uint64_t whole = whole_strips((size_t)samples);
    const uint64_t reached = (uint64_t)own.down.taps + 4;
    uint64_t slots = reached * (uint64_t)span->full / (uint64_t)span->src + 3;
    slots = slots < (uint64_t)span->count ? slots : (uint64_t)span->count;
    if (own.copies)
        return 0;
    if (own.wide)
        return samples * (slots * sizeof(int64_t) + IMG_RESIZE_ROWS * sizeof(int32_t));
    return whole * (slots * sizeof(int32_t) + IMG_RESIZE_ROWS * sizeof(int16_t)) + samples;
}

static bool make_narrow(ByRows *by)
{
    by->sums = malloc((size_t)by->slots * by->whole * sizeof *by->sums);
    by->pairs = calloc(MOST_PAIRS * 2 * (size_t)IMG_RESIZE_STRIP, sizeof *by->pairs);
    by->middle = calloc(IMG_RESIZE_ROWS * by->whole + IMG_RESIZE_SLACK, sizeof *by->middle);
    by->odd = malloc(by->samples);
    return img_resize_across_make(by->own, &by->across) && by->sums != NULL && by->pairs != NULL &&
           by->middle != NULL && by->odd != NULL;
}

static bool make_wide(ByRows *by)
{
    by->wide_sums = malloc((size_t)by->slots * by->samples * sizeof *by->wide_sums);
    by->columns = calloc(by->samples * IMG_RESIZE_ROWS, sizeof *by->columns);
    return by->wide_sums != NULL && by->columns != NULL;
}

void img_resize_by_rows_end(void *state)
{
    ByRows *by = state;
    free(by->sums);
    free(by->pairs);
    free(by->middle);
    free(by->odd);
    img_resize_across_free(&by->across);
    free(by->wide_sums);
    free(by->columns);
    free(by);
}

static ImgStatus begin(const ImgCall *call, const ImgResizeRows *rows, void **state, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    ByRows *by = calloc(1, sizeof *by);
    if (by == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to resize");
    by->call = *call;
    by->own = own;
    by->rows = rows;
    by->samples = (size_t)call->src.width * (size_t)own->channels;
    by->whole = whole_strips(by->samples);
    by->slots = own->copies ? 0 : most_slots(own);
    if (!own->copies && !(own->wide ? make_wide(by) : make_narrow(by))) {
        img_resize_by_rows_end(by);
        return img_fail(err, IMG_E_MEMORY, "no memory to resize %d x %d pixels", call->src.width,
                        call->src.height);
    }
    img_resize_fill_around(call);
    *state = by;
    return IMG_OK;
}

ImgStatus img_resize_by_rows(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_resize_rows_portable, state, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_resize_by_rows_avx2(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_resize_rows_avx2, state, err);
}

ImgStatus img_resize_by_rows_avx512(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_resize_rows_avx512, state, err);
}
#endif

/* --- Narrow ----------------------------------------------------------------------------------- */

/* Rows that have come, and steps of them that are added at a time. */
typedef struct Group {
    const ImgView *view;
    int32_t first; /* number of the view's first row */
    int32_t from, end;
} Group;

/* Row `y`, or the last where that is beyond. */
static const uint8_t *row_at(const ByRows *by, const Group *group, int32_t y)
{
    const int32_t inside = img_min32(y, by->own->down.span.src - 1);
    return inside < group->first
               ? by->odd
               : group->view->data + (size_t)(inside - group->first) * group->view->stride;
}

static void pair_strip(const ByRows *by, const Group *group, size_t at, size_t count)
{
    for (int32_t i = group->from; i < group->end; i++)
        by->rows->pair_rows(by->own, row_at(by, group, 2 * i) + at,
                            row_at(by, group, 2 * i + 1) + at, count,
                            by->pairs + (size_t)(i - group->from) * 2 * IMG_RESIZE_STRIP);
}

/* Rows of the result before this one have room in the middle. */
static int32_t band_limit(const ByRows *by)
{
    return img_min32(by->band + IMG_RESIZE_ROWS, by->own->down.span.count);
}

/* To row `row` of the result, samples from `at` on. */
static void sum_row(const ByRows *by, const Group *group, int32_t row, size_t at)
{
    const ImgResize *own = by->own;
    const int32_t own_first = first_step(own, row), own_end = end_step(own, row);
    const int32_t first = own_first > group->from ? own_first : group->from;
    const int32_t pairs = img_min32(own_end, group->end) - first;
    const bool completes = own_end <= group->end && row < band_limit(by);
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

static void sum_group(const ByRows *by, const Group *group)
{
    for (size_t at = 0; at < by->samples; at += IMG_RESIZE_STRIP) {
        pair_strip(by, group, at, img_min_size(by->samples - at, IMG_RESIZE_STRIP));
        for (int32_t row = by->done;
             row < by->own->down.span.count && first_step(by->own, row) < group->end; row++)
            sum_row(by, group, row, at);
    }
}

static void take_part(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                      int16_t *to)
{
    const ByRows *by = context;
    const size_t channels = (size_t)band->own->channels;
    band->rows->pair_columns(by->middle + (size_t)from * channels, by->whole, band->own->channels,
                             (size_t)(end - from) * channels, to);
}

/* Makes rows of the result once the middle is full, or all are there. */
static void make_band(ByRows *by)
{
    if (by->done < band_limit(by))
        return;
    const ImgResizeBand band = img_resize_band(&by->call, by->rows, by->band, by->done);
    if (by->own->wide)
        img_resize_make_wide(&band, by->columns);
    else
        img_resize_make_band(&band, &by->across, take_part, by);
    by->band = by->done;
}

/* Up to where the middle is full: rows that it has no room for are complete with no step more. */
static bool take_group(ByRows *by, Group *group, int32_t end)
{
    const ImgResize *own = by->own;
    if (by->done == own->down.span.count)
        return false;
    const int32_t wanted = first_step(own, by->done), full = end_step(own, band_limit(by) - 1);
    const int32_t from = by->step > wanted ? by->step : img_min32(wanted, end);
    group->from = from;
    group->end = img_min32(img_min32(end, from + MOST_PAIRS), full > from ? full : from);
    if (from == group->end && end_step(own, by->done) > from)
        return false;
    sum_group(by, group);
    by->step = group->end;
    while (by->done < band_limit(by) && end_step(own, by->done) <= group->end)
        by->done++;
    make_band(by);
    return true;
}

static void take_narrow(ByRows *by, const ImgView *view, int32_t first)
{
    Group group = {.view = view, .first = first};
    const int32_t end = first + view->height;
    const bool ends = end == by->own->down.span.src;
    while (take_group(by, &group, ends ? (end + 1) / 2 : end / 2)) {
    }
    if (end % 2 == 1 && !ends)
        memcpy(by->odd, row_at(by, &group, end - 1), by->samples);
}

/* --- Wide ------------------------------------------------------------------------------------- */

/* To all rows of the result that it has a part in. */
static void add_pixels(const ByRows *by, int32_t y, size_t at, const int64_t *values, size_t count)
{
    const ImgResize *own = by->own;
    const int32_t *firsts = img_resize_first(own, &own->down);
    for (int32_t row = by->done; row < own->down.span.count && firsts[row] <= y; row++) {
        int64_t *sums = by->wide_sums + (size_t)(row % by->slots) * by->samples + at;
        if (firsts[row] == y)
            memset(sums, 0, count * sizeof *sums);
        const int64_t weight = img_resize_weight(own, &own->down, row, y - firsts[row]);
        if (weight != 0)
            by->rows->wide_add(weight, values, count, sums);
    }
}

static void add_row(const ByRows *by, const uint8_t *from, int32_t y)
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

static void complete_row(const ByRows *by)
{
    const int64_t *sums = by->wide_sums + (size_t)(by->done % by->slots) * by->samples;
    const int32_t places = by->own->down.places - by->own->fraction;
    int32_t *column = by->columns + (by->done - by->band);
    for (size_t i = 0; i < by->samples; i++)
        column[i * IMG_RESIZE_ROWS] = (int32_t)img_resize_round(sums[i], places);
}

static void take_wide(ByRows *by, const ImgView *view, int32_t first)
{
    for (int32_t i = 0; i < view->height; i++) {
        const int32_t count = by->own->down.span.count;
        if (by->done < count && first_step(by->own, by->done) <= first + i)
            add_row(by, view->data + (size_t)i * view->stride, first + i);
        while (by->done < count && end_step(by->own, by->done) <= first + i + 1) {
            complete_row(by);
            by->done++;
            make_band(by);
        }
    }
}

/* --- Any -------------------------------------------------------------------------------------- */

static void take_copies(ByRows *by, const ImgView *view, int32_t first)
{
    const ImgResizeAxis *axis = &by->own->down;
    for (; by->done < axis->span.count; by->done++) {
        const int32_t y = img_resize_copied(by->own, axis, by->done) - first;
        if (y >= view->height)
            return;
        img_resize_copy_row(&by->call, view->data + (size_t)y * view->stride, by->done);
    }
}

void img_resize_by_rows_take(void *state, const ImgView *rows, int32_t first)
{
    ByRows *by = state;
    if (by->own->copies)
        take_copies(by, rows, first);
    else if (by->own->wide)
        take_wide(by, rows, first);
    else
        take_narrow(by, rows, first);
}
