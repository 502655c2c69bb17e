#include "io/png/deflate/lz77_block.h"

#include <string.h>

enum {
    DYNAMIC = 2,
    BLOCK_HEADER_BITS = 3,
    LENGTH_CODES = 29,
    NEAREST = 4, /* distances that have codes of their own */
};

typedef struct Part {
    unsigned code, extra_bits, extra;
} Part;

static unsigned top_bit(uint32_t number)
{
    return 31 - (unsigned)__builtin_clz(number);
}

/* From 11 on there are four codes for each power of two. */
static inline Part part_of_length(uint32_t length)
{
    if (length < 11)
        return (Part){length - 3, 0, 0};
    if (length == 258)
        return (Part){LENGTH_CODES - 1, 0, 0};
    unsigned bits = top_bit(length - 3) - 2;
    return (Part){4 * bits + ((length - 3) >> bits), bits, (length - 3) & ((1U << bits) - 1)};
}

/* From 5 on there are two codes for each power of two. */
static inline Part part_of_distance(uint32_t distance)
{
    if (distance <= NEAREST)
        return (Part){distance - 1, 0, 0};
    unsigned bits = top_bit(distance - 1) - 1;
    return (Part){2 * bits + ((distance - 1) >> bits), bits, (distance - 1) & ((1U << bits) - 1)};
}

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance)
{
    Part of_length = part_of_length(length), of_distance = part_of_distance(distance);
    counts->literals[IMG_FIRST_LENGTH + of_length.code]++;
    counts->distances[of_distance.code]++;
    counts->extra += of_length.extra_bits + of_distance.extra_bits;
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

static void make_plan(const ImgBlockCounts *counts, ImgBlockPlan *plan)
{
    img_huffman_lengths(counts->literals, IMG_SYMBOLS, IMG_CODE_MOST, plan->literals);
    img_huffman_lengths(counts->distances, IMG_DISTANCES, IMG_CODE_MOST, plan->distances);
    plan->bits = BLOCK_HEADER_BITS + img_huffman_header_bits(plan->literals, plan->distances);
    plan->bits += counts->extra;
    for (int i = 0; i < IMG_SYMBOLS; i++)
        plan->bits += (uint64_t)counts->literals[i] * plan->literals[i];
    for (int i = 0; i < IMG_DISTANCES; i++)
        plan->bits += (uint64_t)counts->distances[i] * plan->distances[i];
}

/* --- Writing -----------------------------------------------------------------------------------
 */

/* Codes with their lengths: a literal's in the low four bits. */
typedef struct Codes {
    uint32_t literals[IMG_LITERALS];
    uint16_t lengths[IMG_SYMBOLS], distances[IMG_DISTANCES];
} Codes;

enum { LENGTH_BITS = 4, LENGTH_MASK = (1 << LENGTH_BITS) - 1 };

static void make_codes(const ImgBlockPlan *plan, Codes *codes)
{
    img_huffman_codes(plan->literals, IMG_SYMBOLS, codes->lengths);
    img_huffman_codes(plan->distances, IMG_DISTANCES, codes->distances);
    for (int i = 0; i < IMG_LITERALS; i++)
        codes->literals[i] = (uint32_t)codes->lengths[i] << LENGTH_BITS | plan->literals[i];
}

static void put_literals(ImgBits *bits, const Codes *codes, const uint8_t *data, uint32_t count)
{
    const uint32_t *literals = codes->literals;
    for (; count >= 3; count -= 3, data += 3) {
        uint32_t a = literals[data[0]], b = literals[data[1]], c = literals[data[2]];
        unsigned one = a & LENGTH_MASK, two = one + (b & LENGTH_MASK);
        uint64_t word = a >> LENGTH_BITS | (uint64_t)(b >> LENGTH_BITS) << one |
                        (uint64_t)(c >> LENGTH_BITS) << two;
        img_bits_put(bits, word, two + (c & LENGTH_MASK));
    }
    for (; count > 0; count--, data++)
        img_bits_put(bits, literals[*data] >> LENGTH_BITS, literals[*data] & LENGTH_MASK);
}

/* At most 15 + 5 + 15 + 13 bits. */
static void put_match(ImgBits *bits, const ImgBlockPlan *plan, const Codes *codes,
                      const ImgSequence *match)
{
    Part length = part_of_length(match->length), distance = part_of_distance(match->distance);
    unsigned symbol = IMG_FIRST_LENGTH + length.code, count = plan->literals[symbol];
    uint64_t word = codes->lengths[symbol] | (uint64_t)length.extra << count;
    count += length.extra_bits;
    word |= (uint64_t)codes->distances[distance.code] << count;
    count += plan->distances[distance.code];
    word |= (uint64_t)distance.extra << count;
    img_bits_put(bits, word, count + distance.extra_bits);
}

static void put_sequences(ImgBits *bits, const ImgBlockPlan *plan, const uint8_t *data,
                          const ImgSequence *sequences, size_t count, bool last)
{
    Codes codes;
    make_codes(plan, &codes);
    img_bits_put(bits, last | DYNAMIC << 1, BLOCK_HEADER_BITS);
    img_huffman_put_header(bits, plan->literals, plan->distances);
    for (size_t i = 0; i < count; i++) {
        put_literals(bits, &codes, data, sequences[i].literals);
        if (sequences[i].length > 0)
            put_match(bits, plan, &codes, &sequences[i]);
        data += sequences[i].literals + sequences[i].length;
    }
    img_bits_put(bits, codes.lengths[IMG_END_OF_BLOCK], plan->literals[IMG_END_OF_BLOCK]);
}

/* --- Blocks ------------------------------------------------------------------------------------
 */

bool img_blocks_put(ImgBlocks *blocks, bool last)
{
    if (blocks->plan.bits > blocks->room)
        return false;
    blocks->room -= blocks->plan.bits;
    img_block_starts_add(blocks->starts, &blocks->bits);
    put_sequences(&blocks->bits, &blocks->plan, blocks->start, blocks->sequences, blocks->in_block,
                  last);
    return true;
}

static void begin_block(ImgBlocks *blocks, const ImgBlockPlan *plan)
{
    blocks->block_counts = blocks->piece_counts;
    blocks->plan = *plan;
    blocks->count -= blocks->in_block;
    memmove(blocks->sequences, blocks->sequences + blocks->in_block,
            blocks->count * sizeof *blocks->sequences);
    blocks->in_block = blocks->count;
    blocks->start = blocks->piece;
}

static bool join(ImgBlocks *blocks, const ImgBlockPlan *piece)
{
    if (blocks->count + IMG_PIECE_SYMBOLS > IMG_BLOCK_SEQUENCES)
        return false;
    ImgBlockCounts both = blocks->block_counts;
    ImgBlockPlan plan;
    add_counts(&both, &blocks->piece_counts);
    make_plan(&both, &plan);
    if (plan.bits > blocks->plan.bits + piece->bits)
        return false;
    blocks->block_counts = both;
    blocks->plan = plan;
    blocks->in_block = blocks->count;
    return true;
}

bool img_blocks_end_piece(ImgBlocks *blocks, const uint8_t *end)
{
    if (blocks->literals > 0)
        blocks->sequences[blocks->count++] = (ImgSequence){blocks->literals, 0, 0};
    ImgBlockPlan piece;
    blocks->piece_counts.literals[IMG_END_OF_BLOCK] = 1;
    make_plan(&blocks->piece_counts, &piece);
    if (blocks->in_block == 0 || !join(blocks, &piece)) {
        if (blocks->in_block > 0 && !img_blocks_put(blocks, false))
            return false;
        begin_block(blocks, &piece);
    }
    blocks->piece = end;
    blocks->literals = blocks->symbols = 0;
    memset(&blocks->piece_counts, 0, sizeof blocks->piece_counts);
    return true;
}
