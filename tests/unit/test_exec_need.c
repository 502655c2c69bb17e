/* Tests of the memory that a plan predicts: tables of point operations, logos, working memory of
 * threads, rows that need no conversion, and sizes that only a run can measure. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/point/points.h"
#include "kernels/registry.h"
#include "run_op.h"

enum { STEPS_MOST = 64 };

static uint64_t planned(const ImgStep *steps, size_t count, ImgShape src, int threads)
{
    ImgStep copies[STEPS_MOST];
    ImgShape dst;
    uint64_t peak = 0;
    ImgError err = {IMG_OK, ""};
    memcpy(copies, steps, count * sizeof *steps);
    cr_assert_eq(img_steps_plan(copies, count, src, &(ImgFacts){0},
                                (ImgRoom){threads, UINT64_MAX, false}, &dst, &peak, &err),
                 IMG_OK, "%s", err.message);
    return peak;
}

/* --- Constants -------------------------------------------------------------------------------- */

static const ImgShape SMALL_16 = {4, 4, {IMG_COLOR_RGB, 16}};
enum {
    SMALL_BYTES = 4 * 4 * 6,
    TABLES = 3 * 65536 * 2 /* bytes of the tables of three channels with 16 bits */
};

static uint64_t program_bytes(void)
{
    return (sizeof(ImgPointProgram) + 255) / 256 * 256;
}

Test(exec_need, tables_of_a_point_operation_are_counted)
{
    const ImgStep step = step_of("linear", "multiply=1.1,1,0.9");
    ImgConstants constants;
    cr_assert_eq(img_op_prepare(step.op, SMALL_16, step.params.bytes, &constants, NULL), IMG_OK);
    cr_expect_eq(constants.size, program_bytes() + TABLES);
    img_constants_free(&constants);
    /* The plan counts the picture, the tables, and the originals from which the tables are
     * copied. */
    cr_expect_eq(planned(&step, 1, SMALL_16, 1), SMALL_BYTES + program_bytes() + 2 * TABLES);
}

/* Each table is combined with the result of the tables before it. Only the combined table stays in
 * memory. */
Test(exec_need, combined_tables_count_once)
{
    ImgStep steps[STEPS_MOST];
    for (size_t i = 0; i < STEPS_MOST; i++)
        steps[i] = step_of("linear", "multiply=1.1,1,0.9");
    const uint64_t all = SMALL_BYTES + program_bytes() + TABLES + 3 * TABLES;
    cr_expect_eq(planned(steps, 2, SMALL_16, 1), all);
    cr_expect_eq(planned(steps, STEPS_MOST, SMALL_16, 1), all);
}

/* All tables are made before the first pass runs, so they are in memory at the same time. */
Test(exec_need, tables_of_all_passes_are_counted_together)
{
    ImgStep steps[8];
    for (size_t i = 0; i < 8; i++)
        steps[i] = step_of(i % 2 == 0 ? "linear" : "flip", "");
    cr_expect_eq(planned(steps, 8, SMALL_16, 1),
                 SMALL_BYTES + 4 * (program_bytes() + TABLES) + TABLES);
}

Test(exec_need, a_lattice_is_copied_once)
{
    static const char text[] = "LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 "
                               "1 1\n";
    const ImgShape src = {4, 4, {IMG_COLOR_RGB, 8}};
    ImgStep steps[2] = {step_of("lut", "file=made.cube")};
    ImgConstants content;
    cr_assert_eq(steps[0].op->file.read(text, strlen(text), &content, NULL), IMG_OK);
    img_params_set_content(steps[0].op->params, &steps[0].params, content.bytes);
    steps[1] = steps[0];
    const uint64_t nodes = 8 * IMG_POINT_NODE * sizeof(uint16_t), pixels = 4 * 4 * 3;
    cr_expect_eq(planned(steps, 1, src, 1), 2 * pixels + program_bytes() + nodes);
    cr_expect_eq(planned(steps, 2, src, 1), 2 * pixels + program_bytes() + 2 * nodes);
    img_constants_free(&content);
}

/* The logos of all steps are in memory at the same time. */
Test(exec_need, logos_are_counted_together)
{
    enum { SIDE = 100, BYTES = SIDE * SIDE * 4 };
    const ImgShape src = {20, 20, {IMG_COLOR_RGB, 8}};
    const size_t size = SIDE * SIDE * 3;
    ImgPicture *picture = calloc(1, sizeof *picture + size);
    picture->shape = (ImgShape){SIDE, SIDE, {IMG_COLOR_RGB, 8}};
    ImgStep steps[3] = {step_of("overlay", "image=logo.png")};
    img_params_set_content(steps[0].op->params, &steps[0].params, picture);
    steps[1] = steps[2] = steps[0];
    const uint64_t one = planned(steps, 1, src, 1), three = planned(steps, 3, src, 1);
    cr_expect(one > 2 * 1200 + BYTES && one < 2 * 1200 + BYTES + 100);
    cr_expect_eq(three - one, 2 * (one - 2 * 1200));
    free(picture);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Joined steps run in one pass, so no picture exists between them. Only the source and the result
 * are in memory. */
Test(exec_need, joined_point_operations_have_no_pictures_between_them)
{
    enum { PIXELS = 640 * 400 };
    const ImgShape color = {640, 400, {IMG_COLOR_RGB, 8}}, gray = {640, 400, {IMG_COLOR_GRAY, 8}};
    const ImgStep smaller[2] = {step_of("grayscale", ""), step_of("channels", "green=1")};
    const ImgStep larger[2] = {step_of("depth", "bits=16"), step_of("invert", "")};
    const ImgStep there_and_back[2] = {step_of("depth", "bits=16"), step_of("depth", "bits=8")};
    cr_expect_eq(planned(smaller, 1, color, 1), (3 + 1) * PIXELS + program_bytes());
    cr_expect_geq(planned(smaller, 2, color, 1), (3 + 3) * PIXELS + program_bytes());
    cr_expect_lt(planned(smaller, 2, color, 1), (3 + 3) * PIXELS + 2 * program_bytes());
    cr_expect_geq(planned(larger, 2, gray, 1), (1 + 2) * PIXELS + program_bytes());
    cr_expect_lt(planned(larger, 2, gray, 1), (1 + 2) * PIXELS + 2 * program_bytes());
    cr_expect_geq(planned(there_and_back, 2, gray, 1), (1 + 1) * PIXELS + program_bytes());
    cr_expect_lt(planned(there_and_back, 2, gray, 1), (1 + 1) * PIXELS + 2 * program_bytes());
}

/* --- Threads ---------------------------------------------------------------------------------- */

/* The picture has only 240,000 bytes, but clahe reads and writes 720,000 bytes. That is enough work
 * for several threads. */
Test(exec_need, clahe_counts_the_threads_that_run)
{
    const ImgStep step = step_of("clahe", "tiles=8");
    const ImgShape src = {600, 400, {IMG_COLOR_GRAY, 8}};
    cr_expect_eq(planned(&step, 1, src, 9) - planned(&step, 1, src, 1), 8 * 8 * 256 * 4);
    const ImgShape little = {400, 400, {IMG_COLOR_GRAY, 8}};
    cr_expect_eq(planned(&step, 1, little, 9), planned(&step, 1, little, 1));
}

/* Each thread keeps a rectangle of 65536 converted pixels. The result has 5 x 4 tiles of 128 x 128
 * pixels, so at most 20 threads run. */
Test(exec_need, each_thread_of_a_warp_has_its_own_tile)
{
    const ImgShape src = {600, 400, {IMG_COLOR_GRAY, 8}};
    const ImgStep maps[] = {
        step_of("rotate", "angle=7 size=keep"), step_of("affine", "matrix=1,0.1,0,0,1,0"),
        step_of("perspective", "corners=10,20,590,10,580,390,5,380 size=600x400")};
    for (size_t i = 0; i < 3; i++) {
        const uint64_t one = planned(&maps[i], 1, src, 1), two = planned(&maps[i], 1, src, 2);
        const uint64_t each = two - one;
        cr_expect(each > 65536 * 8 && each < 65536 * 9, "%s", maps[i].op->name);
        cr_expect_eq(planned(&maps[i], 1, src, 20) - one, 19 * each, "%s", maps[i].op->name);
        cr_expect_eq(planned(&maps[i], 1, src, 64) - one, 19 * each, "%s", maps[i].op->name);
    }
    const ImgStep none[] = {step_of("rotate", "angle=90"),
                            step_of("affine", "matrix=1,0.1,0,0,1,0 filter=nearest"),
                            step_of("affine", "matrix=1,0,5,0,1,7")};
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(planned(&none[i], 1, src, 64), planned(&none[i], 1, src, 1));
}

/* The blur reads rows directly from the picture. It copies them only if they need a border or
 * premultiplied alpha. */
Test(exec_need, blur_keeps_rows_only_if_it_converts_them)
{
    const ImgShape row = {4000000, 1, {IMG_COLOR_GRAY, 8}};
    const ImgShape alpha = {4000000, 1, {IMG_COLOR_GRAY_ALPHA, 8}};
    const ImgStep blur = step_of("blur", "sigma=200"), sharpen = step_of("sharpen", "sigma=200"),
                  constant = step_of("blur", "sigma=200 border=constant");
    /* bytes of the kept rows: 4 groups of 64 rows */
    const uint64_t kept = UINT64_C(4000000) * 4 * 64 * sizeof(int16_t);
    cr_expect_lt(planned(&blur, 1, row, 1), kept / 10);
    cr_expect_lt(planned(&sharpen, 1, row, 1), kept / 10);
    cr_expect_gt(planned(&constant, 1, row, 1), kept);
    cr_expect_gt(planned(&blur, 1, alpha, 1), 2 * kept);
}

/* --- Sizes that a run measures ---------------------------------------------------------------- */

typedef struct Asked {
    int times;
    ImgShape after;
    uint64_t bytes, most; /* `most` is the largest number of bytes that is admitted. */
} Asked;

static ImgStatus admit(void *context, ImgShape after, uint64_t bytes, ImgError *err)
{
    Asked *asked = context;
    asked->times++;
    asked->after = after;
    asked->bytes = bytes;
    return bytes <= asked->most ? IMG_OK : img_fail(err, IMG_E_LIMIT, "that is too much");
}

/* Returns a white picture of 200 x 200 pixels with one black column. */
static ImgImage line_image(void)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){200, 200, {IMG_COLOR_GRAY, 8}}, &image, NULL), IMG_OK);
    for (size_t y = 0; y < 200; y++) {
        memset(image.view.data + y * image.view.stride, 255, 200);
        image.view.data[y * image.view.stride + 77] = 0;
    }
    return image;
}

static ImgStatus run(ImgStep *steps, size_t count, const ImgExecLimits *limits, ImgImage *image,
                     ImgError *err)
{
    ImgExec *exec;
    ImgShape dst;
    uint64_t peak;
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 1};
    *image = line_image();
    cr_assert_eq(img_steps_plan(steps, count, img_view_shape(&image->view), &(ImgFacts){0},
                                (ImgRoom){1, 0, false}, &dst, &peak, err),
                 IMG_OK, "%s", err->message);
    cr_assert_eq(img_exec_create(&config, &exec, err), IMG_OK);
    img_exec_set_limits(exec, limits);
    const ImgStatus status = img_exec_run(exec, steps, count, image, NULL, err);
    img_exec_destroy(exec);
    return status;
}

/* The plan expects a result of 50 x 50, for the whole picture. In the run, trim leaves one column
 * of 200 pixels, and the result is 50 x 10000. */
Test(exec_need, a_measured_size_may_exceed_the_plan)
{
    const ImgStep steps[] = {step_of("trim", ""), step_of("resize", "size=50")};
    Asked asked = {.most = 2000000};
    const ImgExecLimits limits = {.admit = admit, .context = &asked};
    ImgStep own[2];
    ImgImage image;
    ImgError err = {IMG_OK, ""};
    cr_expect_lt(planned(steps, 2, (ImgShape){200, 200, {IMG_COLOR_GRAY, 8}}, 1), 50 * 10000);
    memcpy(own, steps, sizeof own);
    cr_assert_eq(run(own, 2, &limits, &image, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(image.view.height, 10000);
    img_image_free(&image);
    cr_expect_eq(asked.times, 1);
    cr_expect_eq(asked.after.width, 50);
    cr_expect_eq(asked.after.height, 10000);
    cr_expect_geq(asked.bytes, 50 * 10000 + 200);
    asked = (Asked){.most = asked.bytes - 1};
    memcpy(own, steps, sizeof own);
    cr_expect_eq(run(own, 2, &limits, &image, &err), IMG_E_LIMIT);
    cr_expect_str_eq(err.message, "that is too much");
    cr_expect_null(image.view.data);
}

/* The weights of 1,500,000,000 columns would take minutes and gigabytes. They are not computed,
 * because the size is rejected first. Only the run finds this size: the plan before it ends at pad,
 * because the untrimmed picture does not fit into 3 x 200. */
Test(exec_need, constants_are_computed_only_for_admitted_sizes)
{
    ImgStep steps[] = {step_of("trim", ""), step_of("pad", "size=3x200"),
                       step_of("resize", "size=1500000000x1 fit=fill"),
                       step_of("crop", "width=1 height=1")};
    Asked asked = {.most = 1000000000};
    const ImgExecLimits limits = {.admit = admit, .context = &asked};
    ImgImage image;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(run(steps, 4, &limits, &image, &err), IMG_E_LIMIT);
    cr_expect_gt(asked.bytes, UINT64_C(15000000000));
    cr_expect_eq(asked.after.width, 1);
    const ImgExecLimits pixels = {.max_pixels = 1000000000, .admit = admit, .context = &asked};
    asked.times = 0;
    img_error_clear(&err);
    cr_expect_eq(run(steps, 4, &pixels, &image, &err), IMG_E_LIMIT);
    cr_expect_not_null(strstr(err.message, "resize: 1500000000 x 1 is"), "%s", err.message);
    cr_expect_eq(asked.times, 0);
}

/* Each measured size needs one request for admission. The admitted memory may exceed the plan, and
 * threads may use all of it. */
Test(exec_need, each_measurement_requests_admission)
{
    ImgStep steps[] = {step_of("trim", ""), step_of("pad", "left=1 background=white"),
                       step_of("trim", ""), step_of("resize", "size=50"),
                       step_of("rotate", "angle=7")};
    Asked asked = {.most = UINT64_MAX};
    const ImgExecLimits limits = {.room_bytes = 200000, .admit = admit, .context = &asked};
    ImgImage image;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(run(steps, 5, &limits, &image, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(asked.times, 2);
    cr_expect_eq(asked.after.width, image.view.width);
    cr_expect_eq(asked.after.height, image.view.height);
    img_image_free(&image);
}
