/* Private: a rule for LZ77 that does not depend on the order of work. A CPU that processes the data
 * in order and a GPU whose threads process all of it in parallel find the same matches.
 *
 * The data are the filtered rows of a picture, `size` bytes. Only positions followed by at least
 * eight bytes (their own included) are examined; the last seven are literals. Costs are in
 * sixteenths of a bit.
 *
 * 1. A position is in a run if its eight bytes equal those one pixel before. Such a position is
 *    neither entered in the table nor looked up.
 * 2. The table has 2^13 slots, selected by a hash of the first six bytes (four for palette
 *    indices). A slot holds the last position entered. A lookup sees only entries of positions
 *    before its own group of 32. All positions outside runs are entered, even if a match covers
 *    them.
 * 3. Candidates, in this order: one pixel back; one row back, if that is at most 32768; one byte
 *    back; outside runs, the position in the table, if it is at most 32768 back. The length of a
 *    candidate is its number of equal bytes, at most 258. It must be at least 3 for one pixel or
 *    one byte back, else at least the number of hashed bytes.
 * 4. The cost of a literal follows from its frequency among positions outside runs, counted in the
 *    first 32 of every 256: logarithm of the total less that of the byte's count, 8 to 224.
 * 5. The gain of a match is the cost of its bytes as literals, less the cost of the match: 7 bits
 *    and the extra bits of its length, plus 2 bits if it is one pixel or one byte back, else 7 bits
 *    and the extra bits of its distance. The candidate with the largest gain is the position's
 *    match, the first one of equals. A candidate shorter than the best so far does not count.
 *    Without a positive gain there is no match.
 * 6. A match of 258 bytes is taken. A shorter one is taken unless that of the next position gains
 *    more; then the position becomes a literal. The next token starts after the one taken.
 * 7. A block ends between two tokens that start in different segments of 4096 positions, once it
 *    has 32768 tokens. Its codes come from the counts of its symbols.
 *
 * A group of 32 is what a warp looks up at a time. On the pictures that were tried, one table of 16
 * KB came within 0.5 % of two tables of 32 KB (hashes of four and of eight bytes), in half the
 * time. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCH_RULE_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCH_RULE_H

#include <stdint.h>

#include "io/png/deflate/logarithm.h"
#include "kernels/core/cuda/host_device.h"

enum {
    IMG_MATCH_LEAST = 3, /* bytes of the shortest near match */
    IMG_MATCH_MOST = 258,
    IMG_MATCH_REACH = 1 << 15, /* the largest distance */
    IMG_MATCH_WORD = 8,        /* bytes that are examined at a position */
    IMG_MATCH_HASHED_OF_VALUES = 6,
    IMG_MATCH_HASHED_OF_INDICES = 4,
    IMG_MATCH_SLOT_BITS = 13,
    IMG_MATCH_SLOTS = 1 << IMG_MATCH_SLOT_BITS,
    IMG_MATCH_GROUP = 32,
    IMG_MATCH_SEGMENT = 1 << 12,      /* positions */
    IMG_MATCH_BLOCK_TOKENS = 1 << 15, /* may be exceeded by the tokens of one segment */
    IMG_MATCH_COUNTED = 32,
    IMG_MATCH_COUNTED_OF = 256,
    IMG_LITERAL_COST_LEAST = 8,
    IMG_LITERAL_COST_MOST = 224,
    IMG_MATCH_COST = 7 * 16, /* of a length or a distance, without extra bits */
    IMG_NEAR_COST = 2 * 16,
};

/* Sizes of rows that the rule depends on. */
typedef struct ImgMatchRows {
    uint32_t pixel;  /* bytes of a pixel; 1 if pixels share a byte */
    uint32_t stride; /* bytes of a row, including its filter type */
    uint32_t hashed; /* bytes that select a slot: 6, for palette indices 4 */
} ImgMatchRows;

/* Returns the hash factor for that many bytes: bytes after them are shifted out of the product. */
IMG_HOST_DEVICE uint64_t img_match_factor(uint32_t hashed)
{
    return (uint64_t)0x9E3779B185EBCA87U << (8 * ((IMG_MATCH_WORD - hashed) & 7));
}

/* Returns the slot of a position. `word` has its eight bytes, the first one in the lowest bits. */
IMG_HOST_DEVICE uint32_t img_match_slot(uint64_t word, uint64_t factor)
{
    return (uint32_t)(word * factor >> (64 - IMG_MATCH_SLOT_BITS));
}

/* The numbers of extra bits follow RFC 1951, 3.2.5. */
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
