/* Strips of indices, and of pixels that share bytes: filters do not help, LZ77 does. */
#include "io/png/encode/strip_priv.h"

enum {
    PIECE_BYTES = 1 << 14, /* of a sample */
    NOISE_SHARE = 3,       /* dithered photographs do not shrink to a third */
    CLOSE_PERCENT = 98,    /* RLE that comes so close to LZ77 may be smaller in the end */
};

static ImgLz77Effort effort_from(const ImgLz77Effort *like, ImgLz77Least least)
{
    ImgLz77Effort effort = *like;
    effort.least = least;
    return effort;
}

static void encode_indices_by_samples(ImgStripWorker *worker, ImgStripWork *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    const uint8_t *data = worker->filtered;
    size_t bytes = strip->size < PIECE_BYTES ? strip->size : PIECE_BYTES;
    const uint8_t *piece = data + (strip->size - bytes) / 2;
    if (img_measure_matches(deflaters, piece, bytes) > bytes / NOISE_SHARE) {
        img_try_search(deflaters, data, strip->size, &strip->smallest);
        return;
    }
    ImgLz77Effort near = effort_from(&worker->level.lz77, IMG_LZ77_FROM_4),
                  far = worker->level.lz77;
    size_t by_near = img_measure_lz77(deflaters, &near, piece, bytes);
    size_t by_far = img_measure_lz77(deflaters, &far, piece, bytes);
    size_t least = by_near < by_far ? by_near : by_far;
    img_try_lz77(deflaters, by_near < by_far ? &near : &far, data, strip->size, &strip->smallest);
    if (img_measure_runs(deflaters, piece, bytes) * CLOSE_PERCENT < least * 100)
        img_try_runs(deflaters, data, strip->size, &strip->smallest);
}

static void encode_indices_by_all(ImgStripWorker *worker, ImgStripWork *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    const uint8_t *data = worker->filtered;
    ImgLz77Effort near = effort_from(&IMG_LZ77_NORMAL, IMG_LZ77_FROM_4);
    ImgLz77Effort nearest = effort_from(&IMG_LZ77_DEEP, IMG_LZ77_FROM_3);
    img_try_runs(deflaters, data, strip->size, &strip->smallest);
    img_try_lz77(deflaters, &near, data, strip->size, &strip->smallest);
    img_try_lz77(deflaters, &nearest, data, strip->size, &strip->smallest);
    img_strip_try_lz77(worker, strip, data);
    img_strip_try_searches(worker, strip, data);
}

void img_strip_encode_indices(ImgStripWorker *worker, ImgStripWork *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    const ImgPngLevel *level = &worker->level;
    img_strip_filter_by_sum(worker, strip, level->filters, worker->filtered);
    if (level->lz77.depth == 0) {
        img_try_runs(deflaters, worker->filtered, strip->size, &strip->smallest);
        if (level->matches > 0)
            img_try_matches(deflaters, worker->filtered, strip->size, &strip->smallest);
    } else if (level->trying == IMG_TRY_SAMPLES) {
        encode_indices_by_samples(worker, strip);
    } else {
        encode_indices_by_all(worker, strip);
    }
    if (level->trying == IMG_TRY_FILTERS)
        img_strip_try_filters(worker, strip);
}
