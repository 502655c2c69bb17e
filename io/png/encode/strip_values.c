/* Strips of pixels that are close in value, so that filters help: all but indices and bits. */
#include "io/png/encode/repeats.h"
#include "io/png/encode/strip_priv.h"

enum {
    /* Samples of RLE and LZ77. */
    PIECE_BYTES = 1 << 14,
    SAMPLES = 2,
    GAIN_PERCENT = 98,  /* of the size: LZ77 takes more time, and must be worth it */
    CLEAR_PERCENT = 90, /* then LZ77 alone is tried */
    EASY_SHARE = 5,     /* data that shrinks to less than a fifth is compressed quickly */
    /* A sample with and without filters. It is longer than matches reach, as they are to find the
     * row above. */
    LONG_PIECE_BYTES = 1 << 17,
    HOPE_PERCENT = 115, /* where all is tried, also what looks larger by less than this */
    /* LZ77 of such a sample that is so much larger than RLE of it is not better of the strip; of
     * fewer bytes that says nothing. */
    HOPELESS_PIECE_BYTES = 1 << 15,
    HOPELESS_PERCENT = 105,
    TELLING_BYTES = 512,
    NONE = 1 << IMG_FILTER_NONE,
    PAETH = 1 << IMG_FILTER_PAETH,
};

/* --- Samples -----------------------------------------------------------------------------------
 */

typedef struct Piece {
    const uint8_t *data;
    size_t size;
} Piece;

/* Rows of the strip in the middle of part `part` of `parts`, filtered to the second buffer; `bytes`
 * of them, if there are so many. */
static Piece filter_piece(ImgStripWorker *worker, const ImgStripWork *strip, unsigned filters,
                          size_t bytes, int32_t part, int32_t parts)
{
    int32_t rows = strip->rows->to - strip->rows->from;
    size_t row = strip->size / (size_t)rows, wanted = (bytes + row - 1) / row;
    int32_t count = wanted < (size_t)rows ? (int32_t)wanted : rows;
    int32_t skipped = (int32_t)((int64_t)(rows - count) * (2 * part + 1) / (2 * parts));
    int32_t from = strip->rows->from + skipped;
    size_t above = skipped > 0 ? row : 0; /* filters refer to it */
    img_strip_filter(&worker->filter, from - (skipped > 0), from + count, filters, NULL,
                     worker->second);
    size_t there = row * (size_t)count, size = there < bytes ? there : bytes;
    return (Piece){worker->second + above + (there - size) / 2, size};
}

/* The sizes of the same pieces by each strategy. */
typedef struct Sample {
    size_t data, runs, runs_of_paeth, matches;
    ImgRepeats repeats;
} Sample;

static void take_sample(ImgStripWorker *worker, const ImgStripWork *strip, Sample *sample)
{
    *sample = (Sample){0};
    for (int32_t i = 0; i < SAMPLES; i++) {
        Piece piece = filter_piece(worker, strip, worker->level.filters, PIECE_BYTES, i, SAMPLES);
        size_t runs = img_measure_runs(worker->deflaters, piece.data, piece.size);
        sample->data += piece.size;
        sample->runs += runs;
        img_repeats_add(&sample->repeats, piece.data, piece.size);
        if (worker->level.filters != PAETH) {
            piece = filter_piece(worker, strip, PAETH, PIECE_BYTES, i, SAMPLES);
            runs = img_measure_runs(worker->deflaters, piece.data, piece.size);
        }
        sample->runs_of_paeth += runs;
    }
}

static void sample_matches(ImgStripWorker *worker, const ImgStripWork *strip, Sample *sample)
{
    for (int32_t i = 0; i < SAMPLES; i++) {
        Piece piece = filter_piece(worker, strip, worker->level.filters, PIECE_BYTES, i, SAMPLES);
        sample->matches += img_measure_matches(worker->deflaters, piece.data, piece.size);
    }
}

/* Where hardly anything repeats, LZ77 is not even tried on the sample. */
static bool matches_may_pay(ImgStripWorker *worker, const ImgStripWork *strip, Sample *sample)
{
    if (!img_repeats_may_pay(&sample->repeats))
        return false;
    sample_matches(worker, strip, sample);
    return sample->matches * 100 < sample->runs * GAIN_PERCENT;
}

static size_t measure_long_piece(ImgStripWorker *worker, const ImgStripWork *strip,
                                 unsigned filters)
{
    Piece piece = filter_piece(worker, strip, filters, LONG_PIECE_BYTES, 0, 1);
    return img_measure_matches(worker->deflaters, piece.data, piece.size);
}

/* Letters and lines repeat as they are, and less so once they are differences. */
static unsigned filters_for_matches(ImgStripWorker *worker, const ImgStripWork *strip)
{
    unsigned choices[] = {NONE, worker->level.filters, PAETH}, best = NONE;
    size_t count = worker->level.filters == PAETH ? 2 : 3, least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t found = measure_long_piece(worker, strip, choices[i]);
        if (found < least) {
            least = found;
            best = choices[i];
        }
    }
    return best;
}

/* What is mostly black, edges and masks, shrinks as much by runs, in a seventh of the time. */
static bool lz77_is_hopeless(ImgStripWorker *worker, const ImgStripWork *strip, unsigned for_runs)
{
    const unsigned choices[] = {for_runs, NONE, PAETH, worker->level.filters};
    size_t runs = 0;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        if (i > 0 && choices[i] == for_runs)
            continue;
        Piece piece = filter_piece(worker, strip, choices[i], HOPELESS_PIECE_BYTES, 0, 1);
        if (i == 0)
            runs = img_measure_runs(worker->deflaters, piece.data, piece.size);
        if (runs < TELLING_BYTES ||
            img_measure_lz77(worker->deflaters, &worker->level.lz77, piece.data, piece.size) * 100 <
                runs * HOPELESS_PERCENT)
            return false;
    }
    return true;
}

/* --- Encoding ----------------------------------------------------------------------------------
 */

static void try_matches(ImgStripWorker *worker, ImgStripWork *strip, const uint8_t *data)
{
    if (worker->level.lz77.depth > 0)
        img_try_lz77(worker->deflaters, &worker->level.lz77, data, strip->size, &strip->smallest);
    else
        img_try_matches(worker->deflaters, data, strip->size, &strip->smallest);
}

static void try_runs_of(ImgStripWorker *worker, ImgStripWork *strip, unsigned filters)
{
    img_strip_filter_by_sum(worker, strip, filters, worker->filtered);
    img_try_runs(worker->deflaters, worker->filtered, strip->size, &strip->smallest);
}

/* No count of repeats tells graphics from photographs as well as compressing some of it. What
 * shrinks a lot is graphics, however it is compressed: matches further back than a sample are not
 * seen. Of some photographs sums do not choose as well as Paeth alone is. */
static void encode_by_samples(ImgStripWorker *worker, ImgStripWork *strip)
{
    if (worker->level.matches == 0) {
        try_runs_of(worker, strip, worker->level.filters);
        return;
    }
    Sample sample;
    take_sample(worker, strip, &sample);
    unsigned for_runs = sample.runs_of_paeth < sample.runs ? PAETH : worker->level.filters;
    bool easy = sample.runs < sample.data / EASY_SHARE;
    if (!easy && !matches_may_pay(worker, strip, &sample)) {
        try_runs_of(worker, strip, for_runs);
        return;
    }
    if (!easy || worker->level.lz77.depth == 0 || !lz77_is_hopeless(worker, strip, for_runs)) {
        unsigned for_matches = filters_for_matches(worker, strip);
        img_strip_filter_by_sum(worker, strip, for_matches, worker->filtered);
        try_matches(worker, strip, worker->filtered);
    }
    if (easy || sample.matches * 100 >= sample.runs * CLEAR_PERCENT)
        try_runs_of(worker, strip, for_runs);
    if (easy && for_runs != PAETH)
        try_runs_of(worker, strip, PAETH); /* as the levels below: there is little to sample */
}

/* Whether the strip as it is may be the smallest; what is small is tried. */
static bool unfiltered_may_pay(ImgStripWorker *worker, const ImgStripWork *strip)
{
    if (strip->size <= IMG_STRIP_SMALL)
        return true;
    size_t filtered = measure_long_piece(worker, strip, worker->level.filters);
    return measure_long_piece(worker, strip, NONE) * 100 < filtered * HOPE_PERCENT;
}

/* Each level has all that the one below has, and a harder search. */
static void encode_by_all(ImgStripWorker *worker, ImgStripWork *strip)
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

/* --- Tiny strips -------------------------------------------------------------------------------
 */

static void try_tiny(ImgStripWorker *worker, ImgStripWork *strip, const uint8_t *data)
{
    img_try_runs(worker->deflaters, data, strip->size, &strip->smallest);
    img_strip_try_lz77(worker, strip, data);
    img_try_quick_search(worker->deflaters, data, strip->size, &strip->smallest);
    img_strip_try_searches(worker, strip, data);
}

/* By all filters and by each alone. */
static void encode_tiny(ImgStripWorker *worker, ImgStripWork *strip)
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

void img_strip_encode_values(ImgStripWorker *worker, ImgStripWork *strip)
{
    if (worker->level.trying == IMG_TRY_SAMPLES)
        encode_by_samples(worker, strip);
    else if (strip->size <= IMG_STRIP_TINY)
        encode_tiny(worker, strip);
    else
        encode_by_all(worker, strip);
}
