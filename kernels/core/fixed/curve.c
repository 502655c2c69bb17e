#include "kernels/core/fixed/curve.h"

#include "kernels/core/fixed/fixed_math.h"

__extension__ typedef unsigned __int128 Wide;

#define ONE_Q62 (UINT64_C(1) << 62)

/* Upper bound of the error of a curve value before rounding, in units of 2^-62: the error of
 * img_power, at most exponent + 3 = 1003, times the largest sample, 65535, rounded up to a power of
 * two. A value that is this close below a tie is rounded up like a tie. */
#define TIE_Q62 (UINT64_C(1) << 26)

uint32_t img_power_of(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator,
                      uint32_t result_maximum)
{
    uint64_t power = img_power(value, maximum, numerator, denominator);
    return (uint32_t)(((Wide)power * result_maximum + ONE_Q62 / 2 + TIE_Q62) >> 62);
}

void img_curve_power(uint32_t numerator, uint32_t denominator, uint32_t maximum, uint16_t *table)
{
    for (uint32_t v = 0; v <= maximum; v++)
        table[v] = (uint16_t)img_power_of(v, maximum, numerator, denominator, maximum);
}

static uint64_t divide_rounded(uint64_t dividend, uint64_t divisor)
{
    return (dividend + divisor / 2) / divisor;
}

uint32_t img_srgb_to_linear(uint64_t value, uint64_t maximum, uint32_t result_maximum)
{
    if (value * 100000 <= maximum * 4045)
        return (uint32_t)divide_rounded(value * result_maximum * 100, maximum * 1292);
    return img_power_of(value * 1000 + maximum * 55, maximum * 1055, 12, 5, result_maximum);
}

void img_curve_srgb_to_linear(uint32_t maximum, uint16_t *table)
{
    for (uint32_t v = 0; v <= maximum; v++)
        table[v] = (uint16_t)img_srgb_to_linear(v, maximum, IMG_LINEAR_MAXIMUM);
}

static uint64_t linear_to_srgb(uint64_t linear, uint64_t maximum)
{
    if (linear * 10000000 <= UINT64_C(31308) * IMG_LINEAR_MAXIMUM)
        return divide_rounded(linear * maximum * 1292, UINT64_C(100) * IMG_LINEAR_MAXIMUM);
    /* `value` is in thousandths of a sample. Except for full white, `power` is irrational, so ties
     * cannot occur. */
    Wide power = img_power(linear, IMG_LINEAR_MAXIMUM, 5, 12);
    Wide value = (power * 1055 - (Wide)ONE_Q62 * 55) * maximum;
    return (uint64_t)((value + (Wide)ONE_Q62 * 500) / ((Wide)ONE_Q62 * 1000));
}

void img_curve_linear_to_srgb(uint16_t *table, uint32_t maximum)
{
    for (uint32_t linear = 0; linear <= IMG_LINEAR_MAXIMUM; linear++)
        table[linear] = (uint16_t)linear_to_srgb(linear, maximum);
}
