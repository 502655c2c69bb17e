/* Resizes a picture while the rows of its source arrive (resize_by_rows.h): memory, and the code
 * that narrow and wide sums have in common. */
#include "kernels/resize/resize_by_rows.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/core/minmax.h"

/* --- Rows of the source for a row of the result ----------------------------------------------- */

static int32_t rows_of_step(const ImgResize *own)
{
    return own->wide ? 1 : 2;
}

int32_t img_resize_first_step(const ImgResize *own, int32_t row)
{
    return img_resize_first(own, &own->down)[row] / rows_of_step(own);
}

/* Returns the step after the last one that adds to row `row` of the result. A step is a pair of
 * source rows for narrow sums, and one source row for wide sums. Rows beyond the edge of the source
 * are not counted, because they have weight 0. */
int32_t img_resize_end_step(const ImgResize *own, int32_t row)
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
        while (end < count && img_resize_first_step(own, end) < img_resize_end_step(own, row))
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
    ImgResizeByRows *by = state;
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

static bool make(ImgResizeByRows *by)
{
    const bool made = by->own->wide ? img_resize_wide_make(by) : img_resize_narrow_make(by);
    return img_resize_across_make(by->own, &by->across) && made;
}

/* Allocates memory for the scaled picture if the margins change the format of the result. The
 * scaled picture is then computed in that memory, and copied to its position in the result
 * afterwards. */
static ImgStatus set_apart(ImgResizeByRows *by, ImgError *err)
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
    ImgResizeByRows *by = calloc(1, sizeof *by);
    if (by == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory to resize");
    by->call = by->whole_call = *call;
    by->whole_call.threads = 1; /* one thread, because the decoder uses the other threads */
    by->own = own;
    by->variant = variant;
    by->samples = (size_t)call->src.width * (size_t)own->channels;
    by->whole = whole_strips(by->samples);
    by->slots = own->copies ? 0 : most_slots(own);
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

const uint8_t *img_resize_row_at(const ImgResizeByRows *by, const ImgResizeGroup *group, int32_t y)
{
    const int32_t inside = img_min32(y, by->own->down.span.src - 1);
    return inside < group->first
               ? by->odd
               : group->view->data + (size_t)(inside - group->first) * group->view->stride;
}

/* Returns the end of the current band: the index of the first row of the result that does not fit
 * in it. */
static int32_t band_limit(const ImgResizeByRows *by)
{
    return img_min32(by->band + IMG_RESIZE_ROWS, by->own->down.span.count);
}

ImgResizeStepsOfRow img_resize_steps_of_row(const ImgResizeByRows *by, const ImgResizeGroup *group,
                                            int32_t row)
{
    const int32_t own_first = img_resize_first_step(by->own, row),
                  own_end = img_resize_end_step(by->own, row);
    const int32_t first = own_first > group->from ? own_first : group->from;
    const int32_t end = img_min32(own_end, group->end);
    return (ImgResizeStepsOfRow){
        .first = first,
        .end = end > first ? end : first,
        .before = first - own_first,
        .begins = own_first >= group->from,
        .completes = own_end <= group->end && row < band_limit(by),
        .slot = (size_t)(row % by->slots) * by->whole,
        .in_band = (size_t)(row - by->band) * by->whole,
    };
}

/* Adds the steps of a group (source rows or pairs of them) to the sums of all rows of the result
 * that use them. If the group has no steps, the function only completes rows that did not fit in
 * the previous band. The loop does not visit rows that need neither these steps nor completion:
 * there may be thousands of them if the picture is enlarged. */
static void sum_group(const ImgResizeByRows *by, const ImgResizeGroup *group)
{
    const ImgResize *own = by->own;
    const int32_t end = group->from < group->end ? own->down.span.count : band_limit(by);
    for (size_t at = 0; at < by->samples; at += IMG_RESIZE_STRIP) {
        (own->wide ? img_resize_wide_lift : img_resize_narrow_lift)(by, group, at);
        for (int32_t row = by->done; row < end && img_resize_first_step(own, row) < group->end;
             row++)
            (own->wide ? img_resize_wide_add : img_resize_narrow_add)(by, group, row, at);
    }
}

/* Sums the band horizontally if it is full or contains the last row of the result. */
static void complete_band(ImgResizeByRows *by)
{
    if (by->done < band_limit(by))
        return;
    const ImgResizeBand band = img_resize_band(&by->call, by->variant, by->band, by->done);
    img_resize_make_band(&band, &by->across,
                         by->own->wide ? img_resize_wide_take : img_resize_narrow_take, by);
    by->band = by->done;
}

/* Adds the next steps (source rows or pairs of them), up to but not including step `end`, until the
 * band is full. A row with complete sums that does not fit in the band waits for the next band.
 * Returns false if the result is complete or needs more source rows first. Otherwise returns true,
 * and the caller calls it again. */
static bool take_group(ImgResizeByRows *by, ImgResizeGroup *group, int32_t end)
{
    const ImgResize *own = by->own;
    if (by->done == own->down.span.count)
        return false;
    const int32_t wanted = img_resize_first_step(own, by->done),
                  full = img_resize_end_step(own, band_limit(by) - 1);
    const int32_t from = by->step > wanted ? by->step : img_min32(wanted, end);
    group->from = from;
    group->end = img_min32(img_min32(end, from + IMG_RESIZE_STEPS), full > from ? full : from);
    if (from == group->end && img_resize_end_step(own, by->done) > from)
        return false;
    sum_group(by, group);
    by->step = group->end;
    while (by->done < band_limit(by) && img_resize_end_step(own, by->done) <= group->end)
        by->done++;
    complete_band(by);
    return true;
}

static void take_sums(ImgResizeByRows *by, const ImgView *view, int32_t first)
{
    ImgResizeGroup group = {.view = view, .first = first};
    const int32_t end = first + view->height, size = rows_of_step(by->own);
    const bool ends = end == by->own->down.span.src;
    while (take_group(by, &group, ends ? (end + size - 1) / size : end / size)) {
    }
    if (end % size == 1 && !ends)
        memcpy(by->odd, img_resize_row_at(by, &group, end - 1), by->samples);
}

static void take_copies(ImgResizeByRows *by, const ImgView *view, int32_t first)
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
    ImgResizeByRows *by = state;
    if (by->own->copies)
        take_copies(by, rows, first);
    else
        take_sums(by, rows, first);
    if (by->inner.view.data != NULL && first + rows->height == by->call.src.height)
        (void)img_resize_put_inner(&by->whole_call, &by->inner.view, false);
}
