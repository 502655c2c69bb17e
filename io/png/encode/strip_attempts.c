/* Functions that filter and deflate a strip in one way. The encoders of strips (strip_values.c,
 * strip_indices.c, strip_small.c) combine them. */
#include "io/png/encode/strip_priv.h"

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
