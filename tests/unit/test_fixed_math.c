/* Tests of logarithms, powers, sines, roots and quotients in integers: values worked out by hand,
 * identities, and comparison with long double. The errors must stay within those that fixed_math.h
 * states. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/core/fixed/fixed_math.h"
#include "kernels/core/fixed/quotient.h"

#define ONE_Q30 (INT64_C(1) << 30)
#define ONE_Q48 (INT64_C(1) << 48)
#define ONE_Q62 (UINT64_C(1) << 62)

static const long double PI = 3.14159265358979323846264338327950288L;

/* Returns pseudo-random number `i` of the generator SplitMix64, shifted right by i % 64 bits, so
 * that numbers of all lengths occur. */
static uint64_t number(uint64_t i)
{
    uint64_t z = i * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) >> i % 64;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void expect_within(uint64_t value, long double exact, long double error, const char *what,
                          uint64_t of)
{
    cr_expect(fabsl((long double)value - exact) <= error, "%s of %llu: %llu is not %.3Lf", what,
              (unsigned long long)of, (unsigned long long)value, exact);
}

Test(fixed_math, log2_of_powers_of_two_is_exact)
{
    for (int n = 0; n < 64; n++)
        cr_expect_eq(img_log2(UINT64_C(1) << n), n * ONE_Q48);
}

Test(fixed_math, log2_matches_values_worked_out_by_hand)
{
    cr_expect_eq(img_log2(3), INT64_C(446127282977751), "1.58496 * 2^48");
    cr_expect_eq(img_log2(5), INT64_C(653564656432238));
    cr_expect_eq(img_log2(10), INT64_C(935039633142894));
    cr_expect_eq(img_log2(65535), INT64_C(4503593430995203));
    cr_expect_eq(img_log2(UINT64_MAX), 64 * ONE_Q48, "nearer to 64 than half a unit");
}

/* A unit is 2^-48. The allowed error includes 2^-11 units for log2l: a long double has 64 bits, of
 * which up to 6 are before the point, so its rounding error is at most 2^-59. */
Test(fixed_math, log2_is_within_its_error)
{
    const long double error = 0.5L + 0x1p-15L + 0x1p-11L;
    for (uint64_t i = 1; i < 200000; i++)
        expect_within((uint64_t)img_log2(i), ldexpl(log2l(i), 48), error, "log2", i);
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t value = number(i) | 1;
        expect_within((uint64_t)img_log2(value), ldexpl(log2l((long double)value), 48), error,
                      "log2", value);
    }
}

Test(fixed_math, log2_of_a_product_is_the_sum)
{
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t a = number(64 * i) >> 32 | 1, b = number(64 * i + 17) >> 32 | 1;
        cr_expect_leq(llabs(img_log2(a * b) - img_log2(a) - img_log2(b)), 1);
    }
}

Test(fixed_math, exp2_of_whole_numbers_is_exact)
{
    for (int n = 0; n <= 62; n++)
        cr_expect_eq(img_exp2(-n * ONE_Q48), ONE_Q62 >> n);
    cr_expect_eq(img_exp2(-63 * ONE_Q48 - 1), 0);
    cr_expect_eq(img_exp2(-64 * ONE_Q48), 0);
    cr_expect_eq(img_exp2(-65 * ONE_Q48), 0);
    cr_expect_eq(img_exp2(INT64_MIN), 0);
}

Test(fixed_math, exp2_is_within_its_error)
{
    expect_within(img_exp2(-ONE_Q48 / 2), 3260954456333195553.0L, 2, "2^-1/2", 0);
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t minus = i % 2 == 0 ? i << 30 : number(i) >> 10;
        long double exact = ldexpl(exp2l(ldexpl(-(long double)minus, -48)), 62);
        expect_within(img_exp2(-(int64_t)minus), exact, 2, "exp2", minus);
    }
}

Test(fixed_math, exp2_decreases)
{
    uint64_t last = img_exp2(0);
    for (int64_t x = -(ONE_Q48 >> 16); x > -2 * ONE_Q48; x -= ONE_Q48 >> 16) {
        cr_expect_lt(img_exp2(x), last);
        last = img_exp2(x);
    }
}

/* An error of half a unit (2^-49) in the logarithm changes the power by a factor of at most 1 +
 * 2^-49.5. The largest power is 1, which is 2^62 units, so it changes by at most 2^12.5 = 5794
 * units. */
Test(fixed_math, exp2_undoes_log2)
{
    for (uint64_t v = 1; v < 65536; v++)
        cr_expect_leq(distance(img_exp2(-img_log2(v)), ONE_Q62 / v), 5794 / v + 3, "%llu",
                      (unsigned long long)v);
}

Test(fixed_math, powers_match_values_worked_out_by_hand)
{
    cr_expect_eq(img_power(0, 7, 3, 2), 0);
    cr_expect_eq(img_power(0, 7, 0, 2), 0);
    cr_expect_eq(img_power(1, 7, 0, 2), ONE_Q62);
    for (uint64_t v = 1; v <= UINT32_MAX; v = v * 3 + 1)
        cr_expect_eq(img_power(v, v, 1000, 1), ONE_Q62, "1 to any power");
    cr_expect_eq(img_power(16, 64, 1, 2), ONE_Q62 / 2);
    cr_expect_eq(img_power(1, 4, 3, 2), ONE_Q62 / 8);
    cr_expect_leq(distance(img_power(100, 225, 1, 2), ONE_Q62 / 3 * 2), 4);
    cr_expect_leq(distance(img_power(30, 70, 2, 1), ONE_Q62 / 49 * 9), 14);
    cr_expect_eq(img_power(1, UINT32_MAX, 1000, 1), 0);
}

static void expect_power(uint64_t value, uint64_t maximum, uint32_t numerator, uint32_t denominator)
{
    long double exponent = (long double)numerator / denominator;
    long double exact = powl((long double)value / (long double)maximum, exponent);
    /* fixed_math.h allows an error of exponent + 3 units. The rest allows for the error of powl:
     * the rounding error of value / maximum is multiplied by the exponent. */
    long double error = 2 * exponent + 4;
    expect_within(img_power(value, maximum, numerator, denominator), ldexpl(exact, 62), error,
                  "power", value);
}

Test(fixed_math, powers_are_within_their_error)
{
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t maximum = 1 + (uint32_t)number(64 * i) / 2, value = number(64 * i + 1) % maximum;
        expect_power(value + 1, maximum, 1 + i % 1000, 1 + i / 1000);
        expect_power(maximum - maximum / (1 + i), maximum, 1 + i % 1000, 1);
    }
}

Test(fixed_math, exponentials_match_values_worked_out_by_hand)
{
    cr_expect_eq(img_exp_negative(0, 1), ONE_Q62);
    cr_expect_eq(img_exp_negative(0, UINT64_MAX), ONE_Q62);
    cr_expect_leq(distance(img_exp_negative(7, 7), UINT64_C(1696544475317221319)), 2, "1 / e");
    cr_expect_leq(distance(img_exp_negative(1, 2), UINT64_C(2797128963144291325)), 2);
    cr_expect_eq(img_exp_negative(42, 1), 3, "2.65 units");
    cr_expect_eq(img_exp_negative(43, 1), 0, "0.975 units: below 2^-62");
    cr_expect_eq(img_exp_negative(UINT64_MAX, 1), 0);
    cr_expect_leq(distance(img_exp_negative(UINT64_MAX, UINT64_MAX - 1), img_exp_negative(1, 1)),
                  4);
}

Test(fixed_math, exponentials_are_within_their_error)
{
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t denominator = (number(64 * i) >> 24) + 1, numerator = number(64 * i + 9) >> 20;
        long double exact = expl(-(long double)numerator / (long double)denominator);
        long double error = exact >= 0x1p-62L ? 2.75L : 1;
        expect_within(img_exp_negative(numerator, denominator), ldexpl(exact, 62), error, "exp",
                      numerator);
    }
}

Test(fixed_math, sines_of_thirds_of_a_quadrant_are_exact)
{
    static const int64_t sines[] = {0, ONE_Q30 / 2, 929887697, ONE_Q30, 929887697, ONE_Q30 / 2};
    for (int64_t i = -7200; i < 7200; i++) {
        int64_t step = ((i % 12) + 12) % 12;
        int64_t sine = step < 6 ? sines[step] : -sines[step - 6];
        cr_expect_eq(img_sin(i * 30000), sine, "%lld * 30 degrees", (long long)i);
        cr_expect_eq(img_cos((i - 3) * 30000), sine, "%lld * 30 degrees", (long long)i - 3);
    }
    cr_expect_eq(img_sin(1), 18740);
    cr_expect_eq(img_sin(1000), 18739379);
    cr_expect_eq(img_sin(45000), 759250125);
    cr_expect_eq(img_cos(45000), 759250125);
}

Test(fixed_math, sines_are_within_their_error)
{
    for (int64_t angle = 0; angle < 360000; angle++) {
        long double radians = (long double)angle * PI / 180000;
        long double error = 0.5L + 0x1p-6L;
        cr_expect(fabsl((long double)img_sin(angle) - ldexpl(sinl(radians), 30)) <= error);
        cr_expect(fabsl((long double)img_cos(angle) - ldexpl(cosl(radians), 30)) <= error);
    }
}

Test(fixed_math, sines_of_fractions_of_a_half_turn_match)
{
    static const int64_t one = INT64_C(1) << 62;
    cr_expect_eq(img_sin_pi(0, 3), 0);
    cr_expect_eq(img_sin_pi(7 * 5, 5), 0);
    cr_expect_eq(img_sin_pi(5, 10), one);
    cr_expect_eq(img_sin_pi(15, 10), -one);
    for (uint64_t i = 0; i < 5000; i++) {
        const uint64_t denominator = (i % 7 + 1) * (UINT64_C(1) << i % 37) + i % 5;
        const uint64_t numerator = i * denominator / 911 + i % 3;
        const long double share = (long double)(numerator % (2 * denominator)) / denominator;
        const long double exact = ldexpl(sinl(share * acosl(-1)), 62);
        const long double error = 8 + fabsl(exact) * 0x1p-36L;
        cr_expect(fabsl((long double)img_sin_pi(numerator, denominator) - exact) <= error,
                  "%llu / %llu", (unsigned long long)numerator, (unsigned long long)denominator);
    }
}

Test(fixed_math, sine_and_cosine_are_symmetric)
{
    for (int64_t angle = 0; angle < 360000; angle += 7) {
        int64_t sine = img_sin(angle), cosine = img_cos(angle);
        cr_expect_eq(img_sin(-angle), -sine);
        cr_expect_eq(img_cos(-angle), cosine);
        cr_expect_eq(img_sin(90000 - angle), cosine);
        cr_expect_eq(img_sin(180000 - angle), sine);
        cr_expect_eq(img_sin(angle + 360000 * INT64_C(5965)), sine);
        cr_expect_eq(img_sin(angle - 360000 * INT64_C(5965)), sine);
        uint64_t one = (uint64_t)(sine * sine + cosine * cosine);
        cr_expect_leq(distance(one, UINT64_C(1) << 60), UINT64_C(3) << 29, "%lld",
                      (long long)angle);
    }
}

/* The angle 2^63 - 1 is 55,807 thousandths of a degree past a whole number of turns. */
Test(fixed_math, angles_of_any_size_are_reduced)
{
    cr_expect_eq(INT64_MAX % 360000, 55807);
    cr_expect_eq(img_sin(INT64_MAX), img_sin(55807));
    cr_expect_eq(img_cos(INT64_MAX), img_cos(55807));
    cr_expect_eq(img_sin(INT64_MIN), -img_sin(55808));
    cr_expect_eq(img_cos(INT64_MIN), img_cos(55808));
}

Test(fixed_math, roots_are_rounded_down)
{
    static const uint8_t roots[] = {0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 4};
    for (uint64_t v = 0; v < sizeof roots; v++)
        cr_expect_eq(img_sqrt(v), roots[v]);
    for (uint64_t i = 0; i < 200000; i++) {
        uint64_t root = (number(64 * i) >> (32 + i % 30)) + 1;
        root = root > UINT32_MAX ? UINT32_MAX : root;
        cr_expect_eq(img_sqrt(root * root - 1), root - 1);
        cr_expect_eq(img_sqrt(root * root), root);
        cr_expect_eq(img_sqrt(root * root + 2 * root), root);
    }
    cr_expect_eq(img_sqrt(UINT64_MAX), UINT32_MAX);
}

/* --- Quotients by floating point (kernels/core/fixed/quotient.h) ------------------------------ */

/* Compares quotients with those of integer division. The dividends are the multiples of a divisor
 * and their neighbours, because there a rounding error would change the quotient. */

enum { DIVISORS = 16 };

static const uint32_t divisors[DIVISORS] = {1,   2,   3,    7,     127,   128,   254,     255,
                                            256, 257, 4095, 32767, 65025, 65535, 8388607, 16777215};

static void check_24(uint32_t a, uint32_t b)
{
    cr_assert_eq(img_quotient_24(a, b), a / b, "%u / %u", a, b);
}

static void check_32(uint32_t a, uint32_t b)
{
    const uint32_t exact = a / b < 65535 ? a / b : 65535;
    cr_assert_eq(img_quotient_32(a, b, 65535), exact, "%u / %u", a, b);
    cr_assert_eq(img_quotient_53(a, b, 65535), exact, "%u / %u", a, b);
}

Test(quotient, quotients_of_24_bits_are_exact)
{
    for (int i = 0; i < DIVISORS; i++)
        for (uint32_t quotient = 0; quotient <= 65536; quotient++) {
            const uint64_t multiple = (uint64_t)quotient * divisors[i];
            if (multiple > 16777215)
                break;
            check_24((uint32_t)multiple, divisors[i]);
            check_24((uint32_t)multiple + 1, divisors[i]);
            if (multiple > 0)
                check_24((uint32_t)multiple - 1, divisors[i]);
        }
    check_24(16777216, 16777216);
    check_24(16777215, 16777216);
}

/* The last dividend, 65535 * 65535 + 32767, is the largest that occurs when the alpha of 16-bit
 * pixels is divided out of their colours. */
Test(quotient, quotients_of_32_bits_are_exact_and_truncated)
{
    for (int i = 0; i < DIVISORS; i++)
        for (uint32_t quotient = 0; quotient <= 65537; quotient++) {
            const uint64_t multiple = (uint64_t)quotient * divisors[i];
            if (multiple >= UINT32_MAX)
                break;
            check_32((uint32_t)multiple, divisors[i]);
            check_32((uint32_t)multiple + 1, divisors[i]);
            if (multiple > 0)
                check_32((uint32_t)multiple - 1, divisors[i]);
        }
    check_32(UINT32_MAX, 1);
    check_32(UINT32_MAX, UINT32_MAX);
    check_32(UINT32_MAX - 1, UINT32_MAX);
    check_32(65535u * 65535u + 32767u, 65535);
}

Test(quotient, quotients_of_53_bits_are_exact)
{
    const int64_t divisor = (INT64_C(1) << 34) - 1;
    for (int64_t quotient = 1; quotient <= 65535; quotient += 17) {
        cr_assert_eq(img_quotient_53(quotient * divisor, divisor, 65535), (uint32_t)quotient);
        cr_assert_eq(img_quotient_53(quotient * divisor - 1, divisor, 65535),
                     (uint32_t)quotient - 1);
    }
    cr_assert_eq(img_quotient_53(INT64_C(1) << 52, 1, 65535), 65535u);
}
