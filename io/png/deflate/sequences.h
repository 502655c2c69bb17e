/* Private: writes dynamic deflate blocks: literals and matches with the block's own Huffman codes
 * (RFC 1951, 3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H
#define IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

/* Some literals followed by a match. */
typedef struct ImgSequence {
    uint32_t literals;
    uint16_t length;   /* length of the match, 3 to 258; 0: no match */
    uint16_t distance; /* distance of the match, 1 to 32768 */
} ImgSequence;

/* Counts of the symbols of a block. */
typedef struct ImgBlockCounts {
    uint32_t literals[IMG_SYMBOLS]; /* counts of literals, lengths and end of block */
    uint32_t distances[IMG_DISTANCES];
    uint64_t extra; /* total of extra bits of lengths and distances */
} ImgBlockCounts;

/* The code lengths of a block, and its size in bits. */
typedef struct ImgBlockPlan {
    uint8_t literals[IMG_SYMBOLS], distances[IMG_DISTANCES];
    uint64_t bits;
} ImgBlockPlan;

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance);

/* Counts the symbols of a whole block, whose data starts at `data`. */
void img_block_count(const uint8_t *data, const ImgSequence *sequences, size_t count,
                     ImgBlockCounts *counts);

void img_block_plan(const ImgBlockCounts *counts, ImgBlockPlan *plan);

/* Writes the block. It takes plan->bits bits. */
void img_block_put(ImgBits *to, const ImgBlockPlan *plan, const uint8_t *data,
                   const ImgSequence *sequences, size_t count, bool last);

#endif
