/* Logarithms, powers, sines and roots in integers, for tables and weights. They use no floating
 * point, so they give the same bits with every compiler, library and processor.
 *
 * QN denotes a number multiplied by 2^N and stored as an integer. A unit of a result is its last
 * bit. "Error" is the distance from the exact value. Functions cannot fail and keep no state. For
 * arguments outside the given ranges the result is undefined.
 *
 * Logarithm and power consist of a table lookup and a short series, as in P. T. P. Tang,
 * "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", ACM
 * TOMS 15 (1989), and "... of the logarithm function ...", ACM TOMS 16 (1990). */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_FIXED_MATH_H
#define IMGTOOL_KERNELS_CORE_FIXED_FIXED_MATH_H

#include <stdint.h>

/* Returns log2(value) as Q48 (times 2^48). `value` must be at least 1. The error is at most 1/2 +
 * 2^-15 units of 2^-48. Powers of two give exact results. */
int64_t img_log2(uint64_t value);

/* Returns 2^x as Q62 (times 2^62), for x as Q48 and at most 0. The error is at most 2 units of
 * 2^-62. If x stands for an integer from -62 to 0, the result is exact. If it stands for a number
 * below -63, the result is 0. */
uint64_t img_exp2(int64_t x);

/* Returns (value / maximum)^(numerator / denominator) as Q62 (times 2^62), with 0^0 = 0. Requires 0
 * <= value <= maximum, 1 <= maximum < 2^32 and denominator at least 1. The error is at most
 * exponent + 3 units of 2^-62. value = maximum gives exactly 1. */
uint64_t img_power(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator);

/* Returns e^-(numerator / denominator) as Q62 (times 2^62), for a denominator of at least 1. The
 * error is at most 2 units of 2^-62. Results below 2^-62 are 0. */
uint64_t img_exp_negative(uint64_t numerator, uint64_t denominator);

/* Return the sine and the cosine, as Q30 (times 2^30), of any angle in thousandths of a degree. The
 * error is at most 1/2 + 2^-6 units of 2^-30. Multiples of 90 degrees give exact results. So do
 * multiples of 30 degrees if the result is one half. */
int64_t img_sin(int64_t thousandths_of_degree);
int64_t img_cos(int64_t thousandths_of_degree);

/* Returns the sine of pi * numerator / denominator as Q62 (times 2^62). The numerator must be below
 * 2^62, the denominator from 1 to 2^40. The error is at most 2^-36 of the result plus 8 units of
 * 2^-62. Integer multiples of pi give exactly 0, half-integer multiples exactly 1 or -1. */
int64_t img_sin_pi(uint64_t numerator, uint64_t denominator);

/* Returns the square root of `value`, rounded down. */
uint64_t img_sqrt(uint64_t value);

#endif
