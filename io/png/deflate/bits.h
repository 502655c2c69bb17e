/* Private: a bit stream as deflate wants it, the low bit of each byte first (RFC 1951, 3.1.1). */
#ifndef IMGTOOL_IO_PNG_DEFLATE_BITS_H
#define IMGTOOL_IO_PNG_DEFLATE_BITS_H

#include <stdint.h>
#include <string.h>

enum { IMG_BITS_SLACK = 8 /* bytes beyond the last that may be written */, IMG_BITS_MOST = 56 };

/* The caller sees to it that there is room. */
typedef struct ImgBits {
    uint8_t *out;   /* where the byte goes that is being filled */
    uint64_t held;  /* its bits so far; zeros above them */
    unsigned count; /* 0 to 7 */
} ImgBits;

/* Eight bytes of memory as a number whose low byte comes first. */
static inline uint64_t img_load_le64(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void img_store_le64(uint8_t *p, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(p, &word, sizeof word);
}

/* Up to IMG_BITS_MOST bits; those of `value` above them are zero. */
static inline void img_bits_put(ImgBits *bits, uint64_t value, unsigned count)
{
    bits->held |= value << bits->count;
    img_store_le64(bits->out, bits->held);
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

#endif
