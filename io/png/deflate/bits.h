/* Private: writes a bit stream in the order of deflate, with the least significant bit of each byte
 * first (RFC 1951, 3.1.1). A piece is the deflated data of a section of the picture; pieces are
 * joined to one stream. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BITS_H
#define IMGTOOL_IO_PNG_DEFLATE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/bytes.h"

enum {
    IMG_BITS_SLACK = 8, /* bytes after the last one that may be overwritten */
    IMG_BITS_MOST = 56,
    IMG_PIECE_END_BYTES = 5, /* largest number of bytes that img_bits_end_piece writes */
};

/* The writer's position. The caller ensures that the output has room. */
typedef struct ImgBits {
    uint8_t *out;   /* the byte that is being filled */
    uint64_t held;  /* bits of the current byte so far; higher bits are zero */
    unsigned count; /* number of these bits, 0 to 7 */
} ImgBits;

/* Appends the low `count` bits of `value`, at most IMG_BITS_MOST; its higher bits must be zero. */
static inline void img_bits_put(ImgBits *bits, uint64_t value, unsigned count)
{
    bits->held |= value << bits->count;
    img_put_le64(bits->out, bits->held);
    bits->count += count;
    bits->out += bits->count >> 3;
    bits->held >>= bits->count & ~7U;
    bits->count &= 7;
}

/* Appends zeros up to the next whole byte. */
static inline void img_bits_align(ImgBits *bits)
{
    if (bits->count > 0)
        img_bits_put(bits, 0, 8 - bits->count);
}

/* Ends a piece at a whole byte. After the stream's last block it appends zeros; after any other
 * block it appends an empty stored block. */
static inline void img_bits_end_piece(ImgBits *bits, bool last)
{
    if (!last)
        img_bits_put(bits, 0, 3);
    img_bits_align(bits);
    if (!last)
        img_bits_put(bits, 0xFFFF0000, 32);
}

#endif
