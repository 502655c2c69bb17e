/* Tests of curves of samples: values worked out by hand, identities, each entry compared with powl,
 * and checksums of tables that curve_sums.py computed with 60 digits. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <zlib.h>

#include "kernels/core/fixed/curve.h"

static uint16_t curve[65536], other[65536];

static void expect_rising(const uint16_t *table, uint32_t maximum, const char *what)
{
    for (uint32_t v = 0; v < maximum; v++)
        cr_expect_leq(table[v], table[v + 1], "%s falls after %u", what, v);
}

static void expect_table(uint32_t numerator, uint32_t denominator, uint32_t maximum,
                         const uint16_t *wanted)
{
    img_curve_power(numerator, denominator, maximum, curve);
    for (uint32_t v = 0; v <= maximum; v++)
        cr_expect_eq(curve[v], wanted[v], "%u/%u of %u of %u is %u, not %u", numerator, denominator,
                     v, maximum, curve[v], wanted[v]);
}

/* With a maximum of 10, 10 * (v / 10)^2 is v * v / 10, and 10 * sqrt(v / 10) is sqrt(10 * v). */
Test(curve, powers_match_values_worked_out_by_hand)
{
    expect_table(2, 1, 10, (uint16_t[]){0, 0, 0, 1, 2, 3, 4, 5, 6, 8, 10});
    expect_table(1, 2, 10, (uint16_t[]){0, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10});
    expect_table(1, 1000, 1, (uint16_t[]){0, 1});
    expect_table(1000, 1, 1, (uint16_t[]){0, 1});
    expect_table(1000, 1, 4, (uint16_t[]){0, 0, 0, 0, 4});
    expect_table(1, 1000, 4, (uint16_t[]){0, 4, 4, 4, 4});
}

/* v * v / 50 is halfway between two integers for v = 5, 15, 25, 35 and 45. v^3 / 16 is halfway for
 * v = 2. */
Test(curve, ties_go_away_from_zero)
{
    img_curve_power(2, 1, 50, curve);
    for (uint32_t v = 0; v <= 50; v++)
        cr_expect_eq(curve[v], (v * v + 25) / 50, "%u", v);
    expect_table(3, 1, 4, (uint16_t[]){0, 0, 1, 2, 4});
    for (uint64_t maximum = 2; maximum <= 65534; maximum += 2) {
        uint64_t wanted = (maximum / 2 * (maximum / 2) * 2 + maximum) / (2 * maximum);
        cr_expect_eq(img_power_of(maximum / 2, maximum, 2, 1, (uint32_t)maximum), wanted);
    }
}

Test(curve, exponent_one_is_the_identity)
{
    for (uint32_t maximum = 1; maximum <= 65535; maximum = maximum * 2 + 1) {
        img_curve_power(7, 7, maximum, curve);
        for (uint32_t v = 0; v <= maximum; v++)
            cr_expect_eq(curve[v], v);
    }
}

Test(curve, curves_of_one_value_work)
{
    cr_expect_eq(img_power_of(0, UINT32_MAX, 1, 2, 65535), 0);
    cr_expect_eq(img_power_of(UINT32_MAX, UINT32_MAX, 22, 10, 65535), 65535);
    cr_expect_eq(img_power_of(UINT32_MAX, UINT32_MAX, 22, 10, 0), 0);
    cr_expect_eq(img_power_of(1, UINT32_MAX, 1, 2, 65535), 1, "65535 / 65536");
    cr_expect_eq(img_power_of(UINT64_C(1) << 30, UINT64_C(1) << 31, 3, 1, 800), 100);
    cr_expect_eq(img_power_of(4, 9, 3, 2, 27), 8);
}

Test(curve, curves_rise_from_0_to_the_maximum)
{
    static const uint32_t numerators[] = {1, 1, 5, 9, 11, 3, 100, 1000, 999999999};
    static const uint32_t denominators[] = {1000, 3, 11, 20, 5, 1, 1, 1, 1000000000};
    for (size_t i = 0; i < sizeof numerators / sizeof *numerators; i++)
        for (uint32_t maximum = 1; maximum <= 65535; maximum = maximum * 16 + 15) {
            img_curve_power(numerators[i], denominators[i], maximum, curve);
            cr_expect_eq(curve[0], 0);
            cr_expect_eq(curve[maximum], maximum);
            expect_rising(curve, maximum, "power");
        }
}

/* A power above 1 multiplies the rounding error of the first curve by at most its exponent. The
 * total error is at most 0.5 * 2.4 + 0.5, which is less than 2. */
Test(curve, a_curve_and_its_inverse_cancel)
{
    static const uint32_t tenths[] = {11, 18, 22, 24};
    for (size_t i = 0; i < sizeof tenths / sizeof *tenths; i++) {
        img_curve_power(10, tenths[i], 65535, curve);
        img_curve_power(tenths[i], 10, 65535, other);
        for (int32_t v = 0; v <= 65535; v++)
            cr_expect_leq(abs(other[curve[v]] - v), 1, "%d", v);
    }
}

/* Compares every entry with the rounded result of powl. Skips entries so close to a tie that the
 * error of powl could decide. */
static void expect_rounded(uint32_t numerator, uint32_t denominator, uint32_t maximum)
{
    img_curve_power(numerator, denominator, maximum, curve);
    int skipped = 0;
    for (uint32_t v = 0; v <= maximum; v++) {
        long double exact =
            maximum * powl((long double)v / maximum, (long double)numerator / denominator);
        if (fabsl(exact - floorl(exact) - 0.5L) <= 1e-9L)
            skipped++;
        else
            cr_expect_eq(curve[v], (uint32_t)floorl(exact + 0.5L), "%u/%u of %u is %u, not %.12Lf",
                         numerator, denominator, v, curve[v], exact);
    }
    cr_expect_leq(skipped, 1);
}

Test(curve, every_entry_is_rounded_correctly)
{
    for (uint32_t maximum = 255; maximum <= 65535; maximum += 65280) {
        expect_rounded(22, 10, maximum);
        expect_rounded(10, 22, maximum);
        expect_rounded(45, 100, maximum);
        expect_rounded(18, 10, maximum);
        expect_rounded(24, 10, maximum);
        expect_rounded(1000, 1, maximum);
        expect_rounded(1, 1000, maximum);
    }
}

static void expect_sum(const uint16_t *table, uint32_t count, uLong wanted, const char *what)
{
    uLong sum = crc32(0, NULL, 0);
    for (uint32_t i = 0; i < count; i++)
        sum = crc32(sum, (Bytef[]){table[i] & 255, (Bytef)(table[i] >> 8)}, 2);
    cr_expect_eq(sum, wanted, "%s: %#lx is not %#lx", what, sum, wanted);
}

Test(curve, powers_match_checksums_of_exact_tables)
{
    static const struct {
        uint32_t numerator, denominator, sum8, sum16;
    } curves[] = {
        {22, 10, 0x3d41d89e, 0x1df2a215},
        {10, 22, 0x789376ae, 0xaa29973d},
        {1, 2, 0x9815c79e, 0xa9c6d7f2},
        {3, 1, 0x5a127bc5, 0xbd137892},
    };
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        img_curve_power(curves[i].numerator, curves[i].denominator, 255, curve);
        expect_sum(curve, 256, curves[i].sum8, "8 bits");
        img_curve_power(curves[i].numerator, curves[i].denominator, 65535, curve);
        expect_sum(curve, 65536, curves[i].sum16, "16 bits");
    }
}

Test(curve, srgb_matches_checksums_of_exact_tables)
{
    img_curve_srgb_to_linear(255, curve);
    expect_sum(curve, 256, 0x73bb0d6d, "8 bits to linear");
    img_curve_srgb_to_linear(65535, curve);
    expect_sum(curve, 65536, 0xf3cf907d, "16 bits to linear");
    img_curve_linear_to_srgb(curve, 255);
    expect_sum(curve, 65536, 0x29b9f1da, "linear to 8 bits");
    img_curve_linear_to_srgb(curve, 65535);
    expect_sum(curve, 65536, 0x0233ad66, "linear to 16 bits");
}

/* The curve is linear up to 10, with 65535 / 255 / 12.92 = 19.89 per step. Gray 188 has half the
 * light of white. */
Test(curve, srgb_matches_values_worked_out_by_hand)
{
    img_curve_srgb_to_linear(255, curve);
    cr_expect_eq(curve[0], 0);
    cr_expect_eq(curve[1], 20);
    cr_expect_eq(curve[10], 199);
    cr_expect_eq(curve[255], IMG_LINEAR_MAXIMUM);
    img_curve_linear_to_srgb(other, 255);
    cr_expect_eq(other[0], 0);
    cr_expect_eq(other[9], 0);
    cr_expect_eq(other[10], 1);
    cr_expect_eq(other[32768], 188);
    cr_expect_eq(other[65535], 255);
}

Test(curve, srgb_there_and_back_changes_nothing)
{
    static const uint32_t maxima[] = {1, 3, 15, 255, 1023, 4095};
    for (size_t i = 0; i < sizeof maxima / sizeof *maxima; i++) {
        img_curve_srgb_to_linear(maxima[i], curve);
        img_curve_linear_to_srgb(other, maxima[i]);
        expect_rising(curve, maxima[i], "to linear");
        expect_rising(other, IMG_LINEAR_MAXIMUM, "to sRGB");
        for (uint32_t v = 0; v <= maxima[i]; v++)
            cr_expect_eq(other[curve[v]], v, "%u of %u", v, maxima[i]);
    }
}
