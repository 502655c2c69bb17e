/* Tests of the resampling filters: weights worked out by hand, comparison with floating point, and
 * sums that are exactly one. */
#include <criterion/criterion.h>
#include <math.h>

#include "kernels/resize/filter.h"

enum { UNIT = 1 << IMG_FILTER_PLACES, FILTERS = IMG_FILTER_LANCZOS4 + 1, TAPS = 64 };

/* --- Weights ---------------------------------------------------------------------------------- */

Test(filter, weights_match_values_worked_out_by_hand)
{
    cr_expect_eq(img_filter_weight(IMG_FILTER_BOX, 499, 1000), UNIT);
    cr_expect_eq(img_filter_weight(IMG_FILTER_BOX, 1, 2), UNIT / 2);
    cr_expect_eq(img_filter_weight(IMG_FILTER_BOX, 501, 1000), 0);
    cr_expect_eq(img_filter_weight(IMG_FILTER_BILINEAR, 1, 4), 3 * (UNIT / 4));
    /* The bicubic weight at 1/2 is 3/2 / 8 - 5/2 / 4 + 1 = 9/16.
     * At 3/2 it is -1/2 * 27/8 + 5/2 * 9/4 - 4 * 3/2 + 2 = -1/16. */
    cr_expect_eq(img_filter_weight(IMG_FILTER_BICUBIC, 1, 2), 9 * (UNIT / 16));
    cr_expect_eq(img_filter_weight(IMG_FILTER_BICUBIC, 3, 2), -(UNIT / 16));
    /* The weight of mitchell is 8/9 at 0, 1/18 at 1, and 7/6 / 8 - 2 / 4 + 8/9 = 77/144 at 1/2. */
    cr_expect_eq(img_filter_weight(IMG_FILTER_MITCHELL, 0, 5), 954437177);
    cr_expect_eq(img_filter_weight(IMG_FILTER_MITCHELL, 5, 5), 59652324);
    cr_expect_eq(img_filter_weight(IMG_FILTER_MITCHELL, 1, 2), 574153614);
    /* At 1/2, lanczos2 is sinc(1/2) sinc(1/4) = 8 / pi^2 * sqrt(1/2), and lanczos3 is sinc(1/2)
     * sinc(1/6) = 6 / pi^2. */
    cr_expect_eq(img_filter_weight(IMG_FILTER_LANCZOS2, 1, 2), 615424971);
    cr_expect_eq(img_filter_weight(IMG_FILTER_LANCZOS3, 1, 2), 652756755);
}

static double by_libm(ImgFilter filter, double x)
{
    const double pi = acos(-1), reach = img_filter_reach(filter) / 2.0;
    if (x >= reach)
        return 0;
    switch (filter) {
    case IMG_FILTER_NEAREST:
    case IMG_FILTER_BOX:
        return 1;
    case IMG_FILTER_BILINEAR:
        return 1 - x;
    case IMG_FILTER_BICUBIC:
        return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((2.5 - 0.5 * x) * x - 4) * x + 2;
    case IMG_FILTER_MITCHELL:
        return (x < 1 ? (7 * x - 12) * x * x + 16.0 / 3
                      : ((12 - 7.0 / 3 * x) * x - 20) * x + 32.0 / 3) /
               6;
    default:
        return x == 0 ? 1 : reach * sin(pi * x) * sin(pi * x / reach) / (pi * pi * x * x);
    }
}

/* Compares with floating point, for distances of 0 to 3.3. The denominators go up to the largest
 * that img_filter_weight accepts. */
Test(filter, weights_are_within_their_error)
{
    static const uint64_t denominators[] = {2, 3, 7, 1000, 4928, 999983, UINT64_C(8589934592)};
    for (int32_t filter = 0; filter < FILTERS; filter++)
        for (size_t d = 0; d < sizeof denominators / sizeof denominators[0]; d++)
            for (uint64_t i = 0; i <= 1000; i++) {
                const uint64_t denominator = denominators[d], numerator = i * denominator / 300;
                if (2 * numerator == denominator && filter <= IMG_FILTER_BOX)
                    continue;
                const double x = (double)numerator / (double)denominator;
                cr_assert_float_eq(
                    (double)img_filter_weight((ImgFilter)filter, numerator, denominator),
                    UNIT * by_libm((ImgFilter)filter, x), 1.01, "filter %d at %llu / %llu", filter,
                    (unsigned long long)numerator, (unsigned long long)denominator);
            }
}

Test(filter, weights_at_whole_distances_are_zero_for_interpolating_filters)
{
    for (int32_t filter = IMG_FILTER_BOX; filter < FILTERS; filter++) {
        if (filter == IMG_FILTER_MITCHELL)
            continue;
        cr_expect_eq(img_filter_weight((ImgFilter)filter, 0, 77), UNIT);
        for (uint64_t i = 1; i < 5; i++)
            cr_expect_eq(img_filter_weight((ImgFilter)filter, i * 77, 77), 0);
    }
}

/* --- Sums of weights -------------------------------------------------------------------------- */

static int64_t sum_of(const int32_t *weights, int32_t count)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += weights[i];
    return sum;
}

Test(filter, rounded_thirds_sum_to_one)
{
    static const int64_t thirds[3] = {5, 5, 5}, halves[2] = {3, 3};
    int32_t weights[3];
    img_filter_round(thirds, 3, 4, weights);
    cr_expect(weights[0] == 5 && weights[1] == 6 && weights[2] == 5);
    /* A third is 32 / 3 units of 2^-5. It is rounded to 11 at both ends, and the middle weight
     * takes the rest. */
    img_filter_round(thirds, 3, 5, weights);
    cr_expect(weights[0] == 11 && weights[1] == 10 && weights[2] == 11);
    img_filter_round(halves, 2, 1, weights);
    cr_expect(weights[0] == 1 && weights[1] == 1);
}

/* In units of 2^-4, weights of 5/17 and 2/17 are rounded to 5 and 2. The sum 5 + 5 + 5 + 2 = 17 is
 * one larger than 16, the sum that weights must have. */
Test(filter, the_middle_weight_takes_the_rounding_error)
{
    static const int64_t parts[4] = {5, 5, 5, 2}, backwards[4] = {2, 5, 5, 5};
    int32_t weights[4];
    img_filter_round(parts, 4, 4, weights);
    cr_expect(weights[0] == 5 && weights[1] == 4 && weights[2] == 5 && weights[3] == 2);
    img_filter_round(backwards, 4, 4, weights);
    cr_expect(weights[0] == 2 && weights[1] == 5 && weights[2] == 4 && weights[3] == 5);
}

Test(filter, rounded_weights_sum_to_one_and_are_symmetric)
{
    uint32_t random = 1;
    for (int trial = 0; trial < 20000; trial++) {
        int64_t parts[TAPS] = {0}, backwards[TAPS] = {0};
        int32_t weights[TAPS], reversed[TAPS];
        const int32_t count = 1 + trial % TAPS, places = 14 + trial % 9;
        for (int32_t i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            parts[i] = (int64_t)(random >> 4) - (i % 3 == 2 ? 1 << 26 : 0) + 1;
            backwards[count - 1 - i] = parts[i];
        }
        parts[count / 2] += UNIT;
        backwards[count - 1 - count / 2] += UNIT;
        img_filter_round(parts, count, places, weights);
        img_filter_round(backwards, count, places, reversed);
        cr_assert_eq(sum_of(weights, count), INT64_C(1) << places);
        for (int32_t i = 0; i < count; i++)
            cr_assert_eq(weights[i], reversed[count - 1 - i]);
    }
}

/* Other code requires a limit for the sum of the absolute weights (IMG_FILTER_OVERSHOOT), so that
 * weighted sums of samples fit into 32 bits. */
Test(filter, absolute_values_stay_below_the_overshoot)
{
    for (int32_t filter = 0; filter < FILTERS; filter++)
        for (int64_t phase = 0; phase < 1000; phase++) {
            double sum = 0, absolute = 0;
            for (int64_t i = -4; i <= 4; i++) {
                const int64_t distance = i * 1000 - phase;
                const double weight = (double)img_filter_weight(
                    (ImgFilter)filter, (uint64_t)(distance < 0 ? -distance : distance), 1000);
                sum += weight;
                absolute += fabs(weight);
            }
            cr_assert_lt(absolute / sum,
                         filter == IMG_FILTER_LANCZOS4 ? 2 : IMG_FILTER_OVERSHOOT / 5.0);
        }
}
