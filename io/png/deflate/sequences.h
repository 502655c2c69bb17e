/* Private: blocks of literals and matches with Huffman codes of their own (RFC 1951, 3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H
#define IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

/* Some literals and then a match. */
typedef struct ImgSequence {
    uint32_t literals;
    uint16_t length;   /* 3 to 258, or 0: no match */
    uint16_t distance; /* 1 to 32768 */
} ImgSequence;

/* What a block consists of. */
typedef struct ImgBlockCounts {
    uint32_t literals[IMG_SYMBOLS]; /* and lengths, and the end of the block */
    uint32_t distances[IMG_DISTANCES];
    uint64_t extra; /* bits beside the codes */
} ImgBlockCounts;

/* Codes for a block, and the bits that it takes with them. */
typedef struct ImgBlockPlan {
    uint8_t literals[IMG_SYMBOLS], distances[IMG_DISTANCES];
    uint64_t bits;
} ImgBlockPlan;

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance);

/* Counts all of a block whose data begin at `data`. */
void img_block_count(const uint8_t *data, const ImgSequence *sequences, size_t count,
                     ImgBlockCounts *counts);

void img_block_plan(const ImgBlockCounts *counts, ImgBlockPlan *plan);

/* Writes plan->bits bits. */
void img_block_put(ImgBits *to, const ImgBlockPlan *plan, const uint8_t *data,
                   const ImgSequence *sequences, size_t count, bool last);

#endif
