/* Private: writes dynamic blocks, literals and matches with their own Huffman codes (RFC 1951,
 * 3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H
#define IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

/* A number of literals followed by a match. */
typedef struct ImgSequence {
    uint32_t literals;
    uint16_t length;   /* 3 to 258, or 0: no match */
    uint16_t distance; /* 1 to 32768 */
} ImgSequence;

/* Counts of the symbols of a block. */
typedef struct ImgBlockCounts {
    uint32_t literals[IMG_SYMBOLS]; /* literals, lengths and end of block */
    uint32_t distances[IMG_DISTANCES];
    uint64_t extra; /* extra bits of lengths and distances */
} ImgBlockCounts;

/* Code lengths for a block, and its total number of bits. */
typedef struct ImgBlockPlan {
    uint8_t literals[IMG_SYMBOLS], distances[IMG_DISTANCES];
    uint64_t bits;
} ImgBlockPlan;

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance);

/* Counts a whole block, whose data starts at `data`. */
void img_block_count(const uint8_t *data, const ImgSequence *sequences, size_t count,
                     ImgBlockCounts *counts);

void img_block_plan(const ImgBlockCounts *counts, ImgBlockPlan *plan);

/* Writes plan->bits bits. */
void img_block_put(ImgBits *to, const ImgBlockPlan *plan, const uint8_t *data,
                   const ImgSequence *sequences, size_t count, bool last);

#endif
