/* Reads and writes integers in memory: big-endian as PNG stores them, little-endian as deflate
 * reads bits. */
#ifndef IMGTOOL_IO_BYTES_H
#define IMGTOOL_IO_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t img_get_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t img_get_be32(const uint8_t *p)
{
    return img_get_be16(p) << 16 | img_get_be16(p + 2);
}

/* Reads a big-endian number from memory that another thread or process may change meanwhile. Reads
 * each byte once, so that the caller checks the same value that it uses. */
static inline uint32_t img_get_be32_once(const volatile uint8_t *p)
{
    uint32_t value = p[0];
    for (int i = 1; i < 4; i++)
        value = value << 8 | p[i];
    return value;
}

static inline void img_put_be32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

/* Reads four bytes as one number; the least significant byte comes first (little-endian). */
static inline uint32_t img_get_le32(const uint8_t *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

/* Reads eight bytes as one number; the least significant byte comes first (little-endian). */
static inline uint64_t img_get_le64(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void img_put_le32(uint8_t *p, uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    memcpy(p, &word, sizeof word);
}

static inline void img_put_le64(uint8_t *p, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(p, &word, sizeof word);
}

/* Reads four 16-bit numbers in native byte order; the first one is the least significant. */
static inline uint64_t img_get_four16(const uint16_t *p)
{
    uint64_t word = img_get_le64((const uint8_t *)p);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = (word & 0x00FF00FF00FF00FF) << 8 | (word >> 8 & 0x00FF00FF00FF00FF);
#endif
    return word;
}

static inline void img_put_four16(uint16_t *p, uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = (word & 0x00FF00FF00FF00FF) << 8 | (word >> 8 & 0x00FF00FF00FF00FF);
#endif
    img_put_le64((uint8_t *)p, word);
}

#endif
