/* Curves of samples: for every sample of a depth, what becomes of it. The same on every system, as
 * they are made in whole numbers (fixed_math.h).
 *
 * Results are rounded to the nearest whole number, ties away from zero. Before that they are exact
 * to 2^-36; what is less than 2^-35 below a tie may count as one, so that no tie is missed. Tables
 * belong to the caller. Nothing fails. */
#ifndef IMGTOOL_KERNELS_CORE_FIXED_CURVE_H
#define IMGTOOL_KERNELS_CORE_FIXED_CURVE_H

#include <stdint.h>

enum {
    IMG_LINEAR_MAXIMUM = 65535, /* linear light at full white */
};

/* result_maximum * (value / maximum)^(numerator / denominator), rounded: value <= maximum,
 * 1 <= maximum < 2^32, result_maximum <= 65535, or below 2^24 where ties may be missed, and
 * exponents from 0.001 to 1000. 0 gives 0 and maximum gives result_maximum. */
uint32_t img_power_of(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator,
                      uint32_t result_maximum);

/* Sets maximum + 1 entries, v to the above of v, for samples up to a maximum from 1 to 65535. */
void img_curve_power(uint32_t numerator, uint32_t denominator, uint32_t maximum, uint16_t *table);

/* The transfer functions of sRGB, as in IEC 61966-2-1: below a threshold (0.04045 encoded,
 * 0.0031308 linear) a factor of 12.92, above it (c + 0.055) / 1.055 to the power of 2.4. */

/* Of a value up to a maximum below 2^20 its linear light up to result_maximum, which is below
 * 2^24. */
uint32_t img_srgb_to_linear(uint64_t value, uint64_t maximum, uint32_t result_maximum);

/* From samples up to a maximum of 1 to 65535 to linear light: sets maximum + 1 entries. */
void img_curve_srgb_to_linear(uint32_t maximum, uint16_t *table);

/* And back: sets IMG_LINEAR_MAXIMUM + 1 entries. Samples of up to 12 bits return
 * unchanged. */
void img_curve_linear_to_srgb(uint16_t *table, uint32_t maximum);

#endif
