#include "kernels/core/fixed/fixed_math.h"

#include <stdbool.h>
#include <stdint.h>

/* --- Constants -------------------------------------------------------------------------------- */

/* The constants are rounded to nearest. This Python 3 program generates them:
 *
 *   from decimal import Decimal as D, getcontext
 *   from math import factorial
 *   getcontext().prec = 60
 *   ln2 = D(2).ln()
 *   pi = D("3.14159265358979323846264338327950288")
 *   def table(name, q, values):
 *       print(name, *("0x%016x" % int((v * 2**q).to_integral_value()) for v in values))
 *   inverse = [D(((64 << 15) + 63 + i) // (64 + i)) / 2**15 for i in range(64)]
 *   table("log2_steps", 64, [-v.ln() / ln2 for v in inverse])
 *   table("log2_terms", 63, [1 / (n * ln2) for n in range(1, 11)])
 *   table("exp2_steps", 63, [D(2) ** (-D(i) / 64) for i in range(64)])
 *   table("exp2_terms", 63, [ln2**n / factorial(n) for n in range(1, 8)])
 *   table("sin_terms", 63, [D(1) / factorial(n) for n in range(3, 13, 2)])
 *   table("cos_terms", 63, [D(1) / factorial(n) for n in range(2, 14, 2)])
 *   table("thousandth", 79, [pi / 180000])
 */

/* Entry i is -log2(r) as Q64 (times 2^64). Here r is 1 / (1 + i / 64), rounded up to a multiple of
 * 2^-15. */
static const uint64_t log2_steps[] = {
    0x0000000000000000, 0x05b9894c5eaa7e1d, 0x0b5a8714bd7e6703, 0x10ea8b8033bc2f2f,
    0x1662577cadaccade, 0x1bc6b9d7c06b6fd1, 0x2116871ca2f51884, 0x2653c0dd04dba20a,
    0x2b7d51cdedacb2a9, 0x3095696fc797b6b5, 0x359e600657cf1b9a, 0x3a90921377c45c45,
    0x3f751ca1cb3c62bc, 0x444b3896ca5c851c, 0x490e96434adc9b76, 0x4dc1d33430af4505,
    0x5267b732226f7d51, 0x56ff8d9e0a32eab8, 0x5b84ebe7ce851b1f, 0x60022daca5c5816e,
    0x646b7cfff4f171e4, 0x68cb747814170ade, 0x6d1db40a1c795d20, 0x716196cf5639f38a,
    0x759a6cdac1a7df63, 0x79c7aeb4d7c222c1, 0x7de8d279d1f4dce1, 0x81fd4bf3cf8baf09,
    0x86048cb80c26d485, 0x8a023592b4027701, 0x8df5d690fbda2e2d, 0x91defdd0ffaa8eb5,
    0x95bd3793f1d62b0a, 0x99900e52617f91bb, 0x9d5b75d7ef0c87be, 0xa11aa14eb954eea2,
    0xa4d1986156dda94a, 0xa88001b8b2e0abb1, 0xac20e94f75b637ad, 0xafbd19d7cafaa571,
    0xb34fa81d2a3c5224, 0xb6d835497f32c3fb, 0xba56614bb8690fb5, 0xbdce9dcc961871a7,
    0xc13bcc8d0d10d427, 0xc4a75e0325724dbe, 0xc802523b281fc7a0, 0xcb5b2431b3096e8f,
    0xceaca5ed6e86ec8b, 0xd1f6927d01dd8aff, 0xd533804c22e70271, 0xd86d6475828abc14,
    0xdba419fb172fb71c, 0xdeccee614704ea5c, 0xe1f219861cf5ed73, 0xe50e169a678169ff,
    0xe82603c65f5e9845, 0xeb39b82d157f25e2, 0xee438a30a585049c, 0xf1432cf360d7296b,
    0xf443811f3eabc875, 0xf7393881b6d3f4c4, 0xfa29b280d2cc4513, 0xfd14c25a5b15c9f8,
};

/* Entry i is 2^(-i / 64) as Q63 (times 2^63). */
static const uint64_t exp2_steps[] = {
    0x8000000000000000, 0x7e9f06067a4360ba, 0x7d41d96db915019d, 0x7be86fb985689ddc,
    0x7a92be8a92436616, 0x7940bb9e2cffd89d, 0x77f25ccdee6d7ae6, 0x76a7980f6cca15c2,
    0x75606373ee921c97, 0x741cb5281e25ee34, 0x72dc8373be41a454, 0x719fc4b95f452d29,
    0x70666f76154a7089, 0x6f307a412f074892, 0x6dfddbcbed791bab, 0x6cce8ae13c57ebdb,
    0x6ba27e656b4eb57a, 0x6a79ad55e7f6fd10, 0x69540ec8f895722d, 0x683199ed779592ca,
    0x6712460a8fc24072, 0x65f60a7f79393e2e, 0x64dcdec3371793d1, 0x63c6ba6455dcd8ae,
    0x62b39508aa836d6f, 0x61a3666d124bb204, 0x6096266533384a2b, 0x5f8bccdb3d398841,
    0x5e8451cfac061b5f, 0x5d7fad59099f22fe, 0x5c7dd7a3b17dcf75, 0x5b7ec8f19468bbc9,
    0x5a827999fcef3242, 0x5988e20954889245, 0x5891fac0e95612c8, 0x579dbc56b48521ba,
    0x56ac1f752150a563, 0x55bd1cdad49f699c, 0x54d0ad5a753e077c, 0x53e6c9da74b29ab5,
    0x52ff6b54d8a89c75, 0x521a8ad704f3404f, 0x513821818624b40c, 0x50582887dcb8a7e1,
    0x4f7a993048d088d7, 0x4e9f6cd3967fdba8, 0x4dc69cdceaa72a9c, 0x4cf022c9905bfd32,
    0x4c1bf828c6dc54b8, 0x4b4a169b900c2d00, 0x4a7a77d47f7b84b1, 0x49ad159789f37496,
    0x48e1e9b9d588e19b, 0x4818ee218a3358ee, 0x47521cc5a2e6a9e0, 0x468d6fadbf2dd4f3,
    0x45cae0f1f545eb73, 0x450a6abaa4b77ecd, 0x444c0740496d4294, 0x438fb0cb4f468808,
    0x42d561b3e6243d8a, 0x421d1461d66f2023, 0x4166c34c5615d0ec, 0x40b268f9de0183ba,
};

/* 1 / (n ln 2) as Q63 (times 2^63), for n = 1, 2, 3 and so on. The first entry is log2(e). */
static const uint64_t log2_terms[] = {
    0xb8aa3b295c17f0bc, 0x5c551d94ae0bf85e, 0x3d8e13b87407fae9, 0x2e2a8eca5705fc2f,
    0x24eed8a1df37fcf2, 0x1ec709dc3a03fd75, 0x1a61762a7aded93f, 0x171547652b82fe17,
    0x1484b13d7c02a8f8, 0x12776c50ef9bfe79,
};

/* (ln 2)^n / n! as Q63 (times 2^63), for n = 1, 2, 3 and so on. */
static const uint64_t exp2_terms[] = {
    0x58b90bfbe8e7bcd6, 0x1ebfbdff82c58ea8, 0x071ac235c1282fe3, 0x013b2ab6fba4e773,
    0x002bb0ffcf14ce62, 0x00050c244be1b1e2, 0x00007ff2ff1622c3,
};

/* 1/3!, 1/5!, ... 1/11! as Q63 (times 2^63). */
static const uint64_t sin_terms[] = {
    0x1555555555555555, 0x0111111111111111, 0x0006806806806807,
    0x0000171de3a556c7, 0x00000035cc8acfeb,
};

/* 1/2!, 1/4!, ... 1/12! as Q63 (times 2^63). */
static const uint64_t cos_terms[] = {
    0x4000000000000000, 0x0555555555555555, 0x002d82d82d82d82e,
    0x0000d00d00d00d01, 0x0000024fc9f6ef14, 0x000000047bb63bfe,
};

/* A thousandth of a degree in radians, as Q79 (times 2^79). */
static const uint64_t thousandth = 0x9268a908c9a39e64;

/* A quarter turn in radians, pi / 2, as Q63 (times 2^63). */
static const uint64_t quarter_turn = 0xc90fdaa22168c235;

/* --- Functions -------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 Wide;

enum {
    FULL_TURN = 360000, /* a full turn, in thousandths of a degree */
    QUARTER_TURN = FULL_TURN / 4,
    /* the arguments of the series for log2 and exp2 are below 2^-SERIES_BITS */
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

/* Computes the root bit by bit, from the highest bit. Setting a bit adds its square, and twice its
 * product with the root so far, to the square of the root. The bit is set if the remainder is at
 * least this amount, which is then subtracted from the remainder. */
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
