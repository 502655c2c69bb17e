/* Private: a rule that selects the matches of LZ77, independent of the order of work. A CPU that
 * processes the data in order and a GPU that processes all positions in parallel find the same
 * matches.
 *
 * The data are the filtered rows of a picture, `size` bytes. A token is a literal or a match. A
 * table maps hashes of bytes to earlier positions. The rules apply only to positions with at least
 * eight bytes left: no match starts at the last seven bytes. Costs are in sixteenths of a bit.
 *
 * 1. A position is in a run if its eight bytes equal the eight bytes one pixel before.
 *    Such a position is neither entered in the table nor looked up.
 * 2. The table has 2^13 slots. A hash of the first six bytes (four for palette indices) selects
 *    the slot. A slot holds the last position entered. Positions form groups of 32, which is
 *    the number that a warp looks up at a time. A lookup sees only entries of earlier groups.
 *    All positions outside runs are entered, even if a match covers them.
 * 3. There are up to four candidates, in this order: the position one pixel back; the position
 *    one row back, if that is at most 32,768 bytes; the position one byte back; and, outside
 *    runs, the position in the table, if it is at most 32,768 bytes back. The length of a
 *    candidate is its number of equal bytes, at most 258. The length must be at least 3 for one
 *    pixel or one byte back, otherwise at least the number of hashed bytes.
 * 4. The cost of a literal follows from its frequency among positions outside runs, counted in
 *    the first 32 of every 256 positions. The cost is the logarithm of the total count minus
 *    that of the byte's count, limited to 8 to 224.
 * 5. The gain of a match is the cost of its bytes as literals, minus the cost of the match. A
 *    match costs 7 bits and the extra bits of its length. If it is one pixel or one byte back,
 *    it costs 2 more bits; otherwise 7 more bits and the extra bits of its distance. The match
 *    of a position is the candidate with the largest gain, or the first one if gains are equal.
 *    A candidate shorter than the best so far is ignored. If no gain is positive, there is no
 *    match.
 * 6. A match of 258 bytes is used. A shorter match is used unless the match of the next position
 *    has a larger gain; then the position becomes a literal. The next token starts after the
 *    literal or match.
 * 7. A block ends once it has 32,768 tokens, but only between two tokens that start in different
 *    segments. A segment has 4,096 positions. The codes of a block come from the counts of its
 *    symbols.
 *
 * The table has 16 KB. Two tables of 32 KB (hashes of four and of eight bytes) saved at most 0.5 %
 * on the pictures that were tried, and took twice the time. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_MATCH_RULE_H
#define IMGTOOL_IO_PNG_DEFLATE_MATCH_RULE_H

#include <stdint.h>

#include "io/png/deflate/logarithm.h"
#include "kernels/core/cuda/host_device.h"

enum {
    IMG_MATCH_LEAST = 3, /* smallest length in bytes of a match one pixel or one byte back */
    IMG_MATCH_MOST = 258,
    IMG_MATCH_REACH = 1 << 15, /* largest distance of a match in bytes */
    /* Number of bytes that are read at a position. Rule 1 compares all of them, and rule 2 hashes
     * the first ones. */
    IMG_MATCH_WORD = 8,
    IMG_MATCH_HASHED_OF_VALUES = 6,
    IMG_MATCH_HASHED_OF_INDICES = 4,
    IMG_MATCH_SLOT_BITS = 13,
    IMG_MATCH_SLOTS = 1 << IMG_MATCH_SLOT_BITS,
    IMG_MATCH_GROUP = 32,
    IMG_MATCH_SEGMENT = 1 << 12, /* number of positions in a segment */
    /* Number of tokens after which a block ends. The block continues to the end of its last
     * segment. */
    IMG_MATCH_BLOCK_TOKENS = 1 << 15,
    IMG_MATCH_COUNTED = 32,
    IMG_MATCH_COUNTED_OF = 256,
    IMG_LITERAL_COST_LEAST = 8,
    IMG_LITERAL_COST_MOST = 224,
    /* Cost of a length or a distance in sixteenths of a bit, without extra bits. */
    IMG_MATCH_COST = 7 * 16,
    IMG_NEAR_COST = 2 * 16,
};

/* Properties of a picture's rows that affect the choice of matches. */
typedef struct ImgMatchRows {
    uint32_t pixel;  /* size of a pixel in bytes; 1 if several pixels share a byte */
    uint32_t stride; /* size of a row in bytes, including its filter type */
    uint32_t hashed; /* number of bytes that are hashed: 6, or 4 for palette indices */
} ImgMatchRows;

/* Returns the factor for hashing the first `hashed` bytes of an eight-byte word. The multiplication
 * shifts the other bytes out of the word. */
IMG_HOST_DEVICE uint64_t img_match_factor(uint32_t hashed)
{
    return (uint64_t)0x9E3779B185EBCA87U << (8 * ((IMG_MATCH_WORD - hashed) & 7));
}

/* Returns the slot of the table for a position. `word` contains the eight bytes at the position;
 * the first byte is in the lowest bits. */
IMG_HOST_DEVICE uint32_t img_match_slot(uint64_t word, uint64_t factor)
{
    return (uint32_t)(word * factor >> (64 - IMG_MATCH_SLOT_BITS));
}

/* Returns the cost of a match length with its extra bits (RFC 1951, 3.2.5), in sixteenths of a
 * bit. */
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

/* Returns the cost, in sixteenths of a bit, of a literal that occurs `count` times among `all`
 * counted bytes. */
IMG_HOST_DEVICE uint32_t img_literal_cost(uint32_t all, uint32_t count)
{
    const uint32_t cost = img_logarithm(all) - img_logarithm(count);
    if (cost < IMG_LITERAL_COST_LEAST)
        return IMG_LITERAL_COST_LEAST;
    return cost < IMG_LITERAL_COST_MOST ? cost : (uint32_t)IMG_LITERAL_COST_MOST;
}

#endif
