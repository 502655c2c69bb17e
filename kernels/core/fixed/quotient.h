/* Integer quotients, rounded down, by floating-point division, which processors have as vector
 * instructions. They are exact: a / b is at least 1 / b below the next larger integer. With p bits
 * of precision, rounding changes a quotient by less than a / b / 2^p. That is at most 1 / b if a is
 * at most 2^p. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_QUOTIENT_H
#define IMGTOOL_KERNELS_CORE_FIXED_QUOTIENT_H

#include <stdint.h>

/* Returns a / b for `a` up to 2^24 and `b` from 1 to 2^24. */
static inline uint32_t img_quotient_24(uint32_t a, uint32_t b)
{
    return (uint32_t)(int32_t)((float)(int32_t)a / (float)(int32_t)b);
}

/* Returns a / b, but at most `most`. `a` must be below 2^53, `b` from 1 to 2^53, and `most` below
 * 2^31. */
static inline uint32_t img_quotient_53(int64_t a, int64_t b, int32_t most)
{
    const double quotient = (double)a / (double)b;
    return (uint32_t)(int32_t)(quotient < most ? quotient : most);
}

/* Does the same as img_quotient_53 for unsigned numbers of 32 bits, which every processor can
 * convert to floating point. */
static inline uint32_t img_quotient_32(uint32_t a, uint32_t b, int32_t most)
{
    const double zero = 2147483648.0;
    const double dividend = (double)(int32_t)(a ^ 0x80000000u) + zero;
    const double divisor = (double)(int32_t)(b ^ 0x80000000u) + zero;
    const double quotient = dividend / divisor;
    return (uint32_t)(int32_t)(quotient < most ? quotient : most);
}

#endif
