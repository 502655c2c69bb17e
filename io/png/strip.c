#include "io/png/strip.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/deflate_runs.h"
#include "io/png/filter.h"
#include "io/png/matches.h"
#include "io/png/rows.h"
#include "io/png/search.h"

enum {
    SMALL_BYTES = 1 << 14, /* of data: then a search takes no time that anybody could notice */
    SMALL_SEARCH = 6,      /* libdeflate's level for that */
    REFERRING_TO_NONE = 1 << IMG_FILTER_NONE | 1 << IMG_FILTER_SUB,
    /* A trial of both ways of compressing. */
    PIECE_BYTES = 1 << 13,
    FEW_PIECES = 2,
    MANY_PIECES = 8,
    EASY_SHARE = 6,    /* data that shrinks to less than a sixth is compressed quickly */
    GAIN_PERCENT = 98, /* of the size: matches take more time, and are to be worth it */
};

struct ImgStripWorker {
    const ImgView *view;
    ImgPngLevel level;
    size_t row_bytes, distance;
    uint8_t *filtered;
    uint8_t *rows[2]; /* for the bytes of a row and of that above it, where they are made */
    uint8_t *trial;   /* what a trial's pieces are deflated to */
    ImgRunsWork *runs;
    ImgMatchesWork *matches;
    ImgSearch *search, *small;
};

static size_t strip_data(const ImgView *view, int32_t rows)
{
    return (1 + img_png_row_bytes(view->width, view->format)) * (size_t)rows;
}

size_t img_strip_bound(const ImgView *view, int32_t rows)
{
    size_t data = strip_data(view, rows);
    size_t runs = img_deflate_runs_bound(data), search = img_deflate_search_bound(data);
    return runs > search ? runs : search;
}

static bool allocate(ImgStripWorker *worker, int32_t rows)
{
    size_t data = strip_data(worker->view, rows);
    const ImgPngLevel *level = &worker->level;
    worker->filtered = malloc(data);
    worker->rows[0] = malloc(worker->row_bytes);
    worker->rows[1] = malloc(worker->row_bytes);
    if (worker->filtered == NULL || worker->rows[0] == NULL || worker->rows[1] == NULL)
        return false;
    if (level->runs) {
        worker->small = img_search_create(SMALL_SEARCH);
        worker->runs = malloc(sizeof *worker->runs);
        worker->trial = malloc(img_deflate_runs_bound(PIECE_BYTES));
        if (worker->small == NULL || worker->runs == NULL || worker->trial == NULL)
            return false;
        worker->runs->loops = img_runs_loops();
    }
    if (level->matches > 0 && (worker->matches = img_matches_create()) == NULL)
        return false;
    return level->search == 0 || (worker->search = img_search_create(level->search)) != NULL;
}

ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level, int32_t rows)
{
    ImgStripWorker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->view = view;
    worker->level = *level;
    worker->row_bytes = img_png_row_bytes(view->width, view->format);
    worker->distance = img_format_pixel_size(view->format);
    if (!allocate(worker, rows)) {
        img_strip_worker_free(worker);
        return NULL;
    }
    return worker;
}

void img_strip_worker_free(ImgStripWorker *worker)
{
    if (worker == NULL)
        return;
    img_search_free(worker->search);
    img_search_free(worker->small);
    img_matches_free(worker->matches);
    free(worker->runs);
    free(worker->trial);
    free(worker->rows[0]);
    free(worker->rows[1]);
    free(worker->filtered);
    free(worker);
}

/* Of filters that are allowed, those that a strip's first row may have; None is always allowed. */
static unsigned filters_of_first(unsigned filters)
{
    unsigned left = filters & REFERRING_TO_NONE;
    return left != 0 ? left : 1 << IMG_FILTER_NONE;
}

static size_t filter_strip(ImgStripWorker *worker, const ImgStrip *strip, unsigned filters)
{
    uint8_t *out = worker->filtered;
    const uint8_t *above = NULL;
    for (int32_t y = strip->from; y < strip->to; y++) {
        const uint8_t *row = img_png_row(worker->view, y, worker->rows[y & 1]);
        img_png_filter_best(above == NULL ? filters_of_first(filters) : filters, worker->distance,
                            worker->row_bytes, row, above, out);
        out += 1 + worker->row_bytes;
        above = row;
    }
    return (size_t)(out - worker->filtered);
}

/* What both ways make of the same pieces. */
typedef struct Trial {
    size_t data, runs, matches;
} Trial;

/* Pieces number `from` to `to` of `count` that lie evenly. */
static void try_pieces(ImgStripWorker *worker, size_t size, int from, int to, int count,
                       Trial *trial)
{
    for (int i = from; i < to; i++) {
        const uint8_t *piece =
            worker->filtered + (size - PIECE_BYTES) / (size_t)(2 * count) * (2 * (size_t)i + 1);
        trial->data += PIECE_BYTES;
        trial->runs += img_deflate_runs(worker->runs, piece, PIECE_BYTES, true, worker->trial);
        size_t matches =
            img_deflate_matches(worker->matches, worker->level.matches, piece, PIECE_BYTES, true,
                                worker->trial, img_deflate_runs_bound(PIECE_BYTES));
        trial->matches += matches > 0 ? matches : PIECE_BYTES;
    }
}

/* No count of repeats tells graphics from photographs as well as compressing some of it. */
static bool matches_pay(ImgStripWorker *worker, size_t size)
{
    Trial trial = {0, 0, 0};
    try_pieces(worker, size, 0, FEW_PIECES, FEW_PIECES, &trial);
    if (trial.runs < trial.data / EASY_SHARE)
        try_pieces(worker, size, 0, MANY_PIECES, MANY_PIECES, &trial);
    return trial.matches * 100 < trial.runs * GAIN_PERCENT;
}

static size_t deflate_quickly(ImgStripWorker *worker, size_t size, bool last, uint8_t *out,
                              ImgStripWay *way)
{
    if (size <= SMALL_BYTES) {
        *way = IMG_STRIP_BY_SEARCH;
        return img_deflate_search(worker->small, worker->filtered, size, last, out);
    }
    if (worker->matches != NULL && matches_pay(worker, size)) {
        *way = IMG_STRIP_BY_MATCHES;
        size_t written = img_deflate_matches(worker->matches, worker->level.matches,
                                             worker->filtered, size, last, out, size);
        if (written > 0)
            return written;
    }
    *way = IMG_STRIP_BY_RUNS;
    return img_deflate_runs(worker->runs, worker->filtered, size, last, out);
}

bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *strip, uint8_t *out,
                      ImgStripResult *result)
{
    size_t size = filter_strip(worker, strip, worker->level.filters);
    result->data = size;
    result->adler = libdeflate_adler32(1, worker->filtered, size);
    if (worker->level.runs) {
        result->size = deflate_quickly(worker, size, strip->last, out, &result->way);
    } else if (worker->search != NULL) {
        result->way = IMG_STRIP_BY_SEARCH;
        result->size = img_deflate_search(worker->search, worker->filtered, size, strip->last, out);
    } else {
        result->way = IMG_STRIP_STORED;
        result->size = img_deflate_stored(worker->filtered, size, strip->last, out);
    }
    return result->size > 0;
}
