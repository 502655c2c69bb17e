/* Private: writes a bit stream in the order of deflate: the least significant bit of each byte
 * comes first (RFC 1951, 3.1.1). A piece is the deflated data of one section of the picture. All
 * pieces together form one stream. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BITS_H
#define IMGTOOL_IO_PNG_DEFLATE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/bytes.h"

enum {
    IMG_BITS_SLACK = 8, /* number of bytes after the output that may be overwritten */
    IMG_BITS_MOST = 56,
    IMG_PIECE_END_BYTES = 5, /* largest number of bytes that img_bits_end_piece appends */
};

/* The position at which a bit stream is written. The caller ensures that the output buffer is large
 * enough. */
typedef struct ImgBits {
    uint8_t *out;   /* address of the byte to which the next bits belong */
    uint64_t held;  /* bits that belong to the byte at `out`; all higher bits are zero */
    unsigned count; /* number of bits in `held`, 0 to 7 */
} ImgBits;

/* Appends the low `count` bits of `value`. `count` is at most IMG_BITS_MOST. The higher bits of
 * `value` must be zero. */
static inline void img_bits_put(ImgBits *bits, uint64_t value, unsigned count)
{
    bits->held |= value << bits->count;
    img_put_le64(bits->out, bits->held);
    bits->count += count;
    bits->out += bits->count >> 3;
    bits->held >>= bits->count & ~7U;
    bits->count &= 7;
}

/* Appends zero bits up to the next byte boundary. */
static inline void img_bits_align(ImgBits *bits)
{
    if (bits->count > 0)
        img_bits_put(bits, 0, 8 - bits->count);
}

/* Ends a piece at a byte boundary. After the last block of the stream it only appends zero bits.
 * Otherwise it appends an empty stored block, so that more blocks can follow. */
static inline void img_bits_end_piece(ImgBits *bits, bool last)
{
    if (!last)
        img_bits_put(bits, 0, 3);
    img_bits_align(bits);
    if (!last)
        img_bits_put(bits, 0xFFFF0000, 32);
}

#endif
