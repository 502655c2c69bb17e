/* resize on the CPU while the rows of the source arrive: takes rows of the source one
 * after another and keeps none of them.
 *
 * Each source row is added, with its weight, to the sums of all rows of the result to which it
 * contributes. As soon as a band of 16 rows of the result has complete vertical sums, the band is
 * summed horizontally. So the code needs memory for a few rows only, even if the picture shrinks
 * strongly.
 *
 * A step is the unit of vertical summation: a pair of source rows for narrow sums, one source row
 * for wide sums (resize.h). A slot holds the incomplete sums of one row of the result. The middle
 * holds complete vertical sums. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"
#include "kernels/resize/resize_band.h"

/* largest number of steps (source rows or pairs of them) that are added together, so that a strip
 * of these rows fits in the first-level cache */
enum { STEPS = 16 };

typedef struct ByRows {
    ImgCall call;
    /* The call of the operation, for the result with its margins. If adding the margins changes the
     * format of the pixels, `call` is for the scaled picture alone; otherwise `call` is for the
     * whole result, too. */
    ImgCall whole_call;
    /* the scaled picture without margins, to which `call` writes if adding the margins changes the
     * format of the pixels */
    ImgImage inner;
    const ImgResize *own;
    const ImgResizeVariant *variant;
    size_t samples, whole; /* samples of a source row; the same number rounded up to whole strips */
    /* number of slots: the largest number of rows of the result that are incomplete at the same
     * time */
    int32_t slots;
    /* index of the next step to add: a source row, or a pair of rows for narrow sums */
    int32_t step;
    /* Rows of the result before `band` are finished. Rows before `done` have complete vertical
     * sums. */
    int32_t band, done;
    ImgResizeAcross across;

    /* The following members are for narrow sums; they are NULL for wide sums. */
    int32_t *sums;   /* incomplete vertical sums; indices [slot][sample] */
    int16_t *pairs;  /* pairs of source rows; indices [pair][sample of the strip][2] */
    int16_t *middle; /* complete vertical sums; indices [row of the band][sample] */
    uint8_t *odd;    /* the first row of a pair whose second row has not arrived yet */

    /* The following members are for wide sums; they are NULL for narrow sums. */
    int64_t *wide_sums; /* incomplete vertical sums; indices [slot][sample] */
    /* values of source rows that are summed, as resize_wide.h defines them; indices [row][sample of
     * the strip]. If 32 bits do not suffice, `upper` has the upper bits; otherwise it is NULL. */
    int32_t *values, *upper;
    int32_t *wide_middle; /* complete vertical sums; indices [row of the band][sample] */
} ByRows;

/* A group: the steps `from` to `end` - 1, which are added together. It has at most STEPS
 * steps. Without steps, the group only completes rows whose sums are already complete. */
typedef struct Group {
    const ImgView *view; /* source rows that have arrived */
    int32_t first;       /* index in the source of the first row of `view` */
    int32_t from, end;
} Group;

/* The contribution of a group to one row of the result: the steps to add, and the place of the sums
 * to which they are added. */
typedef struct StepsOfRow {
    /* the steps `first` to `end` - 1 of the group, whose source rows contribute to the row. Empty
     * if the sums are already complete, and only have to be moved to the band. */
    int32_t first, end;
    int32_t before; /* number of steps of earlier groups that were added to the sums of this row */
    /* `begins`: no earlier group has steps for the row; `completes`: the sums are complete after
     * this group, and the row fits in the band */
    bool begins, completes;
    /* offsets, in samples, of the row among incomplete sums and among complete sums */
    size_t slot, in_band;
} StepsOfRow;

/* --- Rows of the source for a row of the result ----------------------------------------------- */

static int32_t rows_of_step(const ImgResize *own)
{
    return own->wide ? 1 : 2;
}

/* Returns the first step that adds to row `row` of the result. */
static int32_t first_step(const ImgResize *own, int32_t row)
{
    return img_resize_first(own, &own->down)[row] / rows_of_step(own);
}

/* Returns the step after the last one that adds to row `row` of the result. A step is a pair of
 * source rows for narrow sums, and one source row for wide sums. Rows beyond the edge of the source
 * are not counted, because they have weight 0. */
static int32_t end_step(const ImgResize *own, int32_t row)
{
    const int32_t end = img_resize_first(own, &own->down)[row] + own->down.taps;
    const int32_t size = rows_of_step(own);
    return (img_min32(end, own->down.span.src) + size - 1) / size;
}

/* Returns the largest number of rows of the result that are incomplete at the same time. */
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
    const uint64_t inner = img_resize_inner_bytes(params, src);
    if (own.copies)
        return inner;
    const uint64_t across = inner + img_resize_across_bytes(&own);
    if (own.wide)
        return across + whole * (slots * sizeof(int64_t) + IMG_RESIZE_ROWS * sizeof(int32_t));
    return across + whole * (slots * sizeof(int32_t) + IMG_RESIZE_ROWS * sizeof(int16_t)) + samples;
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
    free(by->values);
    free(by->upper);
    free(by->wide_middle);
    img_image_free(&by->inner);
    free(by);
}

static bool narrow_make(ByRows *by)
{
    by->sums = img_resize_zeros((size_t)by->slots * by->whole, sizeof *by->sums);
    by->pairs = img_resize_zeros(STEPS * 2 * (size_t)IMG_RESIZE_STRIP, sizeof *by->pairs);
    by->middle =
        img_resize_zeros(IMG_RESIZE_ROWS * by->whole + IMG_RESIZE_SLACK, sizeof *by->middle);
    by->odd = malloc(by->samples);
    return by->sums != NULL && by->pairs != NULL && by->middle != NULL && by->odd != NULL;
}

static bool wide_make(ByRows *by)
{
    enum { LIFTED = STEPS * IMG_RESIZE_STRIP };
    const bool has_upper = img_resize_has_upper(by->own);
    by->wide_sums = malloc((size_t)by->slots * by->whole * sizeof *by->wide_sums);
    by->values = calloc(LIFTED, sizeof *by->values);
    by->upper = has_upper ? calloc(LIFTED, sizeof *by->upper) : NULL;
    by->wide_middle =
        calloc(IMG_RESIZE_ROWS * by->whole + IMG_RESIZE_SLACK, sizeof *by->wide_middle);
    return by->wide_sums != NULL && by->values != NULL && (!has_upper || by->upper != NULL) &&
           by->wide_middle != NULL;
}

static bool make(ByRows *by)
{
    by->slots = most_slots(by->own);
    const bool made = by->own->wide ? wide_make(by) : narrow_make(by);
    return img_resize_across_make(by->own, &by->across) && made;
}

/* Allocates memory for the scaled picture if the margins change the format of the result. The
 * scaled picture is then computed in that memory, and copied to its position in the result
 * afterwards. */
static ImgStatus set_apart(ByRows *by, ImgError *err)
{
    const ImgShape src = img_view_shape(&by->call.src);
    if (!img_resize_is_apart(by->call.params, src))
        return IMG_OK;
    const ImgShape shape = img_resize_inner_shape(by->call.params, src);
    const ImgStatus status = img_image_alloc(shape, &by->inner, err);
    by->call.dst = by->inner.view;
    return status;
}

static ImgStatus begin(const ImgCall *call, const ImgResizeVariant *variant, void **state,
                       ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    ByRows *by = calloc(1, sizeof *by);
    if (by == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to resize");
    by->call = by->whole_call = *call;
    by->whole_call.threads = 1; /* one thread, because the decoder uses the other threads */
    by->own = own;
    by->variant = variant;
    by->samples = (size_t)call->src.width * (size_t)own->channels;
    by->whole = whole_strips(by->samples);
    ImgStatus status = set_apart(by, err);
    if (status == IMG_OK && !own->copies && !make(by))
        status = img_fail(err, IMG_E_MEMORY, "no memory to resize %d x %d pixels", call->src.width,
                          call->src.height);
    if (status != IMG_OK) {
        img_resize_by_rows_end(by);
        return status;
    }
    img_resize_fill_around(&by->call);
    *state = by;
    return IMG_OK;
}

ImgStatus img_resize_by_rows(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_resize_portable, state, err);
}

#ifdef IMGTOOL_X86
ImgStatus img_resize_by_rows_avx2(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_resize_avx2, state, err);
}

ImgStatus img_resize_by_rows_avx512(const ImgCall *call, void **state, ImgError *err)
{
    return begin(call, &img_resize_avx512, state, err);
}
#endif

/* --- Rows ------------------------------------------------------------------------------------- */

/* Returns row `y` of the source, or the last row of the source if `y` is beyond it. */
static const uint8_t *row_at(const ByRows *by, const Group *group, int32_t y)
{
    const int32_t inside = img_min32(y, by->own->down.span.src - 1);
    return inside < group->first
               ? by->odd
               : group->view->data + (size_t)(inside - group->first) * group->view->stride;
}

/* Returns the end of the current band: the index of the first row of the result that does not fit
 * in it. */
static int32_t band_limit(const ByRows *by)
{
    return img_min32(by->band + IMG_RESIZE_ROWS, by->own->down.span.count);
}

static StepsOfRow steps_of_row(const ByRows *by, const Group *group, int32_t row)
{
    const int32_t own_first = first_step(by->own, row), own_end = end_step(by->own, row);
    const int32_t first = own_first > group->from ? own_first : group->from;
    const int32_t end = img_min32(own_end, group->end);
    return (StepsOfRow){
        .first = first,
        .end = end > first ? end : first,
        .before = first - own_first,
        .begins = own_first >= group->from,
        .completes = own_end <= group->end && row < band_limit(by),
        .slot = (size_t)(row % by->slots) * by->whole,
        .in_band = (size_t)(row - by->band) * by->whole,
    };
}

/* --- Narrow sums ------------------------------------------------------------------------------ */

/* Adds source rows in pairs, strip by strip. `lift` converts a strip of the rows of a group, from
 * sample `at` on, to the values that are summed. `add` adds this strip to row `row` of the result.
 * `take` is the callback for img_resize_make_band. */

static void narrow_lift(const ByRows *by, const Group *group, size_t at)
{
    const uint8_t *rows[2 * STEPS];
    for (int32_t i = 2 * group->from; i < 2 * group->end; i++)
        rows[i - 2 * group->from] = row_at(by, group, i);
    const ImgResizeSlice slice = {
        .rows = rows,
        .count = (size_t)(group->end - group->from),
        .at = at,
        .samples = img_min_size(by->samples - at, IMG_RESIZE_STRIP),
        .pairs = by->pairs,
        .stride = 2 * (size_t)IMG_RESIZE_STRIP,
    };
    by->variant->rows->pair_rows(by->own, &slice);
}

static void narrow_add(const ByRows *by, const Group *group, int32_t row, size_t at)
{
    const StepsOfRow steps = steps_of_row(by, group, row);
    int32_t *sums = by->sums + steps.slot + at;
    const ImgResizeSum sum = {
        .pairs = by->pairs + (size_t)(steps.first - group->from) * 2 * IMG_RESIZE_STRIP,
        .stride = 2 * (size_t)IMG_RESIZE_STRIP,
        .weights = img_resize_down_weights(by->own, row) + 2 * (size_t)steps.before,
        .taps = 2 * (steps.end - steps.first),
        .from = steps.begins ? NULL : sums,
        .to = steps.completes ? NULL : sums,
        .middle = steps.completes ? by->middle + steps.in_band + at : NULL,
    };
    by->variant->rows->sum_down(by->own, &sum, IMG_RESIZE_STRIP);
}

static void narrow_take(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                        const ImgResizeAcross *across)
{
    const ByRows *by = context;
    const size_t channels = (size_t)band->own->channels;
    band->variant->rows->pair_columns(by->middle + (size_t)from * channels, by->whole,
                                      band->own->channels, (size_t)(end - from) * channels,
                                      across->pairs);
}

/* --- Wide sums -------------------------------------------------------------------------------- */

/* Converts each source row once to the values that are summed, strip by strip. */

static void wide_lift(const ByRows *by, const Group *group, size_t at)
{
    const ImgFormat format = by->call.src.format;
    const size_t channels = (size_t)by->own->channels;
    const size_t count = img_min_size(by->samples - at, IMG_RESIZE_STRIP) / channels;
    for (int32_t y = group->from; y < group->end; y++) {
        const size_t to = (size_t)(y - group->from) * IMG_RESIZE_STRIP;
        by->variant->wide->lift(
            by->own, row_at(by, group, y) + at / channels * img_format_pixel_size(format),
            format.bits, count, by->values + to, by->upper != NULL ? by->upper + to : NULL);
    }
}

static void wide_add(const ByRows *by, const Group *group, int32_t row, size_t at)
{
    const StepsOfRow steps = steps_of_row(by, group, row);
    const size_t from = (size_t)(steps.first - group->from) * IMG_RESIZE_STRIP;
    int64_t *sums = by->wide_sums + steps.slot + at;
    const ImgResizeWideSum sum = {
        .values = by->values + from,
        .upper = by->upper != NULL ? by->upper + from : NULL,
        .stride = IMG_RESIZE_STRIP,
        .weights = img_resize_wide_weights(by->own, &by->own->down, row) + steps.before,
        .taps = steps.end - steps.first,
        .from = steps.begins ? NULL : sums,
        .to = steps.completes ? NULL : sums,
        .middle = steps.completes ? by->wide_middle + steps.in_band + at : NULL,
    };
    const size_t samples = img_min_size(by->samples - at, IMG_RESIZE_STRIP);
    by->variant->wide->sum_down(by->own, &sum, img_resize_wide_steps(samples));
}

static void wide_take(void *context, const ImgResizeBand *band, int32_t from, int32_t end,
                      const ImgResizeAcross *across)
{
    const ByRows *by = context;
    const size_t channels = (size_t)band->own->channels;
    band->variant->wide->turn(by->wide_middle + (size_t)from * channels, by->whole,
                              (size_t)(end - from) * channels, across->wide);
}

/* --- All rows --------------------------------------------------------------------------------- */

/* Adds the steps of a group (source rows or pairs of them) to the sums of all rows of the result
 * that use them. If the group has no steps, the function only completes rows that did not fit in
 * the previous band. The loop does not visit rows that need neither these steps nor completion:
 * there may be thousands of them if the picture is enlarged. */
static void sum_group(const ByRows *by, const Group *group)
{
    const ImgResize *own = by->own;
    const int32_t end = group->from < group->end ? own->down.span.count : band_limit(by);
    for (size_t at = 0; at < by->samples; at += IMG_RESIZE_STRIP) {
        (own->wide ? wide_lift : narrow_lift)(by, group, at);
        for (int32_t row = by->done; row < end && first_step(own, row) < group->end; row++)
            (own->wide ? wide_add : narrow_add)(by, group, row, at);
    }
}

/* Sums the band horizontally if it is full or contains the last row of the result. */
static void complete_band(ByRows *by)
{
    if (by->done < band_limit(by))
        return;
    const ImgResizeBand band = img_resize_band(&by->call, by->variant, by->band, by->done);
    img_resize_make_band(&band, &by->across, by->own->wide ? wide_take : narrow_take, by);
    by->band = by->done;
}

/* Adds the next steps (source rows or pairs of them), up to but not including step `end`, until the
 * band is full. A row with complete sums that does not fit in the band waits for the next band.
 * Returns false if the result is complete or needs more source rows first. Otherwise returns true,
 * and the caller calls it again. */
static bool take_group(ByRows *by, Group *group, int32_t end)
{
    const ImgResize *own = by->own;
    if (by->done == own->down.span.count)
        return false;
    const int32_t wanted = first_step(own, by->done), full = end_step(own, band_limit(by) - 1);
    const int32_t from = by->step > wanted ? by->step : img_min32(wanted, end);
    group->from = from;
    group->end = img_min32(img_min32(end, from + STEPS), full > from ? full : from);
    if (from == group->end && end_step(own, by->done) > from)
        return false;
    sum_group(by, group);
    by->step = group->end;
    while (by->done < band_limit(by) && end_step(own, by->done) <= group->end)
        by->done++;
    complete_band(by);
    return true;
}

static void take_sums(ByRows *by, const ImgView *view, int32_t first)
{
    Group group = {.view = view, .first = first};
    const int32_t end = first + view->height, size = rows_of_step(by->own);
    const bool ends = end == by->own->down.span.src;
    while (take_group(by, &group, ends ? (end + size - 1) / size : end / size)) {
    }
    if (end % size == 1 && !ends)
        memcpy(by->odd, row_at(by, &group, end - 1), by->samples);
}

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
    else
        take_sums(by, rows, first);
    if (by->inner.view.data != NULL && first + rows->height == by->call.src.height)
        (void)img_resize_put_inner(&by->whole_call, &by->inner.view, false);
}
