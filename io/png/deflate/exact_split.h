/* Private: divides symbols into blocks, so that all blocks together are smallest. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EXACT_SPLIT_H
#define IMGTOOL_IO_PNG_DEFLATE_EXACT_SPLIT_H

#include "io/png/deflate/exact_block.h"

enum { IMG_EXACT_BLOCKS = 128 /* largest number of blocks */ };

typedef struct ImgExactBlock {
    uint32_t from, to;   /* its symbols, `to` exclusive */
    uint32_t start, end; /* its bytes, `end` exclusive */
    ImgBlockCounts counts;
    ImgExactPlan plan;
} ImgExactBlock;

/* Working memory of a split, and its result. */
typedef struct ImgExactSplit {
    /* Counts of all symbols before each place where a block may end. */
    ImgBlockCounts before[IMG_EXACT_BLOCKS + 1];
    /* The number of symbols before each place where a block may end, and of bytes. */
    uint32_t places[IMG_EXACT_BLOCKS + 1];
    uint32_t sums[1 << 10]; /* i * log2(i) for small i, in 2^-IMG_EXACT_LOG_BITS */
    ImgExactBlock blocks[IMG_EXACT_BLOCKS];
    uint32_t count; /* number of blocks */
    uint64_t bits;  /* size of all blocks in bits */
} ImgExactSplit;

void img_exact_split_create(ImgExactSplit *split);

/* Divides `count` symbols, at least one, into blocks. `fine` is the largest number of places that
 * are compared, at most IMG_EXACT_BLOCKS. */
void img_exact_split(ImgExactSplit *split, const ImgExactSymbol *symbols, uint32_t count,
                     uint32_t fine);

#endif
