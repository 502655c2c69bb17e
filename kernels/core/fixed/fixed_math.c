#include "kernels/core/fixed/fixed_math.h"

#include <stdbool.h>

#include "kernels/core/fixed/fixed_tables.h"

__extension__ typedef unsigned __int128 Wide;

enum {
    FULL_TURN = 360000, /* a full turn, in thousandths of a degree */
    QUARTER_TURN = FULL_TURN / 4,
    /* number of leading zero bits: the series of log2 and exp2 take arguments below 2^-5 */
    SERIES_BITS = 5,
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))
#define ONE_Q63      (UINT64_C(1) << 63)

static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    return (uint64_t)((Wide)a * b >> 64);
}

/* Returns z * (t0 - z * (t1 - z * (t2 - ...))) as Q(63 + bits), where t0, t1, t2... are `terms`. z
 * is Q(64 + bits) and below 2^-bits. The terms are Q63 and must decrease. */
static uint64_t alternating_series(uint64_t z, int bits, const uint64_t *terms, int count)
{
    uint64_t inner = terms[count - 1];
    for (int i = count - 2; i >= 0; i--)
        inner = terms[i] - (multiply_high(z, inner) >> bits);
    return multiply_high(z, inner);
}

/* Returns log2(value) as Q64, with an error below 2^-63. The function writes `value` as 2^whole *
 * (1 + z) / reciprocal, with z from 0 to 2^-5. */
static Wide log2_q64(uint64_t value)
{
    int whole = 63 - __builtin_clzll(value);
    uint64_t mantissa = value << (63 - whole);
    uint32_t step = mantissa >> 57 & 63;
    /* 1 / (1 + step / 64) as Q15, rounded up */
    uint32_t reciprocal = ((64 << 15) + 63 + step) / (64 + step);
    /* The product is a Q78 from 1 to 2; the shift makes it a Q69. The conversion to 64 bits removes
     * the integer part, 1, and leaves z. */
    uint64_t z = (uint64_t)((Wide)mantissa * reciprocal >> 9);
    uint64_t series = alternating_series(z, SERIES_BITS, log2_terms, COUNT(log2_terms));
    return ((Wide)whole << 64) + log2_steps[step] + ((series + 8) >> 4);
}

/* Returns 2^-x as Q62, for x as Q64. The result is correct to 60 significant bits before it is
 * rounded. */
static uint64_t exp2_negative(Wide x)
{
    if (x >> 64 >= 64)
        return 0;
    uint64_t fraction = (uint64_t)x;
    uint64_t z = (fraction & (UINT64_MAX >> 6)) << SERIES_BITS;
    uint64_t series = alternating_series(z, SERIES_BITS, exp2_terms, COUNT(exp2_terms));
    Wide product = (Wide)exp2_steps[fraction >> 58] * (ONE_Q63 - (series >> SERIES_BITS));
    int shift = 64 + (int)(x >> 64);
    return (uint64_t)((product + ((Wide)1 << (shift - 1))) >> shift);
}

int64_t img_log2(uint64_t value)
{
    return (int64_t)((log2_q64(value) + (1 << 15)) >> 16);
}

uint64_t img_exp2(int64_t x)
{
    return exp2_negative((Wide)(0 - (uint64_t)x) << 16);
}

uint64_t img_power(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator)
{
    if (value == 0)
        return 0;
    return exp2_negative((log2_q64(maximum) - log2_q64(value)) * numerator / denominator);
}

uint64_t img_exp_negative(uint64_t numerator, uint64_t denominator)
{
    /* e^-y is 2^-exponent, with exponent = y * log2(e), here as Q63 */
    Wide exponent = (Wide)numerator * log2_terms[0] / denominator;
    return exponent >> 63 >= 62 ? 0 : exp2_negative(exponent << 1);
}

/* Returns the sine, as Q63, of an angle of at most 0.79 radians (45 degrees). `square` is the
 * square of the angle; both are Q64. */
static uint64_t sine_q63(uint64_t radians, uint64_t square)
{
    uint64_t series = alternating_series(square, 0, sin_terms, COUNT(sin_terms));
    return multiply_high(radians, ONE_Q63 - series);
}

static uint64_t cosine_q63(uint64_t square)
{
    return ONE_Q63 - alternating_series(square, 0, cos_terms, COUNT(cos_terms));
}

/* Returns the sine, as Q30, of an angle from 0 to a quarter turn, in thousandths of a degree. */
static int64_t quadrant_sine(int64_t angle)
{
    int64_t nearest = angle <= QUARTER_TURN / 2 ? angle : QUARTER_TURN - angle;
    uint64_t radians = (uint64_t)((Wide)thousandth * (uint64_t)nearest >> 15);
    uint64_t square = multiply_high(radians, radians);
    uint64_t sine = nearest == angle ? sine_q63(radians, square) : cosine_q63(square);
    return (int64_t)((sine + (UINT64_C(1) << 32)) >> 33);
}

int64_t img_sin(int64_t thousandths_of_degree)
{
    int64_t angle = thousandths_of_degree % FULL_TURN;
    if (angle < 0)
        return -img_sin(-angle);
    if (angle >= FULL_TURN / 2)
        return -img_sin(angle - FULL_TURN / 2);
    return quadrant_sine(angle <= QUARTER_TURN ? angle : FULL_TURN / 2 - angle);
}

int64_t img_cos(int64_t thousandths_of_degree)
{
    return img_sin(thousandths_of_degree % FULL_TURN + QUARTER_TURN);
}

/* Returns the sine, as Q63, of pi * numerator / denominator. The numerator must be at most
 * denominator / 2. */
static uint64_t sine_of_share(uint64_t numerator, uint64_t denominator)
{
    const bool near_zero = 4 * numerator <= denominator;
    const uint64_t share = near_zero ? 2 * numerator : denominator - 2 * numerator;
    /* fraction of a quarter turn as Q64, at most one half: the angle is below 0.79 radians */
    const uint64_t fraction = (uint64_t)(((Wide)share << 64) / denominator);
    const uint64_t radians = (uint64_t)((Wide)quarter_turn * fraction >> 63);
    const uint64_t square = multiply_high(radians, radians);
    return near_zero ? sine_q63(radians, square) : cosine_q63(square);
}

int64_t img_sin_pi(uint64_t numerator, uint64_t denominator)
{
    const uint64_t rest = numerator % denominator;
    const uint64_t nearest = 2 * rest <= denominator ? rest : denominator - rest;
    const int64_t sine = (int64_t)((sine_of_share(nearest, denominator) + 1) >> 1);
    return numerator / denominator % 2 == 0 ? sine : -sine;
}

/* Computes the root bit by bit, from the highest bit. The remainder determines whether a bit is
 * set. If it is, its square and twice its product with the root so far are subtracted from the
 * remainder. */
uint64_t img_sqrt(uint64_t value)
{
    uint64_t rest = value, root = 0;
    for (uint64_t square = UINT64_C(1) << 62; square != 0; square >>= 2) {
        uint64_t taken = root + square;
        root >>= 1;
        if (rest >= taken) {
            rest -= taken;
            root += square;
        }
    }
    return root;
}
