/* Tests of trim: rectangles worked out by hand, and pipelines whose sizes become known only during
 * a run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernels/canvas/trim.h"
#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "run_op.h"

static ImgImage image_of(ImgShape shape, const void *samples)
{
    ImgImage image;
    const size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    for (size_t y = 0; y < (size_t)shape.height; y++)
        memcpy(image.view.data + y * image.view.stride, (const uint8_t *)samples + y * row, row);
    return image;
}

static ImgStatus run(const char *impl, ImgStep *steps, size_t count, ImgImage *image,
                     ImgRunReport *report, ImgError *err)
{
    ImgExec *exec = NULL;
    ImgShape dst;
    uint64_t peak;
    const ImgFacts facts = {0};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .impl = impl, .threads = 3};
    ImgStatus status = img_steps_plan(steps, count, img_view_shape(&image->view), &facts,
                                      (ImgRoom){1, 0, false}, &dst, &peak, err);
    if (status == IMG_OK)
        status = img_exec_create(&config, &exec, err);
    if (status == IMG_OK) {
        img_exec_set_limits(exec, &(ImgExecLimits){.max_pixels = 10000, .more_pixels = "use less"});
        status = img_exec_run(exec, steps, count, image, report, err);
    } else {
        img_image_free(image);
    }
    img_exec_destroy(exec);
    return status;
}

/* Runs every implementation, and expects the rectangle at (x, y) of this width and height. */
static void expect_trimmed(ImgShape shape, const void *samples, const char *options, int32_t x,
                           int32_t y, int32_t width, int32_t height)
{
    static const char *const impls[] = {"reference", "cpu"};
    const size_t pixel = img_format_pixel_size(shape.format);
    for (size_t i = 0; i < 2; i++) {
        ImgError err = {IMG_OK, ""};
        ImgStep step = step_of("trim", options);
        ImgImage image = image_of(shape, samples);
        cr_assert_eq(run(impls[i], &step, 1, &image, NULL, &err), IMG_OK, "%s", err.message);
        cr_expect_eq(image.view.width, width, "%s: %d wide", options, image.view.width);
        cr_expect_eq(image.view.height, height, "%s: %d high", options, image.view.height);
        const uint8_t *from =
            (const uint8_t *)samples + ((size_t)y * (size_t)shape.width + (size_t)x) * pixel;
        cr_expect_eq(memcmp(image.view.data, from, (size_t)width * pixel), 0, "%s", options);
        img_image_free(&image);
    }
}

static const ImgShape GRAY = {6, 4, {IMG_COLOR_GRAY, 8}};
static const uint8_t FRAMED[] = {
    10, 10, 10, 10, 10, 10, /**/
    10, 10, 10, 20, 10, 10, /**/
    10, 12, 10, 10, 10, 10, /**/
    10, 10, 10, 10, 10, 10,
};

Test(trim, the_result_is_the_rectangle_that_differs)
{
    expect_trimmed(GRAY, FRAMED, "", 1, 1, 3, 2);
    expect_trimmed(GRAY, FRAMED, "background=#0a0a0a", 1, 1, 3, 2);
    expect_trimmed(GRAY, FRAMED, "background=black", 0, 0, 6, 4);
}

Test(trim, a_picture_that_is_all_background_stays_as_it_is)
{
    expect_trimmed(GRAY, FRAMED, "tolerance=100", 0, 0, 6, 4);
    expect_trimmed((ImgShape){1, 1, {IMG_COLOR_GRAY, 8}}, "x", "", 0, 0, 1, 1);
}

/* With 8 bits a tolerance of 0.8 % is 2.04 and allows a difference of 2. A tolerance of 0.78 % is
 * 1.989 and allows 1, and 4 % allows 10. */
Test(trim, tolerance_is_a_percentage_of_the_largest_sample)
{
    expect_trimmed(GRAY, FRAMED, "tolerance=0.78", 1, 1, 3, 2);
    expect_trimmed(GRAY, FRAMED, "tolerance=0.8", 3, 1, 1, 1);
    expect_trimmed(GRAY, FRAMED, "tolerance=3.9", 3, 1, 1, 1);
    expect_trimmed(GRAY, FRAMED, "tolerance=4", 0, 0, 6, 4);
}

Test(trim, any_channel_of_any_depth_counts)
{
    static const uint8_t rgb[] = {5, 5, 5, 5, 5, 6, 5, 5, 5, 4, 5, 5, 5, 5, 5};
    static const uint16_t wide[] = {65535, 65535, 64880, 64879, 65535};
    expect_trimmed((ImgShape){5, 1, {IMG_COLOR_RGB, 8}}, rgb, "", 1, 0, 3, 1);
    expect_trimmed((ImgShape){5, 1, {IMG_COLOR_GRAY, 16}}, wide, "tolerance=1", 3, 0, 1, 1);
    expect_trimmed((ImgShape){5, 1, {IMG_COLOR_PALETTE, 4}}, "\1\1\2\1\3", "", 2, 0, 3, 1);
}

Test(trim, all_transparent_pixels_are_equal)
{
    static const uint8_t pixels[] = {9, 9, 9, 0,   200, 0, 0, 0, 0, 0, 0, 1,
                                     9, 9, 9, 255, 9,   9, 9, 0, 1, 2, 3, 0};
    const ImgShape shape = {6, 1, {IMG_COLOR_RGBA, 8}};
    expect_trimmed(shape, pixels, "", 2, 0, 2, 1);
    expect_trimmed(shape, pixels, "tolerance=0.4", 3, 0, 1, 1);
    expect_trimmed(shape, pixels, "background=transparent", 2, 0, 2, 1);
}

/* The picture has a single pixel that differs. It is tried at every distance from the borders of
 * blocks that are compared together, and from the borders between threads. */
Test(trim, single_pixels_in_wide_pictures)
{
    const ImgShape shape = {700, 9, {IMG_COLOR_GRAY, 8}};
    uint8_t *samples = calloc(700, 9);
    for (int32_t x = 1; x < 700; x += 37) {
        const size_t a = 3 * 700 + (size_t)x, b = 7 * 700 + (size_t)(700 - x);
        const int32_t left = x < 700 - x ? x : 700 - x, right = 700 - left;
        samples[a] = samples[b] = 1;
        expect_trimmed(shape, samples, "", left, 3, right - left + 1, 5);
        samples[a] = samples[b] = 0;
    }
    free(samples);
}

/* --- In pipelines ----------------------------------------------------------------------------- */

Test(trim, later_steps_have_the_trimmed_size)
{
    ImgStep steps[] = {step_of("flip", "axis=horizontal"), step_of("trim", "tolerance=1"),
                       step_of("pad", "size=3x3 background=white"), step_of("trim", ""),
                       step_of("rotate", "angle=90")};
    ImgImage image = image_of(GRAY, FRAMED);
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(run(NULL, steps, 5, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(image.view.width, 1);
    cr_expect_eq(image.view.height, 1);
    cr_expect_eq(image.view.data[0], 20);
    static const struct {
        size_t first, steps;
    } passes[] = {{0, 1}, {1, 0}, {1, 1}, {2, 1}, {3, 0}, {3, 1}, {4, 1}};
    cr_assert_eq(report.count, 7);
    for (size_t i = 0; i < 7; i++) {
        cr_expect_eq(report.passes[i].first, passes[i].first);
        cr_expect_eq(report.passes[i].steps, passes[i].steps);
    }
    const ImgEffect effect = img_steps_effect(steps, 5, GRAY);
    cr_expect(effect.cropped);
    img_image_free(&image);
}

Test(trim, a_step_that_does_not_fit_the_trimmed_size_fails_the_run)
{
    ImgStep steps[] = {step_of("trim", ""), step_of("crop", "x=3")};
    ImgImage image = image_of(GRAY, FRAMED);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(run(NULL, steps, 2, &image, NULL, &err), IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, "outside the picture of 3 x 2"), "%s", err.message);
    cr_expect_null(image.view.data);
}

Test(trim, sizes_known_only_at_run_time_are_limited)
{
    ImgStep steps[] = {step_of("trim", "tolerance=1"), step_of("pad", "size=5x2001")};
    ImgStep many[] = {step_of("trim", "tolerance=1"), step_of("pad", "aspect=200:1"),
                      step_of("pad", "aspect=1:200")};
    ImgImage image = image_of(GRAY, FRAMED);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(run(NULL, steps, 2, &image, NULL, &err), IMG_E_LIMIT);
    img_error_clear(&err);
    image = image_of(GRAY, FRAMED);
    cr_expect_eq(run(NULL, many, 3, &image, NULL, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "; use less"), "%s", err.message);
}

Test(trim, a_plan_does_not_depend_on_the_picture_before)
{
    ImgStep step = step_of("trim", "");
    ImgImage image = image_of(GRAY, FRAMED);
    ImgShape dst;
    uint64_t peak;
    const ImgFacts facts = {0};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(run(NULL, &step, 1, &image, NULL, &err), IMG_OK);
    img_image_free(&image);
    cr_assert_eq(img_steps_plan(&step, 1, GRAY, &facts, (ImgRoom){1, 0, false}, &dst, &peak, &err),
                 IMG_OK);
    cr_expect_eq(dst.width, 6);
    cr_expect_eq(dst.height, 4);
    cr_expect(img_steps_measure(&step, 1));
}

/* --- Blocks of samples that are compared together --------------------------------------------- */

/* Fills samples with the background, except for a few samples near its value. */
static void scatter(uint16_t *samples, size_t count, int channels, uint32_t alpha, uint32_t maximum,
                    uint32_t seed)
{
    for (size_t i = 0; i < count; i++)
        samples[i] = (uint16_t)(i % (size_t)channels == (size_t)channels - 1 ? alpha : maximum / 3);
    for (int k = 0; k < 6; k++) {
        seed = seed * 1664525 + 1013904223;
        const size_t at = (seed >> 8) % count;
        seed = seed * 1664525 + 1013904223;
        const uint32_t value = samples[at] + (seed >> 10) % (maximum / 2);
        samples[at] = (uint16_t)(value < maximum ? value : maximum);
    }
}

static void expect_agreement(ImgFormat format, uint32_t alpha, const char *options, uint32_t seed)
{
    enum { WIDTH = 261, HEIGHT = 3, CHANNELS_MOST = 4 };
    static uint16_t wide[WIDTH * HEIGHT * CHANNELS_MOST];
    static uint8_t narrow[WIDTH * HEIGHT * CHANNELS_MOST];
    const int channels = img_format_channels(format);
    const size_t count = (size_t)WIDTH * HEIGHT * (size_t)channels;
    const ImgShape shape = {WIDTH, HEIGHT, format};
    scatter(wide, count, channels, alpha, img_format_maximum(format), seed);
    for (size_t i = 0; i < count; i++)
        narrow[i] = (uint8_t)wide[i];
    const void *samples = format.bits == 16 ? (const void *)wide : narrow;
    ImgImage images[2];
    static const char *const impls[] = {"reference", "cpu"};
    for (int i = 0; i < 2; i++) {
        ImgStep step = step_of("trim", options);
        images[i] = image_of(shape, samples);
        cr_assert_eq(run(impls[i], &step, 1, &images[i], NULL, NULL), IMG_OK);
    }
    const ImgView *a = &images[0].view, *b = &images[1].view;
    cr_expect(a->width == b->width && a->height == b->height, "%s: %d x %d and %d x %d", options,
              a->width, a->height, b->width, b->height);
    img_image_free(&images[0]);
    img_image_free(&images[1]);
}

Test(trim, blocks_and_single_pixels_agree)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8},        {IMG_COLOR_GRAY_ALPHA, 8},
                                        {IMG_COLOR_RGB, 8},         {IMG_COLOR_RGBA, 8},
                                        {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGBA, 16}};
    static const char *const options[] = {"tolerance=0", "tolerance=3.5", "tolerance=20",
                                          "tolerance=100"};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++)
            for (uint32_t seed = 0; seed < 20; seed++) {
                const uint32_t maximum = img_format_maximum(formats[f]);
                const uint32_t alphas[] = {0, 1, maximum / 2, maximum};
                expect_agreement(formats[f], alphas[seed % 4], options[o], seed);
            }
}

/* --- A row of the maximum length -------------------------------------------------------------- */

/* The row consists of zeros in memory that is never allocated. Rows are compared in blocks of 192
 * pixels. With all its pixels, the last block of this row would end past INT32_MAX, so computing
 * its end must not overflow. */
Test(trim, a_row_of_two_thousand_million_pixels_is_trimmed)
{
    const ImgShape shape = {INT32_MAX, 1, {IMG_COLOR_GRAY, 8}};
    uint8_t *row =
        mmap(NULL, INT32_MAX, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (row == MAP_FAILED)
        cr_skip_test("no 2 GiB of addresses");
    const ImgStep trim = step_of("trim", "");
    uint64_t table[IMG_BOUNDS_COUNT] = {1, 1, 1, 1};
    ImgShape counts;
    cr_assert_eq(trim.op->measured.by->shape(shape, trim.params.bytes, &counts, NULL), IMG_OK);
    const ImgCall call = {.op = trim.op->measured.by,
                          .src = img_view_make(row, INT32_MAX, shape),
                          .dst = img_view_make((uint8_t *)table, sizeof table, counts),
                          .params = trim.params.bytes,
                          .threads = 1};
    cr_expect_eq(img_bounds_cpu(&call, NULL), IMG_OK);
    for (int i = 0; i < IMG_BOUNDS_COUNT; i++)
        cr_expect_eq(table[i], 0);
    munmap(row, INT32_MAX);
}
