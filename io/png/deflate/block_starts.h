/* Private: records the bit positions at which the deflate blocks of a piece begin. A piece is the
 * deflated data of a section of the picture. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H
#define IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum {
    /* Bytes of data; all strategies make blocks at least this long, except the last. */
    IMG_BLOCK_LEAST = 1 << 13
};

/* The starts of all blocks of a piece, except empty stored blocks. */
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

/* Records that a block begins at the current bit. Does nothing if `starts` is NULL. */
static inline void img_block_starts_add(ImgBlockStarts *starts, const ImgBits *bits)
{
    if (starts != NULL)
        starts->bits[starts->count++] = (uint32_t)(bits->out - starts->from) * 8 + bits->count;
}

/* Sets the start of the piece. Must be called before its first block. */
static inline void img_block_starts_begin(ImgBlockStarts *starts, const uint8_t *out)
{
    if (starts == NULL)
        return;
    starts->count = 0;
    starts->from = out;
}

#endif
