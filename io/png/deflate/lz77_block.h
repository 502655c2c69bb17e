/* Private: literals and matches, as they are found, become blocks: of pieces that join where one
 * set of codes for both is smaller. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LZ77_BLOCK_H
#define IMGTOOL_IO_PNG_DEFLATE_LZ77_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/sequences.h"

enum {
    IMG_PIECE_SYMBOLS = IMG_BLOCK_LEAST, /* each of a byte at least */
    IMG_BLOCK_SEQUENCES = 1 << 15,       /* of a block and the piece after it */
};

/* What has been found: a block, and the piece after it, which may join it. */
typedef struct ImgBlocks {
    ImgSequence *sequences;
    size_t count, in_block;
    const uint8_t *start, *piece; /* of the data */
    ImgBlockCounts block_counts, piece_counts;
    ImgBlockPlan plan; /* of the block */
    uint32_t symbols;  /* in the piece */
    uint32_t literals; /* since the last match */
    ImgBits bits;
    uint64_t room;          /* bits */
    ImgBlockStarts *starts; /* of what is written; may be NULL */
} ImgBlocks;

static inline void img_blocks_add_literal(ImgBlocks *blocks, uint8_t literal)
{
    blocks->piece_counts.literals[literal]++;
    blocks->literals++;
    blocks->symbols++;
}

static inline void img_blocks_add_match(ImgBlocks *blocks, uint32_t length, uint32_t distance)
{
    blocks->sequences[blocks->count++] =
        (ImgSequence){blocks->literals, (uint16_t)length, (uint16_t)distance};
    img_block_count_match(&blocks->piece_counts, length, distance);
    blocks->literals = 0;
    blocks->symbols++;
}

/* Ends the piece, which is more than nothing: `end` is where its data ends. It joins the block
 * where one set of codes for both is smaller; otherwise the block is put. To be called once
 * IMG_PIECE_SYMBOLS are there, and at the end of the data. False: no room. */
bool img_blocks_end_piece(ImgBlocks *blocks, const uint8_t *end);

/* Writes the block, of which all pieces are ended. False: no room. */
bool img_blocks_put(ImgBlocks *blocks, bool last);

#endif
