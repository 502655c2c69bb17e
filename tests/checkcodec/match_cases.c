/* Checks units of data with various contents and sizes. The GPU and the CPU must find the same
 * matches in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checkcodec/encode_check.h"
#include "tests/checkcodec/match_units.h"

enum {
    REACH = IMG_MATCH_REACH,
    SMALL = 40,
    MEDIUM = 9000, /* bytes in a unit of three segments */
    TOGETHER = 5,  /* number of units that the device processes together */
    PIXEL_MOST = 8,
    STRIDE_MOST = 40000,
    PIECE_MOST = 1000,
};

/* Kinds of pieces from which the data of a unit are made. Each kind exercises another part of
 * io/png/deflate/match_rule.h. */
typedef enum Piece {
    VALUES,  /* noise with a few different values */
    ZEROS,   /* runs of equal bytes */
    PIXELS,  /* runs of equal pixels */
    ROW,     /* copies from the row above */
    EARLIER, /* copies from any distance, also from too far for a match */
    EDGE,    /* copies from distances near a limit of the match rule */
    PIECES,
} Piece;

typedef enum Content {
    NOISY,
    LITERALS,
    WORDS,
    RUNS,
    ROWS,
    REPEATS,
    EDGES,
    ENDLESS,
    ALL_PIECES,
    CONTENTS
} Content;

static const char *const CONTENT_NAMES[CONTENTS] = {
    "noise", "literals", "words", "runs", "rows", "repeats", "edges", "endless", "all"};

/* SHARES[content][piece] is the number of pieces of kind `piece` among 16 pieces of data of kind
 * `content`, on average. */
static const uint8_t SHARES[CONTENTS][PIECES] = {
    [NOISY] = {16, 0, 0, 0, 0, 0},     [LITERALS] = {16, 0, 0, 0, 0, 0},
    [WORDS] = {4, 0, 0, 0, 12, 0},     [RUNS] = {5, 5, 6, 0, 0, 0},
    [ROWS] = {4, 0, 2, 10, 0, 0},      [REPEATS] = {6, 0, 0, 0, 10, 0},
    [EDGES] = {7, 0, 0, 0, 1, 8},      [ENDLESS] = {4, 2, 2, 2, 4, 2},
    [ALL_PIECES] = {3, 2, 3, 3, 3, 2},
};

typedef struct Draw {
    uint64_t state;
    ImgMatchRows rows;
    Content content;
    uint32_t values; /* number of different byte values in pieces of noise */
} Draw;

static uint32_t pick_from(Draw *draw, const uint32_t *values, uint32_t count)
{
    return values[pick(&draw->state, count)];
}

static Piece pick_piece(Draw *draw)
{
    uint32_t share = pick(&draw->state, 16), piece = 0;
    while (share >= SHARES[draw->content][piece])
        share -= SHARES[draw->content][piece++];
    return (Piece)piece;
}

/* Returns a random length of a piece. Most pieces are short. Some are about as long as the longest
 * match, or much longer. */
static uint32_t pick_length(Draw *draw)
{
    switch (pick(&draw->state, 8)) {
    case 0:
        return IMG_MATCH_MOST - 4 + pick(&draw->state, 9);
    case 1:
        return 1 + pick(&draw->state, PIECE_MOST);
    case 2:
        return 9 + pick(&draw->state, 60);
    default:
        return draw->content == WORDS ? 4 + pick(&draw->state, 9) : 1 + pick(&draw->state, 12);
    }
}

/* Returns a length with which the piece at `at` ends near a border: at a multiple of a size by
 * which the kernels divide a unit, or up to four bytes after it. The size is a random one of
 * `borders`. Returns `length` if the next multiple is too far. */
static uint32_t to_border(Draw *draw, uint32_t at, uint32_t length)
{
    static const uint32_t borders[] = {32, 256, IMG_MATCH_SEGMENT, 1 << 13, 1 << 14, REACH};
    const uint32_t border = pick_from(draw, borders, sizeof borders / sizeof *borders);
    const uint32_t left = border - at % border;
    return left < PIECE_MOST ? left + pick(&draw->state, 5) : length;
}

static uint32_t edge_distance(Draw *draw)
{
    const uint32_t distances[] = {REACH - 1,         REACH,
                                  REACH + 1,         2 * REACH,
                                  IMG_MATCH_SEGMENT, draw->rows.stride + draw->rows.pixel,
                                  draw->rows.stride, draw->rows.pixel + 1,
                                  IMG_MATCH_GROUP,   IMG_MATCH_GROUP - 1};
    return pick_from(draw, distances, sizeof distances / sizeof *distances);
}

static uint32_t distance_of(Draw *draw, Piece piece, uint32_t at)
{
    switch (piece) {
    case ZEROS:
        return 1;
    case PIXELS:
        return draw->rows.pixel;
    case ROW:
        return draw->rows.stride;
    case EDGE:
        return edge_distance(draw);
    default: /* In half of the cases the distance is at most PIECE_MOST. */
        return 1 +
               pick(&draw->state, pick(&draw->state, 2) == 0 && at > PIECE_MOST ? PIECE_MOST : at);
    }
}

static uint32_t add_piece(Draw *draw, uint8_t *data, uint32_t at, uint32_t size)
{
    const Piece piece = at == 0 ? VALUES : pick_piece(draw);
    uint32_t length = pick_length(draw);
    if (draw->content == EDGES || pick(&draw->state, 8) == 0)
        length = to_border(draw, at, length);
    length = length < size - at ? length : size - at;
    const uint32_t distance = piece == VALUES ? 0 : distance_of(draw, piece, at);
    for (const uint32_t end = at + length; at < end; at++)
        data[at] = distance == 0 || distance > at ? (uint8_t)(37 * pick(&draw->state, draw->values))
                                                  : data[at - distance];
    return at;
}

/* Fills a unit with pieces. With the content ENDLESS, the last piece is a run that reaches the end
 * of the unit. */
static void fill(Draw *draw, uint8_t *data, uint32_t size)
{
    static const uint32_t values[] = {1, 2, 3, 7, 20, 256};
    const uint32_t run = draw->content == ENDLESS ? size - pick(&draw->state, size) : size;
    uint32_t at = 0;
    const bool has_all = draw->content == LITERALS || draw->content == EDGES;
    draw->values = has_all ? 256 : pick_from(draw, values, sizeof values / sizeof *values);
    while (at < run)
        at = add_piece(draw, data, at, run);
    for (const uint32_t back = pick(&draw->state, 2) == 0 ? 1 : draw->rows.pixel; at < size; at++)
        data[at] = at < back ? 0 : data[at - back];
}

static ImgMatchRows pick_rows(Draw *draw)
{
    ImgMatchRows rows = {.pixel = 1 + pick(&draw->state, PIXEL_MOST)};
    const uint32_t most[] = {4, 100, 3000, STRIDE_MOST / PIXEL_MOST};
    rows.stride = 1 + rows.pixel * (1 + pick(&draw->state, pick_from(draw, most, 4)));
    if (pick(&draw->state, 8) == 0)
        rows.stride = REACH - 1 + pick(&draw->state, 3);
    rows.hashed =
        pick(&draw->state, 3) == 0 ? IMG_MATCH_HASHED_OF_INDICES : IMG_MATCH_HASHED_OF_VALUES;
    return rows;
}

static uint32_t pick_size(Draw *draw, uint32_t most)
{
    switch (pick(&draw->state, 4)) {
    case 0:
        return pick(&draw->state, SMALL); /* may be 0 */
    case 1:
        return most - pick(&draw->state, SMALL);
    case 2:
        return IMG_MATCH_SEGMENT - 9 + pick(&draw->state, 18);
    default:
        return 1 + pick(&draw->state, most);
    }
}

/* Checks a job of `count` units of at most `most` bytes. All units have the same kind of content
 * and layout of rows. */
static void check(Content content, uint64_t seed, uint32_t count, uint32_t most, Tally *tally)
{
    if (!is_in_share(tally))
        return;
    Draw draw = {.state = seed * CONTENTS + content, .content = content};
    char message[256];
    MatchData *units = calloc(count, sizeof *units);
    uint8_t *data = malloc((size_t)count * most);
    if (units == NULL || data == NULL) {
        fprintf(stderr, "check_png_encode: no memory\n");
        exit(1);
    }
    draw.rows = pick_rows(&draw);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = i == 0 ? most : pick_size(&draw, most);
        units[i] = (MatchData){data + (size_t)i * most, size < most ? size : most,
                               pick(&draw.state, 1 + MATCH_GAP_MOST)};
        fill(&draw, data + (size_t)i * most, units[i].size);
    }
    const char *fault =
        compare_matches(&draw.rows, units, count, seed % 2 == 0, message, sizeof message);
    if (fault == NULL)
        tally->passed++;
    else
        tally->failed++;
    if (fault != NULL)
        printf("failed: matches of %s, seed %llu, %u units, pixel %u, stride %u, hashed %u: %s\n",
               CONTENT_NAMES[content], (unsigned long long)seed, count, draw.rows.pixel,
               draw.rows.stride, draw.rows.hashed, fault);
    free(data);
    free(units);
}

/* Checks a unit whose last token is a match that covers the last two bytes of the data. These bytes
 * lie in a new segment, which has no tokens of its own and thus forms no block. The data are noise,
 * so all other tokens are literals. Zeros in segment 7 delay the end of the block to segment 8. */
static void check_covered_end(Tally *tally)
{
    enum { SEGMENT = IMG_MATCH_SEGMENT, SIZE = 9 * SEGMENT + 2, COPIED = 60, BACK = 9000 };
    static uint8_t data[SIZE];
    uint64_t state = 1;
    char message[256];
    for (uint32_t i = 0; i < SIZE; i++)
        data[i] = (uint8_t)pick(&state, 256);
    memset(data + 7 * SEGMENT, 0, SEGMENT / 2);
    memcpy(data + SIZE - COPIED, data + SIZE - COPIED - BACK, COPIED);
    const ImgMatchRows rows = {3, 1000, 6};
    const MatchData unit = {data, SIZE, 1};
    const char *fault = compare_matches(&rows, &unit, 1, true, message, sizeof message);
    if (fault == NULL)
        tally->passed++;
    else
        tally->failed++;
    if (fault != NULL)
        printf("failed: matches that end with the data: %s\n", fault);
}

static void check_tiny(Tally *tally)
{
    enum { TINY = 20 };
    for (uint32_t most = 1; most <= TINY; most++)
        check((Content)(most % CONTENTS), most, TOGETHER, most, tally);
}

static void check_large(Tally *tally)
{
    enum { UNITS = 40, LARGE = 300 << 10, UNITS_OF_LARGEST = 140, SEEDS = 1 };
    for (Content content = 0; content < CONTENTS; content++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            check(content, seed, UNITS, LARGE, tally);
        check(content, SEEDS + 1, 2, 8 * LARGE, tally);
    }
    check(ALL_PIECES, 0, UNITS_OF_LARGEST, LARGE, tally); /* A job of the maximum size. */
}

/* LONG and LONGEST give units with several deflate blocks, and with more segments than enter_kernel
 * handles at once. Data with only literals are checked in two further sizes, because there every
 * byte is a token, and blocks end exactly at the ends of segments. */
void check_matches(bool large, Tally *tally)
{
    enum { LONG = 20000, LONGEST = 5 * REACH + MEDIUM };
    check_tiny(tally);
    if (is_in_share(tally))
        check_covered_end(tally);
    for (Content content = 0; content < CONTENTS; content++) {
        check(content, 1, TOGETHER, MEDIUM, tally);
        check(content, 2, 1, LONG, tally);
    }
    check(LITERALS, 3, 1, 2 * REACH, tally);
    check(LITERALS, 4, 1, REACH + IMG_MATCH_SEGMENT, tally);
    check(REPEATS, 5, 1, LONGEST, tally);
    check(EDGES, 6, 1, LONGEST, tally);
    check(RUNS, 8, 1, LONGEST, tally);
    check(ALL_PIECES, 7, 2, REACH, tally);
    if (large)
        check_large(tally);
}
