/* Tests of equalize, autolevel and threshold: values worked out by hand, for every CPU
 * implementation. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/color/luma.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/registry.h"
#include "kernels/tone/tone_arithmetic.h"
#include "tests/unit/sanitizers.h"

static const ImgFormat GRAY2 = {IMG_COLOR_GRAY, 2}, GRAY8 = {IMG_COLOR_GRAY, 8},
                       GRAY16 = {IMG_COLOR_GRAY, 16}, GRAY_ALPHA8 = {IMG_COLOR_GRAY_ALPHA, 8},
                       RGB8 = {IMG_COLOR_RGB, 8}, RGB16 = {IMG_COLOR_RGB, 16},
                       RGBA8 = {IMG_COLOR_RGBA, 8}, RGBA16 = {IMG_COLOR_RGBA, 16};

/* Returns the parameters of a step such as "autolevel clip=0 channels=each". *op gets its
 * operation. */
static ImgParams parse(const char *text, const ImgOp **op)
{
    char copy[128];
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    strcpy(copy, text);
    cr_assert_eq(img_op_find(strtok(copy, " "), op, &err), IMG_OK, "%s", err.message);
    img_params_init(*op, &params);
    for (char *name; (name = strtok(NULL, "=")) != NULL;)
        cr_assert_eq(img_params_set(*op, &params, name, strtok(NULL, " "), &err), IMG_OK, "%s",
                     err.message);
    return params;
}

/* Runs every CPU implementation on one row of pixels, and expects equal results. `out` gets the
 * result. Returns its shape. */
static ImgShape run(const char *text, ImgFormat format, int32_t width, const void *in, void *out)
{
    const ImgOp *op;
    ImgParams params = parse(text, &op);
    ImgShape src = {width, 1, format}, dst;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(op->shape(src, params.bytes, &dst, &err), IMG_OK, "%s", err.message);
    size_t size = (size_t)width * img_format_pixel_size(dst.format);
    ImgConstants constants;
    cr_assert_eq(img_op_prepare(op, (ImgShape){1, 1, format}, params.bytes, &constants, &err),
                 IMG_OK);
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++) {
        uint8_t bytes[2048];
        if (impl->backend != IMG_BACKEND_CPU || !img_impl_usable(impl) ||
            !img_impl_applies(op, impl, src, params.bytes))
            continue;
        cr_assert_leq(size, sizeof bytes);
        ImgCall call = {.op = op,
                        .src = img_view_make((void *)in, 2048, src),
                        .dst = img_view_make(bytes, sizeof bytes, dst),
                        .params = params.bytes,
                        .constants = constants,
                        .threads = 2};
        cr_assert_eq(impl->run(&call, &err), IMG_OK, "%s", err.message);
        if (impl == op->impls)
            memcpy(out, bytes, size);
        cr_expect_eq(memcmp(out, bytes, size), 0, "%s of %s", impl->name, text);
    }
    img_constants_free(&constants);
    return dst;
}

#define PIXELS(...)                                                                                \
    (uint8_t[])                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define WIDE(...)                                                                                  \
    (uint16_t[])                                                                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void expect(const char *text, ImgFormat format, int32_t width, const void *in,
                   const void *expected)
{
    uint8_t out[2048];
    ImgShape shape = run(text, format, width, in, out);
    size_t size = (size_t)width * img_format_pixel_size(shape.format);
    cr_expect_eq(memcmp(out, expected, size), 0, "%s: %d %d %d %d ...", text, out[0], out[1],
                 out[2], out[3]);
}

/* --- equalize --------------------------------------------------------------------------------- */

Test(equalize, results_match_values_worked_out_by_hand)
{
    expect("equalize", GRAY8, 4, PIXELS(10, 20, 30, 40), PIXELS(0, 85, 170, 255));
    expect("equalize", GRAY8, 4, PIXELS(5, 200, 5, 5), PIXELS(0, 255, 0, 0));
    expect("equalize", GRAY8, 4, PIXELS(200, 5, 201, 200), PIXELS(170, 0, 255, 170));
    expect("equalize", GRAY8, 3, PIXELS(0, 1, 2), PIXELS(0, 128, 255)); /* 127.5 before rounding */
    /* The result has 8 bits. */
    expect("equalize", GRAY2, 4, PIXELS(0, 1, 1, 2), PIXELS(0, 170, 170, 255));
    expect("equalize", GRAY16, 3, WIDE(7, 1, 60000), WIDE(32768, 0, 65535));
}

Test(equalize, a_ramp_does_not_change)
{
    uint8_t ramp[256];
    uint16_t wide[1024];
    for (int i = 0; i < 256; i++)
        ramp[i] = (uint8_t)(255 - i);
    expect("equalize", GRAY8, 256, ramp, ramp);
    for (int i = 0; i < 1024; i++)
        wide[i] = (uint16_t)((i * 131070 + 1023) / 2046); /* i * 65535 / 1023, rounded */
    expect("equalize", GRAY16, 1024, wide, wide);
}

Test(equalize, one_value_does_not_change)
{
    expect("equalize", GRAY8, 1, PIXELS(77), PIXELS(77));
    expect("equalize", RGB8, 2, PIXELS(1, 2, 3, 1, 2, 3), PIXELS(1, 2, 3, 1, 2, 3));
    expect("equalize channels=each", RGB16, 1, WIDE(1, 2, 3), WIDE(1, 2, 3));
}

Test(equalize, channels_are_equalized_independently)
{
    expect("equalize channels=each", RGB8, 2, PIXELS(1, 7, 9, 2, 7, 8),
           PIXELS(0, 7, 255, 255, 7, 0));
    expect("equalize channels=each", RGBA16, 2, WIDE(1, 7, 9, 5, 2, 7, 8, 65535),
           WIDE(0, 7, 65535, 5, 65535, 7, 0, 65535));
}

/* By BT.709 the luma of (100, 0, 0) is 21 and becomes 0. The luma of (0, 100, 0) is 72 and becomes
 * 255. */
Test(equalize, luma_shifts_all_three_channels_equally)
{
    expect("equalize", RGB8, 2, PIXELS(100, 0, 0, 0, 100, 0), PIXELS(79, 0, 0, 183, 255, 183));
    expect("equalize luma=601", RGB8, 2, PIXELS(100, 0, 0, 0, 100, 0),
           PIXELS(70, 0, 0, 196, 255, 196));
    expect("equalize", RGB8, 4, PIXELS(10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40),
           PIXELS(0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255));
    expect("equalize", RGBA16, 2, WIDE(9, 9, 9, 1, 8, 8, 8, 2),
           WIDE(65535, 65535, 65535, 1, 0, 0, 0, 2));
}

Test(equalize, transparent_pixels_do_not_count)
{
    expect("equalize", GRAY_ALPHA8, 5, PIXELS(0, 0, 10, 1, 15, 0, 20, 2, 200, 0),
           PIXELS(0, 0, 0, 1, 0, 0, 255, 2, 255, 0));
    expect("equalize", RGBA8, 3, PIXELS(9, 9, 9, 0, 5, 5, 5, 1, 6, 6, 6, 255),
           PIXELS(255, 255, 255, 0, 0, 0, 0, 1, 255, 255, 255, 255));
    expect("equalize", GRAY_ALPHA8, 2, PIXELS(3, 0, 4, 0), PIXELS(3, 0, 4, 0));
    expect("equalize", RGBA8, 2, PIXELS(1, 2, 3, 0, 4, 5, 6, 0), PIXELS(1, 2, 3, 0, 4, 5, 6, 0));
}

/* --- autolevel -------------------------------------------------------------------------------- */

Test(autolevel, results_match_values_worked_out_by_hand)
{
    expect("autolevel clip=0", GRAY8, 3, PIXELS(50, 100, 150), PIXELS(0, 128, 255));
    expect("autolevel clip=0", GRAY2, 3, PIXELS(1, 2, 1), PIXELS(0, 255, 0));
    expect("autolevel clip=0", GRAY16, 3, WIDE(1000, 1001, 1004), WIDE(0, 16384, 65535));
    expect("autolevel clip=0", RGB8, 2, PIXELS(10, 20, 30, 20, 40, 60),
           PIXELS(0, 51, 102, 51, 153, 255));
    expect("autolevel clip=0 channels=each", RGB8, 2, PIXELS(10, 20, 60, 20, 20, 30),
           PIXELS(0, 20, 255, 255, 20, 0));
}

/* With 10 % one of ten pixels is clipped at each end. With slightly less than 10 % no pixel is
 * clipped. */
Test(autolevel, clip_is_a_percentage_of_the_pixels)
{
    const uint8_t *in = PIXELS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    expect("autolevel clip=10", GRAY8, 10, in, PIXELS(0, 0, 36, 73, 109, 146, 182, 219, 255, 255));
    expect("autolevel clip=9.999", GRAY8, 10, in,
           PIXELS(0, 28, 57, 85, 113, 142, 170, 198, 227, 255));
}

Test(autolevel, clip_works_for_huge_pictures)
{
    cr_expect_eq(img_clipped_count(UINT64_C(3) << 60, 50000), UINT64_C(3) << 59);
    cr_expect_eq(img_clipped_count(100000, 1), 1);
    cr_expect_eq(img_clipped_count(99999, 1), 0);
}

Test(autolevel, a_stretched_picture_does_not_change)
{
    uint8_t once[64 * 3], in[64 * 3];
    for (int i = 0; i < 64 * 3; i++)
        in[i] = (uint8_t)(40 + i * 37 % 150);
    run("autolevel clip=0", RGB8, 64, in, once);
    expect("autolevel clip=0", RGB8, 64, once, once);
    run("autolevel clip=0 channels=each", RGB8, 64, in, once);
    expect("autolevel clip=0 channels=each", RGB8, 64, once, once);
}

Test(autolevel, one_value_does_not_change)
{
    expect("autolevel", GRAY8, 2, PIXELS(77, 77), PIXELS(77, 77));
    expect("autolevel clip=49.999", GRAY8, 2, PIXELS(1, 2), PIXELS(0, 255));
    expect("autolevel clip=49.999", GRAY8, 5, PIXELS(1, 2, 2, 2, 3), PIXELS(1, 2, 2, 2, 3));
}

Test(autolevel, transparent_pixels_do_not_count)
{
    expect("autolevel clip=0", GRAY_ALPHA8, 3, PIXELS(0, 0, 10, 1, 20, 2),
           PIXELS(0, 0, 0, 1, 255, 2));
    expect("autolevel", RGBA8, 2, PIXELS(1, 2, 3, 0, 4, 5, 6, 0), PIXELS(1, 2, 3, 0, 4, 5, 6, 0));
}

/* --- threshold -------------------------------------------------------------------------------- */

Test(threshold, samples_above_the_threshold_are_white)
{
    expect("threshold value=100", GRAY8, 3, PIXELS(99, 100, 101), PIXELS(0, 0, 255));
    expect("threshold value=1", GRAY2, 4, PIXELS(0, 1, 2, 3), PIXELS(0, 0, 3, 3));
    expect("threshold value=65534", GRAY16, 2, WIDE(65534, 65535), WIDE(0, 65535));
    expect("threshold value=255", GRAY8, 1, PIXELS(255), PIXELS(0));
    expect("threshold value=0", GRAY_ALPHA8, 3, PIXELS(0, 9, 1, 0, 255, 7),
           PIXELS(0, 9, 255, 0, 255, 7));
}

/* The luma of (100, 0, 0) is 21 by BT.709 and 30 by BT.601. */
Test(threshold, colour_becomes_gray)
{
    uint8_t out[2048];
    cr_expect_eq(run("threshold", RGB8, 1, PIXELS(1, 2, 3), out).format.color, IMG_COLOR_GRAY);
    cr_expect_eq(run("threshold", RGBA16, 1, WIDE(1, 2, 3, 4), out).format.color,
                 IMG_COLOR_GRAY_ALPHA);
    expect("threshold value=21", RGB8, 2, PIXELS(100, 0, 0, 0, 100, 0), PIXELS(0, 255));
    expect("threshold value=21 luma=601", RGB8, 2, PIXELS(100, 0, 0, 0, 0, 100), PIXELS(255, 0));
    expect("threshold value=300", RGBA16, 2, WIDE(300, 300, 300, 5, 301, 301, 301, 6),
           WIDE(0, 5, 65535, 6));
}

/* threshold must round luma exactly as img_luma does. The test uses the luma itself and the value
 * below it as thresholds. */
Test(threshold, luma_equals_that_of_the_histogram)
{
    for (uint32_t i = 0; i < 4000; i += EVERY(7)) {
        uint16_t pixel[3] = {(uint16_t)(i * 40503), (uint16_t)(i * 30011 + 7), (uint16_t)(i * 997)};
        char below[64], at[64];
        const uint32_t luma =
            img_luma(img_luma_weights(IMG_LUMA_601), pixel[0], pixel[1], pixel[2]);
        snprintf(at, sizeof at, "threshold value=%u luma=601", luma);
        expect(at, RGB16, 1, pixel, WIDE(0));
        if (luma == 0)
            continue;
        snprintf(below, sizeof below, "threshold value=%u luma=601", luma - 1);
        expect(below, RGB16, 1, pixel, WIDE(65535));
    }
}

Test(threshold, a_given_value_is_a_point_operation)
{
    const ImgOp *op;
    ImgParams params = parse("threshold value=5", &op);
    cr_expect(img_op_is_points(op, params.bytes));
    params = parse("threshold", &op);
    cr_expect_not(img_op_is_points(op, params.bytes));
    params = parse("equalize", &op);
    cr_expect_not(img_op_is_points(op, params.bytes));
}

/* The 5 dark samples have the mean 14, and the 3 bright samples have the mean 203.3. No other split
 * has a larger variance between the two classes, which is the criterion of Otsu. */
Test(threshold, otsu_matches_values_worked_out_by_hand)
{
    expect("threshold", GRAY8, 8, PIXELS(10, 200, 20, 10, 210, 10, 20, 200),
           PIXELS(0, 255, 0, 0, 255, 0, 0, 255));
    expect("threshold", GRAY16, 8, WIDE(1000, 20000, 2000, 1000, 21000, 1000, 2000, 20000),
           WIDE(0, 65535, 0, 0, 65535, 0, 0, 65535));
    expect("threshold", GRAY_ALPHA8, 4, PIXELS(10, 1, 12, 2, 200, 0, 200, 0),
           PIXELS(0, 1, 255, 2, 255, 0, 255, 0));
}

Test(threshold, otsu_takes_the_lowest_of_equal_splits)
{
    expect("threshold", GRAY8, 3, PIXELS(0, 10, 20), PIXELS(0, 255, 255));
}

Test(threshold, otsu_of_one_value_is_defined)
{
    expect("threshold", GRAY8, 2, PIXELS(7, 7), PIXELS(255, 255));
    expect("threshold", GRAY8, 2, PIXELS(0, 0), PIXELS(0, 0));
    expect("threshold", GRAY_ALPHA8, 2, PIXELS(0, 0, 3, 0), PIXELS(0, 0, 255, 0));
}

/* Returns true if a split after value 0 is better than a split after value 1. `a`, `b` and `c` are
 * the numbers of samples of the values 0, 1 and 2. */
static bool lower_is_better(uint64_t a, uint64_t b, uint64_t c)
{
    ImgSplit low = img_split(0, a, 0, a + b + c, b + 2 * c);
    ImgSplit high = img_split(1, a + b, b, a + b + c, b + 2 * c);
    cr_assert_neq(img_split_is_better(&low, &high), img_split_is_better(&high, &low));
    return img_split_is_better(&low, &high);
}

/* One of 2^44 samples decides. Doubles cannot represent a difference that is so small. */
Test(threshold, otsu_is_exact)
{
    uint64_t many = UINT64_C(1) << 44;
    ImgSplit low = img_split(0, many, 0, 3 * many + 1, 3 * many + 2);
    ImgSplit high = img_split(1, 2 * many, many, 3 * many + 1, 3 * many + 2);
    cr_assert_float_eq(low.variance / high.variance, 1, 1e-13);
    cr_expect(lower_is_better(many, many, many));
    cr_expect_not(lower_is_better(many, many, many + 1));
    cr_expect(lower_is_better(many + 1, many, many));
}

Test(threshold, products_of_64_bits_are_exact)
{
    uint64_t high, low;
    img_product_64(UINT64_MAX, UINT64_MAX, &high, &low);
    cr_expect_eq(high, UINT64_MAX - 1);
    cr_expect_eq(low, 1);
    img_product_64(UINT64_C(0x100000001), UINT64_C(0xffffffff), &high, &low);
    cr_expect_eq(high, 0);
    cr_expect_eq(low, UINT64_C(0xffffffffffffffff));
}

/* --- Rejected parameters and formats ---------------------------------------------------------- */

static void expect_refused(const char *text, ImgFormat format, const char *words)
{
    const ImgOp *op;
    ImgParams params = parse(text, &op);
    ImgShape dst;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(op->shape((ImgShape){1, 1, format}, params.bytes, &dst, &err), IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, words), "%s", err.message);
}

Test(tone, invalid_values_and_formats_are_rejected)
{
    expect_refused("threshold value=256", GRAY8, "0 to 255");
    expect_refused("threshold value=4", GRAY2, "0 to 3");
    expect_refused("threshold", (ImgFormat){IMG_COLOR_PALETTE, 8}, "palette");
    expect_refused("equalize", (ImgFormat){IMG_COLOR_PALETTE, 1}, "palette");
    expect_refused("autolevel", (ImgFormat){IMG_COLOR_PALETTE, 4}, "palette");
    expect_refused("equalize", (ImgFormat){IMG_COLOR_COUNTS, 64}, "counts");
}

Test(tone, effects_and_traffic_match)
{
    static const struct {
        const char *text;
        ImgColor color;
        bool to_gray;
        uint64_t traffic; /* bytes that are read and written for 10 pixels with 8 bits per sample */
    } cases[] = {
        {"equalize", IMG_COLOR_RGB, false, 90},         {"autolevel", IMG_COLOR_GRAY, false, 30},
        {"threshold", IMG_COLOR_GRAY, false, 30},       {"threshold", IMG_COLOR_RGBA, true, 100},
        {"threshold value=7", IMG_COLOR_RGB, true, 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ImgOp *op;
        ImgParams params = parse(cases[i].text, &op);
        ImgShape shape = {5, 2, {cases[i].color, 8}};
        ImgEffect effect = op->effect.get(shape, params.bytes);
        cr_expect(effect.values_changed && !effect.cropped && !effect.upright, "%s", cases[i].text);
        cr_expect_eq(effect.to_gray, cases[i].to_gray, "%s", cases[i].text);
        cr_expect_eq(op->cost.traffic(shape, params.bytes), cases[i].traffic, "%s", cases[i].text);
    }
}
