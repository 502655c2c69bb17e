/* Tests of resize with rows and columns so long that a weight is less than 2^-22, the unit of
 * weights, or only a few units. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/resample/filter.h"
#include "tests/unit/run_op.h"

enum { PLACES = 22 };

/* --- Weights ---------------------------------------------------------------------------------- */

/* Each of 4,000,000 equal weights is 1.05 units. If each was rounded to 1, the weight in the middle
 * would get all the rest. */
Test(resize_long, sums_of_weights_are_right_everywhere)
{
    enum { COUNT = 4000000 };
    int64_t *parts = malloc(COUNT * sizeof *parts), sum = 0;
    int32_t *weights = malloc(COUNT * sizeof *weights);
    for (int32_t i = 0; i < COUNT; i++)
        parts[i] = 1;
    img_filter_round(parts, COUNT, PLACES, weights);
    for (int64_t i = 0; i < COUNT; i++) {
        const int64_t wanted = (i << PLACES) / COUNT;
        cr_assert(sum >= wanted - 1 && sum <= wanted + 1, "before %lld: %lld", (long long)i,
                  (long long)sum);
        cr_assert(weights[i] == 1 || weights[i] == 2);
        sum += weights[i];
    }
    cr_expect_eq(sum, 1 << PLACES);
    free(parts);
    free(weights);
}

/* There are more weights than units of 2^-22. The weights that get a unit must be evenly spaced. */
Test(resize_long, weights_below_the_smallest_multiple_are_spread)
{
    enum { COUNT = 1 << 23 };
    int64_t *parts = malloc(COUNT * sizeof *parts);
    int32_t *weights = malloc(COUNT * sizeof *weights), sum = 0;
    for (int32_t i = 0; i < COUNT; i++)
        parts[i] = INT64_C(1) << 30;
    img_filter_round(parts, COUNT, PLACES, weights);
    for (int32_t i = 0; i < COUNT; i += 2) {
        cr_assert_eq(weights[i] + weights[i + 1], 1, "%d and %d at %d", weights[i], weights[i + 1],
                     i);
        sum += 1;
    }
    cr_expect_eq(sum, 1 << PLACES);
    free(parts);
    free(weights);
}

Test(resize_long, reversed_weights_are_the_same)
{
    enum { MOST = 20001 };
    static int64_t parts[MOST], backwards[MOST];
    static int32_t weights[MOST], reversed[MOST];
    for (int32_t count = MOST - 3; count <= MOST; count++) {
        int64_t sum = 0;
        uint32_t random = (uint32_t)count;
        for (int32_t i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            parts[i] = (int64_t)(random >> 8) - (i % 5 == 0 ? 1 << 23 : 0);
            backwards[count - 1 - i] = parts[i];
        }
        img_filter_round(parts, count, PLACES, weights);
        img_filter_round(backwards, count, PLACES, reversed);
        for (int32_t i = 0; i < count; i++) {
            cr_assert_eq(weights[i], reversed[count - 1 - i], "%d of %d", i, count);
            sum += weights[i];
        }
        cr_expect_eq(sum, 1 << PLACES);
    }
}

/* Up to the number of weights that ordinary pictures need, each weight is rounded to the nearest
 * unit, and the middle weight gets the rest: 1.25 becomes 1. With one weight more the rest is
 * spread, and every fourth weight becomes 2. */
Test(resize_long, ordinary_weights_are_rounded_one_by_one)
{
    enum { MOST = IMG_FILTER_ROUND_EACH + 1, TOTAL = 3355443 };
    static int64_t parts[MOST];
    static int32_t weights[MOST];
    for (int32_t count = MOST - 1; count <= MOST; count++) {
        int32_t twos = 0;
        for (int32_t i = 0; i < count; i++)
            parts[i] = 1;
        parts[0] = TOTAL - count + 1;
        img_filter_round(parts, count, PLACES, weights);
        for (int32_t i = 1; i <= 4000; i++)
            twos += weights[i] == 2;
        cr_expect_eq(twos, count < MOST ? 0 : 1000, "%d of %d", twos, count);
    }
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Resizes a row or column of pixels to one pixel, and returns its value. The first `white` pixels
 * are white, the others black. run_op compares all implementations. */
static uint32_t mean(const char *options, int32_t width, int32_t height, int bits, int32_t white)
{
    const ImgShape shape = {width, height, {IMG_COLOR_GRAY, bits}};
    const size_t size = (size_t)bits / 8;
    uint8_t *picture = calloc((size_t)width * (size_t)height, size);
    ImgShape result;
    memset(picture, 0xff, (size_t)white * size);
    void *got = run_op("resize", options, shape, picture, &result);
    const uint32_t sample = sample_of(got, result, 0, 0, 0);
    free(got);
    free(picture);
    return sample;
}

/* 5/8 of 255 is 159.4, and 5/8 of 65535 is 40959.4. */
Test(resize_long, a_million_columns_have_the_right_mean)
{
    const char *box = "size=1x1 fit=fill filter=box";
    cr_expect_eq(mean(box, 1000000, 1, 8, 625000), 159);
    cr_expect_eq(mean(box, 1000000, 1, 16, 625000), 40959);
}

/* The first quarter of the pixels is white. With box the result is 255 / 4 = 63.75. With bilinear,
 * a triangle from -1 to 1 and replicated edges, that quarter has the weight 1/8 + 5/32 = 9/32,
 * which gives 71.7. With lanczos3, sums in floating point give 65.94. */
Test(resize_long, a_quarter_of_a_row_or_column_has_the_right_weight)
{
    static const struct {
        const char *options;
        uint32_t mean;
    } cases[] = {{"size=1x1 fit=fill filter=box", 64},
                 {"size=1x1 fit=fill filter=bilinear", 72},
                 {"size=1x1 fit=fill filter=lanczos3", 66}};
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(mean(cases[i].options, 1000000, 1, 8, 250000), cases[i].mean, "%s",
                     cases[i].options);
    cr_expect_eq(mean(cases[0].options, 1, 70000, 8, 17500), cases[0].mean);
}
