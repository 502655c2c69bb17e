/* Tests of running steps: planning, the choice of backend and implementation, and pipelines. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

static ImgStep step_of(const char *name, const char *param, const char *value)
{
    ImgStep step;
    ImgError err = {IMG_OK, ""};
    img_op_find(name, &step.op, &err);
    img_params_init(step.op, &step.params);
    if (param != NULL)
        img_params_set(step.op, &step.params, param, value, &err);
    cr_assert_eq(err.status, IMG_OK, "%s", err.message);
    return step;
}

static ImgImage make_image(int32_t width, int32_t height)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){width, height, {IMG_COLOR_GRAY, 8}}, &image, NULL),
                 IMG_OK);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            image.view.data[(size_t)y * image.view.stride + (size_t)x] = (uint8_t)(16 * y + x);
    return image;
}

static ImgStatus run(const ImgExecConfig *config, ImgStep *steps, size_t count, ImgImage *image,
                     ImgRunReport *report, ImgError *err)
{
    ImgExec *exec = NULL;
    ImgShape dst;
    uint64_t peak;
    ImgFacts facts = {0};
    ImgStatus status = img_steps_plan(steps, count, img_view_shape(&image->view), &facts,
                                      (ImgRoom){1, 0, false}, &dst, &peak, err);
    if (status == IMG_OK)
        status = img_exec_create(config, &exec, err);
    if (status == IMG_OK)
        status = img_exec_run(exec, steps, count, image, report, err);
    img_exec_destroy(exec);
    return status;
}

Test(exec, a_pipeline_runs_in_order)
{
    ImgStep steps[] = {step_of("crop", "x", "1"), step_of("rotate", NULL, NULL)};
    ImgImage image = make_image(3, 2);
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    cr_assert_eq(run(&config, steps, 2, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(image.view.width, 2);
    cr_assert_eq(image.view.height, 2);
    /* The picture has the rows 01 02 and 11 12, in hexadecimal, and is turned clockwise. */
    cr_expect_eq(memcmp(image.view.data, (uint8_t[]){0x11, 0x01, 0x12, 0x02}, 4), 0);
    cr_expect_eq(report.count, 2);
    cr_expect_str_eq(report.passes[0].impl->name, "cpu");
    img_image_free(&image);
}

/* --- An operation that records where it writes ------------------------------------------------ */

enum { NOTED_MAX = 8 };
/* Addresses that the operation wrote to. Each test runs in its own process, so the list starts
 * empty. */
static const uint8_t *noted[NOTED_MAX];
static size_t noted_count;

static ImgStatus same_or_half(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    (void)err;
    int32_t halve;
    memcpy(&halve, params, sizeof halve);
    *dst = (ImgShape){halve != 0 ? src.width / 2 : src.width, src.height, src.format};
    return IMG_OK;
}

static ImgEffect no_effect(ImgShape src, const void *params)
{
    (void)src, (void)params;
    return (ImgEffect){.turn = IMG_TURN_NONE};
}

static ImgStatus copy_plus_one(const ImgCall *call, ImgError *err)
{
    (void)err;
    noted[noted_count++] = call->dst.data;
    cr_assert_neq(call->src.data, call->dst.data);
    for (int32_t y = 0; y < call->dst.height; y++)
        for (int32_t x = 0; x < call->dst.width; x++)
            call->dst.data[(size_t)y * call->dst.stride + (size_t)x] =
                (uint8_t)(call->src.data[(size_t)y * call->src.stride + (size_t)x] + 1);
    return IMG_OK;
}

static ImgStep noting_step(int32_t halve)
{
    static const ImgParam params[] = {
        {.name = "halve", .type = IMG_PARAM_INT, .default_value = "0", .max = 1}, {.name = NULL}};
    static const ImgImpl impls[] = {
        {.name = "cpu", .backend = IMG_BACKEND_CPU, .note = "", .run = copy_plus_one},
        {.name = NULL}};
    static const ImgOp op = {.name = "noting",
                             .params = params,
                             .params_size = sizeof halve,
                             .shape = same_or_half,
                             .effect = {.get = no_effect},
                             .impls = impls};
    ImgStep step = {.op = &op};
    memcpy(step.params.bytes, &halve, sizeof halve);
    return step;
}

Test(exec, two_buffers_are_enough_for_all_steps)
{
    ImgStep steps[NOTED_MAX];
    for (size_t i = 0; i < NOTED_MAX; i++)
        steps[i] = noting_step(i == 4);
    ImgImage image = make_image(6, 2);
    const uint8_t *source = image.view.data;
    ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 1};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(run(&config, steps, NOTED_MAX, &image, NULL, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(noted_count, NOTED_MAX);
    cr_expect_eq(noted[1], source);
    for (size_t i = 2; i < NOTED_MAX; i++)
        /* From step 4 on the pictures are smaller, and the buffers are reused all the same. */
        cr_expect_eq(noted[i], noted[i - 2], "step %zu", i);
    cr_assert_eq(image.view.width, 3);
    for (int32_t x = 0; x < 3; x++)
        cr_expect_eq(image.view.data[x], x + NOTED_MAX);
    img_image_free(&image);
}

Test(exec, no_steps_change_nothing)
{
    ImgImage image = make_image(3, 2);
    ImgExecConfig config = {.backend = IMG_BACKEND_AUTO, .threads = 1};
    cr_assert_eq(run(&config, NULL, 0, &image, NULL, NULL), IMG_OK);
    cr_assert_eq(image.view.width, 3);
    img_image_free(&image);
}

Test(exec, planning_rejects_a_step_that_does_not_fit)
{
    ImgStep steps[] = {step_of("rotate", NULL, NULL), step_of("crop", "x", "2")};
    ImgShape dst;
    uint64_t peak;
    ImgError err = {IMG_OK, ""};
    ImgShape src = {3, 2, {IMG_COLOR_GRAY, 8}};
    cr_assert_eq(
        img_steps_plan(steps, 2, src, &(ImgFacts){0}, (ImgRoom){1, 0, false}, &dst, &peak, &err),
        IMG_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "crop") != NULL);
}

Test(exec, planning_gives_shape_and_memory)
{
    ImgStep steps[] = {step_of("rotate", NULL, NULL), step_of("crop", "height", "10")};
    ImgShape dst, src = {100, 50, {IMG_COLOR_RGB, 8}};
    uint64_t peak;
    cr_assert_eq(
        img_steps_plan(steps, 2, src, &(ImgFacts){0}, (ImgRoom){1, 0, false}, &dst, &peak, NULL),
        IMG_OK);
    cr_expect_eq(dst.width, 50);
    cr_expect_eq(dst.height, 10);
    cr_expect_eq(peak, 2 * 100 * 50 * 3);
}

/* The working memory of this blur has two pictures of half the width and height with 16 bits per
 * sample, and their margins. */
Test(exec, planning_counts_the_reduced_pictures_of_a_blur)
{
    ImgStep steps[] = {step_of("blur", "sigma", "5")}, little[] = {step_of("blur", "sigma", "1")};
    ImgShape dst, src = {1000, 1000, {IMG_COLOR_RGB, 8}};
    uint64_t peak;
    size_t one;
    cr_assert_eq(img_shape_bytes(src, &one, NULL), IMG_OK);
    const uint64_t both = 2 * (uint64_t)one, small = 2 * 500 * 500 * 3 * 2;
    cr_assert_eq(
        img_steps_plan(steps, 1, src, &(ImgFacts){0}, (ImgRoom){1, 0, false}, &dst, &peak, NULL),
        IMG_OK);
    cr_expect(peak > both + small && peak < both + small * 5 / 4, "%llu", (unsigned long long)peak);
    cr_assert_eq(
        img_steps_plan(little, 1, src, &(ImgFacts){0}, (ImgRoom){1, 0, false}, &dst, &peak, NULL),
        IMG_OK);
    cr_expect(peak > both && peak < both + (1 << 17), "%llu", (unsigned long long)peak);
}

static uint64_t planned(ImgStep *step, ImgShape src, int threads, uint64_t bytes)
{
    ImgShape dst;
    uint64_t peak = 0;
    const ImgRoom room = {threads, bytes, false};
    cr_assert_eq(img_steps_plan(step, 1, src, &(ImgFacts){0}, room, &dst, &peak, NULL), IMG_OK);
    return peak;
}

/* Each thread keeps rows of the source. The picture is so wide that these rows are much larger than
 * the result. */
Test(exec, planning_lowers_the_number_of_threads_to_fit_the_memory)
{
    ImgStep blur = step_of("blur", "sigma", "2"), flip = step_of("flip", NULL, NULL);
    const ImgShape src = {100000, 4, {IMG_COLOR_RGBA, 8}};
    const uint64_t one = planned(&blur, src, 1, 0), four = planned(&blur, src, 4, UINT64_MAX);
    cr_expect_gt(one, 10000000);
    cr_expect_gt(four, 3 * one);
    cr_expect_eq(planned(&blur, src, 8, UINT64_MAX), four, "there are four rows");
    cr_expect_eq(planned(&blur, src, 4, four), four);
    cr_expect_eq(planned(&blur, src, 4, one), one);
    cr_expect_eq(planned(&blur, src, 4, 0), one, "there is always one");
    const uint64_t three = planned(&blur, src, 4, four - 1);
    cr_expect(three > one && three < four);
    cr_expect_eq(planned(&flip, src, 8, UINT64_MAX), planned(&flip, src, 1, 0));
}

Test(exec, autorotate_follows_the_file_and_only_once)
{
    ImgStep steps[] = {step_of("autorotate", NULL, NULL), step_of("autorotate", NULL, NULL)};
    ImgShape dst, src = {30, 20, {IMG_COLOR_GRAY, 8}};
    uint64_t peak;
    ImgFacts facts = {.orientation = 6};
    cr_assert_eq(img_steps_plan(steps, 2, src, &facts, (ImgRoom){1, 0, false}, &dst, &peak, NULL),
                 IMG_OK);
    cr_expect_eq(dst.width, 20);
    ImgEffect effect = img_steps_effect(steps, 2, src);
    cr_expect_eq(effect.turn, IMG_TURN_90);
    cr_expect(effect.upright);
    cr_expect_not(effect.cropped);
}

/* If a step changes nothing, the CPU does not even copy the picture. */
Test(exec, steps_that_do_nothing_are_skipped)
{
    ImgStep steps[] = {step_of("autorotate", NULL, NULL), step_of("resize", "size", "100%"),
                       step_of("depth", NULL, NULL), step_of("flip", NULL, NULL)};
    ImgImage image = make_image(9, 7);
    const uint8_t *pixels = image.view.data;
    ImgError err = {IMG_OK, ""};
    ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 1};
    cr_assert_eq(run(&config, steps, 3, &image, NULL, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(image.view.data, pixels);
    cr_assert_eq(run(&config, steps, 4, &image, NULL, &err), IMG_OK, "%s", err.message);
    cr_expect_neq(image.view.data, pixels);
    img_image_free(&image);
}

Test(exec, whether_a_step_changes_anything_depends_on_the_picture)
{
    const ImgStep size = step_of("resize", "size", "9x7"), depth = step_of("depth", NULL, NULL);
    const ImgShape small = {9, 7, {IMG_COLOR_GRAY, 8}}, wide = {9, 7, {IMG_COLOR_GRAY, 16}},
                   few = {9, 7, {IMG_COLOR_GRAY, 1}}, other = {9, 8, {IMG_COLOR_GRAY, 8}};
    cr_expect(size.op->effect.does_nothing(small, size.params.bytes));
    cr_expect(!size.op->effect.does_nothing(few, size.params.bytes));
    cr_expect(!size.op->effect.does_nothing(other, size.params.bytes));
    cr_expect(depth.op->effect.does_nothing(small, depth.params.bytes));
    cr_expect(!depth.op->effect.does_nothing(wide, depth.params.bytes));
}

Test(exec, effects_add_up)
{
    ImgStep steps[] = {step_of("rotate", "angle", "90"), step_of("crop", "width", "5"),
                       step_of("rotate", "angle", "90")};
    ImgEffect effect = img_steps_effect(steps, 3, (ImgShape){30, 20, {IMG_COLOR_GRAY, 8}});
    cr_expect_eq(effect.turn, IMG_TURN_180);
    cr_expect(effect.cropped);
    cr_expect_not(effect.upright);
}

/* After a quarter turn the horizontal axis is the vertical axis of the source, so a resize after it
 * scales that axis. */
Test(exec, scales_multiply_along_the_axes_of_the_source)
{
    ImgStep steps[] = {step_of("resize", "size", "50%"), step_of("rotate", "angle", "90"),
                       step_of("resize", "size", "10x60")};
    cr_assert_eq(img_params_set(steps[2].op, &steps[2].params, "fit", "fill", NULL), IMG_OK);
    const ImgEffect effect = img_steps_effect(steps, 3, (ImgShape){60, 40, {IMG_COLOR_GRAY, 8}});
    cr_expect_eq(effect.scale_x, 1);
    cr_expect_eq(effect.scale_y, 0.25);
    cr_expect_eq(img_steps_effect(steps, 0, (ImgShape){6, 4, {IMG_COLOR_GRAY, 8}}).scale_x, 1);
}

Test(exec, an_implementation_of_another_backend_is_a_contradiction)
{
    ImgStep steps[] = {step_of("rotate", NULL, NULL)};
    ImgImage image = make_image(3, 2);
    ImgError err = {IMG_OK, ""};
    ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .impl = "cuda-fast", .threads = 1};
    ImgStatus status = run(&config, steps, 1, &image, NULL, &err);
    cr_expect_eq(status, img_cuda_in_build() ? IMG_E_USAGE : IMG_E_UNAVAILABLE);
    cr_expect(strstr(err.message, img_cuda_in_build() ? "asks for cpu" : "not in this build") !=
                  NULL,
              "'%s'", err.message);
    cr_expect_null(image.view.data, "a failed run frees its image");
    img_image_free(&image);
}

Test(exec, an_explicit_implementation_is_the_one_that_runs)
{
    ImgStep steps[] = {step_of("rotate", NULL, NULL)};
    ImgImage image = make_image(3, 2);
    ImgRunReport report;
    ImgExecConfig config = {.impl = "reference", .threads = 1};
    cr_assert_eq(run(&config, steps, 1, &image, &report, NULL), IMG_OK);
    cr_expect_str_eq(report.passes[0].impl->name, "reference");
    img_image_free(&image);
}

Test(exec, a_requested_gpu_is_never_replaced_by_the_cpu)
{
    ImgDeviceInfo device;
    int count = 0;
    if (img_cuda_devices(&device, 1, &count, NULL) == IMG_OK)
        cr_skip_test("this machine has a GPU");
    ImgStep steps[] = {step_of("rotate", NULL, NULL)};
    ImgImage image = make_image(3, 2);
    ImgError err = {IMG_OK, ""};
    ImgExecConfig config = {.backend = IMG_BACKEND_CUDA, .threads = 1};
    cr_expect_eq(run(&config, steps, 1, &image, NULL, &err), IMG_E_UNAVAILABLE);
    cr_expect(strstr(err.message, "use the CPU") != NULL, "no remedy in '%s'", err.message);
    img_image_free(&image);
}

Test(exec, cheap_work_does_not_start_a_gpu)
{
    ImgStep steps[] = {step_of("rotate", NULL, NULL)};
    ImgImage image = make_image(64, 64);
    ImgRunReport report;
    ImgExec *exec = NULL;
    ImgExecConfig config = {.backend = IMG_BACKEND_AUTO, .threads = 1};
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    img_exec_prepare(exec, steps, 1, img_view_shape(&image.view), 0.001);
    cr_assert_eq(img_exec_run(exec, steps, 1, &image, &report, NULL), IMG_OK);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    img_exec_destroy(exec);
    img_image_free(&image);
}

/* A median of 51 x 51 must cost at least 40 times as much as one of 3 x 3, and one of 5 x 5 more
 * than twice as much. */
Test(exec, costs_depend_on_parameters)
{
    const ImgShape shape = {4000, 3000, {IMG_COLOR_RGB, 8}};
    const ImgStep small = step_of("median", NULL, NULL), large = step_of("median", "radius", "25");
    const ImgStep middle = step_of("median", "radius", "2");
    const double least = img_op_cpu_seconds(small.op, shape, small.params.bytes);
    const double more = img_op_cpu_seconds(middle.op, shape, middle.params.bytes);
    const double most = img_op_cpu_seconds(large.op, shape, large.params.bytes);
    cr_expect_gt(least, 0);
    cr_expect_gt(more, 2 * least);
    cr_expect_geq(most, 40 * least);
}

/* --- Pictures that are processed in bands ----------------------------------------------------- */

typedef struct Giver {
    const ImgImage *image;
    int32_t rows;       /* the source fails when a row from this one on is requested */
    int32_t first, end; /* rows of the latest request: from `first` to `end` - 1 */
} Giver;

/* Returns a view of the requested rows. The test fails if a request starts or ends before the
 * previous one. */
static ImgStatus give(void *context, int32_t first, int32_t count, ImgView *rows, ImgError *err)
{
    Giver *giver = context;
    cr_assert(first >= giver->first && first + count >= giver->end && count > 0);
    cr_assert(first + count <= giver->image->view.height);
    giver->first = first;
    giver->end = first + count;
    *rows = img_view_crop(&giver->image->view, 0, first, giver->image->view.width, count);
    return giver->end <= giver->rows ? IMG_OK : img_fail(err, IMG_E_FORMAT, "no more rows");
}

static ImgStatus run_bands(ImgStep *steps, size_t count, Giver *giver, ImgImage *image,
                           ImgRunReport *report, ImgError *err)
{
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    const ImgRowSource source = {
        .shape = img_view_shape(&giver->image->view), .rows = give, .context = giver};
    ImgExec *exec = NULL;
    ImgBands *bands;
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    ImgStatus status =
        img_bands_begin(exec, steps, count, &source, (ImgBandHeights){0, 0}, NULL, &bands, err);
    *image = IMG_IMAGE_NONE;
    if (status == IMG_OK)
        status = img_bands_collect(bands, image, err);
    img_bands_end(bands, report);
    img_exec_destroy(exec);
    return status;
}

static void expect_same(const ImgView *a, const ImgView *b, const char *what)
{
    const size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    cr_assert(a->width == b->width && a->height == b->height, "%s", what);
    for (size_t y = 0; y < (size_t)a->height; y++)
        cr_assert_arr_eq(a->data + y * a->stride, b->data + y * b->stride, row, "%s: row %zu", what,
                         y);
}

Test(exec, bands_give_the_same_result_as_the_picture)
{
    ImgStep steps[] = {step_of("resize", "size", "100%"), step_of("resize", "size", "50%"),
                       step_of("invert", NULL, NULL), step_of("flip", NULL, NULL)};
    ImgImage whole = make_image(16, 16), source = make_image(16, 16), image;
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    cr_assert_eq(run(&config, steps, 4, &whole, NULL, &err), IMG_OK, "%s", err.message);
    Giver giver = {&source, 16, 0, 0};
    cr_assert_eq(run_bands(steps, 4, &giver, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(image.view.width, 8);
    expect_same(&image.view, &whole.view, "resize, invert and flip");
    cr_expect_eq(report.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(report.passes[i].in_bands, i == 1);
    img_image_free(&image);
    img_image_free(&source);
    img_image_free(&whole);
}

/* Each chain begins with a point operation, which runs in bands only if it changes something. Other
 * operations follow in some chains. */
Test(exec, point_operations_run_in_bands_only_if_they_change_something)
{
    ImgStep depth = step_of("depth", "bits", "8"), invert = step_of("invert", NULL, NULL),
            whole = step_of("equalize", NULL, NULL), blur = step_of("blur", NULL, NULL);
    ImgStep chains[][3] = {{depth, whole, whole},
                           {depth, invert, whole},
                           {invert, depth, whole},
                           {depth, depth, whole},
                           {invert, blur, depth}};
    static const bool allows[] = {false, true, true, true, true};
    for (size_t i = 0; i < sizeof allows / sizeof *allows; i++) {
        ImgImage expected = make_image(16, 16), source = make_image(16, 16), image;
        ImgRunReport report;
        ImgError err = {IMG_OK, ""};
        ImgBandsPlan plan;
        const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
        const ImgShape shape = img_view_shape(&source.view);
        Giver giver = {&source, 16, 0, 0};
        cr_expect_eq(img_bands_plan(chains[i], 3, shape, NULL, (ImgRoom){1, 0, false},
                                    (ImgBandHeights){0, 0}, IMG_BANDS_IN_ORDER, &plan),
                     allows[i], "%zu", i);
        cr_expect_eq(plan.all, i == 4, "%zu", i);
        cr_assert_eq(run(&config, chains[i], 3, &expected, NULL, &err), IMG_OK, "%s", err.message);
        cr_assert_eq(run_bands(chains[i], 3, &giver, &image, &report, &err), IMG_OK, "%zu: %s", i,
                     err.message);
        expect_same(&image.view, &expected.view, "chain");
        img_image_free(&image);
        img_image_free(&source);
        img_image_free(&expected);
    }
}

Test(exec, a_source_that_fails_leaves_no_result)
{
    ImgStep chains[][1] = {{step_of("resize", "size", "50%")}, {step_of("median", NULL, NULL)}};
    ImgImage source = make_image(16, 16), image;
    ImgRunReport report;
    for (int32_t rows = 0; rows < 16; rows += 5) {
        for (size_t i = 0; i < 2; i++) {
            ImgError err = {IMG_OK, ""};
            Giver giver = {&source, rows, 0, 0};
            cr_expect_eq(run_bands(chains[i], 1, &giver, &image, &report, &err), IMG_E_FORMAT);
            cr_expect_str_eq(err.message, "no more rows");
            cr_expect_null(image.view.data);
        }
    }
    img_image_free(&source);
}

typedef struct Expected {
    const ImgView *whole;
    const char *what;
    atomic_int rows; /* number of rows that were compared */
} Expected;

static ImgStatus expect_band(void *context, int worker, int32_t first, const ImgView *rows,
                             ImgError *err)
{
    Expected *expected = context;
    const ImgView *whole = expected->whole;
    const ImgView band = img_view_crop(whole, 0, first, whole->width, rows->height);
    (void)err;
    cr_assert(worker >= 0 && worker < 3);
    expect_same(rows, &band, expected->what);
    atomic_fetch_add(&expected->rows, rows->height);
    return IMG_OK;
}

Test(exec, bands_of_any_height_give_the_same_rows, .timeout = 60)
{
    enum { HEIGHT = 67 };
    ImgStep chains[][3] = {
        {step_of("median", "radius", "3"), step_of("gamma", "value", "2"),
         step_of("blur", "sigma", "2")},
        {step_of("erode", "size", "4x9"), step_of("sharpen", NULL, NULL),
         step_of("dilate", "size", "3x2")},
        {step_of("posterize", "levels", "3"), step_of("boxblur", "radius", "30"),
         step_of("sobel", NULL, NULL)},
    };
    static const int32_t heights[] = {1, 2, 5, 7, 8, 13, 31, 64, 66, HEIGHT, 200};
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        ImgImage whole = make_image(23, HEIGHT), source = make_image(23, HEIGHT);
        ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
        ImgError err = {IMG_OK, ""};
        ImgRunReport report;
        cr_assert_eq(run(&config, chains[c], 3, &whole, NULL, &err), IMG_OK, "%s", err.message);
        for (size_t i = 0; i < 6 * sizeof heights / sizeof *heights; i++) {
            const int32_t height = heights[i / 6];
            const ImgBandHeights bands_of = {i % 2 ? height + 3 : height, height};
            Giver giver = {&source, HEIGHT, 0, 0};
            const ImgRowSource rows = {
                .shape = img_view_shape(&source.view), .rows = give, .context = &giver};
            ImgExec *exec;
            ImgBands *bands;
            char what[64];
            config.threads = 1 + (int)(i / 2 % 3);
            snprintf(what, sizeof what, "chain %zu, %d rows, %d threads", c, height,
                     config.threads);
            Expected expected = {&whole.view, what, 0};
            const ImgBandSink sink = {expect_band, NULL, &expected};
            cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
            cr_assert_eq(img_bands_begin(exec, chains[c], 3, &rows, bands_of, NULL, &bands, &err),
                         IMG_OK);
            cr_assert_eq(img_bands_run(bands, &sink, &err), IMG_OK, "%s", err.message);
            cr_expect_eq(atomic_load(&expected.rows), HEIGHT, "%s", what);
            img_bands_end(bands, &report);
            img_exec_destroy(exec);
        }
        img_image_free(&source);
        img_image_free(&whole);
    }
}

static ImgStatus refuse_band(void *context, int worker, int32_t first, const ImgView *rows,
                             ImgError *err)
{
    (void)context;
    (void)worker;
    (void)rows;
    return first < 8 ? IMG_OK : img_fail(err, IMG_E_IO, "no more bands");
}

static void note_stop(void *context)
{
    atomic_store((atomic_bool *)context, true);
}

Test(exec, a_sink_that_fails_ends_the_run)
{
    ImgStep steps[] = {step_of("median", NULL, NULL)};
    ImgImage source = make_image(16, 40);
    for (int threads = 1; threads <= 3; threads++) {
        const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = threads};
        ImgError err = {IMG_OK, ""};
        ImgRunReport report;
        Giver giver = {&source, 40, 0, 0};
        const ImgRowSource rows = {
            .shape = img_view_shape(&source.view), .rows = give, .context = &giver};
        ImgExec *exec;
        ImgBands *bands;
        atomic_bool stopped = false;
        const ImgBandSink sink = {refuse_band, note_stop, &stopped};
        cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
        cr_assert_eq(
            img_bands_begin(exec, steps, 1, &rows, (ImgBandHeights){4, 4}, NULL, &bands, &err),
            IMG_OK);
        cr_expect_eq(img_bands_run(bands, &sink, &err), IMG_E_IO);
        cr_expect_str_eq(err.message, "no more bands");
        cr_expect(atomic_load(&stopped));
        img_bands_end(bands, &report);
        img_exec_destroy(exec);
    }
    img_image_free(&source);
}

typedef struct Damaged {
    ImgView rows;
    atomic_int reads_after_failure;
    bool failed;
} Damaged;

/* Delivers eight rows, then fails. The delay lets the other workers wait for their turn. */
static ImgStatus give_damaged(void *context, int32_t first, int32_t count, ImgView *view,
                              ImgError *err)
{
    Damaged *damaged = context;
    if (damaged->failed)
        atomic_fetch_add(&damaged->reads_after_failure, 1);
    *view = img_view_crop(&damaged->rows, 0, first, damaged->rows.width, count);
    if (first + count <= 8)
        return IMG_OK;
    damaged->failed = true;
    (void)nanosleep(&(struct timespec){0, 200000}, NULL);
    return img_fail(err, IMG_E_FORMAT, "damaged");
}

Test(exec, a_source_that_fails_is_not_read_again, .timeout = 60)
{
    ImgStep steps[] = {step_of("median", NULL, NULL)};
    ImgImage source = make_image(16, 400);
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 4};
    for (int round = 0; round < 100; round++) {
        ImgError err = {IMG_OK, ""};
        ImgRunReport report;
        Damaged damaged = {source.view, 0, false};
        const ImgRowSource rows = {
            .shape = img_view_shape(&source.view), .rows = give_damaged, .context = &damaged};
        ImgExec *exec;
        ImgBands *bands;
        atomic_bool stopped = false;
        const ImgBandSink sink = {refuse_band, note_stop, &stopped};
        cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
        cr_assert_eq(
            img_bands_begin(exec, steps, 1, &rows, (ImgBandHeights){4, 4}, NULL, &bands, &err),
            IMG_OK);
        cr_expect_eq(img_bands_run(bands, &sink, &err), IMG_E_FORMAT);
        cr_expect_str_eq(err.message, "damaged");
        cr_expect(atomic_load(&stopped));
        cr_expect_eq(atomic_load(&damaged.reads_after_failure), 0);
        img_bands_end(bands, &report);
        img_exec_destroy(exec);
    }
    img_image_free(&source);
}

static bool plans(const ImgStep *steps, size_t count, const char *impl, ImgBandsPlan *plan)
{
    const ImgShape shape = {64, 48, {IMG_COLOR_RGB, 8}};
    return img_bands_plan(steps, count, shape, impl, (ImgRoom){1, 0, false}, (ImgBandHeights){0, 0},
                          IMG_BANDS_IN_ORDER, plan);
}

Test(exec, only_some_steps_run_in_bands)
{
    ImgStep resize = step_of("resize", "size", "50%"), flip = step_of("flip", NULL, NULL);
    ImgStep all = step_of("resize", "size", "100%"), gamma = step_of("gamma", "value", "2");
    ImgStep median = step_of("median", NULL, NULL), equalize = step_of("equalize", NULL, NULL);
    ImgBandsPlan plan, more;
    cr_expect(plans((ImgStep[]){resize, flip}, 2, NULL, &plan));
    cr_expect(plan.peak_bytes > (uint64_t)32 * 24 * 3 && plan.steps == 0 && !plan.all);
    cr_expect(plans((ImgStep[]){all, resize}, 2, NULL, &plan));
    cr_expect(plans((ImgStep[]){resize}, 1, "cpu", &plan));
    cr_expect(plans((ImgStep[]){resize}, 1, "reference", &plan) && plan.all);
    cr_expect_not(plans((ImgStep[]){resize}, 1, "cuda-fast", &plan));
    cr_expect(plans((ImgStep[]){median}, 1, "reference", &plan));
    cr_expect_not(plans((ImgStep[]){median}, 1, "cuda-fast", &plan));
    cr_expect_not(plans((ImgStep[]){equalize, resize}, 2, NULL, &plan));
    cr_expect_not(plans((ImgStep[]){equalize, gamma}, 2, NULL, &plan));
    cr_expect(plans((ImgStep[]){gamma, median, equalize}, 3, NULL, &plan));
    cr_expect(plan.steps == 2 && !plan.all);
    cr_expect(plans((ImgStep[]){gamma, median}, 2, NULL, &plan));
    cr_expect(plan.steps == 2 && plan.all);
    /* flip can run in bands only if the picture is a single band. With several bands, it would need
     * rows in another order. */
    cr_expect(plans((ImgStep[]){flip, gamma}, 2, NULL, &plan));
    cr_expect_not(img_bands_plan(&flip, 1, (ImgShape){4000, 3000, {IMG_COLOR_RGB, 8}}, NULL,
                                 (ImgRoom){1, 0, false}, (ImgBandHeights){0, 0}, IMG_BANDS_IN_ORDER,
                                 &plan));
    cr_expect_not(plans((ImgStep[]){all}, 1, NULL, &plan));
    /* A later step may need more memory than the first one. */
    ImgStep large = step_of("resize", "size", "4000x3000");
    cr_expect(plans((ImgStep[]){resize, flip}, 2, NULL, &plan));
    cr_expect(plans((ImgStep[]){resize, large}, 2, NULL, &more));
    cr_expect(more.peak_bytes > (uint64_t)4000 * 3000 * 3 && more.peak_bytes > plan.peak_bytes);
}
