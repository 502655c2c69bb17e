/* Tone curves as tables that map every sample of a bit depth to its result. Tables are the same on
 * every system, because they are computed in integers (fixed_math.h).
 *
 * Results are rounded to the nearest integer, ties away from zero. Before rounding they are exact
 * to 2^-36. A value less than 2^-35 below a tie may count as a tie, so that no tie is missed. The
 * caller owns the tables. No function fails. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_CURVE_H
#define IMGTOOL_KERNELS_CORE_FIXED_CURVE_H

#include <stdint.h>

enum {
    IMG_LINEAR_MAXIMUM = 65535, /* value of linear light at full white */
};

/* Returns result_maximum * (value / maximum)^(numerator / denominator), rounded. Requires value <=
 * maximum, 1 <= maximum < 2^32, and exponents from 0.001 to 1000. result_maximum must be at most
 * 65535, or at most 2^24 - 1 if it does not matter how values halfway between two results are
 * rounded. 0 gives 0, and maximum gives result_maximum. */
uint32_t img_power_of(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator,
                      uint32_t result_maximum);

/* Fills table[v] with img_power_of(v, maximum, numerator, denominator, maximum) for v from 0 to
 * `maximum`, which must be 1 to 65535. */
void img_curve_power(uint32_t numerator, uint32_t denominator, uint32_t maximum, uint16_t *table);

/* The transfer functions of sRGB, IEC 61966-2-1. Below a threshold (0.04045 encoded, 0.0031308
 * linear) linear light is the encoded value c divided by 12.92. Above it, linear light is ((c +
 * 0.055) / 1.055)^2.4. */

/* Converts `value`, an sRGB sample from 0 to `maximum`, to linear light from 0 to `result_maximum`.
 * `maximum` must be below 2^20, and `result_maximum` below 2^24. */
uint32_t img_srgb_to_linear(uint64_t value, uint64_t maximum, uint32_t result_maximum);

/* Fills table[v] with the linear light, 0 to IMG_LINEAR_MAXIMUM, of sample v from 0 to `maximum`,
 * which must be 1 to 65535. */
void img_curve_srgb_to_linear(uint32_t maximum, uint16_t *table);

/* Fills table[v] with the sRGB sample, 0 to `maximum`, for linear light v from 0 to
 * IMG_LINEAR_MAXIMUM. Samples of up to 12 bits stay the same if they are converted to linear light
 * and back. */
void img_curve_linear_to_srgb(uint16_t *table, uint32_t maximum);

#endif
