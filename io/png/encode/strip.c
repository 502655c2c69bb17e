#include "io/png/encode/strip.h"
#include "io/png/encode/estimate.h"

#include <stdlib.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/strip_priv.h"

static size_t strip_data(const ImgView *view, int32_t rows)
{
    return (1 + img_png_row_bytes(view->width, view->format)) * (size_t)rows;
}

size_t img_strip_bound(const ImgView *view, int32_t rows)
{
    return img_deflaters_bound(strip_data(view, rows));
}

size_t img_strip_blocks_most(const ImgView *view, int32_t rows)
{
    return img_block_starts_most(strip_data(view, rows));
}

static ImgMatchRows rows_of(const ImgView *view, const ImgPngLevel *level)
{
    const uint32_t pixel = level->by_value ? (uint32_t)img_format_pixel_size(view->format) : 1;
    return (ImgMatchRows){pixel, (uint32_t)strip_data(view, 1),
                          level->by_value ? IMG_MATCH_HASHED_OF_VALUES
                                          : IMG_MATCH_HASHED_OF_INDICES};
}

ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level, int32_t rows)
{
    size_t data = strip_data(view, rows);
    ImgStripWorker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->level = *level;
    worker->rows = rows_of(view, level);
    worker->estimator.loops = img_runs_loops();
    worker->filtered = malloc(data);
    worker->second = malloc(data);
    worker->deflaters = img_deflaters_create(level, data);
    if (img_strip_filter_init(&worker->filter, view) && worker->filtered != NULL &&
        worker->second != NULL && worker->deflaters != NULL)
        return worker;
    img_strip_worker_free(worker);
    return NULL;
}

uint64_t img_strip_worker_bytes(const ImgView *view, const ImgPngLevel *level, int32_t rows)
{
    const size_t data = strip_data(view, rows);
    const size_t row = 1 + img_png_row_bytes(view->width, view->format);
    return sizeof(ImgStripWorker) + 2 * data + 4 * row + img_deflaters_bytes(level, data);
}

void img_strip_worker_free(ImgStripWorker *worker)
{
    if (worker == NULL)
        return;
    img_deflaters_free(worker->deflaters);
    img_strip_filter_free(&worker->filter);
    free(worker->second);
    free(worker->filtered);
    free(worker);
}

/* Encodes a strip with the strategies of the level. Levels up to the default encode small strips in
 * the same way; higher levels then try more strategies. */
static void encode(ImgStripWorker *worker, ImgStripState *strip)
{
    const ImgPngLevel *level = &worker->level;
    if (level->runs == 0) {
        img_strip_filter_by_sum(worker, strip, level->filters, worker->filtered);
        img_try_stored(worker->filtered, strip->size, &strip->smallest);
        return;
    }
    if (strip->size <= (level->by_value ? IMG_STRIP_SMALL : IMG_STRIP_SMALL_INDICES)) {
        img_strip_encode_small(worker, strip);
        if (level->trying == IMG_TRY_SAMPLES)
            return;
    }
    if (level->by_value)
        img_strip_encode_values(worker, strip);
    else
        img_strip_encode_indices(worker, strip);
}

bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *rows, uint8_t *out, uint32_t *starts,
                      ImgStripResult *result)
{
    ImgStripState strip = {rows,
                           strip_data(worker->filter.view, rows->to - rows->from),
                           {.out = out, .last = rows->last, .starts = starts}};
    encode(worker, &strip);
    *result = (ImgStripResult){.size = strip.smallest.size,
                               .adler = strip.smallest.adler,
                               .data = strip.size,
                               .strategy = strip.smallest.strategy,
                               .blocks = strip.smallest.blocks};
    return result->size > 0 && !img_deflaters_failed(worker->deflaters);
}

/* --- One way to filter and deflate a strip ---------------------------------------------------- */

/* The encoders of strips (strip_values.c, strip_small.c) combine these functions. */
void img_strip_filter_by_sum(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters,
                             uint8_t *filtered)
{
    img_strip_filter(&worker->filter, strip->rows->from, strip->rows->to, filters, NULL, filtered);
}

/* Chooses filters by the costs of bytes. The costs come from worker->filtered, in which each row
 * has the filter with the smallest sum of absolute values. */
void img_strip_filter_by_cost(ImgStripWorker *worker, const ImgStripState *strip, uint8_t *filtered)
{
    ImgByteCosts costs;
    img_byte_costs(worker->filtered, strip->size, &costs);
    img_strip_filter(&worker->filter, strip->rows->from, strip->rows->to, worker->level.filters,
                     &costs, filtered);
}

void img_strip_try_searches(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data)
{
    if (worker->level.search > 0)
        img_try_search(worker->deflaters, data, strip->size, &strip->smallest);
    if (worker->level.second_search > 0)
        img_try_second_search(worker->deflaters, data, strip->size, &strip->smallest);
}

/* Deflates as the default level does, and then with a deeper search. The deeper result is not
 * always smaller, because matches at larger distances cost more bits. */
void img_strip_try_lz77(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data)
{
    ImgDeflaters *deflaters = worker->deflaters;
    img_try_matches(deflaters, &worker->rows, data, strip->size, &strip->smallest);
    img_try_lz77(deflaters, &IMG_LZ77_DEEP, data, strip->size, &strip->smallest);
}

static size_t measure_filtered(ImgStripWorker *worker, size_t size)
{
    size_t runs = img_measure_runs(worker->deflaters, worker->second, size);
    size_t search = img_measure_quick_search(worker->deflaters, worker->second, size);
    return search < runs ? search : runs;
}

void img_strip_try_filters(ImgStripWorker *worker, ImgStripState *strip)
{
    img_strip_filter_by_cost(worker, strip, worker->second);
    size_t least = measure_filtered(worker, strip->size);
    unsigned best = 0;
    for (unsigned choice = 0; choice <= IMG_FILTERS; choice++) {
        unsigned filters = choice < IMG_FILTERS ? 1U << choice : IMG_STRIP_ALL_FILTERS;
        img_strip_filter_by_sum(worker, strip, filters, worker->second);
        size_t found = measure_filtered(worker, strip->size);
        if (found < least) {
            least = found;
            best = filters;
        }
    }
    if (best != 0) {
        img_strip_filter_by_sum(worker, strip, best, worker->second);
        img_try_runs(worker->deflaters, worker->second, strip->size, &strip->smallest);
        img_try_search(worker->deflaters, worker->second, strip->size, &strip->smallest);
    }
}

/* --- Estimates -------------------------------------------------------------------------------- */

enum { PAETH = 1 << IMG_FILTER_PAETH };

size_t img_strip_filter_window(ImgStripWorker *worker, const ImgStripState *strip,
                               const ImgWindow *window, unsigned filters)
{
    ImgStripFilter *filter = &worker->filter;
    const uint8_t *above = NULL;
    uint8_t *out = worker->second;
    if (window->from > strip->rows->from)
        above = img_png_row(filter->view, window->from - 1, filter->rows[(window->from - 1) & 1]) +
                window->offset;
    for (int32_t y = window->from; y < window->from + window->rows; y++) {
        const uint8_t *row = img_png_row(filter->view, y, filter->rows[y & 1]) + window->offset;
        img_png_filter_best(img_strip_filters_of_row(filters, above == NULL), filter->pixel,
                            window->bytes, row, above, out);
        out += 1 + window->bytes;
        above = row;
    }
    return (size_t)(out - worker->second);
}

size_t img_strip_filter_sample(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters)
{
    const ImgStripFilter *filter = &worker->filter;
    const ImgStrip *rows = strip->rows;
    const ImgWindow sample = img_sample(filter->row_bytes, filter->pixel, rows->from,
                                        rows->to - rows->from, worker->level.by_value);
    return img_strip_filter_window(worker, strip, &sample, filters);
}

ImgStripEstimate img_strip_estimate(ImgStripWorker *worker, const ImgStripState *strip)
{
    const unsigned filters = worker->level.filters;
    const int32_t from = strip->rows->from, rows = strip->rows->to - from;
    uint32_t runs = 0, by_paeth = 0, saved = 0, bytes = 0;
    for (int32_t i = 0; i < IMG_WINDOWS; i++) {
        const ImgWindow window =
            img_window(worker->filter.row_bytes, worker->filter.pixel, from, rows, i);
        size_t size = img_strip_filter_window(worker, strip, &window, PAETH);
        bytes += (uint32_t)size;
        by_paeth += img_estimate_runs(&worker->estimator, worker->second, size);
        saved += img_estimate_matches(&worker->estimator, 1 + window.bytes);
        if (filters == PAETH)
            continue;
        size = img_strip_filter_window(worker, strip, &window, filters);
        runs += img_estimate_runs(&worker->estimator, worker->second, size);
    }
    return (ImgStripEstimate){
        filters == PAETH || img_estimate_is_for_paeth(by_paeth, runs) ? PAETH : filters,
        img_estimate_pays(saved, by_paeth, bytes)};
}
