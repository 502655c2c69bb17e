/* Tests that the colours of fully transparent pixels do not affect visible pixels. Operations run
 * on two pictures with different hidden colours. Alpha must be equal, and so must colours wherever
 * alpha is not 0. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/sample.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"

/* All operations except those that may show hidden colours: channels and colormatrix, if they
 * compute colours from other channels or alpha; unpremultiply; and overlay, which reads another
 * picture. */
static const struct {
    const char *name, *options;
} OPERATIONS[] = {
    {"rotate", ""},
    {"rotate", "angle=7.5"},
    {"rotate", "angle=50 filter=bilinear"},
    {"flip", ""},
    {"transpose", ""},
    {"transverse", ""},
    {"autorotate", "orientation=6"},
    {"crop", "x=3 y=1 width=9 height=8"},
    {"resize", "size=31x9"},
    {"resize", "size=7x23 linear=yes"},
    {"pad", "left=2 top=3"},
    {"pad", "left=2 top=3 border=reflect"},
    {"trim", "tolerance=100"},
    {"affine", "matrix=1,0.2,0,0,1,0"},
    {"perspective", "corners=1,0,15,2,17,9,2,8"},
    {"equalize", ""},
    {"equalize", "channels=each"},
    {"autolevel", "clip=10"},
    {"autolevel", "channels=each"},
    {"threshold", ""},
    {"threshold", "value=77"},
    {"clahe", "tiles=3"},
    {"grayscale", ""},
    {"invert", ""},
    {"brightness", "value=10"},
    {"contrast", "factor=1.3"},
    {"gamma", "value=1.4"},
    {"levels", "black=5 white=90 gamma=1.2"},
    {"linear", "multiply=0.9 add=0.05"},
    {"posterize", "levels=5"},
    {"saturation", "factor=2"},
    {"hue", "angle=30"},
    {"flatten", "background=#336699"},
    {"premultiply", ""},
    {"depth", "bits=8"},
    {"depth", "bits=16"},
    {"blur", "sigma=1"},
    {"blur", "sigma=9 border=wrap"},
    {"boxblur", "radius=1"},
    {"boxblur", "radius=9"},
    {"sharpen", ""},
    {"sobel", ""},
    {"laplacian", ""},
    {"canny", ""},
    {"convolve", "kernel=1,2,1;2,4,2;1,2,1"},
    {"convolve", "kernel=0,-1,0;-1,5,-1;0,-1,0"},
    {"erode", ""},
    {"erode", "size=4x5 border=constant background=#ff000000"},
    {"dilate", ""},
    {"dilate", "size=2x7 border=wrap"},
    {"open", ""},
    {"open", "size=4x2 border=reflect"},
    {"close", ""},
    {"close", "size=x6"},
    {"median", ""},
    {"median", "radius=2"},
    {"median", "radius=6"},
    {"bilateral", ""},
    {"denoise", ""},
};

enum { WIDTH = 19, HEIGHT = 13 };

/* Makes 3 of 8 pixels transparent and 2 of 8 opaque, at random. */
static void choose_alphas(uint8_t *samples, ImgShape shape)
{
    const size_t channels = (size_t)img_format_channels(shape.format);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const size_t at = i * channels + channels - 1;
        const uint32_t drawn = img_sample(samples, at, shape.format.bits) % 8;
        if (drawn < 5)
            img_sample_set(samples, at, shape.format.bits,
                           drawn < 3 ? 0 : img_format_maximum(shape.format));
    }
}

/* Replaces the colours of transparent pixels by the colours of the same pixels in `other`. */
static void exchange_hidden(uint8_t *samples, const uint8_t *other, ImgShape shape)
{
    const size_t channels = (size_t)img_format_channels(shape.format);
    const size_t size = img_format_pixel_size(shape.format);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        if (img_sample(samples, i * channels + channels - 1, shape.format.bits) == 0)
            memcpy(samples + i * size, other + i * size, size / channels * (channels - 1));
}

static void expect_alike(const char *name, const char *options, ImgShape shape, const uint8_t *a,
                         const uint8_t *b)
{
    const size_t channels = (size_t)img_format_channels(shape.format);
    const size_t size = img_format_pixel_size(shape.format);
    const bool has_alpha = img_format_has_alpha(shape.format);
    size_t differ = 0;
    for (size_t i = 0; i < (size_t)shape.width * (size_t)shape.height; i++) {
        const size_t last = i * channels + channels - 1;
        const uint32_t alpha = img_sample(a, last, shape.format.bits);
        const bool is_visible = !has_alpha || alpha > 0;
        differ += (is_visible && memcmp(a + i * size, b + i * size, size) != 0) ||
                  (has_alpha && alpha != img_sample(b, last, shape.format.bits));
    }
    cr_expect_eq(differ, 0, "%s %s, %s, %d bits: %zu visible pixels differ", name, options,
                 img_color_name(shape.format.color), shape.format.bits, differ);
}

static void check(const char *name, const char *options, ImgFormat format)
{
    const ImgShape shape = {WIDTH, HEIGHT, format};
    ImgShape result, other_result;
    uint8_t *one = random_picture(shape, 3), *two = random_picture(shape, 3);
    uint8_t *hidden = random_picture(shape, 4);
    choose_alphas(one, shape);
    choose_alphas(two, shape);
    exchange_hidden(two, hidden, shape);
    uint8_t *a = run_op(name, options, shape, one, &result);
    uint8_t *b = run_op(name, options, shape, two, &other_result);
    cr_assert_eq(memcmp(&result, &other_result, sizeof result), 0);
    expect_alike(name, options, result, a, b);
    free(a);
    free(b);
    free(one);
    free(two);
    free(hidden);
}

Test(hidden_colors, hidden_colours_reach_no_visible_pixel, .timeout = 60)
{
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof OPERATIONS[0]; i++)
        for (int k = 0; k < 4; k++)
            check(OPERATIONS[i].name, OPERATIONS[i].options,
                  (ImgFormat){k % 2 == 0 ? IMG_COLOR_RGBA : IMG_COLOR_GRAY_ALPHA, k < 2 ? 8 : 16});
}

/* The first pixel of the row is transparent, with the hidden value 200. The others are opaque: 10,
 * 20, 30. */
Test(hidden_colors, hidden_colours_count_as_black_when_samples_are_sorted)
{
    static const uint8_t row[] = {200, 0, 10, 255, 20, 255, 30, 255};
    const ImgShape shape = {4, 1, {IMG_COLOR_GRAY_ALPHA, 8}};
    ImgShape result;
    uint8_t *got = run_op("dilate", "size=3x1", shape, row, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){10, 255, 20, 255, 30, 255, 30, 255}, 8), 0);
    free(got);
    /* The windows of the median, in a row, are 0 0 10, 0 10 20, 10 20 30 and 20 30 30. */
    got = run_op("median", "", shape, row, &result);
    cr_expect_eq(memcmp(got + 2, (uint8_t[]){10, 255, 20, 255, 30, 255}, 6), 0);
    cr_expect_eq(got[1], 0);
    free(got);
    got = run_op("close", "size=3x1", shape, row, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){10, 255, 10, 255, 20, 255, 30, 255}, 8), 0);
    free(got);
    got = run_op("open", "size=2x1", shape, row, &result); /* its first step gives 0, 0, 10, 20 */
    cr_expect_eq(memcmp(got + 2, (uint8_t[]){10, 255, 20, 255, 20, 255}, 6), 0);
    free(got);
}
