/* Encodes strips of palette indices, and of pixels that share bytes. Filters do not make such
 * strips smaller, but LZ77 does. */
#include "io/png/encode/strip_priv.h"

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
