#include "io/png/encode/strip.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/deflate_runs.h"
#include "io/png/deflate/matches.h"
#include "io/png/deflate/search.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/strip_filter.h"
#include "io/png/filter/filter.h"

enum {
    SMALL_BYTES = 1 << 14, /* of data: then a search takes no time that anybody could notice */
    QUICK_SEARCH = 6,      /* libdeflate's level for that, and for trials */
    /* A trial of runs and matches. */
    PIECE_BYTES = 1 << 14,
    FEW_PIECES = 2,
    MANY_PIECES = 4,
    EASY_SHARE = 5,    /* data that shrinks to less than a fifth is compressed quickly */
    GAIN_PERCENT = 98, /* of the size: matches take more time, and are to be worth it */
    /* A trial of no filter at all. Its piece is longer than matches reach, as they are to find the
     * row above. */
    GRAPHICS_SHARE = 8, /* data that matches shrink to less than an eighth */
    LONG_PIECE_BYTES = 1 << 17,
};

struct ImgStripWorker {
    ImgPngLevel level;
    ImgStripFilter filter;
    size_t bound;      /* of a strip, deflated */
    uint8_t *filtered; /* the strip */
    uint8_t *second;   /* another way to filter it, or NULL */
    uint8_t *other;    /* room for another way to deflate it; or NULL */
    ImgRunsWork *runs;
    ImgMatchesWork *matches;
    ImgSearch *search;
    ImgSearch *quick; /* NULL where neither strips are small nor filters tried */
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

/* What comes beside the data itself. */
static bool allocate_work(ImgStripWorker *worker, size_t data)
{
    const ImgPngLevel *level = &worker->level;
    if (level->runs == 0)
        return true;
    worker->runs = malloc(sizeof *worker->runs);
    worker->other = malloc(worker->bound);
    if (worker->runs == NULL || worker->other == NULL)
        return false;
    worker->runs->loops = img_runs_loops();
    worker->runs->sample_step = level->runs;
    bool tried = level->choice == IMG_CHOOSE_BY_TRIAL;
    bool second = tried || (level->matches > 0 && level->filters != 1U << IMG_FILTER_NONE);
    if (second && (worker->second = malloc(data)) == NULL)
        return false;
    if ((tried || data <= SMALL_BYTES) && (worker->quick = img_search_create(QUICK_SEARCH)) == NULL)
        return false;
    if (level->matches > 0 && (worker->matches = img_matches_create()) == NULL)
        return false;
    return level->search == 0 || (worker->search = img_search_create(level->search)) != NULL;
}

ImgStripWorker *img_strip_worker_create(const ImgView *view, const ImgPngLevel *level, int32_t rows)
{
    ImgStripWorker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return NULL;
    worker->level = *level;
    worker->bound = img_strip_bound(view, rows);
    worker->filtered = malloc(strip_data(view, rows));
    if (img_strip_filter_init(&worker->filter, view) && worker->filtered != NULL &&
        allocate_work(worker, strip_data(view, rows)))
        return worker;
    img_strip_worker_free(worker);
    return NULL;
}

void img_strip_worker_free(ImgStripWorker *worker)
{
    if (worker == NULL)
        return;
    img_search_free(worker->search);
    img_search_free(worker->quick);
    img_matches_free(worker->matches);
    img_strip_filter_free(&worker->filter);
    free(worker->runs);
    free(worker->other);
    free(worker->second);
    free(worker->filtered);
    free(worker);
}

/* --- Runs or matches ---------------------------------------------------------------------------
 */

/* What both make of the same pieces. */
typedef struct Trial {
    size_t data, runs, matches;
} Trial;

static size_t try_matches(ImgStripWorker *worker, const uint8_t *piece, size_t size)
{
    size_t matches = img_deflate_matches(worker->matches, worker->level.matches, piece, size, true,
                                         worker->other, worker->bound);
    return matches > 0 ? matches : size;
}

static void try_piece(ImgStripWorker *worker, const uint8_t *piece, Trial *trial)
{
    trial->data += PIECE_BYTES;
    trial->runs += img_deflate_runs(worker->runs, piece, PIECE_BYTES, true, worker->other);
    trial->matches += try_matches(worker, piece, PIECE_BYTES);
}

static void try_pieces(ImgStripWorker *worker, size_t size, size_t count, Trial *trial)
{
    size_t room = size - PIECE_BYTES;
    for (size_t i = 0; i < count; i++)
        try_piece(worker, worker->filtered + room * (2 * i + 1) / (2 * count), trial);
}

/* No count of repeats tells graphics from photographs as well as compressing some of it. */
static bool matches_pay(ImgStripWorker *worker, size_t size, bool *graphics)
{
    Trial trial = {0, 0, 0};
    try_pieces(worker, size, FEW_PIECES, &trial);
    if (trial.runs < trial.data / EASY_SHARE)
        try_pieces(worker, size, MANY_PIECES, &trial);
    *graphics = trial.matches < trial.data / GRAPHICS_SHARE;
    return trial.matches * 100 < trial.runs * GAIN_PERCENT;
}

static size_t try_long_piece(ImgStripWorker *worker, const uint8_t *data, size_t size)
{
    return try_matches(worker, data + (size - LONG_PIECE_BYTES) / 2, LONG_PIECE_BYTES);
}

/* --- Deflating ---------------------------------------------------------------------------------
 */

static void deflate_small(ImgStripWorker *worker, bool last, uint8_t *out, ImgStripResult *result)
{
    ImgSearch *search = worker->search != NULL ? worker->search : worker->quick;
    result->size = img_deflate_search(search, worker->filtered, result->data, last, out);
}

static void deflate_large(ImgStripWorker *worker, bool last, uint8_t *out, ImgStripResult *result)
{
    const uint8_t *data = worker->filtered;
    if (result->way == IMG_STRIP_BY_MATCHES) {
        result->size = img_deflate_matches(worker->matches, worker->level.matches, data,
                                           result->data, last, out, result->data);
        if (result->size > 0)
            return;
    }
    result->way = IMG_STRIP_BY_RUNS;
    result->size = img_deflate_runs(worker->runs, data, result->data, last, out);
    if (worker->search == NULL)
        return;
    size_t size = img_deflate_search(worker->search, data, result->data, last, worker->other);
    if (size > 0 && size < result->size) {
        memcpy(out, worker->other, size);
        result->size = size;
        result->way = IMG_STRIP_BY_SEARCH;
    }
}

/* --- Filtering ---------------------------------------------------------------------------------
 */

static void filter_by_cost(ImgStripWorker *worker, const ImgStrip *strip, const uint8_t *before,
                           size_t size, uint8_t *filtered)
{
    ImgByteCosts costs;
    img_byte_costs(before, size, &costs);
    img_strip_filter(&worker->filter, strip->from, strip->to, worker->level.filters, &costs,
                     filtered);
}

/* A quick measure of what the filtered strip will come to. */
static size_t try_filtered(ImgStripWorker *worker, const uint8_t *filtered, size_t size)
{
    size_t runs = img_deflate_runs(worker->runs, filtered, size, true, worker->other);
    size_t search = img_deflate_search(worker->quick, filtered, size, true, worker->other);
    return search > 0 && search < runs ? search : runs;
}

static void swap_filtered(ImgStripWorker *worker)
{
    uint8_t *better = worker->second;
    worker->second = worker->filtered;
    worker->filtered = better;
}

/* What was filtered by sums competes with what costs say, and with every filter alone. */
static void try_filters(ImgStripWorker *worker, const ImgStrip *strip, size_t size)
{
    size_t least = try_filtered(worker, worker->filtered, size);
    for (unsigned way = 0; way <= IMG_FILTERS; way++) {
        if (way == IMG_FILTERS)
            filter_by_cost(worker, strip, worker->filtered, size, worker->second);
        else
            img_strip_filter(&worker->filter, strip->from, strip->to, 1U << way, NULL,
                             worker->second);
        size_t found = try_filtered(worker, worker->second, size);
        if (found < least) {
            least = found;
            swap_filtered(worker);
        }
    }
}

/* Letters and lines repeat as they are, and less so once they are differences. */
static void try_no_filter(ImgStripWorker *worker, const ImgStrip *strip, size_t size)
{
    img_strip_filter(&worker->filter, strip->from, strip->to, 1U << IMG_FILTER_NONE, NULL,
                     worker->second);
    if (try_long_piece(worker, worker->second, size) <
        try_long_piece(worker, worker->filtered, size))
        swap_filtered(worker);
}

static size_t filter_strip(ImgStripWorker *worker, const ImgStrip *strip)
{
    size_t size = img_strip_filter(&worker->filter, strip->from, strip->to, worker->level.filters,
                                   NULL, worker->filtered);
    if (worker->level.choice == IMG_CHOOSE_BY_COST)
        filter_by_cost(worker, strip, worker->filtered, size, worker->filtered);
    if (worker->level.choice == IMG_CHOOSE_BY_TRIAL)
        try_filters(worker, strip, size);
    return size;
}

static ImgStripWay choose_way(ImgStripWorker *worker, const ImgStrip *strip, size_t size)
{
    if (worker->level.runs == 0)
        return IMG_STRIP_STORED;
    if (size <= SMALL_BYTES && worker->quick != NULL)
        return IMG_STRIP_BY_SEARCH;
    bool graphics;
    if (worker->level.matches == 0 || !matches_pay(worker, size, &graphics))
        return IMG_STRIP_BY_RUNS;
    if (graphics && worker->second != NULL && size >= LONG_PIECE_BYTES)
        try_no_filter(worker, strip, size);
    return IMG_STRIP_BY_MATCHES;
}

bool img_strip_encode(ImgStripWorker *worker, const ImgStrip *strip, uint8_t *out,
                      ImgStripResult *result)
{
    size_t size = filter_strip(worker, strip);
    result->data = size;
    result->way = choose_way(worker, strip, size);
    result->adler = libdeflate_adler32(1, worker->filtered, size);
    if (result->way == IMG_STRIP_STORED)
        result->size = img_deflate_stored(worker->filtered, size, strip->last, out);
    else if (result->way == IMG_STRIP_BY_SEARCH)
        deflate_small(worker, strip->last, out, result);
    else
        deflate_large(worker, strip->last, out, result);
    return result->size > 0;
}
