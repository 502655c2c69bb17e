/* Adler-32 is two sums modulo 65521: a = 1 + all bytes, and b = the sum of all values that a took.
 * Over a second part, a starts at first.a instead of 1, and every one of its steps adds that
 * difference to b. */
#include "io/png/adler.h"

enum { MODULUS = 65521 };

uint32_t img_adler_join(uint32_t first, uint32_t second, uint64_t size)
{
    uint32_t steps = (uint32_t)(size % MODULUS);
    uint32_t ahead = ((first & 0xFFFF) + MODULUS - 1) % MODULUS;
    uint32_t a = ((second & 0xFFFF) + ahead) % MODULUS;
    uint64_t b = (uint64_t)steps * ahead + (first >> 16) + (second >> 16);
    return (uint32_t)(b % MODULUS) << 16 | a;
}
