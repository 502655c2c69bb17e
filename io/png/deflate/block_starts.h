/* Private: at which bits of a deflated piece its blocks begin. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H
#define IMGTOOL_IO_PNG_DEFLATE_BLOCK_STARTS_H

#include <stddef.h>
#include <stdint.h>

#include "io/png/deflate/bits.h"

enum { IMG_BLOCK_LEAST = 1 << 13 /* bytes of data: no strategy begins blocks faster than that */ };

/* All blocks but empty stored ones. */
typedef struct ImgBlockStarts {
    uint32_t *bits; /* from the piece's first bit on, ascending; the caller's */
    size_t count;
    const uint8_t *from; /* where the piece's first byte is written */
} ImgBlockStarts;

/* How many there are at most in what `size` bytes of data become. */
static inline size_t img_block_starts_most(size_t size)
{
    return size / IMG_BLOCK_LEAST + 2;
}

/* Notes that a block begins there; nothing, where `starts` is NULL. */
static inline void img_block_starts_add(ImgBlockStarts *starts, const ImgBits *bits)
{
    if (starts != NULL)
        starts->bits[starts->count++] = (uint32_t)(bits->out - starts->from) * 8 + bits->count;
}

/* Before the piece's first block. */
static inline void img_block_starts_begin(ImgBlockStarts *starts, const uint8_t *out)
{
    if (starts == NULL)
        return;
    starts->count = 0;
    starts->from = out;
}

#endif
