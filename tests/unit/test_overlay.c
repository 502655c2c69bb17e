/* Tests of overlay: pixels worked out by hand, positions, and overlays of other formats. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/sample.h"
#include "kernels/registry.h"

static ImgPicture *picture_of(ImgShape shape, const void *pixels)
{
    const size_t size =
        (size_t)shape.width * (size_t)shape.height * img_format_pixel_size(shape.format);
    ImgPicture *picture = malloc(sizeof *picture + size);
    picture->shape = shape;
    memcpy(picture->pixels, pixels, size);
    return picture;
}

static void run_impl(const ImgCall *template, const ImgImpl *impl, void *out)
{
    ImgCall call = *template;
    const size_t row = (size_t)call.dst.width * img_format_pixel_size(call.dst.format);
    ImgError err = {IMG_OK, ""};
    memset(out, 0xaa, row * (size_t)call.dst.height);
    call.dst.data = out;
    call.dst.stride = row;
    cr_assert_eq(impl->run(&call, &err), IMG_OK, "%s", err.message);
}

/* Runs the reference, and compares the other implementations with it. Returns the result, which the
 * caller frees. */
static void *lay(ImgShape src, const void *pixels, ImgShape logo, const void *logo_pixels,
                 const char *options, ImgShape *result)
{
    const ImgOp *op;
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    char name[32], value[32];
    int used = 0;
    ImgPicture *picture = picture_of(logo, logo_pixels);
    cr_assert_eq(img_op_find("overlay", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "image", "it.png", NULL), IMG_OK);
    img_params_set_content(img_param_find(op, "image"), &params, picture);
    for (const char *at = options; sscanf(at, " %31[^=]=%31s%n", name, value, &used) == 2;
         at += used)
        cr_assert_eq(img_params_set(op, &params, name, value, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(op->shape(src, params.bytes, result, &err), IMG_OK, "%s", err.message);
    ImgCall call = {.op = op,
                    .src = img_view_make(
                        (void *)pixels, (size_t)src.width * img_format_pixel_size(src.format), src),
                    .dst = img_view_make(NULL, 0, *result),
                    .params = params.bytes,
                    .threads = 2};
    cr_assert_eq(img_op_prepare(op, src, params.bytes, &call.constants, &err), IMG_OK, "%s",
                 err.message);
    const size_t size =
        (size_t)result->width * (size_t)result->height * img_format_pixel_size(result->format);
    void *expected = malloc(size), *got = malloc(size);
    run_impl(&call, &op->impls[0], expected);
    run_impl(&call, &op->impls[1], got);
    cr_expect_eq(memcmp(expected, got, size), 0, "%s", options);
    free(got);
    free(picture);
    img_constants_free(&call.constants);
    return expected;
}

static const ImgShape GRAY = {5, 3, {IMG_COLOR_GRAY, 8}}, DOT = {1, 1, {IMG_COLOR_GRAY, 8}};

static void expect_picture(const char *options, ImgShape logo, const char *pixels,
                           const char *wanted)
{
    ImgShape result;
    char *got = lay(GRAY, "...............", logo, pixels, options, &result);
    cr_expect_eq(memcmp(got, wanted, 15), 0, "%s: %.15s", options, got);
    free(got);
}

Test(overlay, the_position_follows_the_options)
{
    const ImgShape logo = {2, 2, {IMG_COLOR_GRAY, 8}};
    expect_picture("", DOT, "x", ".......x.......");
    expect_picture("", logo, "abcd", ".ab...cd.......");
    expect_picture("gravity=southeast", logo, "abcd", "........ab...cd");
    expect_picture("gravity=southeast x=1 y=1", logo, "abcd", "..ab...cd......");
    expect_picture("gravity=northwest x=2", logo, "abcd", "..ab...cd......");
    expect_picture("x=1 y=-1", DOT, "x", "...x...........");
}

Test(overlay, parts_outside_the_picture_are_cut_off)
{
    const ImgShape logo = {2, 2, {IMG_COLOR_GRAY, 8}}, large = {7, 5, {IMG_COLOR_GRAY, 8}};
    expect_picture("gravity=northwest x=-1 y=-1", logo, "abcd", "d..............");
    expect_picture("gravity=southeast x=-1 y=-1", logo, "abcd", "..............a");
    expect_picture("gravity=northwest x=5", logo, "abcd", "...............");
    expect_picture("x=2147483647 y=-2147483647", logo, "abcd", "...............");
    expect_picture("gravity=southeast x=-2147483647", logo, "abcd", "...............");
    expect_picture("", large,
                   "-------"
                   "-abcde-"
                   "-fghij-"
                   "-klmno-"
                   "-------",
                   "abcdefghijklmno");
}

Test(overlay, tiles_continue_in_all_directions)
{
    const ImgShape logo = {2, 2, {IMG_COLOR_GRAY, 8}};
    expect_picture("gravity=northwest tile=on", logo, "abcd", "ababacdcdcababa");
    expect_picture("gravity=northwest x=1 y=1 tile=on", logo, "abcd", "dcdcdbababdcdcd");
    expect_picture("gravity=northwest x=-3 y=-1 tile=on", logo, "abcd", "dcdcdbababdcdcd");
    expect_picture("x=2147483647 tile=on", logo, "abcd",
                   /* Columns from 2^31 on must not overflow. */
                   "ababacdcdcababa");
    expect_picture("gravity=east x=-2147483647 tile=on", logo, "abcd", "ababacdcdcababa");
    expect_picture("gravity=northwest x=-2147483647 tile=on", logo, "abcd",
                   "babab"
                   "dcdcd"
                   "babab");
}

/* --- Values ----------------------------------------------------------------------------------- */

Test(overlay, colours_follow_alpha_and_opacity)
{
    const ImgShape rgb = {1, 1, {IMG_COLOR_RGB, 8}}, rgba = {1, 1, {IMG_COLOR_RGBA, 8}};
    ImgShape result;
    uint8_t *got = lay(rgb, "\x64\x00\xff", rgba, "\xc8\xff\x00\x80", "", &result);
    /* The overlay has alpha 128/255 = 0.50196. The samples become 100 + 100 * 0.50196 = 150.2, then
     * 255 * 0.50196 = 128, and 255 * 0.49804 = 127. */
    cr_expect_eq(memcmp(got, (uint8_t[]){150, 128, 127}, 3), 0);
    free(got);
    got = lay(rgb, "\x64\x00\xff", rgb, "\xc8\xff\x00", "opacity=0.25", &result);
    /* The second and third samples are 63.75 and 191.25 before rounding. */
    cr_expect_eq(memcmp(got, (uint8_t[]){125, 64, 191}, 3), 0);
    free(got);
    got = lay(rgb, "\x64\x00\xff", rgba, "\xc8\xff\x00\x80", "opacity=0", &result);
    cr_expect_eq(memcmp(got, "\x64\x00\xff", 3), 0);
    free(got);
}

Test(overlay, a_transparent_picture_is_blended_too)
{
    const ImgShape rgba = {1, 1, {IMG_COLOR_RGBA, 8}};
    ImgShape result;
    /* Alpha 51/255 = 0.2 over alpha 102/255 = 0.4 gives 0.2 + 0.4 * 0.8 = 0.52, which is 132.6 of
     * 255. The colour is (200 * 0.2 + 100 * 0.32) / 0.52 = 138.46. */
    uint8_t *got = lay(rgba, "\x64\x64\x64\x66", rgba, "\xc8\xc8\xc8\x33", "", &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){138, 138, 138, 133}, 4), 0);
    free(got);
    got = lay(rgba, "\x01\x02\x03\x00", rgba, "\xc8\xc9\xca\x33", "", &result);
    cr_expect_eq(memcmp(got, "\xc8\xc9\xca\x33", 4), 0);
    free(got);
    got = lay(rgba, "\x01\x02\x03\x00", rgba, "\xc8\xc9\xca\x00", "", &result);
    cr_expect_eq(memcmp(got, "\x01\x02\x03\x00", 4), 0);
    free(got);
}

/* For every value an opaque pixel must replace the pixel below it exactly. A transparent pixel must
 * leave it unchanged. */
Test(overlay, opaque_and_transparent_pixels_are_exact)
{
    const ImgShape below = {256, 1, {IMG_COLOR_GRAY_ALPHA, 16}};
    ImgShape result;
    uint16_t pixels[512], logo[512];
    for (int alpha = 0; alpha < 2; alpha++) {
        for (int i = 0; i < 256; i++) {
            pixels[2 * i] = (uint16_t)(i * 257);
            pixels[2 * i + 1] = (uint16_t)(65535 - i * 13);
            logo[2 * i] = (uint16_t)(i * 31);
            logo[2 * i + 1] = alpha == 1 ? 65535 : 0;
        }
        uint16_t *got = lay(below, pixels, below, logo, "", &result);
        cr_expect_eq(memcmp(got, alpha == 1 ? logo : pixels, sizeof pixels), 0);
        free(got);
    }
}

Test(overlay, overlays_are_converted_to_the_format_of_the_picture)
{
    const ImgShape gray1 = {1, 1, {IMG_COLOR_GRAY, 1}}, gray16 = {1, 1, {IMG_COLOR_GRAY, 16}};
    const ImgShape rgb = {1, 1, {IMG_COLOR_RGB, 8}}, rgb16 = {1, 1, {IMG_COLOR_RGB, 16}};
    ImgShape result;
    uint8_t *got = lay(rgb, "abc", gray1, "\1", "", &result);
    cr_expect_eq(memcmp(got, "\xff\xff\xff", 3), 0);
    free(got);
    got = lay(gray1, "\1", rgb, "\x00\xff\x00", "", &result); /* Green has a luma of 0.7152. */
    cr_expect_eq(result.format.bits, 8);
    cr_expect_eq(got[0], 182);
    free(got);
    got = lay(gray1, "\1", rgb, "\x00\xff\x00", "opacity=0", &result);
    cr_expect_eq(got[0], 255);
    free(got);
    uint16_t *wide = lay(gray16, (uint16_t[]){7}, rgb, "\x80\x80\x80", "", &result);
    cr_expect_eq(wide[0], 0x8080);
    free(wide);
    got = lay(rgb, "abc", rgb16, (uint16_t[]){65535, 32896, 128}, "", &result);
    cr_expect_eq(memcmp(got, "\xff\x80\x00", 3), 0);
    free(got);
}

Test(overlay, without_a_second_picture_overlay_is_rejected)
{
    const ImgOp *op;
    ImgParams params;
    ImgShape result;
    ImgConstants constants = {NULL, 0};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("overlay", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_expect_eq(op->shape(GRAY, params.bytes, &result, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "the option image"));
    img_error_clear(&err);
    cr_assert_eq(img_params_set(op, &params, "image", "it.png", NULL), IMG_OK);
    cr_expect_eq(img_op_prepare(op, GRAY, params.bytes, &constants, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "it.png has not been loaded"), "%s", err.message);
}
