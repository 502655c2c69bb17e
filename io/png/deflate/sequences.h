/* Private: writes dynamic deflate blocks, which contain literals, matches and the block's own
 * Huffman codes (RFC 1951, 3.2.7). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H
#define IMGTOOL_IO_PNG_DEFLATE_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"
#include "io/png/deflate/huffman.h"

/* Some literals, and the match that follows them. */
typedef struct ImgSequence {
    uint32_t literals;
    uint16_t length;   /* length of the match in bytes, 3 to 258; 0 means no match */
    uint16_t distance; /* distance of the match in bytes, 1 to 32768 */
} ImgSequence;

/* Numbers of occurrences of the symbols in a block. */
typedef struct ImgBlockCounts {
    uint32_t literals[IMG_SYMBOLS]; /* counts of literals, length codes and the end of the block */
    uint32_t distances[IMG_DISTANCES];
    uint64_t extra; /* total number of the extra bits of lengths and distances */
} ImgBlockCounts;

/* The code lengths of a block in bits, and the size of the whole block in bits. */
typedef struct ImgBlockPlan {
    uint8_t literals[IMG_SYMBOLS], distances[IMG_DISTANCES];
    uint64_t bits;
} ImgBlockPlan;

void img_block_count_match(ImgBlockCounts *counts, uint32_t length, uint32_t distance);

/* Counts the symbols of a whole block. `data` is the block's data; `count` is the number of
 * sequences. */
void img_block_count(const uint8_t *data, const ImgSequence *sequences, size_t count,
                     ImgBlockCounts *counts);

void img_block_plan(const ImgBlockCounts *counts, ImgBlockPlan *plan);

/* Writes a block, which takes plan->bits bits. `last` marks it as the last block of the stream. */
void img_block_put(ImgBits *to, const ImgBlockPlan *plan, const uint8_t *data,
                   const ImgSequence *sequences, size_t count, bool last);

#endif
