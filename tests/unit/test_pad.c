/* Tests of pad: the pixels around a picture, worked out by hand, and the sizes that options
 * request. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"

static const ImgShape ROW = {4, 1, {IMG_COLOR_GRAY, 8}};

static void expect_row(const char *options, const char *wanted)
{
    ImgShape result;
    uint8_t *got = run_op("pad", options, ROW, "abcd", &result);
    cr_expect_eq((size_t)result.width, strlen(wanted), "%s", options);
    cr_expect_eq(result.height, 1, "%s", options);
    cr_expect_eq(memcmp(got, wanted, strlen(wanted)), 0, "%s: %.*s", options, result.width,
                 (const char *)got);
    free(got);
}

Test(pad, every_border_extends_a_row)
{
    expect_row("left=3 right=3 border=replicate", "aaaabcdddd");
    expect_row("left=3 right=3 border=reflect", "dcbabcdcba");
    expect_row("left=3 right=3 border=wrap", "bcdabcdabc");
    expect_row("left=3 right=3 border=constant background=#787878", "xxxabcdxxx");
    expect_row("left=2 background=#ffffff", "\xff\xff"
                                            "abcd");
}

Test(pad, margins_wider_than_the_picture_repeat)
{
    expect_row("left=9 right=9 border=reflect", "dcbabcdcbabcdcbabcdcba");
    expect_row("left=9 right=9 border=wrap", "dabcdabcdabcdabcdabcda");
    expect_row("right=11 border=reflect", "abcdcbabcdcbabc");
    expect_row("left=1 right=7 border=reflect", "babcdcbabcdc");
}

Test(pad, rows_match_values_worked_out_by_hand)
{
    const ImgShape shape = {2, 2, {IMG_COLOR_RGB, 8}};
    static const char picture[] = "ABCDEF"
                                  "GHIJKL";
    ImgShape result;
    char *got = run_op("pad", "left=1 top=1 bottom=2 background=#78797a", shape, picture, &result);
    cr_assert_eq(result.width, 3);
    cr_assert_eq(result.height, 5);
    cr_expect_eq(memcmp(got,
                        "xyzxyzxyz"
                        "xyzABCDEF"
                        "xyzGHIJKL"
                        "xyzxyzxyz"
                        "xyzxyzxyz",
                        45),
                 0);
    free(got);
    got = run_op("pad", "top=2 bottom=1 border=wrap", shape, picture, &result);
    cr_expect_eq(memcmp(got, "ABCDEFGHIJKLABCDEFGHIJKLABCDEF", 30), 0);
    free(got);
    got = run_op("pad", "top=2 right=1 border=reflect", shape, picture, &result);
    cr_expect_eq(memcmp(got, "ABCDEFABCGHIJKLGHIABCDEFABCGHIJKLGHI", 36), 0);
    free(got);
}

Test(pad, one_pixel_fills_every_margin)
{
    const ImgShape shape = {1, 1, {IMG_COLOR_GRAY, 16}};
    static const char *const borders[] = {"replicate", "reflect", "wrap"};
    for (size_t i = 0; i < 3; i++) {
        char options[64];
        ImgShape result;
        snprintf(options, sizeof options, "left=5 top=3 right=2 bottom=4 border=%s", borders[i]);
        uint16_t *got = run_op("pad", options, shape, (uint16_t[]){4711}, &result);
        cr_assert_eq(result.width, 8);
        cr_assert_eq(result.height, 8);
        for (int k = 0; k < 64; k++)
            cr_expect_eq(got[k], 4711, "%s", borders[i]);
        free(got);
    }
}

static void expect_pixels(const char *options, ImgShape src, const void *samples, ImgFormat wanted,
                          const void *pixels)
{
    ImgShape result;
    uint8_t *got = run_op("pad", options, src, samples, &result);
    const size_t bytes =
        (size_t)result.width * (size_t)result.height * img_format_pixel_size(result.format);
    cr_assert(result.format.color == wanted.color && result.format.bits == wanted.bits,
              "%s: %s of %d bits", options, img_color_name(result.format.color),
              result.format.bits);
    cr_expect_eq(memcmp(got, pixels, bytes), 0, "%s", options);
    free(got);
}

Test(pad, few_bits_take_the_nearest_value)
{
    const ImgFormat gray4 = {IMG_COLOR_GRAY, 4};
    /* The background 0xb0 = 176 of 255 is 10.35 of 15, so it becomes 10. */
    expect_pixels("right=1 background=#b0b0b0", (ImgShape){1, 1, gray4}, "\x05", gray4, "\x05\x0a");
}

Test(pad, alpha_is_added_if_margins_are_not_opaque)
{
    const ImgFormat gray1 = {IMG_COLOR_GRAY, 1}, rgb8 = {IMG_COLOR_RGB, 8},
                    rgba8 = {IMG_COLOR_RGBA, 8}, rgb16 = {IMG_COLOR_RGB, 16};
    const ImgShape one = {1, 1, rgb8};
    expect_pixels("right=1", one, "\1\2\3", rgba8, "\1\2\3\xff\0\0\0\0");
    expect_pixels("top=1 background=#10203040", one, "\1\2\3", rgba8, "\x10\x20\x30\x40\1\2\3\xff");
    expect_pixels("left=1 background=#ff000080", (ImgShape){1, 1, rgb16}, (uint16_t[]){1, 2, 3},
                  (ImgFormat){IMG_COLOR_RGBA, 16},
                  (uint16_t[]){65535, 0, 0, 32896, 1, 2, 3, 65535});
    expect_pixels("right=1", (ImgShape){1, 1, {IMG_COLOR_GRAY, 16}}, (uint16_t[]){4711},
                  (ImgFormat){IMG_COLOR_GRAY_ALPHA, 16}, (uint16_t[]){4711, 65535, 0, 0});
    expect_pixels("right=1", (ImgShape){2, 1, gray1}, "\1\0", (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8},
                  "\xff\xff\0\xff\0\0");
    expect_pixels("right=1", (ImgShape){1, 1, rgba8}, "\1\2\3\4", rgba8, "\1\2\3\4\0\0\0\0");
    /* size=1x1 adds no pixel. With border=wrap the added pixel is a copy from the picture. No alpha
     * channel is needed in either case. */
    expect_pixels("size=1x1", one, "\1\2\3", rgb8, "\1\2\3");
    expect_pixels("right=1 border=wrap", one, "\1\2\3", rgb8, "\1\2\3\1\2\3");
}

Test(pad, gray_with_a_coloured_margin_becomes_rgb)
{
    const ImgFormat rgb8 = {IMG_COLOR_RGB, 8}, rgba8 = {IMG_COLOR_RGBA, 8};
    expect_pixels("left=1 background=lime", (ImgShape){1, 1, {IMG_COLOR_GRAY, 4}}, "\x05", rgb8,
                  "\0\xff\0\x55\x55\x55");
    expect_pixels("right=1 background=#10203040", (ImgShape){1, 1, {IMG_COLOR_GRAY, 8}}, "\7",
                  rgba8, "\7\7\7\xff\x10\x20\x30\x40");
    expect_pixels("right=1 background=#102030", (ImgShape){1, 1, {IMG_COLOR_GRAY_ALPHA, 8}},
                  "\7\x9", rgba8, "\7\7\7\x9\x10\x20\x30\xff");
    expect_pixels("right=1 background=red", (ImgShape){1, 1, {IMG_COLOR_GRAY, 16}},
                  (uint16_t[]){4711}, (ImgFormat){IMG_COLOR_RGB, 16},
                  (uint16_t[]){4711, 4711, 4711, 65535, 0, 0});
    expect_pixels("bottom=1 background=blue", (ImgShape){1, 1, {IMG_COLOR_GRAY_ALPHA, 16}},
                  (uint16_t[]){4711, 12}, (ImgFormat){IMG_COLOR_RGBA, 16},
                  (uint16_t[]){4711, 4711, 4711, 12, 0, 0, 65535, 65535});
    /* A fully transparent background has no colour, so the picture stays gray. */
    expect_pixels("right=1 background=#ff000000", (ImgShape){1, 1, {IMG_COLOR_GRAY, 8}}, "\7",
                  (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8}, "\7\xff\0\0");
}

Test(pad, effects_include_coloured_margins)
{
    const ImgOp *op;
    ImgParams params;
    const ImgShape gray = {3, 3, {IMG_COLOR_GRAY, 4}};
    cr_assert_eq(img_op_find("pad", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "background", "red", NULL), IMG_OK);
    cr_expect_not(img_op_effect(op, gray, params.bytes).to_color);
    cr_assert_eq(img_params_set(op, &params, "top", "1", NULL), IMG_OK);
    const ImgEffect effect = img_op_effect(op, gray, params.bytes);
    cr_expect(effect.to_color && effect.depth_changed && !effect.values_changed);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static ImgStatus shape_of(int32_t width, int32_t height, const char *name, const char *value,
                          ImgShape *shape, ImgError *err)
{
    const ImgOp *op;
    ImgParams params;
    cr_assert_eq(img_op_find("pad", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, name, value, err), IMG_OK, "%s", err->message);
    return op->shape((ImgShape){width, height, {IMG_COLOR_RGB, 8}}, params.bytes, shape, err);
}

static void expect_size(int32_t width, int32_t height, const char *name, const char *value,
                        int32_t wanted_width, int32_t wanted_height)
{
    ImgShape shape = {0};
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(shape_of(width, height, name, value, &shape, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(shape.width, wanted_width, "%s: %d", value, shape.width);
    cr_expect_eq(shape.height, wanted_height, "%s: %d", value, shape.height);
}

Test(pad, sizes_and_ratios_match)
{
    expect_size(640, 427, "size", "800x600", 800, 600);
    expect_size(640, 427, "size", "800", 800, 427);
    expect_size(640, 427, "size", "x600", 640, 600);
    expect_size(640, 427, "size", "150%", 960, 641);   /* 640.5 before rounding */
    expect_size(640, 427, "aspect", "16:9", 759, 427); /* 759.1 before rounding */
    expect_size(640, 427, "aspect", "1:1", 640, 640);
    expect_size(100, 100, "aspect", "2.39:1", 239, 100);
    expect_size(1, 1, "aspect", "3:2", 2, 1); /* 1.5 before rounding */
    expect_size(2147483647, 1, "aspect", "100000:0.001", 2147483647, 21);
}

Test(pad, sizes_that_do_not_fit_are_rejected)
{
    ImgShape shape;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(shape_of(640, 427, "size", "640x426", &shape, &err), IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, "640 x 426 is smaller than the picture of 640 x 427"),
                       "%s", err.message);
    img_error_clear(&err);
    cr_expect_eq(shape_of(640, 427, "size", "50%", &shape, &err), IMG_E_UNSUPPORTED);
    img_error_clear(&err);
    cr_expect_eq(shape_of(640, 427, "left", "2147483647", &shape, &err), IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, "2147484287 x 427"), "%s", err.message);
    img_error_clear(&err);
    cr_expect_eq(shape_of(640, 427, "aspect", "100000:0.001", &shape, &err), IMG_E_UNSUPPORTED);
}

Test(pad, gravity_places_the_picture)
{
    ImgShape result;
    const ImgShape one = {1, 1, {IMG_COLOR_GRAY, 8}};
    static const char *const names[] = {"northwest", "north",     "northeast", "west",     "center",
                                        "east",      "southwest", "south",     "southeast"};
    for (int i = 0; i < 9; i++) {
        char options[96];
        snprintf(options, sizeof options, "size=3x3 background=black gravity=%s", names[i]);
        uint8_t *got = run_op("pad", options, one, "\x07", &result);
        for (int k = 0; k < 9; k++)
            cr_expect_eq(got[k], k == i ? 7 : 0, "%s", names[i]);
        free(got);
    }
    /* pad applies margins first, then the size, then the aspect ratio. */
    uint8_t *got = run_op("pad", "left=1 size=3x1 aspect=3:2 gravity=southeast background=black",
                          one, "\x07", &result);
    cr_assert_eq(result.height, 2);
    cr_expect_eq(memcmp(got, "\0\0\0\0\0\x07", 6), 0);
    free(got);
}

Test(pad, repeating_margins_keep_palettes)
{
    const ImgOp *op;
    ImgParams params;
    ImgShape result;
    const ImgShape palette = {3, 3, {IMG_COLOR_PALETTE, 4}};
    cr_assert_eq(img_op_find("pad", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_expect(img_op_needs_channels(op, params.bytes));
    cr_expect_eq(op->shape(palette, params.bytes, &result, NULL), IMG_E_UNSUPPORTED);
    cr_assert_eq(img_params_set(op, &params, "border", "wrap", NULL), IMG_OK);
    cr_expect_not(img_op_needs_channels(op, params.bytes));
    cr_expect_eq(op->shape(palette, params.bytes, &result, NULL), IMG_OK);
    cr_expect_not(img_op_effect(op, palette, params.bytes).cropped);
    cr_assert_eq(img_params_set(op, &params, "top", "1", NULL), IMG_OK);
    cr_expect(img_op_effect(op, palette, params.bytes).cropped);
}
