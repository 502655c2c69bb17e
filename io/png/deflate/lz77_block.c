#include "io/png/deflate/lz77_block.h"

#include <string.h>

static void add_counts(ImgBlockCounts *counts, const ImgBlockCounts *more)
{
    for (int i = 0; i < IMG_SYMBOLS; i++)
        counts->literals[i] += more->literals[i];
    for (int i = 0; i < IMG_DISTANCES; i++)
        counts->distances[i] += more->distances[i];
    counts->extra += more->extra;
    counts->literals[IMG_END_OF_BLOCK] = 1;
}

bool img_blocks_put(ImgBlocks *blocks, bool last)
{
    if (blocks->plan.bits > blocks->room)
        return false;
    blocks->room -= blocks->plan.bits;
    img_block_starts_add(blocks->starts, &blocks->bits);
    img_block_put(&blocks->bits, &blocks->plan, blocks->start, blocks->sequences, blocks->in_block,
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
    img_block_plan(&both, &plan);
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
    img_block_plan(&blocks->piece_counts, &piece);
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
