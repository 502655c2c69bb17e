#include "io/png/encode/strip.h"

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
