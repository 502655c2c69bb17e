/* Private: records the bit positions at which the blocks of a deflated piece begin. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H
#define IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum {
    IMG_BLOCK_LEAST = 1 << 13 /* bytes of data; every strategy makes blocks at least this long */
};

/* The starts of all blocks except empty stored ones. */
typedef struct ImgBlockStarts {
    uint32_t *bits; /* bit positions from the start of the piece, ascending; owned by the caller */
    size_t count;
    const uint8_t *from; /* output position of the piece's first byte */
} ImgBlockStarts;

/* Returns the largest number of blocks for `size` bytes of data. */
static inline size_t img_block_starts_most(size_t size)
{
    return size / IMG_BLOCK_LEAST + 2;
}

/* Records that a block begins here. Does nothing if `starts` is NULL. */
static inline void img_block_starts_add(ImgBlockStarts *starts, const ImgBits *bits)
{
    if (starts != NULL)
        starts->bits[starts->count++] = (uint32_t)(bits->out - starts->from) * 8 + bits->count;
}

/* Call before the piece's first block. */
static inline void img_block_starts_begin(ImgBlockStarts *starts, const uint8_t *out)
{
    if (starts == NULL)
        return;
    starts->count = 0;
    starts->from = out;
}

#endif
