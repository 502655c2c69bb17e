/* Tests of the number of weights of a new sample, which resize computes without visiting all
 * weights. The number is compared with the definition of each filter, sample by sample. */
#include <criterion/criterion.h>

#include "kernels/core/geometry/gravity.h"
#include "kernels/registry.h"
#include "kernels/resize/resize.h"

typedef struct Extent {
    int64_t first, last;
} Extent;

static int64_t absolute(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Returns true if source sample `k` has a weight in new sample `i`. Positions are compared as
 * integers, in units of 1 / (2 src full). */
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

/* With fit=cover the result is a part of the scaled picture. Samples outside this part do not
 * count, even if they have more weights than all samples inside. */
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
 * weights give 2 and 6. Of 50 source samples, 6 around a position have a weight; weights start at
 * an even sample, so there are 8. If the longest side shrinks to one sample, all its samples have
 * weights. */
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
