/* Tests of ImgOp.rows_needed. From a picture of only these source rows an operation must compute
 * the requested result rows. All windows here extend beyond the ends of bands, and some beyond the
 * picture. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/unit/sanitizers.h"

enum { WIDTH = 9, MOST_PARAMS = 4 };

static ImgStep step_of(const char *name, const char *const *params)
{
    ImgStep step;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find(name, &step.op, &err), IMG_OK, "%s", err.message);
    img_params_init(step.op, &step.params);
    for (size_t i = 0; params[i] != NULL; i += 2)
        cr_assert_eq(img_params_set(step.op, &step.params, params[i], params[i + 1], &err), IMG_OK,
                     "%s", err.message);
    return step;
}

static ImgImage picture(int32_t height, ImgFormat format)
{
    ImgImage image;
    uint32_t state = 1;
    cr_assert_eq(img_image_alloc((ImgShape){WIDTH, height, format}, &image, NULL), IMG_OK);
    for (size_t i = 0; i < image.size; i++) {
        state = state * 1664525 + 1013904223;
        image.view.data[i] = (uint8_t)(state >> 24);
    }
    return image;
}

static ImgImage run(const ImgStep *step, const ImgView *src)
{
    ImgImage result;
    ImgShape shape;
    ImgError err = {IMG_OK, ""};
    ImgCall call = {.op = step->op, .src = *src, .params = step->params.bytes, .threads = 1};
    cr_assert_eq(step->op->shape(img_view_shape(src), step->params.bytes, &shape, &err), IMG_OK);
    cr_assert_eq(img_image_alloc(shape, &result, &err), IMG_OK);
    cr_assert_eq(
        img_op_prepare(step->op, img_view_shape(src), step->params.bytes, &call.constants, &err),
        IMG_OK, "%s", err.message);
    call.dst = result.view;
    cr_assert_eq(step->op->impls[0].run(&call, &err), IMG_OK, "%s", err.message);
    img_constants_free(&call.constants);
    return result;
}

static void expect_rows(const ImgStep *step, const ImgImage *src, const ImgImage *whole,
                        ImgRows wanted)
{
    const ImgShape shape = img_view_shape(&src->view);
    const ImgRows rows = img_op_rows_needed(step->op, shape, step->params.bytes, wanted);
    cr_assert(rows.first >= 0 && rows.first <= wanted.first && rows.end >= wanted.end &&
              rows.end <= shape.height);
    cr_assert_eq(rows.first % IMG_ROWS_STEP, 0);
    const ImgView band = img_view_crop(&src->view, 0, rows.first, WIDTH, rows.end - rows.first);
    ImgImage result = run(step, &band);
    const size_t bytes = WIDTH * img_format_pixel_size(whole->view.format);
    for (int32_t y = wanted.first; y < wanted.end; y++)
        cr_assert_eq(memcmp(result.view.data + (size_t)(y - rows.first) * result.view.stride,
                            whole->view.data + (size_t)y * whole->view.stride, bytes),
                     0, "%s: row %d of rows %d to %d, of %d", step->op->name, y, wanted.first,
                     wanted.end, shape.height);
    img_image_free(&result);
}

static void expect_bands(const ImgStep *step, int32_t height, ImgFormat format)
{
    ImgImage src = picture(height, format), whole = run(step, &src.view);
    const int32_t jump = height < 100 ? 5 : 23;
    for (int32_t first = 0; first < height; first += jump)
        for (int32_t end = first + 1; end <= height; end += 2 * jump + 3)
            expect_rows(step, &src, &whole, (ImgRows){first, end});
    img_image_free(&whole);
    img_image_free(&src);
}

static const ImgFormat RGBA8 = {IMG_COLOR_RGBA, 8}, GRAY16 = {IMG_COLOR_GRAY, 16};

static void check(const char *name, const char *const *params)
{
    static const char *const borders[] = {"replicate", "reflect", "wrap", "constant"};
    static const int32_t heights[] = {1, 6, 47, 150};
    for (size_t b = 0; b < sizeof borders / sizeof borders[0]; b++) {
        const char *all[2 * MOST_PARAMS + 1] = {"border", borders[b]};
        for (size_t i = 0; params[i] != NULL; i++)
            all[2 + i] = params[i];
        const ImgStep step = step_of(name, all);
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            if ((b + h) % EVERY(2) == 0)
                expect_bands(&step, heights[h], RGBA8);
            if ((b + h + 1) % EVERY(2) == 0)
                expect_bands(&step, heights[h], GRAY16);
        }
    }
}

#define PARAMS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(rows_needed, windows_of_a_few_rows_need_only_those, .timeout = 120)
{
    check("sobel", PARAMS("direction", "both"));
    check("laplacian", PARAMS("neighbours", "8"));
    check("convolve", PARAMS("kernel", "1,2,3,4,5,6,7,8,9"));
    check("median", PARAMS("radius", "3"));
    check("bilateral", PARAMS("radius", "2"));
    check("denoise", PARAMS("search-radius", "2", "patch-radius", "1"));
}

Test(rows_needed, rectangles_with_even_sides_need_only_their_rows, .timeout = 120)
{
    for (int i = 0; i < 4; i++) {
        const char *const name = (const char *const[]){"erode", "dilate", "open", "close"}[i];
        check(name, PARAMS("size", "3x6"));
        check(name, PARAMS("size", "x11"));
    }
}

Test(rows_needed, blurs_of_every_factor_need_only_their_rows, .timeout = 120)
{
    check("blur", PARAMS("sigma", "0.1"));
    check("blur", PARAMS("sigma", "1.3"));
    check("blur", PARAMS("sigma", "3"));
    check("blur", PARAMS("sigma", "9"));
    check("blur", PARAMS("sigma", "30"));
    check("sharpen", PARAMS("sigma", "4"));
    check("boxblur", PARAMS("radius", "4"));
}

/* Dither patterns repeat every 8 rows. The first needed row is a multiple of 8, so that the pattern
 * does not shift. */
Test(rows_needed, point_operations_need_the_requested_rows)
{
    const ImgStep gamma = step_of("gamma", PARAMS("value", "2"));
    const ImgStep dither = step_of("depth", PARAMS("bits", "8", "dither", "ordered"));
    const ImgRows rows = img_op_rows_needed(gamma.op, (ImgShape){WIDTH, 99, GRAY16},
                                            gamma.params.bytes, (ImgRows){19, 40});
    cr_expect_eq(rows.first, 16);
    cr_expect_eq(rows.end, 40);
    expect_bands(&gamma, 40, RGBA8);
    expect_bands(&dither, 40, GRAY16);
}

Test(rows_needed, all_other_operations_need_all_rows)
{
    const ImgStep equalize = step_of("equalize", PARAMS("channels", "luma"));
    const ImgRows rows = img_op_rows_needed(equalize.op, (ImgShape){WIDTH, 99, RGBA8},
                                            equalize.params.bytes, (ImgRows){19, 40});
    cr_expect_eq(rows.first, 0);
    cr_expect_eq(rows.end, 99);
}
