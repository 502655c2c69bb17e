/* Tests of resize with rows that arrive in order (ImgImpl.by_rows), from one row at a time to all
 * rows at once. run_op compares the result with the reference. The sizes and options cover every
 * way in which source rows contribute to result rows. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 8}, {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGB, 8},
    {IMG_COLOR_RGBA, 8}, {IMG_COLOR_GRAY, 16},      {IMG_COLOR_GRAY_ALPHA, 16},
    {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 16},      {IMG_COLOR_GRAY, 4}};
enum { FORMAT_COUNT = 9 };

static void expect_alike(const char *options, int32_t width, int32_t height, ImgFormat format)
{
    const ImgShape shape = {width, height, format};
    ImgShape result;
    void *samples = random_picture(shape, (uint32_t)(width + height));
    free(run_op("resize", options, shape, samples, &result));
    free(samples);
}

static void expect_all_formats(const char *options, int32_t width, int32_t height)
{
    for (int f = 0; f < FORMAT_COUNT; f++)
        expect_alike(options, width, height, FORMATS[f]);
}

Test(resize_by_rows, every_filter_matches)
{
    static const char *const filters[] = {"nearest",  "box",      "bilinear", "bicubic",
                                          "mitchell", "lanczos2", "lanczos3"};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        char options[80];
        snprintf(options, sizeof options, "size=13x19 fit=fill filter=%s", filters[i]);
        expect_all_formats(options, 31, 67);
        snprintf(options, sizeof options, "size=31x40 fit=fill filter=%s linear=yes", filters[i]);
        expect_all_formats(options, 31, 67);
    }
}

/* With fit=cover, rows above and below the kept part contribute to no result row. With fit=contain,
 * the padding depends on no source row. */
Test(resize_by_rows, parts_of_the_picture_match)
{
    static const char *const gravities[] = {"north", "south", "center", "east"};
    for (size_t i = 0; i < sizeof gravities / sizeof *gravities; i++) {
        char options[80];
        snprintf(options, sizeof options, "size=30x7 fit=cover gravity=%s", gravities[i]);
        expect_all_formats(options, 60, 77);
        snprintf(options, sizeof options, "size=9x40 fit=contain gravity=%s background=#12345678",
                 gravities[i]);
        expect_all_formats(options, 60, 77);
    }
}

Test(resize_by_rows, enlarged_heights_beyond_a_band_match)
{
    expect_all_formats("size=5x131 fit=fill", 7, 3);
    expect_all_formats("size=5x200 fit=fill filter=bilinear", 7, 2);
    expect_all_formats("size=7x33 fit=fill", 7, 32);
    expect_all_formats("size=3x90 fit=fill filter=box", 7, 60);
}

Test(resize_by_rows, every_height_matches)
{
    for (int32_t height = 1; height <= 70; height += EVERY(3))
        for (int f = 0; f < FORMAT_COUNT; f += 2) {
            expect_alike("size=6x9 fit=fill", 11, height, FORMATS[f]);
            expect_alike("size=6x1 fit=fill filter=bicubic", 11, height, FORMATS[f]);
        }
}

/* The source rows have one sample less or more than a strip of 384 samples (IMG_RESIZE_STRIP), or
 * are several strips wide. */
Test(resize_by_rows, widths_beyond_a_strip_match)
{
    expect_all_formats("size=50x5 fit=fill", 383, 21);
    expect_all_formats("size=50x5 fit=fill", 385, 21);
    expect_all_formats("size=2100x5 fit=fill filter=bilinear", 2300, 9);
}

/* Each result row depends on more than IMG_RESIZE_NARROW_TAPS source rows. */
Test(resize_by_rows, very_tall_pictures_match)
{
    expect_alike("size=2x5 fit=fill", 3, 1400, FORMATS[2]);
    expect_alike("size=2x5 fit=fill", 3, 1400, FORMATS[3]);
}

/* The memory that ImgByRows.bytes returns depends on how many result rows are computed at a time,
 * not on the height of the picture. */
Test(resize_by_rows, memory_does_not_grow_with_the_height)
{
    const ImgOp *op;
    ImgParams params;
    cr_assert_eq(img_op_find("resize", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "size", "100x75", NULL), IMG_OK);
    cr_assert_eq(img_params_set(op, &params, "fit", "fill", NULL), IMG_OK);
    const ImgImpl *impl = op->impls + 1;
    cr_assert_not_null(impl->by_rows);
    uint64_t few = impl->by_rows->bytes((ImgShape){4000, 750, FORMATS[2]}, params.bytes);
    uint64_t many = impl->by_rows->bytes((ImgShape){4000, 7500, FORMATS[2]}, params.bytes);
    cr_expect(few > 4000 * 3 * 16 && few < 4000 * 3 * 100, "%llu", (unsigned long long)few);
    cr_expect(many <= few + few / 4, "%llu", (unsigned long long)many);
}

/* If resizing ends before all rows have arrived, it must free all its memory. */
Test(resize_by_rows, it_can_end_early)
{
    const ImgOp *op;
    ImgParams params;
    const ImgShape shape = {20, 30, FORMATS[3]}, small = {10, 15, FORMATS[3]};
    cr_assert_eq(img_op_find("resize", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "size", "50%", NULL), IMG_OK);
    uint8_t *samples = random_picture(shape, 1), result[4 * 10 * 15];
    ImgCall call = {.op = op,
                    .src = img_view_make(NULL, 0, shape),
                    .dst = img_view_make(result, 40, small),
                    .params = params.bytes,
                    .threads = 1};
    cr_assert_eq(img_op_prepare(op, shape, params.bytes, &call.constants, NULL), IMG_OK);
    for (int32_t rows = 0; rows < 30; rows += 7) {
        void *state;
        const ImgView some = img_view_make(samples, 80, (ImgShape){20, rows, FORMATS[3]});
        cr_assert_eq(op->impls[1].by_rows->begin(&call, &state, NULL), IMG_OK);
        if (rows > 0)
            op->impls[1].by_rows->take(state, &some, 0);
        op->impls[1].by_rows->end(state);
    }
    img_constants_free(&call.constants);
    free(samples);
}
