/* Encodes small strips. Tries only few alternatives, because the fixed costs of each attempt
 * dominate. */
#include "io/png/encode/strip_priv.h"

enum {
    /* A strip that shrinks to less than 1/64 is also deflated with a deeper search. */
    EMPTY_SHARE = 64,
    /* LZ77 usually shrinks graphics to less than this percentage of the size with run-length
     * encoding. If unfiltered rows do not shrink so far, filtered rows are tried too. */
    HOPE_PERCENT = 77,
    /* LZ77 is tried on unfiltered rows, unless filters shrink a piece to at most this percentage of
     * its size without filters. The limit is so low because unfiltered bytes also repeat at
     * distances longer than the piece. */
    CLEAR_PERCENT = 80,
    VALUES_SEEN = 512,
    FEW_VALUES = 4,
    /* Largest size in bytes of a short strip. libdeflate can encode it with the fixed codes, which
     * need no block header. */
    SHORT_BYTES = 1 << 12,
};

static const ImgLz77Effort DEEP_FILTERED = {IMG_LZ77_FROM_6, 32, 64, 16, 32, 32},
                           DEEP_UNFILTERED = {IMG_LZ77_FROM_3, 8, 64, 16, 16, 16},
                           FILTERED = {IMG_LZ77_FROM_6, 8, 64, 64, 1, 4},
                           UNFILTERED = {IMG_LZ77_FROM_4, 6, 128, 128, 1, 4},
                           INDICES = {IMG_LZ77_FROM_4, 8, 128, 128, 1, 4},
                           FEW_INDICES = {IMG_LZ77_FROM_3, 16, 258, 258, 4, 8};

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Encodes a strip of at most SHORT_BYTES bytes. For noise, run-length encoding is also tried,
 * because libdeflate's result is larger than Huffman codes alone. */
static void encode_short_values(ImgStripWorker *worker, ImgStripState *strip)
{
    ImgSmallest *smallest = &strip->smallest;
    img_try_quick_search(worker->deflaters, worker->filtered, strip->size, smallest);
    if (smallest->size > strip->size / 2) {
        img_try_runs(worker->deflaters, worker->filtered, strip->size, smallest);
        return;
    }
    img_strip_filter_by_sum(worker, strip, 1U << IMG_FILTER_NONE, worker->second);
    img_try_quick_search(worker->deflaters, worker->second, strip->size, smallest);
}

static void try_filtered(ImgStripWorker *worker, ImgStripState *strip, bool deep)
{
    img_try_lz77(worker->deflaters, deep ? &DEEP_FILTERED : &FILTERED, worker->filtered,
                 strip->size, &strip->smallest);
}

static void try_unfiltered(ImgStripWorker *worker, ImgStripState *strip, bool deep)
{
    img_try_lz77(worker->deflaters, deep ? &DEEP_UNFILTERED : &UNFILTERED, worker->second,
                 strip->size, &strip->smallest);
}

static void encode_tiny_values(ImgStripWorker *worker, ImgStripState *strip)
{
    try_filtered(worker, strip, true);
    if (strip->smallest.size > strip->size / 2)
        return; /* Without filters a photograph would become larger. */
    img_strip_filter_by_sum(worker, strip, 1U << IMG_FILTER_NONE, worker->second);
    try_unfiltered(worker, strip, true);
}

typedef struct Piece {
    const uint8_t *data;
    size_t size;
} Piece;

static Piece middle_of(const ImgStripState *strip, const uint8_t *data)
{
    const ImgSmallPiece piece = img_small_piece((uint32_t)strip->size);
    return (Piece){data + piece.from, piece.size};
}

/* Returns true if LZ77 is likely to give a smaller result than run-length encoding, which was tried
 * just before (small_rule.h). */
static bool is_graphics(ImgStripWorker *worker, const ImgStripState *strip)
{
    if (img_small_has_runs((uint32_t)strip->size, (uint32_t)strip->smallest.size,
                           img_runs_literals(worker->deflaters)))
        return true;
    Piece piece = middle_of(strip, worker->filtered);
    size_t runs = img_measure_runs(worker->deflaters, piece.data, piece.size);
    size_t matches = img_measure_matches(worker->deflaters, &worker->rows, piece.data, piece.size);
    return img_small_gains((uint32_t)runs, (uint32_t)matches);
}

static bool is_smaller_filtered(ImgStripWorker *worker, const ImgStripState *strip)
{
    Piece with = middle_of(strip, worker->filtered), without = middle_of(strip, worker->second);
    size_t filtered = img_measure_matches(worker->deflaters, &worker->rows, with.data, with.size);
    size_t unfiltered =
        img_measure_matches(worker->deflaters, &worker->rows, without.data, without.size);
    return filtered * 100 <= unfiltered * CLEAR_PERCENT;
}

/* Encodes a strip that is not tiny. A piece from the middle decides whether LZ77 is used with or
 * without filters. If unfiltered LZ77 gains little on the strip, the piece was not typical, and
 * filters are tried too.
 *
 * A strip that shrinks to almost nothing has long matches. A deeper search is then quick, so it is
 * also tried. */
static void encode_most_values(ImgStripWorker *worker, ImgStripState *strip)
{
    img_try_runs(worker->deflaters, worker->filtered, strip->size, &strip->smallest);
    if (!is_graphics(worker, strip))
        return;
    size_t runs = strip->smallest.size;
    bool deep = strip->size <= IMG_SMALL_DEEP_BYTES;
    img_strip_filter_by_sum(worker, strip, 1U << IMG_FILTER_NONE, worker->second);
    bool filtered = is_smaller_filtered(worker, strip);
    if (!filtered)
        try_unfiltered(worker, strip, deep);
    if (filtered || strip->smallest.size * 100 >= runs * HOPE_PERCENT)
        try_filtered(worker, strip, deep);
    if (!deep && strip->smallest.size < strip->size / EMPTY_SHARE) {
        try_unfiltered(worker, strip, true);
        try_filtered(worker, strip, true);
    }
}

static void encode_values(ImgStripWorker *worker, ImgStripState *strip)
{
    img_strip_filter_by_sum(worker, strip, IMG_STRIP_ALL_FILTERS, worker->filtered);
    if (strip->size <= SHORT_BYTES)
        encode_short_values(worker, strip);
    else if (strip->size <= IMG_STRIP_TINY)
        encode_tiny_values(worker, strip);
    else
        encode_most_values(worker, strip);
}

/* --- Palette indices and samples below 8 bits ------------------------------------------------- */

static bool looks_dithered(ImgStripWorker *worker, const ImgStripState *strip)
{
    if (strip->size <= IMG_STRIP_TINY)
        return false;
    Piece piece = middle_of(strip, worker->filtered);
    return img_measure_runs(worker->deflaters, piece.data, piece.size) > piece.size / 2;
}

/* Returns true if the data has few different byte values. Short matches then cost more than their
 * literals, but a deeper search for long matches makes the output smaller. */
static bool has_few_values(const uint8_t *data, size_t size)
{
    bool seen[256] = {false};
    int values = 0;
    for (size_t i = 0; i < size; i += size / VALUES_SEEN + 1) {
        values += !seen[data[i]];
        seen[data[i]] = true;
    }
    return values <= FEW_VALUES;
}

static const ImgLz77Effort *effort_for_indices(const ImgStripWorker *worker,
                                               const ImgStripState *strip)
{
    bool deep = strip->size <= IMG_STRIP_TINY || worker->filter.view->format.bits < 8 ||
                has_few_values(worker->filtered, strip->size);
    return deep ? &FEW_INDICES : &INDICES;
}

static void encode_indices(ImgStripWorker *worker, ImgStripState *strip)
{
    ImgDeflaters *deflaters = worker->deflaters;
    const uint8_t *data = worker->filtered;
    ImgSmallest *smallest = &strip->smallest;
    img_strip_filter_by_sum(worker, strip, 1U << IMG_FILTER_NONE, worker->filtered);
    if (strip->size <= SHORT_BYTES)
        img_try_quick_search(deflaters, data, strip->size, smallest);
    if (looks_dithered(worker, strip))
        img_try_greedy_search(deflaters, data, strip->size, smallest);
    else
        img_try_lz77(deflaters, effort_for_indices(worker, strip), data, strip->size, smallest);
    if (smallest->size > strip->size / 2)
        img_try_runs(deflaters, data, strip->size, smallest);
}

void img_strip_encode_small(ImgStripWorker *worker, ImgStripState *strip)
{
    if (worker->level.by_value)
        encode_values(worker, strip);
    else
        encode_indices(worker, strip);
}
