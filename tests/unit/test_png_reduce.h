/* Pictures for the tests of reductions. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_PNG_REDUCE_H
#define IMGTOOL_TESTS_UNIT_TEST_PNG_REDUCE_H

#include <criterion/criterion.h>
#include <string.h>

#include "io/png/optimize/reduce.h"
#include "kernels/core/sample.h"

/* Makes a picture of one row with the given samples. */
static inline ImgReduced make_row(ImgColor color, int bits, int32_t width, const uint16_t *samples)
{
    ImgReduced picture = IMG_REDUCED_NONE;
    const ImgFormat format = {color, bits};
    cr_assert_eq(img_image_alloc((ImgShape){width, 1, format}, &picture.image, NULL), IMG_OK);
    picture.view = picture.image.view;
    picture.colours.allows_gray = picture.colours.allows_rgb = true;
    for (size_t i = 0; i < (size_t)width * (size_t)img_format_channels(format); i++)
        img_sample_set(picture.view.data, i, bits, samples[i]);
    return picture;
}

static inline void add_entry(ImgReduced *picture, uint8_t red, uint8_t green, uint8_t blue,
                             uint8_t alpha)
{
    const uint8_t entry[4] = {red, green, blue, alpha};
    memcpy(picture->colours.palette[picture->colours.entries++], entry, sizeof entry);
}

static inline void expect_format(const ImgReduced *picture, ImgColor color, int bits)
{
    cr_assert_not_null(picture->view.data, "the reduction does not apply");
    cr_expect_eq(picture->view.format.color, color);
    cr_expect_eq(picture->view.format.bits, bits);
}

static inline void expect_samples(const ImgReduced *picture, const uint16_t *samples)
{
    const ImgView *view = &picture->view;
    for (size_t i = 0; i < (size_t)view->width * (size_t)img_format_channels(view->format); i++)
        cr_expect_eq(img_sample(view->data, i, view->format.bits), samples[i], "sample %zu", i);
}

static inline void expect_nothing(const ImgReduced *picture)
{
    cr_expect_null(picture->view.data, "the reduction must not apply");
}

#define ROW(...) ((const uint16_t[]){__VA_ARGS__})

#endif
