/* Integer quotients, rounded down, by floating-point division, which processors have as vector
 * instructions. They are exact. A fraction a / b that is not an integer is at least 1 / b below the
 * next integer. With p bits of precision, rounding changes a / b by less than a / b / 2^p. That is
 * at most 1 / b if `a` is at most 2^p, so the rounded quotient stays below the next integer. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_QUOTIENT_H
#define IMGTOOL_KERNELS_CORE_FIXED_QUOTIENT_H

#include <stdint.h>

/* Returns a / b, rounded down, for `a` up to 2^24 and `b` from 1 to 2^24. */
static inline uint32_t img_quotient_24(uint32_t a, uint32_t b)
{
    return (uint32_t)(int32_t)((float)(int32_t)a / (float)(int32_t)b);
}

/* Returns a / b, rounded down and clamped to `most`. `a` must be below 2^53, `b` from 1 to 2^53,
 * and `most` below 2^31. */
static inline uint32_t img_quotient_53(int64_t a, int64_t b, int32_t most)
{
    const double quotient = (double)a / (double)b;
    return (uint32_t)(int32_t)(quotient < most ? quotient : most);
}

/* Returns a / b, rounded down and clamped to `most`, for `b` of at least 1. Converts only signed
 * 32-bit integers to floating point, because every processor has a vector instruction for that. */
static inline uint32_t img_quotient_32(uint32_t a, uint32_t b, int32_t most)
{
    const double zero = 2147483648.0;
    const double dividend = (double)(int32_t)(a ^ 0x80000000u) + zero;
    const double divisor = (double)(int32_t)(b ^ 0x80000000u) + zero;
    const double quotient = dividend / divisor;
    return (uint32_t)(int32_t)(quotient < most ? quotient : most);
}

#endif
