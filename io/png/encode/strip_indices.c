/* Strips of indices, and of pixels that share bytes: filters do not help, LZ77 does. */
#include "io/png/encode/strip_priv.h"

enum {
    PIECE_BYTES = 1 << 14, /* of a sample */
    NOISE_SHARE = 3,       /* dithered photographs do not shrink to a third */
    CLOSE_PERCENT = 98,    /* runs that come so close to matches may be smaller in the end */
};

static void try_matches(ImgStripWorker *worker, ImgStripWork *strip)
{
    img_try_matches(worker->deflaters, &worker->rows, worker->filtered, strip->size,
                    &strip->smallest);
}

static void try_runs(ImgStripWorker *worker, ImgStripWork *strip)
{
    img_try_runs(worker->deflaters, worker->filtered, strip->size, &strip->smallest);
}

static void encode_indices_by_samples(ImgStripWorker *worker, ImgStripWork *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    size_t bytes = strip->size < PIECE_BYTES ? strip->size : PIECE_BYTES;
    const uint8_t *piece = worker->filtered + (strip->size - bytes) / 2;
    size_t matches = img_measure_matches(deflaters, &worker->rows, piece, bytes);
    if (worker->level.search > 0 && matches > bytes / NOISE_SHARE) {
        img_try_search(deflaters, worker->filtered, strip->size, &strip->smallest);
        return;
    }
    try_matches(worker, strip);
    if (img_measure_runs(deflaters, piece, bytes) * CLOSE_PERCENT < matches * 100)
        try_runs(worker, strip);
}

static void encode_indices_by_all(ImgStripWorker *worker, ImgStripWork *strip)
{
    ImgLz77Effort nearest = IMG_LZ77_DEEP;
    nearest.least = IMG_LZ77_FROM_3;
    try_runs(worker, strip);
    img_try_lz77(worker->deflaters, &nearest, worker->filtered, strip->size, &strip->smallest);
    img_strip_try_lz77(worker, strip, worker->filtered);
    img_strip_try_searches(worker, strip, worker->filtered);
}

void img_strip_encode_indices(ImgStripWorker *worker, ImgStripWork *strip)
{
    const ImgPngLevel *level = &worker->level;
    img_strip_filter_by_sum(worker, strip, level->filters, worker->filtered);
    if (!level->matches)
        try_runs(worker, strip);
    else if (level->trying == IMG_TRY_SAMPLES)
        encode_indices_by_samples(worker, strip);
    else
        encode_indices_by_all(worker, strip);
    if (level->trying == IMG_TRY_FILTERS)
        img_strip_try_filters(worker, strip);
}
