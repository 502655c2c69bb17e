/* Tests of running steps: planning, the choice of backend and implementation, and pipelines. */
#include <criterion/criterion.h>
#include <string.h>

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
                                      (ImgRoom){1, 0}, &dst, &peak, err);
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
/* Addresses that the operation wrote to. Each test runs in its own process. */
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
        {"cpu", IMG_BACKEND_CPU, IMG_CPU_PORTABLE, "", copy_plus_one, NULL, NULL, NULL},
        {.name = NULL}};
    static const ImgOp op = {.name = "noting",
                             .params = params,
                             .params_size = sizeof halve,
                             .shape = same_or_half,
                             .effect = no_effect,
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
    cr_assert_eq(img_steps_plan(steps, 2, src, &(ImgFacts){0}, (ImgRoom){1, 0}, &dst, &peak, &err),
                 IMG_E_UNSUPPORTED);
    cr_expect(strstr(err.message, "crop") != NULL);
}

Test(exec, planning_gives_shape_and_memory)
{
    ImgStep steps[] = {step_of("rotate", NULL, NULL), step_of("crop", "height", "10")};
    ImgShape dst, src = {100, 50, {IMG_COLOR_RGB, 8}};
    uint64_t peak;
    cr_assert_eq(img_steps_plan(steps, 2, src, &(ImgFacts){0}, (ImgRoom){1, 0}, &dst, &peak, NULL),
                 IMG_OK);
    cr_expect_eq(dst.width, 50);
    cr_expect_eq(dst.height, 10);
    cr_expect_eq(peak, 2 * 100 * 50 * 3);
}

/* The working memory has two pictures of half the width and height with 16 bits per sample, and
 * their margins. */
Test(exec, planning_counts_the_reduced_pictures_of_a_blur)
{
    ImgStep steps[] = {step_of("blur", "sigma", "5")}, little[] = {step_of("blur", "sigma", "1")};
    ImgShape dst, src = {1000, 1000, {IMG_COLOR_RGB, 8}};
    uint64_t peak;
    size_t one;
    cr_assert_eq(img_shape_bytes(src, &one, NULL), IMG_OK);
    const uint64_t both = 2 * (uint64_t)one, small = 2 * 500 * 500 * 3 * 2;
    cr_assert_eq(img_steps_plan(steps, 1, src, &(ImgFacts){0}, (ImgRoom){1, 0}, &dst, &peak, NULL),
                 IMG_OK);
    cr_expect(peak > both + small && peak < both + small * 5 / 4, "%llu", (unsigned long long)peak);
    cr_assert_eq(img_steps_plan(little, 1, src, &(ImgFacts){0}, (ImgRoom){1, 0}, &dst, &peak, NULL),
                 IMG_OK);
    cr_expect(peak > both && peak < both + (1 << 17), "%llu", (unsigned long long)peak);
}

static uint64_t planned(ImgStep *step, ImgShape src, int threads, uint64_t bytes)
{
    ImgShape dst;
    uint64_t peak = 0;
    const ImgRoom room = {threads, bytes};
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
    cr_assert_eq(img_steps_plan(steps, 2, src, &facts, (ImgRoom){1, 0}, &dst, &peak, NULL), IMG_OK);
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
    cr_expect(size.op->does_nothing(small, size.params.bytes));
    cr_expect(!size.op->does_nothing(few, size.params.bytes));
    cr_expect(!size.op->does_nothing(other, size.params.bytes));
    cr_expect(depth.op->does_nothing(small, depth.params.bytes));
    cr_expect(!depth.op->does_nothing(wide, depth.params.bytes));
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

/* --- Row by row ------------------------------------------------------------------------------- */

typedef struct Giver {
    const ImgImage *image;
    /* number of rows that the source delivers before it fails; with all rows it does not fail */
    int32_t rows;
} Giver;

static ImgStatus give(void *context, const ImgRowSink *sink, ImgError *err)
{
    const Giver *giver = context;
    const ImgView *view = &giver->image->view;
    for (int32_t y = 0; y < giver->rows; y++) {
        const ImgView row = img_view_crop(view, 0, y, view->width, 1);
        sink->take(sink->context, &row, y);
    }
    return giver->rows == view->height ? IMG_OK : img_fail(err, IMG_E_FORMAT, "no more rows");
}

static ImgStatus run_rows(ImgStep *steps, size_t count, Giver *giver, ImgImage *image,
                          ImgRunReport *report, ImgError *err)
{
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    const ImgRowSource source = {img_view_shape(&giver->image->view), give, giver};
    ImgExec *exec = NULL;
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    ImgStatus status = img_exec_run_rows(exec, steps, count, &source, image, report, err);
    img_exec_destroy(exec);
    return status;
}

Test(exec, rows_give_the_same_result_as_the_picture)
{
    ImgStep steps[] = {step_of("resize", "size", "100%"), step_of("resize", "size", "50%"),
                       step_of("invert", NULL, NULL), step_of("flip", NULL, NULL)};
    ImgImage whole = make_image(16, 16), source = make_image(16, 16), image;
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    cr_assert_eq(run(&config, steps, 4, &whole, NULL, &err), IMG_OK, "%s", err.message);
    Giver giver = {&source, 16};
    cr_assert_eq(run_rows(steps, 4, &giver, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(image.view.width, 8);
    for (size_t y = 0; y < 8; y++)
        cr_expect_arr_eq(image.view.data + y * image.view.stride,
                         whole.view.data + y * whole.view.stride, 8);
    cr_expect_eq(report.count, 4);
    for (size_t i = 0; i < 4; i++)
        cr_expect_eq(report.passes[i].by_rows, i == 1);
    img_image_free(&image);
    img_image_free(&source);
    img_image_free(&whole);
}

/* Each chain begins with a point operation. A single point operation takes rows one by one only if
 * it changes something. */
Test(exec, point_operations_take_rows_only_if_they_change_something)
{
    ImgStep depth = step_of("depth", "bits", "8"), invert = step_of("invert", NULL, NULL),
            flip = step_of("flip", NULL, NULL), blur = step_of("blur", NULL, NULL);
    ImgStep chains[][3] = {{depth, flip, flip},
                           {depth, invert, flip},
                           {invert, depth, flip},
                           {depth, depth, flip},
                           {invert, blur, depth}};
    static const bool takes[] = {false, true, true, true, true};
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
        ImgImage whole = make_image(16, 16), source = make_image(16, 16), image;
        ImgRunReport report;
        ImgError err = {IMG_OK, ""};
        uint64_t bytes;
        const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
        const ImgShape shape = img_view_shape(&source.view);
        Giver giver = {&source, 16};
        cr_expect_eq(img_steps_take_rows(chains[i], 3, shape, NULL, (ImgRoom){1, 0}, &bytes),
                     takes[i], "%zu", i);
        cr_assert_eq(run(&config, chains[i], 3, &whole, NULL, &err), IMG_OK, "%s", err.message);
        ImgStatus status = run_rows(chains[i], 3, &giver, &image, &report, &err);
        cr_assert_eq(status, takes[i] ? IMG_OK : IMG_E_UNSUPPORTED, "%zu: %s", i, err.message);
        for (size_t y = 0; takes[i] && y < 16; y++)
            cr_expect_arr_eq(image.view.data + y * image.view.stride,
                             whole.view.data + y * whole.view.stride, 16);
        img_image_free(&image);
        img_image_free(&source);
        img_image_free(&whole);
    }
}

Test(exec, a_source_that_fails_leaves_no_result)
{
    ImgStep steps[] = {step_of("resize", "size", "50%")};
    ImgImage source = make_image(16, 16), image;
    ImgRunReport report;
    for (int32_t rows = 0; rows < 16; rows += 5) {
        ImgError err = {IMG_OK, ""};
        Giver giver = {&source, rows};
        cr_expect_eq(run_rows(steps, 1, &giver, &image, &report, &err), IMG_E_FORMAT);
        cr_expect_str_eq(err.message, "no more rows");
        cr_expect_null(image.view.data);
    }
    img_image_free(&source);
}

Test(exec, only_some_steps_accept_rows)
{
    const ImgShape shape = {64, 48, {IMG_COLOR_RGB, 8}};
    ImgStep resize = step_of("resize", "size", "50%"), flip = step_of("flip", NULL, NULL);
    ImgStep all = step_of("resize", "size", "100%"), gamma = step_of("gamma", "value", "2");
    uint64_t bytes = 0, more = 0;
    cr_expect(
        img_steps_take_rows((ImgStep[]){resize, flip}, 2, shape, NULL, (ImgRoom){1, 0}, &bytes));
    cr_expect(bytes > (uint64_t)32 * 24 * 3);
    cr_expect(
        img_steps_take_rows((ImgStep[]){all, resize}, 2, shape, NULL, (ImgRoom){1, 0}, &bytes));
    cr_expect(img_steps_take_rows((ImgStep[]){resize}, 1, shape, "cpu", (ImgRoom){1, 0}, &bytes));
    cr_expect_not(
        img_steps_take_rows((ImgStep[]){resize}, 1, shape, "reference", (ImgRoom){1, 0}, &bytes));
    cr_expect_not(
        img_steps_take_rows((ImgStep[]){resize}, 1, shape, "cuda-fast", (ImgRoom){1, 0}, &bytes));
    cr_expect_not(
        img_steps_take_rows((ImgStep[]){flip, resize}, 2, shape, NULL, (ImgRoom){1, 0}, &bytes));
    cr_expect(
        img_steps_take_rows((ImgStep[]){gamma, flip}, 2, shape, NULL, (ImgRoom){1, 0}, &bytes));
    cr_expect_not(
        img_steps_take_rows((ImgStep[]){flip, gamma}, 2, shape, NULL, (ImgRoom){1, 0}, &bytes));
    cr_expect_not(img_steps_take_rows((ImgStep[]){all}, 1, shape, NULL, (ImgRoom){1, 0}, &bytes));
    /* The second step needs more memory than the first one. */
    ImgStep large = step_of("resize", "size", "4000x3000");
    cr_expect(
        img_steps_take_rows((ImgStep[]){resize, large}, 2, shape, NULL, (ImgRoom){1, 0}, &more));
    cr_expect(more > (uint64_t)4000 * 3000 * 3 && more > bytes);
}
