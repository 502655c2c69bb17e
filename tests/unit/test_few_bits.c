/* Tests of gray pictures of 1, 2 and 4 bits. An operation gives the same result as for the same
 * picture with 8 bits. Operations that make no new values keep the depth. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/sample.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"

static const struct {
    const char *name, *options;
    bool keeps_depth;
} OPERATIONS[] = {
    {"rotate", "", true},
    {"rotate", "angle=7.5", false},
    {"flip", "", true},
    {"transpose", "", true},
    {"transverse", "", true},
    {"autorotate", "orientation=6", true},
    {"crop", "x=3 y=1 width=9 height=8", true},
    {"resize", "size=31x9", false},
    {"resize", "size=31x9 filter=nearest fit=cover", true},
    {"resize", "size=31x9 filter=nearest fit=contain", false},
    {"pad", "left=2 top=3", false},
    {"pad", "left=2 top=3 background=white", true},
    {"trim", "", true},
    {"rotate", "angle=7.5 filter=nearest size=inside", true},
    {"affine", "matrix=1,0.2,0,0,1,0", false},
    {"affine", "matrix=1,0.2,0,0,1,0 filter=nearest border=wrap", true},
    {"perspective", "corners=1,0,15,2,17,9,2,8", false},
    {"perspective", "corners=1,0,15,2,17,9,2,8 filter=nearest border=reflect", true},
    {"equalize", "", false},
    {"autolevel", "clip=10", false},
    {"threshold", "", true},
    {"clahe", "tiles=3", false},
    {"grayscale", "", true},
    {"invert", "", true},
    {"brightness", "value=10", false},
    {"contrast", "factor=1.3", false},
    {"gamma", "value=1.4", false},
    {"levels", "black=5 white=90 gamma=1.2", false},
    {"linear", "multiply=0.9 add=0.05", false},
    {"posterize", "levels=5", false},
    {"saturation", "factor=2", true},
    {"hue", "angle=30", true},
    {"channels", "extract=red", true},
    {"blur", "sigma=1", false},
    {"boxblur", "radius=1", false},
    {"sharpen", "", false},
    {"sobel", "", false},
    {"laplacian", "", false},
    {"convolve", "kernel=1,2,1;2,4,2;1,2,1", false},
    {"erode", "", true},
    {"dilate", "", true},
    {"open", "", true},
    {"close", "", true},
    {"median", "", true},
    {"bilateral", "", false},
    {"denoise", "", false},
};

enum { WIDTH = 19, HEIGHT = 11 };

static void expect_like_8_bits(const char *name, const char *options, int bits, bool keeps_depth)
{
    const ImgShape few = {WIDTH, HEIGHT, {IMG_COLOR_GRAY, bits}};
    const ImgShape many = {WIDTH, HEIGHT, {IMG_COLOR_GRAY, 8}};
    const uint32_t scale = 255 / img_format_maximum(few.format);
    uint8_t *narrow = random_picture(few, 7), wide[WIDTH * HEIGHT];
    ImgShape shape, wanted_shape;
    for (size_t i = 0; i < sizeof wide; i++)
        wide[i] = (uint8_t)(narrow[i] * scale);
    uint8_t *got = run_op(name, options, few, narrow, &shape);
    uint8_t *wanted = run_op(name, options, many, wide, &wanted_shape);
    cr_assert_eq(shape.format.bits, keeps_depth ? bits : 8, "%s, %d bits", name, bits);
    cr_assert(shape.width == wanted_shape.width && shape.height == wanted_shape.height);
    for (size_t i = 0; i < (size_t)shape.width * (size_t)shape.height; i++)
        cr_assert_eq(keeps_depth ? got[i] * scale : got[i], wanted[i], "%s %s, %d bits: %d for %d",
                     name, options, bits, got[i], wanted[i]);
    free(got);
    free(wanted);
    free(narrow);
}

Test(few_bits, every_operation_gives_the_result_of_8_bits, .timeout = 60)
{
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof OPERATIONS[0]; i++)
        for (int bits = 1; bits < 8; bits *= 2)
            expect_like_8_bits(OPERATIONS[i].name, OPERATIONS[i].options, bits,
                               OPERATIONS[i].keeps_depth);
}

/* 255 (8 / 15)^(1 / 1.4) is 163, and 255 (9 / 15)^(1 / 1.4) is 177. With 4 bits both would be
 * rounded to 10, which is 170 in 8 bits. */
Test(few_bits, neighbouring_values_stay_different)
{
    const ImgShape src = {4, 1, {IMG_COLOR_GRAY, 4}};
    ImgShape shape;
    uint8_t *got = run_op("gamma", "value=1.4", src, (uint8_t[]){0, 8, 9, 15}, &shape);
    cr_expect_eq(shape.format.bits, 8);
    cr_expect_eq(memcmp(got, (uint8_t[]){0, 163, 177, 255}, 4), 0, "%d %d", got[1], got[2]);
    free(got);
    got = run_op("brightness", "value=-20", (ImgShape){2, 1, {IMG_COLOR_GRAY, 1}},
                 (uint8_t[]){0, 1}, &shape);
    cr_expect_eq(memcmp(got, (uint8_t[]){0, 204}, 2), 0, "%d %d", got[0], got[1]);
    free(got);
}

/* The pixels 0, 5, 5, 10 are equalized. Of the 3 pixels above the minimum, 2 are at most 5, so 5
 * becomes 2/3 of 255. The maximum becomes 255. */
Test(few_bits, tones_have_8_bits)
{
    const ImgShape src = {4, 1, {IMG_COLOR_GRAY, 4}};
    ImgShape shape;
    uint8_t *got = run_op("equalize", "", src, (uint8_t[]){0, 5, 5, 10}, &shape);
    cr_expect_eq(memcmp(got, (uint8_t[]){0, 170, 170, 255}, 4), 0);
    free(got);
    /* (3 - 1) / (14 - 1) of 255 is 39.2. */
    got = run_op("autolevel", "clip=0", src, (uint8_t[]){1, 3, 3, 14}, &shape);
    cr_expect_eq(memcmp(got, (uint8_t[]){0, 39, 39, 255}, 4), 0, "%d", got[1]);
    free(got);
}
