/* Private: records the bit positions at which deflate blocks begin in a piece, which is the
 * deflated data of one section of the picture. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H
#define IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum {
    /* Smallest size of the data of a deflate block in bytes. Only the last block may have less
     * data. */
    IMG_BLOCK_LEAST = 1 << 13
};

/* The start positions of all blocks of a piece, except empty stored blocks. */
typedef struct ImgBlockStarts {
    /* Ascending bit positions, counted from the start of the piece; owned by the caller. */
    uint32_t *bits;
    size_t count;
    const uint8_t *from; /* address of the piece's first output byte */
} ImgBlockStarts;

/* Returns an upper bound of the number of blocks for `size` bytes of data. */
static inline size_t img_block_starts_most(size_t size)
{
    return size / IMG_BLOCK_LEAST + 2;
}

/* Records that a block begins at the current bit position of `bits`. Does nothing if `starts` is
 * NULL. */
static inline void img_block_starts_add(ImgBlockStarts *starts, const ImgBits *bits)
{
    if (starts != NULL)
        starts->bits[starts->count++] = (uint32_t)(bits->out - starts->from) * 8 + bits->count;
}

/* Begins a new piece whose output starts at `out`. Must be called before the piece's first block is
 * written. Does nothing if `starts` is NULL. */
static inline void img_block_starts_begin(ImgBlockStarts *starts, const uint8_t *out)
{
    if (starts == NULL)
        return;
    starts->count = 0;
    starts->from = out;
}

#endif
