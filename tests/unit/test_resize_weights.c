/* Tests of the weights of a new sample. resize computes their number without visiting all weights;
 * the number is compared with the definition of each filter, sample by sample. In long rows and
 * columns a weight is less than 2^-22, the unit of weights, or only a few units. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/geometry/gravity.h"
#include "kernels/registry.h"
#include "kernels/resize/filter.h"
#include "kernels/resize/resize.h"
#include "tests/unit/run_op.h"

typedef struct Extent {
    int64_t first, last;
} Extent;

static int64_t absolute(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Returns true if source sample `k` has a weight in new sample `i`. Positions are compared as
 * integers, in units of 1 / (2 * src * full) of the side. */
static bool counts(ImgFilter filter, ImgResizeSpan span, int64_t i, int64_t k)
{
    const int64_t src = span.src, full = span.full, wider = src > full ? src : full;
    if (filter == IMG_FILTER_NEAREST || src == full)
        return 2 * k * full <= (2 * i + 1) * src && (2 * i + 1) * src < 2 * (k + 1) * full;
    if (filter == IMG_FILTER_BOX)
        return k * full < (i + 1) * src && i * src < (k + 1) * full;
    return absolute((2 * k + 1) * full - (2 * i + 1) * src) < img_filter_reach(filter) * wider;
}

/* Returns the first and last source sample with a weight in new sample `i`, by the definition.
 * Samples outside the picture count as the sample at the edge. */
static Extent extent_of(ImgFilter filter, ImgResizeSpan span, int64_t i)
{
    const int64_t around = i * span.src / span.full, most = 8 + 4 * (int64_t)span.src;
    Extent extent = {INT64_MAX, INT64_MIN};
    for (int64_t k = around - most; k <= around + most; k++)
        if (counts(filter, span, i, k)) {
            extent.first = k < extent.first ? k : extent.first;
            extent.last = k > extent.last ? k : extent.last;
        }
    extent.first = extent.first < 0 ? 0 : extent.first;
    extent.last = extent.last >= span.src ? span.src - 1 : extent.last;
    return extent;
}

static int64_t expected_taps(ImgFilter filter, ImgResizeSpan span)
{
    int64_t most = 0;
    for (int32_t n = 0; n < span.count; n++) {
        const Extent extent = extent_of(filter, span, (int64_t)n + span.skip);
        const int64_t taps = extent.last + 1 - extent.first / 2 * 2;
        most = taps > most ? taps : most;
    }
    return (most + 1) / 2 * 2;
}

static ImgResize describe(ImgFilter filter, int fit, ImgSize size, int32_t width, int32_t height)
{
    const ImgResizeParams params = {.size = size,
                                    .fit = fit,
                                    .gravity = IMG_GRAVITY_CENTER,
                                    .filter = (int32_t)filter,
                                    .light = IMG_LIGHT_LINEAR};
    return img_resize_describe(&params, (ImgShape){width, height, {IMG_COLOR_GRAY, 8}});
}

static void expect_taps(ImgFilter filter, const ImgResizeAxis *axis)
{
    const ImgResizeSpan span = axis->span;
    cr_expect_eq(axis->taps, expected_taps(filter, span), "filter %d, %d to %d, %d from %d: %d",
                 (int)filter, span.src, span.full, span.count, span.skip, axis->taps);
}

Test(resize_taps, every_filter_and_scale_matches)
{
    for (ImgFilter filter = IMG_FILTER_NEAREST; filter <= IMG_FILTER_LANCZOS3; filter++)
        for (int32_t src = 1; src <= 20; src++)
            for (int32_t full = 1; full <= 45; full++) {
                const ImgSize size = {.width = full, .height = full};
                const ImgResize own = describe(filter, IMG_FIT_FILL, size, src, src);
                expect_taps(filter, &own.across);
            }
}

/* With fit=cover the result is a part of the scaled picture. The number of weights is the largest
 * of all new samples inside this part. New samples outside it may have more weights. */
Test(resize_taps, parts_match)
{
    for (ImgFilter filter = IMG_FILTER_NEAREST; filter <= IMG_FILTER_LANCZOS3; filter++)
        for (int32_t width = 1; width <= 18; width++)
            for (int32_t side = 1; side <= 12; side++) {
                const ImgSize size = {.width = side, .height = 7};
                const ImgResize own = describe(filter, IMG_FIT_COVER, size, width, 5);
                expect_taps(filter, &own.across);
                expect_taps(filter, &own.down);
            }
}

static ImgStatus status_of(const ImgOp *op, int32_t width, int32_t height)
{
    const ImgResizeParams params = {.size = {.width = 10, .height = 10}};
    ImgShape result;
    return op->shape((ImgShape){width, height, {IMG_COLOR_GRAY, 8}}, &params, &result, NULL);
}

/* With a longer side the number of weights could exceed an int32_t. */
Test(resize_taps, the_longest_side_is_accepted)
{
    const ImgOp *op;
    cr_assert_eq(img_op_find("resize", &op, NULL), IMG_OK);
    cr_expect_eq(status_of(op, IMG_RESIZE_LONGEST, IMG_RESIZE_LONGEST), IMG_OK);
    cr_expect_eq(status_of(op, IMG_RESIZE_LONGEST + 1, 1), IMG_E_UNSUPPORTED);
    cr_expect_eq(status_of(op, 1, IMG_RESIZE_LONGEST + 1), IMG_E_UNSUPPORTED);
}

/* The number of weights must be computed fast also for the maximum side: a fuzzer once waited for
 * minutes. Each expected number is even, because zero weights are added: new samples with 1 and 5
 * weights give 2 and 6. Of 50 source samples, 6 around a position have a weight. Because weights
 * start at an even sample and their number is even, there are 8. If the longest side shrinks to one
 * sample, all its samples have weights. */
Test(resize_taps, two_thousand_million_samples_are_counted_fast)
{
    static const struct {
        int32_t src, full, taps;
    } cases[] = {
        {1, INT32_MAX, 2},
        {2, INT32_MAX, 2},
        {5, INT32_MAX, 6},
        {50, INT32_MAX, 8},
        {50, INT32_MAX - 47, 8}, /* 2147483600 is a multiple of 50 */
        {IMG_RESIZE_LONGEST, 1, IMG_RESIZE_LONGEST + 1},
        {IMG_RESIZE_LONGEST, IMG_RESIZE_LONGEST - 1, 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ImgSize size = {.width = cases[i].full, .height = 1};
        const ImgResize own = describe(IMG_FILTER_LANCZOS3, IMG_FIT_FILL, size, cases[i].src, 1);
        cr_expect_eq(own.across.taps, cases[i].taps, "%d to %d: %d", cases[i].src, cases[i].full,
                     own.across.taps);
    }
}

/* --- Long rows and columns -------------------------------------------------------------------- */

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
