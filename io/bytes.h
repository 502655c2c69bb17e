/* Big-endian numbers, as PNG stores them. */
#ifndef IMGTOOL_IO_BYTES_H
#define IMGTOOL_IO_BYTES_H

#include <stdint.h>

static inline uint32_t img_get_be16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t img_get_be32(const uint8_t *p)
{
    return img_get_be16(p) << 16 | img_get_be16(p + 2);
}

static inline void img_put_be32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

#endif
