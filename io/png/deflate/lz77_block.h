/* Private: collects literals and matches into deflate blocks. A piece is a sequence of at least
 * IMG_PIECE_SYMBOLS literals and matches. A block consists of pieces. A piece joins the block
 * before it if one set of codes for both makes the output smaller. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_LZ77_BLOCK_H
#define IMGTOOL_IO_PNG_DEFLATE_LZ77_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/block_starts.h"
#include "io/png/deflate/sequences.h"

enum {
    /* Smallest number of literals and matches in a piece. Each of them stands for at least one
     * byte. */
    IMG_PIECE_SYMBOLS = IMG_BLOCK_LEAST,
    /* Largest number of sequences in a block together with the piece after it. A sequence is some
     * literals and the match after them. */
    IMG_BLOCK_SEQUENCES = 1 << 15,
};

/* The current block, and the piece after it, which may later join the block. */
typedef struct ImgBlocks {
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

/* Ends the current piece, which must not be empty; `end` is the end of its data. The piece joins
 * the block if one set of codes for both makes the output smaller. Otherwise the block is written,
 * and the piece becomes the new block.
 *
 * Must be called after IMG_PIECE_SYMBOLS symbols and at the end of the data. Returns false if the
 * output has no room. */
bool img_blocks_end_piece(ImgBlocks *blocks, const uint8_t *end);

/* Writes the current block. All its pieces must have been ended. Returns false if the output has no
 * room. */
bool img_blocks_put(ImgBlocks *blocks, bool last);

#endif
