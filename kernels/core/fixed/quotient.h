/* Quotients of whole numbers, cut off, by floating point, of which processors have vectors. Exact:
 * a / b falls short of the whole number above it by 1 / b at least, and rounding moves it by less
 * than a / b / 2^p in numbers of p bits, which is not more as long as a is no more than 2^p. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_QUOTIENT_H
#define IMGTOOL_KERNELS_CORE_FIXED_QUOTIENT_H

#include <stdint.h>

/* Of `a` up to 2^24 and `b` from 1 to 2^24. */
static inline uint32_t img_quotient_24(uint32_t a, uint32_t b)
{
    return (uint32_t)(int32_t)((float)(int32_t)a / (float)(int32_t)b);
}

/* Of `a` below 2^53 and `b` from 1 to 2^53; `most`, below 2^31, where the quotient is larger. */
static inline uint32_t img_quotient_53(int64_t a, int64_t b, int32_t most)
{
    const double quotient = (double)a / (double)b;
    return (uint32_t)(int32_t)(quotient < most ? quotient : most);
}

/* The same of 32 bits, which all processors make numbers of floating point of. */
static inline uint32_t img_quotient_32(uint32_t a, uint32_t b, int32_t most)
{
    const double zero = 2147483648.0;
    const double dividend = (double)(int32_t)(a ^ 0x80000000u) + zero;
    const double divisor = (double)(int32_t)(b ^ 0x80000000u) + zero;
    const double quotient = dividend / divisor;
    return (uint32_t)(int32_t)(quotient < most ? quotient : most);
}

#endif
