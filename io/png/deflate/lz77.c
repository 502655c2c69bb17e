/* Finds matches with hash chains. The chains contain the last position for each hash of four or six
 * bytes, and for each position the previous one with the same hash. A long match is used at once. A
 * shorter match is used only if no cheaper match starts at the next position (lazy evaluation).
 *
 * The data is divided into pieces. A piece joins the block before it if one set of codes for both
 * makes the output smaller. */
#include "io/png/deflate/lz77.h"
#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/sequences.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/deflate/equal_bytes.h"

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Collects literals and matches into deflate blocks. A piece is a sequence of at least
 * PIECE_SYMBOLS literals and matches. A block consists of pieces. A piece joins the block before it
 * if one set of codes for both makes the output smaller. */
enum {
    /* Smallest number of literals and matches in a piece. Each of them stands for at least one
     * byte. */
    PIECE_SYMBOLS = IMG_BLOCK_LEAST,
    /* Largest number of sequences in a block together with the piece after it. A sequence is some
     * literals and the match after them. */
    BLOCK_SEQUENCES = 1 << 15,
};

/* The current block, and the piece after it, which may later join the block. */
typedef struct Blocks {
    ImgSequence *sequences;
    size_t count, in_block;
    /* Address of the block's first byte, and of the piece's first byte. */
    const uint8_t *start, *piece;
    ImgBlockCounts block_counts, piece_counts;
    ImgBlockPlan plan; /* Huffman codes of the block, without the piece */
    uint32_t symbols;  /* number of literals and matches in the piece */
    uint32_t literals; /* number of literals since the last match */
    ImgBits bits;
    uint64_t room;          /* free space for the output, in bits */
    ImgBlockStarts *starts; /* receives the starts of the blocks that are written; may be NULL */
} Blocks;

static inline void add_literal(Blocks *blocks, uint8_t literal)
{
    blocks->piece_counts.literals[literal]++;
    blocks->literals++;
    blocks->symbols++;
}

static inline void add_match(Blocks *blocks, uint32_t length, uint32_t distance)
{
    blocks->sequences[blocks->count++] =
        (ImgSequence){blocks->literals, (uint16_t)length, (uint16_t)distance};
    img_block_count_match(&blocks->piece_counts, length, distance);
    blocks->literals = 0;
    blocks->symbols++;
}

static void add_counts(ImgBlockCounts *counts, const ImgBlockCounts *more)
{
    for (int i = 0; i < IMG_SYMBOLS; i++)
        counts->literals[i] += more->literals[i];
    for (int i = 0; i < IMG_DISTANCES; i++)
        counts->distances[i] += more->distances[i];
    counts->extra += more->extra;
    counts->literals[IMG_END_OF_BLOCK] = 1;
}

/* Writes the current block. All its pieces must have been ended. Returns false if the output has no
 * room. */
static bool put_block(Blocks *blocks, bool last)
{
    if (blocks->plan.bits > blocks->room)
        return false;
    blocks->room -= blocks->plan.bits;
    img_block_starts_add(blocks->starts, &blocks->bits);
    img_block_put(&blocks->bits, &blocks->plan, blocks->start, blocks->sequences, blocks->in_block,
                  last);
    return true;
}

static void begin_block(Blocks *blocks, const ImgBlockPlan *plan)
{
    blocks->block_counts = blocks->piece_counts;
    blocks->plan = *plan;
    blocks->count -= blocks->in_block;
    memmove(blocks->sequences, blocks->sequences + blocks->in_block,
            blocks->count * sizeof *blocks->sequences);
    blocks->in_block = blocks->count;
    blocks->start = blocks->piece;
}

static bool join(Blocks *blocks, const ImgBlockPlan *piece)
{
    if (blocks->count + PIECE_SYMBOLS > BLOCK_SEQUENCES)
        return false;
    ImgBlockCounts both = blocks->block_counts;
    ImgBlockPlan plan;
    add_counts(&both, &blocks->piece_counts);
    img_block_plan(&both, &plan);
    if (plan.bits > blocks->plan.bits + piece->bits)
        return false;
    blocks->block_counts = both;
    blocks->plan = plan;
    blocks->in_block = blocks->count;
    return true;
}

/* Ends the current piece, which must not be empty; `end` is the end of its data. The piece joins
 * the block if one set of codes for both makes the output smaller. Otherwise the block is written,
 * and the piece becomes the new block.
 *
 * Must be called after PIECE_SYMBOLS symbols and at the end of the data. Returns false if the
 * output has no room. */
static bool end_piece(Blocks *blocks, const uint8_t *end)
{
    if (blocks->literals > 0)
        blocks->sequences[blocks->count++] = (ImgSequence){blocks->literals, 0, 0};
    ImgBlockPlan piece;
    blocks->piece_counts.literals[IMG_END_OF_BLOCK] = 1;
    img_block_plan(&blocks->piece_counts, &piece);
    if (blocks->in_block == 0 || !join(blocks, &piece)) {
        if (blocks->in_block > 0 && !put_block(blocks, false))
            return false;
        begin_block(blocks, &piece);
    }
    blocks->piece = end;
    blocks->literals = blocks->symbols = 0;
    memset(&blocks->piece_counts, 0, sizeof blocks->piece_counts);
    return true;
}

/* --- Matches ---------------------------------------------------------------------------------- */

enum {
    WINDOW = 1 << 15,
    MATCH_MOST = 258,
    HASH_BITS = 15, /* largest number of bits of a hash; small data uses fewer bits */
    HASH_BITS_LEAST = 9,
    SHORT_HASH_BITS = 12,
    /* Largest distance of a match of three bytes. With a larger distance the match takes more bits
     * than three literals. */
    SHORT_REACH = 1 << 12,
    LOAD_BYTES = 8,
    /* If a match has at least this many bytes, the search for a better match compares only a
     * quarter of the positions. */
    GOOD_LENGTH = 16,
    /* All bytes of an empty entry of the tables have this value. The entry then holds the position
     * 0x80808080, which is out of reach. */
    NOWHERE = 0x80,
};

struct ImgLz77 {
    unsigned hash_shift; /* 64 minus the number of bits of a hash */
    uint32_t places[1 << HASH_BITS];
    uint32_t short_places[1 << SHORT_HASH_BITS];
    /* Distance to the previous position with the same hash, or 0 if it is out of reach. */
    uint16_t steps[WINDOW];
    ImgSequence sequences[BLOCK_SEQUENCES];
};

typedef struct Match {
    uint32_t length, distance; /* length and distance in bytes; both are 0 if there is no match */
} Match;

ImgLz77 *img_lz77_create(void)
{
    return malloc(sizeof(ImgLz77));
}

size_t img_lz77_bytes(void)
{
    return sizeof(ImgLz77);
}

void img_lz77_free(ImgLz77 *work)
{
    free(work);
}

/* --- Search for matches ----------------------------------------------------------------------- */

typedef struct Finder {
    ImgLz77 *work;
    const uint8_t *data;
    uint32_t size;
    ImgLz77Effort effort;
} Finder;

static inline uint32_t hash(const ImgLz77 *work, uint64_t word, ImgLz77Least least)
{
    /* The hash depends only on the first six or four bytes of the word. This is the number of bits
     * in its other bytes. */
    unsigned others = least == IMG_LZ77_FROM_6 ? 16 : 32;
    return (uint32_t)((word << others) * UINT64_C(0x9E3779B97F4A7C15) >> work->hash_shift);
}

static unsigned hash_bits(size_t size)
{
    unsigned bits = HASH_BITS_LEAST;
    while (bits < HASH_BITS && size >> bits > 0)
        bits++;
    return bits;
}

static inline uint32_t short_hash(uint64_t word)
{
    return ((uint32_t)word << 8) * 0x9E3779B1U >> (32 - SHORT_HASH_BITS);
}

/* Enters position `place` in the hash tables. Returns the distance in bytes to the previous
 * position with the same hash, or 0 if that position is out of reach. */
static inline uint32_t enter(ImgLz77 *work, uint64_t word, uint32_t place, ImgLz77Least least)
{
    uint32_t *last = &work->places[hash(work, word, least)];
    uint32_t step = place - *last;
    step = step > WINDOW ? 0 : step;
    work->steps[place % WINDOW] = (uint16_t)step;
    *last = place;
    return step;
}

static inline uint32_t enter_short(ImgLz77 *work, uint64_t word, uint32_t place)
{
    uint32_t *last = &work->short_places[short_hash(word)];
    uint32_t step = place - *last;
    *last = place;
    return step;
}

/* Returns false if a match at `distance` cannot be longer than `longest` bytes. `longest` must be
 * at least 3. Compares the last four bytes that a longer match must contain. */
static inline bool is_longer(const uint8_t *here, uint32_t distance, uint32_t longest)
{
    return img_get_le32(here - distance + longest - 3) == img_get_le32(here + longest - 3);
}

/* Returns the longest match at `place` that is longer than `beaten` bytes; of equally long matches,
 * the nearest. Also tries `last`, the distance of the previous match (0: none). Repeated data often
 * repeats at the same distance, even if its positions were not entered in the tables.
 *
 * At least LOAD_BYTES bytes must be left at `place`. `least` must be a constant, so that the
 * compiler makes a separate loop for each value. */
static inline __attribute__((always_inline)) Match find(const Finder *finder, uint32_t place,
                                                        uint32_t last, uint32_t beaten,
                                                        uint32_t depth, ImgLz77Least least)
{
    ImgLz77 *work = finder->work;
    const uint8_t *here = finder->data + place;
    uint64_t word = img_get_le64(here);
    uint32_t left = finder->size - place, most = left < MATCH_MOST ? left : MATCH_MOST;
    uint32_t step = enter(work, word, place, least), distance = step;
    __builtin_prefetch(&work->places[hash(work, img_get_le64(here) >> 8, least)]);
    uint32_t near = least == IMG_LZ77_FROM_3 ? enter_short(work, word, place) : WINDOW;
    Match best = {0, 0};
    uint32_t longest = least == IMG_LZ77_FROM_6 && beaten < 5 ? 5 : beaten < 3 ? 3 : beaten;
    if (longest >= most)
        return best;
    for (; step != 0 && distance <= WINDOW; distance += step) {
        if (is_longer(here, distance, longest)) {
            uint32_t length = img_equal_length(here, here - distance, 0, most);
            if (length > longest) {
                best = (Match){length, distance};
                longest = length;
                if (length >= finder->effort.enough || length == most)
                    return best;
            }
        }
        if (--depth == 0)
            break;
        step = work->steps[(place - distance) % WINDOW];
    }
    if (last != 0 && is_longer(here, last, longest)) {
        uint32_t length = img_equal_length(here, here - last, 0, most);
        if (length > longest)
            best = (Match){length, last};
    }
    if (least == IMG_LZ77_FROM_3 && best.length == 0 && beaten < 3 && near <= SHORT_REACH &&
        ((img_get_le32(here - near) ^ (uint32_t)word) & 0xFFFFFF) == 0)
        best = (Match){3, near};
    return best;
}

/* Enters positions of a match in the tables for later matches: the first effort.head positions from
 * `from` onwards, and the last effort.tail positions before `to`. */
static inline __attribute__((always_inline)) void enter_match(const Finder *finder, uint32_t from,
                                                              uint32_t to, ImgLz77Least least)
{
    uint32_t head = finder->effort.head, tail = finder->effort.tail;
    for (uint32_t place = from; place < to; place++) {
        if (place == from + head && to - place > tail)
            place = to - tail;
        /* The loop ends here if effort.tail is 0. It must not load a word then, because too few
         * bytes may be left after the match. */
        if (place == to)
            break;
        uint64_t word = img_get_le64(finder->data + place);
        enter(finder->work, word, place, least);
        if (least == IMG_LZ77_FROM_3)
            enter_short(finder->work, word, place);
    }
}

static inline int top_bit(uint32_t number)
{
    return 31 - __builtin_clz(number);
}

/* Returns true if a literal and then match `next` cost fewer bits than `match`. Assumes that each
 * doubling of the distance costs one bit, and that each byte of a match saves four bits. */
static inline bool is_cheaper(Match next, Match match)
{
    int saved = 4 * ((int)next.length - (int)match.length);
    return saved + top_bit(match.distance) - top_bit(next.distance) > 2;
}

/* --- Parsing ---------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool parse(const Finder *finder, Blocks *blocks,
                                                        ImgLz77Least least)
{
    const uint8_t *data = finder->data;
    const ImgLz77Effort *effort = &finder->effort;
    uint32_t end = finder->size < LOAD_BYTES ? 0 : finder->size - LOAD_BYTES + 1, last = 0;
    for (uint32_t place = 0; place < end;) {
        Match match = find(finder, place, last, 0, effort->depth, least);
        uint32_t entered = place + 1;
        while (match.length > 0 && match.length < effort->lazy && place + 1 < end) {
            uint32_t depth = match.length < GOOD_LENGTH ? effort->depth : effort->depth / 4 + 1;
            Match next = find(finder, place + 1, last, match.length, depth, least);
            entered = place + 2;
            if (next.length == 0 || !is_cheaper(next, match))
                break;
            add_literal(blocks, data[place++]);
            match = next;
        }
        if (match.length == 0) {
            add_literal(blocks, data[place++]);
        } else {
            add_match(blocks, match.length, match.distance);
            place += match.length;
            last = match.distance;
            enter_match(finder, entered, place < end ? place : end, least);
        }
        if (blocks->symbols >= PIECE_SYMBOLS && !end_piece(blocks, data + place))
            return false;
    }
    return true;
}

/* Adds the last bytes of the data as literals and ends the last piece. These bytes are too few for
 * a load of LOAD_BYTES bytes. */
static bool end_data(Blocks *blocks, const uint8_t *end)
{
    const uint8_t *at = blocks->piece;
    for (size_t i = blocks->in_block; i < blocks->count; i++)
        at += blocks->sequences[i].literals + blocks->sequences[i].length;
    for (at += blocks->literals; at < end; at++)
        add_literal(blocks, *at);
    return blocks->symbols == 0 || end_piece(blocks, end);
}

static bool parse_all(const Finder *finder, Blocks *blocks)
{
    bool done = false;
    switch (finder->effort.least) {
    case IMG_LZ77_FROM_3:
        done = parse(finder, blocks, IMG_LZ77_FROM_3);
        break;
    case IMG_LZ77_FROM_4:
        done = parse(finder, blocks, IMG_LZ77_FROM_4);
        break;
    case IMG_LZ77_FROM_6:
        done = parse(finder, blocks, IMG_LZ77_FROM_6);
        break;
    }
    return done && end_data(blocks, finder->data + finder->size);
}

size_t img_deflate_lz77(ImgLz77 *work, const ImgLz77Effort *effort, const uint8_t *data,
                        size_t size, bool last, uint8_t *out, size_t capacity,
                        ImgBlockStarts *starts)
{
    if (capacity < IMG_PIECE_END_BYTES)
        return 0;
    Finder finder = {work, data, (uint32_t)size, *effort};
    Blocks blocks = {.sequences = work->sequences,
                     .start = data,
                     .piece = data,
                     .bits = {out, 0, 0},
                     .starts = starts,
                     .room = 8 * (uint64_t)(capacity - IMG_PIECE_END_BYTES)};
    unsigned bits = hash_bits(size);
    work->hash_shift = 64 - bits;
    memset(work->places, NOWHERE, sizeof *work->places << bits);
    if (effort->least == IMG_LZ77_FROM_3)
        memset(work->short_places, NOWHERE, sizeof work->short_places);
    img_block_starts_begin(starts, out);
    if (!parse_all(&finder, &blocks) || !put_block(&blocks, last))
        return 0;
    img_bits_end_piece(&blocks.bits, last);
    return (size_t)(blocks.bits.out - out);
}
