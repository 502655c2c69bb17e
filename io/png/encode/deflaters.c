#include "io/png/encode/deflaters.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/deflate_runs.h"
#include "io/png/deflate/matches.h"
#include "io/png/deflate/search.h"
#include "kernels/core/minmax.h"

/* Levels of libdeflate: lazy parsing and greedy parsing. */
enum { QUICK_SEARCH = 6, GREEDY_SEARCH = 3 };

struct ImgDeflaters {
    ImgPngLevel level;
    size_t bound;
    /* output buffer for a result that may be larger than the smallest result so far */
    uint8_t *other;
    ImgBlockStarts blocks; /* block starts of the latest result; empty if unknown */
    bool failed;
    /* The working memory of each strategy. It is allocated when the strategy is first used. */
    ImgRunsScratch *runs;
    ImgMatches *matches;
    ImgLz77 *lz77;
    ImgSearch *search, *second_search, *quick, *greedy;
};

size_t img_deflaters_bound(size_t data)
{
    const size_t matches = img_deflate_matches_bound(data), search = img_deflate_search_bound(data);
    size_t most = img_deflate_runs_bound(data);
    if (matches > most)
        most = matches;
    if (search > most)
        most = search;
    return most;
}

/* The result is the sum for all strategies that the level may use. These are the searches that the
 * level names, a quick search, and for palette indices a greedy search, which is used only for
 * small strips. */
uint64_t img_deflaters_bytes(const ImgPngLevel *level, size_t data)
{
    uint64_t bytes = sizeof(ImgDeflaters) + img_deflaters_bound(data) +
                     img_block_starts_most(data) * sizeof(uint32_t);
    if (level->runs == 0)
        return sizeof(ImgDeflaters);
    bytes += sizeof(ImgRunsScratch) + img_matches_bytes() + img_lz77_bytes();
    bytes += img_search_bytes(QUICK_SEARCH, data);
    if (!level->by_value)
        bytes += img_search_bytes(GREEDY_SEARCH, img_min_size(data, IMG_STRIP_SMALL_INDICES));
    if (level->search > 0)
        bytes += img_search_bytes(level->search, data);
    return bytes + (level->second_search > 0 ? img_search_bytes(level->second_search, data) : 0);
}

ImgDeflaters *img_deflaters_create(const ImgPngLevel *level, size_t data)
{
    ImgDeflaters *deflaters = calloc(1, sizeof *deflaters);
    if (deflaters == NULL)
        return NULL;
    deflaters->level = *level;
    deflaters->bound = img_deflaters_bound(data);
    if (level->runs == 0)
        return deflaters;
    deflaters->other = malloc(deflaters->bound);
    deflaters->blocks.bits = malloc(img_block_starts_most(data) * sizeof *deflaters->blocks.bits);
    if (deflaters->other != NULL && deflaters->blocks.bits != NULL)
        return deflaters;
    img_deflaters_free(deflaters);
    return NULL;
}

void img_deflaters_free(ImgDeflaters *deflaters)
{
    if (deflaters == NULL)
        return;
    img_search_free(deflaters->search);
    img_search_free(deflaters->second_search);
    img_search_free(deflaters->quick);
    img_search_free(deflaters->greedy);
    img_lz77_free(deflaters->lz77);
    img_matches_free(deflaters->matches);
    free(deflaters->runs);
    free(deflaters->blocks.bits);
    free(deflaters->other);
    free(deflaters);
}

bool img_deflaters_failed(const ImgDeflaters *deflaters)
{
    return deflaters->failed;
}

/* --- Working memory of each strategy ---------------------------------------------------------- */

static ImgRunsScratch *get_runs(ImgDeflaters *deflaters)
{
    if (deflaters->runs == NULL && (deflaters->runs = malloc(sizeof *deflaters->runs)) != NULL) {
        deflaters->runs->loops = img_runs_loops();
        deflaters->runs->sample_step = deflaters->level.runs;
    }
    deflaters->failed |= deflaters->runs == NULL;
    return deflaters->runs;
}

static ImgMatches *get_matches(ImgDeflaters *deflaters)
{
    if (deflaters->matches == NULL)
        deflaters->matches = img_matches_create();
    deflaters->failed |= deflaters->matches == NULL;
    return deflaters->matches;
}

static ImgLz77 *get_lz77(ImgDeflaters *deflaters)
{
    if (deflaters->lz77 == NULL)
        deflaters->lz77 = img_lz77_create();
    deflaters->failed |= deflaters->lz77 == NULL;
    return deflaters->lz77;
}

static ImgSearch *get_search(ImgDeflaters *deflaters, ImgSearch **search, int level)
{
    if (*search == NULL)
        *search = img_search_create(level);
    deflaters->failed |= *search == NULL;
    return *search;
}

/* --- Keeping the smallest result -------------------------------------------------------------- */

/* Returns the buffer for the next result; the first result is written directly to the output. Marks
 * the block starts of the next result as unknown. */
static uint8_t *place_for(ImgDeflaters *deflaters, const ImgSmallest *smallest)
{
    deflaters->blocks.count = 0;
    return smallest->size == 0 ? smallest->out : deflaters->other;
}

/* Keeps a result if it is the smallest. The result has `made` bytes in the buffer that place_for
 * returned. If `made` is 0, the attempt failed. */
static void keep(const ImgDeflaters *deflaters, size_t made, ImgStripStrategy strategy,
                 const uint8_t *data, size_t size, ImgSmallest *smallest)
{
    if (made == 0 || (smallest->size > 0 && made >= smallest->size))
        return;
    if (smallest->size > 0)
        memcpy(smallest->out, deflaters->other, made);
    smallest->blocks = deflaters->blocks.count;
    memcpy(smallest->starts, deflaters->blocks.bits, smallest->blocks * sizeof *smallest->starts);
    smallest->size = made;
    smallest->strategy = strategy;
    smallest->adler = libdeflate_adler32(1, data, size);
}

/* Returns the capacity for the next result in bytes. A result of this size or more would not be
 * kept. */
static size_t room(const ImgDeflaters *deflaters, const ImgSmallest *smallest)
{
    return smallest->size > 0 ? smallest->size : deflaters->bound - IMG_BITS_SLACK;
}

void img_try_stored(const uint8_t *data, size_t size, ImgSmallest *smallest)
{
    smallest->size = img_deflate_stored(data, size, smallest->last, smallest->out);
    smallest->strategy = IMG_STRIP_STORED;
    smallest->adler = libdeflate_adler32(1, data, size);
}

static size_t deflate_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size, bool last,
                           uint8_t *out)
{
    ImgRunsScratch *work = get_runs(deflaters);
    return work == NULL ? 0 : img_deflate_runs(work, data, size, last, out, &deflaters->blocks);
}

static size_t deflate_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows,
                              const uint8_t *data, size_t size, bool last, uint8_t *out,
                              size_t capacity)
{
    ImgMatches *work = get_matches(deflaters);
    return work == NULL ? 0
                        : img_deflate_matches(work, rows, data, size, last, out, capacity,
                                              &deflaters->blocks);
}

static size_t deflate_lz77(ImgDeflaters *deflaters, const ImgLz77Effort *effort,
                           const uint8_t *data, size_t size, bool last, uint8_t *out,
                           size_t capacity)
{
    ImgLz77 *work = get_lz77(deflaters);
    return work == NULL ? 0
                        : img_deflate_lz77(work, effort, data, size, last, out, capacity,
                                           &deflaters->blocks);
}

static size_t deflate_quickly(ImgDeflaters *deflaters, const uint8_t *data, size_t size, bool last,
                              uint8_t *out)
{
    ImgSearch *search = get_search(deflaters, &deflaters->quick, QUICK_SEARCH);
    return search == NULL ? 0 : img_deflate_search(search, data, size, last, out);
}

void img_try_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size, ImgSmallest *smallest)
{
    uint8_t *out = place_for(deflaters, smallest);
    size_t made = deflate_runs(deflaters, data, size, smallest->last, out);
    keep(deflaters, made, IMG_STRIP_BY_RUNS, data, size, smallest);
}

void img_try_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                     size_t size, ImgSmallest *smallest)
{
    uint8_t *out = place_for(deflaters, smallest);
    size_t made = deflate_matches(deflaters, rows, data, size, smallest->last, out,
                                  room(deflaters, smallest));
    keep(deflaters, made, IMG_STRIP_BY_MATCHES, data, size, smallest);
}

void img_try_lz77(ImgDeflaters *deflaters, const ImgLz77Effort *effort, const uint8_t *data,
                  size_t size, ImgSmallest *smallest)
{
    uint8_t *out = place_for(deflaters, smallest);
    size_t made =
        deflate_lz77(deflaters, effort, data, size, smallest->last, out, room(deflaters, smallest));
    keep(deflaters, made, IMG_STRIP_BY_MATCHES, data, size, smallest);
}

static void try_search(ImgDeflaters *deflaters, ImgSearch *search, const uint8_t *data, size_t size,
                       ImgSmallest *smallest)
{
    if (search == NULL)
        return;
    uint8_t *out = place_for(deflaters, smallest);
    size_t made = img_deflate_search(search, data, size, smallest->last, out);
    deflaters->failed |= made == 0;
    keep(deflaters, made, IMG_STRIP_BY_SEARCH, data, size, smallest);
}

void img_try_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                    ImgSmallest *smallest)
{
    ImgSearch *search = get_search(deflaters, &deflaters->search, deflaters->level.search);
    try_search(deflaters, search, data, size, smallest);
}

void img_try_second_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest)
{
    ImgSearch *search =
        get_search(deflaters, &deflaters->second_search, deflaters->level.second_search);
    try_search(deflaters, search, data, size, smallest);
}

void img_try_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                          ImgSmallest *smallest)
{
    ImgSearch *search = get_search(deflaters, &deflaters->quick, QUICK_SEARCH);
    try_search(deflaters, search, data, size, smallest);
}

void img_try_greedy_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size,
                           ImgSmallest *smallest)
{
    ImgSearch *search = get_search(deflaters, &deflaters->greedy, GREEDY_SEARCH);
    try_search(deflaters, search, data, size, smallest);
}

uint32_t img_runs_literals(const ImgDeflaters *deflaters)
{
    return deflaters->runs == NULL ? 0 : deflaters->runs->literals;
}

/* --- Measuring compressed sizes --------------------------------------------------------------- */

/* Returns the size of a result in bytes. If the attempt failed (`made` is 0), returns the
 * uncompressed size, so that this attempt is not chosen. */
static size_t or_all(size_t made, size_t size)
{
    return made > 0 ? made : size;
}

size_t img_measure_runs(ImgDeflaters *deflaters, const uint8_t *data, size_t size)
{
    return or_all(deflate_runs(deflaters, data, size, true, deflaters->other), size);
}

size_t img_measure_matches(ImgDeflaters *deflaters, const ImgMatchRows *rows, const uint8_t *data,
                           size_t size)
{
    ImgMatches *work = get_matches(deflaters);
    return work == NULL ? size : img_deflated_matches(work, rows, data, size);
}

size_t img_measure_quick_search(ImgDeflaters *deflaters, const uint8_t *data, size_t size)
{
    return or_all(deflate_quickly(deflaters, data, size, true, deflaters->other), size);
}
