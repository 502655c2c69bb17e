/* Tests of crop: the reference compared with values worked out by hand, and rectangles that do not
 * fit the picture. Also tests of gravity. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/geometry/gravity.h"
#include "kernels/core/params.h"
#include "kernels/pipeline/pipeline.h"
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

Test(crop, rectangles_match_values_worked_out_by_hand)
{
    ImgShape shape;
    uint8_t out[12];
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(crop(1, 1, 2, 2, &shape, out, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(shape.width, 2);
    cr_expect_eq(shape.height, 2);
    cr_expect_eq(memcmp(out, (uint8_t[]){22, 23, 32, 33}, 4), 0);
}

Test(crop, zero_extends_to_the_edge)
{
    ImgShape shape;
    uint8_t out[12];
    cr_assert_eq(crop(3, 1, 0, 0, &shape, out, NULL), IMG_OK);
    cr_expect_eq(shape.width, 1);
    cr_expect_eq(shape.height, 2);
    cr_expect_eq(memcmp(out, (uint8_t[]){24, 34}, 2), 0);
}

Test(crop, a_rectangle_that_does_not_fit_is_rejected_with_a_hint)
{
    ImgShape shape;
    uint8_t out[12];
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(crop(2, 1, 3, 1, &shape, out, &err), IMG_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "at most 2 x 2 there") != NULL, "%s", err.message);
    img_error_clear(&err);
    cr_assert_eq(crop(4, 0, 0, 0, &shape, out, &err), IMG_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "use x up to 3 and y up to 2") != NULL, "%s", err.message);
    img_error_clear(&err);
    cr_assert_eq(crop(2, 2, 2147483647, 1, &shape, out, &err), IMG_E_UNSUPPORTED);
}

/* Crops a picture with `options`, which are written as in a pipeline. *shape gets the shape of the
 * result. */
static ImgStatus crop_by(const char *options, ImgShape *shape, uint8_t out[12], ImgError *err)
{
    char text[128];
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    snprintf(text, sizeof text, "crop %s", options);
    ImgStatus status = img_pipeline_parse(text, steps, &count, NULL, err);
    if (status == IMG_OK)
        status = steps[0].op->shape(SHAPE, steps[0].params.bytes, shape, err);
    for (int i = 0; i < 2 && status == IMG_OK;
         /* The first two implementations are the reference and the threaded one. */
         i++) {
        ImgCall call = {.op = steps[0].op,
                        .src = img_view_make((uint8_t *)PICTURE, 4, SHAPE),
                        .dst = img_view_make(out, (size_t)shape->width, *shape),
                        .params = steps[0].params.bytes,
                        .threads = 1};
        memset(out, 0, 12);
        status = call.op->impls[i].run(&call, err);
    }
    return status;
}

static void expect_kept(const char *options, int width, int height, const uint8_t *pixels)
{
    ImgShape shape = {0};
    uint8_t out[12];
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(crop_by(options, &shape, out, &err), IMG_OK, "%s: %s", options, err.message);
    cr_expect(shape.width == width && shape.height == height, "%s: %d x %d", options, shape.width,
              shape.height);
    cr_expect_eq(memcmp(out, pixels, (size_t)width * (size_t)height), 0, "%s: %d", options, out[0]);
    img_error_clear(&err);
}

static void expect_refused(const char *options, const char *says)
{
    ImgShape shape;
    uint8_t out[12];
    ImgError err = {IMG_OK, ""};
    cr_expect_neq(crop_by(options, &shape, out, &err), IMG_OK, "%s", options);
    cr_expect(strstr(err.message, says) != NULL, "%s: %s", options, err.message);
    img_error_clear(&err);
}

Test(crop, one_word_gives_size_and_position)
{
    expect_kept("2x1+1+2", 2, 1, (uint8_t[]){32, 33});
    expect_kept("2x1", 2, 1, (uint8_t[]){11, 12});
    expect_kept("4x3+0-0", 4, 3, PICTURE);
    expect_kept("2x1+1+0 y=1", 2, 1, (uint8_t[]){22, 23});
    expect_refused("x=1 2x1+1+2", "'2x1+1+2' sets x, too");
    for (const char *const *wrong = (const char *const[]){"2x", "x2", "2x1+1", "2x1+1+2+3", "0x2",
                                                          "2x1 2x1", "2x99999999999", "2", NULL};
         *wrong != NULL; wrong++)
        expect_refused(*wrong, "");
}

Test(crop, gravity_places_the_rectangle_and_offsets_point_inwards)
{
    expect_kept("2x1 gravity=southeast", 2, 1, (uint8_t[]){33, 34});
    expect_kept("2x1+1+1 gravity=southeast", 2, 1, (uint8_t[]){22, 23});
    expect_kept("2x1 gravity=center", 2, 1, (uint8_t[]){22, 23});
    expect_kept("1x1 gravity=center", 1, 1, (uint8_t[]){22});
    expect_kept("2x1-1-1 gravity=center", 2, 1, (uint8_t[]){11, 12});
    expect_kept("gravity=east x=1", 3, 3, (uint8_t[]){11, 12, 13, 21, 22, 23, 31, 32, 33});
    expect_kept("gravity=north x=1", 2, 3, (uint8_t[]){13, 14, 23, 24, 33, 34});
}

Test(crop, aspect_keeps_the_largest_rectangle)
{
    expect_kept("1:1", 3, 3, (uint8_t[]){11, 12, 13, 21, 22, 23, 31, 32, 33});
    expect_kept("aspect=1:1 gravity=east", 3, 3, (uint8_t[]){12, 13, 14, 22, 23, 24, 32, 33, 34});
    expect_kept("4:1", 4, 1, (uint8_t[]){21, 22, 23, 24});
    /* The exact height of 1.5 rows is rounded to 2. */
    expect_kept("8:3", 4, 2, (uint8_t[]){11, 12, 13, 14, 21, 22, 23, 24});
    expect_kept("1:1000", 1, 3, (uint8_t[]){12, 22, 32});
    expect_kept("aspect=2:1 height=1 gravity=northwest", 2, 1, (uint8_t[]){11, 12});
    expect_refused("aspect=2:1 width=2 height=1", "width, height and aspect exclude each other");
}

Test(crop, rectangles_outside_are_rejected_or_clamped)
{
    expect_refused("2x2-1+1", "corner (-1, 1) is outside");
    expect_refused("2x2-1+1", "or clamp");
    expect_refused("2x2+3+0", "use at most 1 x 3 there, or clamp");
    expect_kept("2x2-1+1 clamp", 1, 2, (uint8_t[]){21, 31});
    expect_kept("2x2+3+2 clamp", 1, 1, (uint8_t[]){34});
    expect_kept("9x9-2-2 clamp", 4, 3, PICTURE);
    expect_kept("9x1 gravity=center clamp", 4, 1, (uint8_t[]){21, 22, 23, 24});
    expect_refused("2x2+4+0 clamp", "the picture of 4 x 3 does not overlap the 2 x 2 at (4, 0)");
    expect_refused("2x2-2147483647+0 clamp", "does not overlap");
    expect_refused("x=-2147483647 width=2147483647 gravity=center", "outside");
}

Test(crop, only_a_real_crop_counts_as_one)
{
    const ImgOp *op = NULL;
    ImgParams params;
    img_op_find("crop", &op, NULL);
    img_params_init(op, &params);
    cr_expect_not(op->effect.get(SHAPE, params.bytes).cropped);
    img_params_set(op, &params, "x", "1", NULL);
    cr_expect(op->effect.get(SHAPE, params.bytes).cropped);
}

/* --- Positions of one rectangle in another by gravity, worked out by hand --------------------- */

static void expect(int32_t gravity, int32_t outer, int32_t inner, int32_t x, int32_t y)
{
    const ImgPlace place = img_gravity_place(gravity, outer, outer, inner, inner);
    cr_expect(place.x == x && place.y == y, "%d: %d in %d is at %d, %d", gravity, inner, outer,
              place.x, place.y);
}

Test(gravity, all_nine_places_match)
{
    for (int32_t i = 0; i < 9; i++)
        expect(i, 10, 4, i % 3 * 3, i / 3 * 3);
    expect(IMG_GRAVITY_NORTHEAST, 10, 4, 6, 0);
    expect(IMG_GRAVITY_SOUTH, 10, 4, 3, 6);
}

Test(gravity, an_odd_pixel_goes_to_the_end)
{
    expect(IMG_GRAVITY_CENTER, 10, 5, 2, 2);
    expect(IMG_GRAVITY_CENTER, 5, 10, -2, -2);
    expect(IMG_GRAVITY_CENTER, 1, 2, 0, 0);
}

Test(gravity, a_larger_rectangle_starts_before_the_origin)
{
    expect(IMG_GRAVITY_NORTHWEST, 4, 10, 0, 0);
    expect(IMG_GRAVITY_SOUTHEAST, 4, 10, -6, -6);
    expect(IMG_GRAVITY_EAST, INT32_MAX, 1, INT32_MAX - 1, INT32_MAX / 2);
    expect(IMG_GRAVITY_SOUTHEAST, 1, INT32_MAX, 1 - INT32_MAX, 1 - INT32_MAX);
}

Test(gravity, the_list_has_each_place_once)
{
    bool seen[9] = {false};
    int count = 0;
    for (const ImgChoice *choice = img_gravity_choices; choice->name != NULL; choice++, count++) {
        cr_assert(choice->value >= 0 && choice->value < 9);
        cr_expect_not(seen[choice->value], "%s", choice->name);
        seen[choice->value] = true;
    }
    cr_expect_eq(count, 9);
}
