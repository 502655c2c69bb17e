/* Private: compares 64 bytes at two addresses, and counts the equal bytes at the start of two
 * arrays. */
#ifndef IMGTOOL_IO_PNG_DEFLATE_EQUAL_BYTES_H
#define IMGTOOL_IO_PNG_DEFLATE_EQUAL_BYTES_H

#include <stdint.h>

#include "io/bytes.h"
#include "kernels/simd/simd.h"

enum { IMG_EQUAL_BYTES = 64 };

/* Returns a 64-bit mask: bit i is set if a[i] == b[i]. */
static inline uint64_t img_equal_64(const uint8_t *a, const uint8_t *b)
{
    uint64_t equal = 0;
    for (int i = 0; i < IMG_EQUAL_BYTES; i += V_BYTES)
        equal |= equal_u8(load_u8(a + i), load_u8(b + i)) << i;
    return equal;
}

/* Returns the number of equal bytes at the start of `a` and `b`, up to `most`. The first `known`
 * bytes must be equal; they are not compared. */
static inline uint32_t img_equal_length(const uint8_t *a, const uint8_t *b, uint32_t known,
                                        uint32_t most)
{
    uint32_t length = known;
    for (; length + 8 <= most; length += 8) {
        const uint64_t unlike = img_get_le64(a + length) ^ img_get_le64(b + length);
        if (unlike != 0)
            return length + ((uint32_t)__builtin_ctzll(unlike) >> 3);
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

#endif
