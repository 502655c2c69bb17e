/* Private: a bit stream as deflate wants it, the low bit of each byte first (RFC 1951, 3.1.1). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BITS_H
#define IMGTOOL_IO_PNG_DEFLATE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/bytes.h"

enum {
    IMG_BITS_SLACK = 8, /* bytes beyond the last that may be written */
    IMG_BITS_MOST = 56,
    IMG_PIECE_END_BYTES = 5, /* that img_bits_end_piece takes at most */
};

/* The caller sees to it that there is room. */
typedef struct ImgBits {
    uint8_t *out;   /* where the byte goes that is being filled */
    uint64_t held;  /* its bits so far; zeros above them */
    unsigned count; /* 0 to 7 */
} ImgBits;

/* Up to IMG_BITS_MOST bits; those of `value` above them are zero. */
static inline void img_bits_put(ImgBits *bits, uint64_t value, unsigned count)
{
    bits->held |= value << bits->count;
    img_put_le64(bits->out, bits->held);
    bits->count += count;
    bits->out += bits->count >> 3;
    bits->held >>= bits->count & ~7U;
    bits->count &= 7;
}

/* Up to the next whole byte, with zeros. */
static inline void img_bits_align(ImgBits *bits)
{
    if (bits->count > 0)
        img_bits_put(bits, 0, 8 - bits->count);
}

/* After a last block to a whole byte; after any other an empty stored block does that. */
static inline void img_bits_end_piece(ImgBits *bits, bool last)
{
    if (!last)
        img_bits_put(bits, 0, 3);
    img_bits_align(bits);
    if (!last)
        img_bits_put(bits, 0xFFFF0000, 32);
}

#endif
