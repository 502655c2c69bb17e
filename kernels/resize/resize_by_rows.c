/* resize while rows of the source come (resize_by_rows.h): memory, and what is common to narrow and
 * wide sums. */
#include "kernels/resize/resize_by_rows.h"

#include <stdlib.h>

#include "kernels/core/minmax.h"

/* --- Which rows make which -------------------------------------------------------------------- */

static int32_t rows_of_step(const ImgResize *own)
{
    return own->wide ? 1 : 2;
}

int32_t img_resize_first_step(const ImgResize *own, int32_t row)
{
    return img_resize_first(own, &own->down)[row] / rows_of_step(own);
}

/* That after the last; weights beyond the edge are 0. */
int32_t img_resize_end_step(const ImgResize *own, int32_t row)
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
    if (own.copies)
        return 0;
    if (own.wide)
        return samples * (slots * sizeof(int64_t) + IMG_RESIZE_ROWS * sizeof(int32_t));
    return whole * (slots * sizeof(int32_t) + IMG_RESIZE_ROWS * sizeof(int16_t)) + samples;
}

static bool make_narrow(ImgResizeByRows *by)
{
    by->sums = malloc((size_t)by->slots * by->whole * sizeof *by->sums);
    by->pairs = calloc(IMG_RESIZE_PAIRS * 2 * (size_t)IMG_RESIZE_STRIP, sizeof *by->pairs);
    by->middle = calloc(IMG_RESIZE_ROWS * by->whole + IMG_RESIZE_SLACK, sizeof *by->middle);
    by->odd = malloc(by->samples);
    return img_resize_across_make(by->own, &by->across) && by->sums != NULL && by->pairs != NULL &&
           by->middle != NULL && by->odd != NULL;
}

static bool make_wide(ImgResizeByRows *by)
{
    by->wide_sums = malloc((size_t)by->slots * by->samples * sizeof *by->wide_sums);
    by->columns = calloc(by->samples * IMG_RESIZE_ROWS, sizeof *by->columns);
    return by->wide_sums != NULL && by->columns != NULL;
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
    free(by->columns);
    free(by);
}

static ImgStatus begin(const ImgCall *call, const ImgResizeRows *rows, void **state, ImgError *err)
{
    const ImgResize *own = call->constants.bytes;
    ImgResizeByRows *by = calloc(1, sizeof *by);
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

/* --- Rows ------------------------------------------------------------------------------------- */

int32_t img_resize_band_limit(const ImgResizeByRows *by)
{
    return img_min32(by->band + IMG_RESIZE_ROWS, by->own->down.span.count);
}

void img_resize_complete_band(ImgResizeByRows *by)
{
    if (by->done < img_resize_band_limit(by))
        return;
    const ImgResizeBand band = img_resize_band(&by->call, by->rows, by->band, by->done);
    if (by->own->wide)
        img_resize_make_wide(&band, by->columns);
    else
        img_resize_make_band(&band, &by->across, img_resize_take_part, by);
    by->band = by->done;
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
    else if (by->own->wide)
        img_resize_take_wide(by, rows, first);
    else
        img_resize_take_narrow(by, rows, first);
}
