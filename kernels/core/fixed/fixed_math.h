/* Logarithms, powers, sines and roots in whole numbers, for tables and weights: the same bits from
 * every compiler, library and processor, as no floating point takes part.
 *
 * QN is a number times 2^N. A unit of a result is its last bit; "error" is the distance from the
 * exact value. Nothing fails and nothing is kept between calls; arguments outside of the ranges
 * given give a meaningless number.
 *
 * Logarithm and power are split into a step of a table and a short series, as in P. T. P. Tang,
 * "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", ACM
 * TOMS 15 (1989), and "... of the logarithm function ...", ACM TOMS 16 (1990). */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_FIXED_MATH_H
#define IMGTOOL_KERNELS_CORE_FIXED_FIXED_MATH_H

#include <stdint.h>

/* log2(value) as Q48, value at least 1. Error at most 1/2 + 2^-15 units; powers of two are exact.
 */
int64_t img_log2(uint64_t value);

/* 2^x as Q62, x as Q48 and at most 0. Error at most 2 units; whole numbers down to -62 are exact,
 * and from -63 * 2^48 - 1 on the result is 0. */
uint64_t img_exp2(int64_t x);

/* (value / maximum)^(numerator / denominator) as Q62, 0^0 being 0: 0 <= value <= maximum,
 * 1 <= maximum < 2^32, denominator at least 1. Error at most exponent + 3 units; value = maximum
 * gives exactly 1. */
uint64_t img_power(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator);

/* e^-(numerator / denominator) as Q62, denominator at least 1. Error at most 2 units; 0 where it is
 * below 2^-62. */
uint64_t img_exp_negative(uint64_t numerator, uint64_t denominator);

/* Sine and cosine as Q30 of any angle in thousandths of a degree. Error at most 1/2 + 2^-6 units;
 * multiples of 90 degrees, and of 30 where the result is a half, are exact. */
int64_t img_sin(int64_t thousandths_of_degree);
int64_t img_cos(int64_t thousandths_of_degree);

/* Sine as Q62 of pi * numerator / denominator: the numerator below 2^62, the denominator
 * from 1 to 2^40. Error at most 2^-36 of the result and 8 units; of whole numbers 0 exactly,
 * of halves 1 or -1. */
int64_t img_sin_pi(uint64_t numerator, uint64_t denominator);

/* The largest whole number whose square is at most value. */
uint64_t img_sqrt(uint64_t value);

#endif
