/* crop: the reference by hand, and rectangles that do not fit. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"

static const ImgShape SHAPE = {4, 3, {IMG_COLOR_GRAY, 8}};
static const uint8_t PICTURE[] = {
    11, 12, 13, 14, /**/
    21, 22, 23, 24, /**/
    31, 32, 33, 34,
};

static ImgStatus crop(int x, int y, int width, int height, ImgShape *shape, uint8_t *out,
                      ImgError *err)
{
    const ImgOp *op = NULL;
    ImgParams params;
    const char *names[] = {"x", "y", "width", "height"};
    int values[] = {x, y, width, height};
    img_op_find("crop", &op, NULL);
    img_params_init(op, &params);
    for (int i = 0; i < 4; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", values[i]);
        cr_assert_eq(img_params_set(op, &params, names[i], text, err), IMG_OK);
    }
    ImgStatus status = op->shape(SHAPE, params.bytes, shape, err);
    if (status != IMG_OK)
        return status;
    ImgCall call = {.op = op,
                    .src = img_view_make((uint8_t *)PICTURE, 4, SHAPE),
                    .dst = img_view_make(out, (size_t)shape->width, *shape),
                    .params = params.bytes,
                    .threads = 1};
    return op->impls[0].run(&call, err);
}

Test(crop, hand_computed)
{
    ImgShape shape;
    uint8_t out[12];
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(crop(1, 1, 2, 2, &shape, out, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(shape.width, 2);
    cr_expect_eq(shape.height, 2);
    cr_expect_eq(memcmp(out, (uint8_t[]){22, 23, 32, 33}, 4), 0);
}

Test(crop, zero_means_up_to_the_edge)
{
    ImgShape shape;
    uint8_t out[12];
    cr_assert_eq(crop(3, 1, 0, 0, &shape, out, NULL), IMG_OK);
    cr_expect_eq(shape.width, 1);
    cr_expect_eq(shape.height, 2);
    cr_expect_eq(memcmp(out, (uint8_t[]){24, 34}, 2), 0);
}

Test(crop, a_rectangle_that_does_not_fit_is_refused_with_what_does)
{
    ImgShape shape;
    uint8_t out[12];
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(crop(2, 1, 3, 1, &shape, out, &err), IMG_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "at most 2 x 2 fit") != NULL, "%s", err.message);
    img_error_clear(&err);
    cr_assert_eq(crop(4, 0, 0, 0, &shape, out, &err), IMG_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "x can be at most 3 and y 2") != NULL, "%s", err.message);
    img_error_clear(&err);
    cr_assert_eq(crop(2, 2, 2147483647, 1, &shape, out, &err), IMG_E_UNSUPPORTED);
}

Test(crop, only_a_real_cut_counts_as_one)
{
    const ImgOp *op = NULL;
    ImgParams params;
    img_op_find("crop", &op, NULL);
    img_params_init(op, &params);
    cr_expect_not(op->effect(SHAPE, params.bytes).cropped);
    img_params_set(op, &params, "x", "1", NULL);
    cr_expect(op->effect(SHAPE, params.bytes).cropped);
}
