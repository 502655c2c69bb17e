/* Private: a rule for LZ77 that does not depend on the order of work: a processor that goes through
 * the data and a GPU whose threads look at all of it at the same time find the same matches.
 *
 * The data are filtered rows of a picture, `size` bytes d. Positions with eight bytes from them on
 * are looked at; the last seven are literals. Costs are in sixteenths of a bit.
 *
 * 1. A position is in a run if its eight bytes are those one pixel before. It is not entered in the
 *    table, nor looked up there.
 * 2. The table has 2^13 slots, which a hash of the first six bytes chooses (four where bytes are
 *    indices). A slot holds the last position that was entered. A position sees all those before
 *    its group of 32. All positions outside runs are entered, whether or not a match covers them.
 * 3. Candidates, in this order: one pixel back; a row back, if that is at most 32768; one byte
 *    back; outside runs, what the table holds, if it is at most 32768 back. A candidate has as many
 *    equal bytes as there are, at most 258: a pixel or a byte back at least 3, else at least those
 *    that are hashed.
 * 4. A literal costs what its share says: counted are positions outside runs, the first 32 of every
 *    256; the logarithm of all less that of the byte's count, 8 to 224.
 * 5. A match gains what its bytes cost as literals, less 7 bits and the extra bits of its length,
 *    less 2 bits if it is a pixel or a byte back, else 7 bits and the extra bits of its distance.
 *    The candidate that gains most is the position's match, the first of equals; one that is
 *    shorter than the best so far does not count. If none gains, there is no match.
 * 6. A match of 258 bytes is taken; a shorter one unless the next position's gains more. What is
 *    not taken is a literal. Then follows the position behind.
 * 7. A block ends where a token begins behind a multiple of 4096 positions and the block has 32768
 *    tokens. Its codes come from the counts of its symbols.
 *
 * Groups of 32 are what a warp looks up at a time. On pictures tried, one table of 16 KB came
 * within 0.5 % of two of 32 KB, by four and by eight bytes, in half the time. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCH_RULE_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCH_RULE_H

#include <stdint.h>

#include "io/png/deflate/logarithm.h"
#include "kernels/core/cuda/host_device.h"

enum {
    IMG_MATCH_LEAST = 3, /* bytes, of a match nearby */
    IMG_MATCH_MOST = 258,
    IMG_MATCH_REACH = 1 << 15, /* the greatest distance */
    IMG_MATCH_WORD = 8,        /* bytes of a position that are looked at */
    IMG_MATCH_HASHED_OF_VALUES = 6,
    IMG_MATCH_HASHED_OF_INDICES = 4,
    IMG_MATCH_SLOT_BITS = 13,
    IMG_MATCH_SLOTS = 1 << IMG_MATCH_SLOT_BITS,
    IMG_MATCH_GROUP = 32,
    IMG_MATCH_SEGMENT = 1 << 12,      /* positions */
    IMG_MATCH_BLOCK_TOKENS = 1 << 15, /* and at most those of a segment more */
    IMG_MATCH_COUNTED = 32,
    IMG_MATCH_COUNTED_OF = 256,
    IMG_LITERAL_COST_LEAST = 8,
    IMG_LITERAL_COST_MOST = 224,
    IMG_MATCH_COST = 7 * 16, /* of a length, and of a distance, beside their extra bits */
    IMG_NEAR_COST = 2 * 16,
};

/* Sizes of rows that the rule depends on. */
typedef struct ImgMatchRows {
    uint32_t pixel;  /* bytes; 1 where pixels share one */
    uint32_t stride; /* of a row and its filter's type */
    uint32_t hashed; /* bytes that choose a slot: 6, of indices 4 */
} ImgMatchRows;

/* The factor with which so many bytes are hashed: those behind them are shifted out of the product.
 */
IMG_HOST_DEVICE uint64_t img_match_factor(uint32_t hashed)
{
    return (uint64_t)0x9E3779B185EBCA87U << (8 * ((IMG_MATCH_WORD - hashed) & 7));
}

/* The slot of a position whose bytes are `word`, the first in the low eight bits. */
IMG_HOST_DEVICE uint32_t img_match_slot(uint64_t word, uint64_t factor)
{
    return (uint32_t)(word * factor >> (64 - IMG_MATCH_SLOT_BITS));
}

/* Extra bits: RFC 1951, 3.2.5. */
IMG_HOST_DEVICE uint32_t img_match_length_cost(uint32_t length)
{
    const uint32_t plain = length < 11 || length == IMG_MATCH_MOST;
    return IMG_MATCH_COST + (plain ? 0 : 16 * (img_top_bit(length - 3) - 2));
}

IMG_HOST_DEVICE uint32_t img_match_distance_cost(uint32_t distance, uint32_t pixel)
{
    if (distance == 1 || distance == pixel)
        return IMG_NEAR_COST;
    return IMG_MATCH_COST + (distance <= 4 ? 0 : 16 * (img_top_bit(distance - 1) - 1));
}

/* Returns the cost of a byte that is `count` of the `all` bytes counted. */
IMG_HOST_DEVICE uint32_t img_literal_cost(uint32_t all, uint32_t count)
{
    const uint32_t cost = img_logarithm(all) - img_logarithm(count);
    if (cost < IMG_LITERAL_COST_LEAST)
        return IMG_LITERAL_COST_LEAST;
    return cost < IMG_LITERAL_COST_MOST ? cost : (uint32_t)IMG_LITERAL_COST_MOST;
}

#endif
