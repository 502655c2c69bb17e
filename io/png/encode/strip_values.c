/* Encodes strips of pixels whose values are close to those of neighbouring pixels, so that filters
 * make them smaller. These are all pixels except palette indices and samples below 8 bits. */
#include "io/png/encode/strip_priv.h"

enum {
    /* Unfiltered rows are not tried if LZ77 deflates a sample of them to more than this percentage
     * of the size of the filtered sample, deflated in the same way. */
    UNFILTERED_PERCENT = 115,
    ALL = IMG_STRIP_ALL_FILTERS,
    NONE = 1 << IMG_FILTER_NONE,
    PAETH = 1 << IMG_FILTER_PAETH,
};

/* --- Measuring samples of a strip ------------------------------------------------------------- */

static size_t measure_sample(ImgStripWorker *worker, size_t size)
{
    return img_measure_matches(worker->deflaters, &worker->rows, worker->second, size);
}

static size_t sample_matches(ImgStripWorker *worker, const ImgStripState *strip, unsigned filters)
{
    return measure_sample(worker, img_strip_filter_sample(worker, strip, filters));
}

/* --- Encoding a strip ------------------------------------------------------------------------- */

static void try_runs_of(ImgStripWorker *worker, ImgStripState *strip, unsigned filters)
{
    img_strip_filter_by_sum(worker, strip, filters, worker->filtered);
    img_try_runs(worker->deflaters, worker->filtered, strip->size, &strip->smallest);
}

/* Chooses between filtered and unfiltered rows by measuring LZ77 on a sample of both. Filters turn
 * letters and lines into differences, which repeat less often. Then deflates the strip with LZ77,
 * with run-length encoding, or with both. `for_runs` are the filters for run-length encoding. */
static void encode_by_sample(ImgStripWorker *worker, ImgStripState *strip, unsigned for_runs)
{
    size_t size = img_strip_filter_sample(worker, strip, for_runs);
    size_t runs = img_measure_runs(worker->deflaters, worker->second, size);
    size_t with =
        for_runs == ALL ? measure_sample(worker, size) : sample_matches(worker, strip, ALL);
    size_t without = sample_matches(worker, strip, NONE);
    const ImgSampleSizes sizes = {(uint32_t)size, (uint32_t)runs,
                                  (uint32_t)(with < without ? with : without)};
    unsigned filtered = 0;
    if (img_sample_is_for_matches(&sizes)) {
        filtered = with < without ? ALL : NONE;
        img_strip_filter_by_sum(worker, strip, filtered, worker->filtered);
        img_try_matches(worker->deflaters, &worker->rows, worker->filtered, strip->size,
                        &strip->smallest);
    }
    if (img_sample_is_for_runs(&sizes)) {
        if (filtered != for_runs)
            img_strip_filter_by_sum(worker, strip, for_runs, worker->filtered);
        img_try_runs(worker->deflaters, worker->filtered, strip->size, &strip->smallest);
    }
}

static void encode_by_estimate(ImgStripWorker *worker, ImgStripState *strip)
{
    if (!worker->level.matches) {
        try_runs_of(worker, strip, worker->level.filters);
        return;
    }
    const ImgStripEstimate estimate = img_strip_estimate(worker, strip);
    if (estimate.matches)
        encode_by_sample(worker, strip, estimate.filters);
    else
        try_runs_of(worker, strip, estimate.filters);
}

/* Returns true if the strip may become smallest without filters. Always returns true for small
 * strips. */
static bool unfiltered_may_pay(ImgStripWorker *worker, const ImgStripState *strip)
{
    if (strip->size <= IMG_STRIP_SMALL)
        return true;
    size_t with = sample_matches(worker, strip, ALL), without = sample_matches(worker, strip, NONE);
    return without * 100 < with * UNFILTERED_PERCENT;
}

/* Encodes a strip with the strategies of a level above the default. Each level tries everything
 * that the level below tries, and additionally a deeper search. */
static void encode_by_all(ImgStripWorker *worker, ImgStripState *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    ImgSmallest *smallest = &strip->smallest;
    try_runs_of(worker, strip, PAETH);
    img_strip_try_lz77(worker, strip, worker->filtered);
    try_runs_of(worker, strip, worker->level.filters);
    img_strip_try_lz77(worker, strip, worker->filtered);
    if (unfiltered_may_pay(worker, strip)) {
        img_strip_filter_by_sum(worker, strip, NONE, worker->second);
        img_strip_try_lz77(worker, strip, worker->second);
        img_strip_try_searches(worker, strip, worker->second);
    }
    if (worker->level.trying < IMG_TRY_COSTS)
        return;
    img_strip_filter_by_cost(worker, strip, worker->second);
    img_try_runs(deflaters, worker->second, strip->size, smallest);
    img_try_search(deflaters, worker->second, strip->size, smallest);
    if (worker->level.trying == IMG_TRY_FILTERS)
        img_strip_try_filters(worker, strip);
}

/* --- Tiny strips ------------------------------------------------------------------------------ */

static void try_tiny(ImgStripWorker *worker, ImgStripState *strip, const uint8_t *data)
{
    img_try_runs(worker->deflaters, data, strip->size, &strip->smallest);
    img_strip_try_lz77(worker, strip, data);
    img_try_quick_search(worker->deflaters, data, strip->size, &strip->smallest);
    img_strip_try_searches(worker, strip, data);
}

/* Encodes a tiny strip in several ways: with all filters allowed, and with each single filter. */
static void encode_tiny(ImgStripWorker *worker, ImgStripState *strip)
{
    img_strip_filter_by_sum(worker, strip, IMG_STRIP_ALL_FILTERS, worker->filtered);
    try_tiny(worker, strip, worker->filtered);
    for (unsigned filter = 0; filter < IMG_FILTERS; filter++) {
        img_strip_filter_by_sum(worker, strip, 1U << filter, worker->second);
        try_tiny(worker, strip, worker->second);
    }
    if (worker->level.trying < IMG_TRY_COSTS)
        return;
    img_strip_filter_by_cost(worker, strip, worker->second);
    try_tiny(worker, strip, worker->second);
    if (worker->level.trying == IMG_TRY_FILTERS)
        img_strip_try_filters(worker, strip);
}

void img_strip_encode_values(ImgStripWorker *worker, ImgStripState *strip)
{
    if (worker->level.trying == IMG_TRY_SAMPLES)
        encode_by_estimate(worker, strip);
    else if (strip->size <= IMG_STRIP_TINY)
        encode_tiny(worker, strip);
    else
        encode_by_all(worker, strip);
}

/* --- Palette indices, and samples below 8 bits ------------------------------------------------ */

static void try_matches(ImgStripWorker *worker, ImgStripState *strip)
{
    img_try_matches(worker->deflaters, &worker->rows, worker->filtered, strip->size,
                    &strip->smallest);
}

static void try_runs(ImgStripWorker *worker, ImgStripState *strip)
{
    img_try_runs(worker->deflaters, worker->filtered, strip->size, &strip->smallest);
}

static void encode_indices_by_sample(ImgStripWorker *worker, ImgStripState *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    const size_t bytes = img_strip_filter_sample(worker, strip, worker->level.filters);
    const ImgSampleSizes sizes = {
        (uint32_t)bytes, (uint32_t)img_measure_runs(deflaters, worker->second, bytes),
        (uint32_t)img_measure_matches(deflaters, &worker->rows, worker->second, bytes)};
    if (img_sample_is_noise(&sizes)) {
        img_try_search(deflaters, worker->filtered, strip->size, &strip->smallest);
        return;
    }
    try_matches(worker, strip);
    if (img_sample_is_close(&sizes))
        try_runs(worker, strip);
}

static void encode_indices_by_all(ImgStripWorker *worker, ImgStripState *strip)
{
    ImgLz77Effort nearest = IMG_LZ77_DEEP;
    nearest.least = IMG_LZ77_FROM_3;
    try_runs(worker, strip);
    img_try_lz77(worker->deflaters, &nearest, worker->filtered, strip->size, &strip->smallest);
    img_strip_try_lz77(worker, strip, worker->filtered);
    img_strip_try_searches(worker, strip, worker->filtered);
}

void img_strip_encode_indices(ImgStripWorker *worker, ImgStripState *strip)
{
    const ImgPngLevel *level = &worker->level;
    img_strip_filter_by_sum(worker, strip, level->filters, worker->filtered);
    if (!level->matches)
        try_runs(worker, strip);
    else if (level->trying == IMG_TRY_SAMPLES)
        encode_indices_by_sample(worker, strip);
    else
        encode_indices_by_all(worker, strip);
    if (level->trying == IMG_TRY_FILTERS)
        img_strip_try_filters(worker, strip);
}
