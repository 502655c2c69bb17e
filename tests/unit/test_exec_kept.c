/* Tests of the constants of steps that an executor keeps between pictures. They are made only once
 * while the steps and the format stay the same. They are never used for other steps. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

/* --- An operation that adds its constant ------------------------------------------------------ */

/* Number of calls of prepare. Each test runs in its own process, so the number starts at 0. */
static int prepared;

static ImgStatus same_shape(ImgShape src, const void *params, ImgShape *dst, ImgError *err)
{
    (void)params, (void)err;
    *dst = src;
    return IMG_OK;
}

static ImgStatus prepare(const ImgOp *op, ImgShape src, const void *params, ImgConstants *constants,
                         ImgError *err)
{
    (void)op, (void)err;
    prepared++;
    uint8_t *byte = malloc(1);
    cr_assert_not_null(byte);
    *byte = (uint8_t)(*(const int32_t *)params + src.format.bits);
    *constants = (ImgConstants){byte, 1};
    return IMG_OK;
}

static ImgStatus prepare_size(const ImgOp *op, ImgShape src, const void *params,
                              ImgConstants *constants, ImgError *err)
{
    src.format.bits = 10 * src.width + src.height;
    return prepare(op, src, params, constants, err);
}

static ImgStatus add(const ImgCall *call, ImgError *err)
{
    (void)err;
    call->dst.data[0] = (uint8_t)(call->src.data[0] + *(const uint8_t *)call->constants.bytes);
    return IMG_OK;
}

static ImgStatus read_nothing(const char *text, size_t size, ImgConstants *content, ImgError *err)
{
    (void)text, (void)size, (void)content, (void)err;
    return IMG_OK;
}

static const ImgImpl impls[] = {{.name = "cpu", .backend = IMG_BACKEND_CPU, .note = "", .run = add},
                                {.name = NULL}};
static const ImgParam no_params[] = {{.name = NULL}};
static const ImgOp adding = {.name = "adding",
                             .params = no_params,
                             .params_size = sizeof(int32_t),
                             .shape = same_shape,
                             .constants = {.prepare = prepare},
                             .impls = impls};
static const ImgOp reading = {.name = "reading",
                              .params = no_params,
                              .params_size = sizeof(int32_t),
                              .shape = same_shape,
                              .file = {.read = read_nothing},
                              .constants = {.prepare = prepare},
                              .impls = impls};

static const ImgOp sizing = {.name = "sizing",
                             .params = no_params,
                             .params_size = sizeof(int32_t),
                             .shape = same_shape,
                             .constants = {.prepare = prepare_size, .need_size = true},
                             .impls = impls};

static ImgStep step_of(const ImgOp *op, int32_t value)
{
    ImgStep step = {.op = op};
    memcpy(step.params.bytes, &value, sizeof value);
    return step;
}

static ImgExec *make_exec(void)
{
    ImgExec *exec;
    const ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 1};
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    return exec;
}

/* Runs the steps on a picture whose first pixel is 1. Returns the value of that pixel
 * afterwards. */
static int run_shape(ImgExec *exec, ImgStep *steps, size_t count, ImgShape shape)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc(shape, &image, NULL), IMG_OK);
    image.view.data[0] = 1;
    cr_assert_eq(img_exec_run(exec, steps, count, &image, NULL, NULL), IMG_OK);
    const int result = image.view.data[0];
    img_image_free(&image);
    return result;
}

static int run(ImgExec *exec, ImgStep *steps, size_t count, int bits)
{
    return run_shape(exec, steps, count, (ImgShape){1, 1, {IMG_COLOR_GRAY, bits}});
}

Test(exec_kept, constants_are_made_once_while_steps_and_format_stay)
{
    ImgExec *exec = make_exec();
    ImgStep steps[] = {step_of(&adding, 10), step_of(&adding, 20)};
    for (int i = 0; i < 3; i++)
        cr_expect_eq(run(exec, steps, 2, 8), 1 + 18 + 28);
    cr_expect_eq(prepared, 2);
    img_exec_destroy(exec);
}

Test(exec_kept, other_parameters_formats_and_counts_need_new_constants)
{
    ImgExec *exec = make_exec();
    ImgStep steps[] = {step_of(&adding, 10), step_of(&adding, 20)};
    ImgStep others[] = {step_of(&adding, 10), step_of(&adding, 21)};
    cr_expect_eq(run(exec, steps, 2, 8), 1 + 18 + 28);
    cr_expect_eq(run(exec, others, 2, 8), 1 + 18 + 29);
    cr_expect_eq(run(exec, others, 2, 16), 1 + 26 + 37);
    cr_expect_eq(run(exec, others, 1, 16), 1 + 26);
    cr_expect_eq(run(exec, steps, 2, 8), 1 + 18 + 28);
    cr_expect_eq(prepared, 2 + 2 + 2 + 1 + 2);
    img_exec_destroy(exec);
}

/* The constants of the first step depend only on the format. The constants of the second step
 * depend also on the size. */
Test(exec_kept, other_sizes_need_new_constants_if_they_depend_on_the_size)
{
    static const ImgFormat gray = {IMG_COLOR_GRAY, 8};
    ImgExec *exec = make_exec();
    ImgStep plain[] = {step_of(&adding, 10)};
    ImgStep steps[] = {step_of(&adding, 10), step_of(&sizing, 0)};
    cr_expect_eq(run_shape(exec, plain, 1, (ImgShape){3, 2, gray}), 1 + 18);
    cr_expect_eq(run_shape(exec, plain, 1, (ImgShape){4, 2, gray}), 1 + 18);
    cr_expect_eq(prepared, 1);
    for (int i = 0; i < 2; i++)
        cr_expect_eq(run_shape(exec, steps, 2, (ImgShape){3, 2, gray}), 1 + 18 + 32);
    cr_expect_eq(prepared, 1 + 2);
    cr_expect_eq(run_shape(exec, steps, 2, (ImgShape){4, 2, gray}), 1 + 18 + 42);
    cr_expect_eq(run_shape(exec, steps, 2, (ImgShape){4, 5, gray}), 1 + 18 + 45);
    cr_expect_eq(prepared, 1 + 2 + 4);
    img_exec_destroy(exec);
}

/* An address does not identify the content of a file. The content may have been freed, and other
 * content may now have the same address. */
Test(exec_kept, constants_are_not_kept_if_a_step_reads_a_file)
{
    ImgExec *exec = make_exec();
    ImgStep steps[] = {step_of(&adding, 10), step_of(&reading, 20)};
    for (int i = 0; i < 2; i++)
        cr_expect_eq(run(exec, steps, 2, 8), 1 + 18 + 28);
    cr_expect_eq(prepared, 4);
    img_exec_destroy(exec);
}

/* --- Point operations that share passes ------------------------------------------------------- */

static ImgStep real_step(const char *name, const char *param, const char *value)
{
    ImgStep step;
    cr_assert_eq(img_op_find(name, &step.op, NULL), IMG_OK);
    img_params_init(step.op, &step.params);
    cr_assert_eq(img_params_set(step.op, &step.params, param, value, NULL), IMG_OK);
    return step;
}

Test(exec_kept, joined_passes_stay_joined)
{
    ImgStep steps[] = {real_step("gamma", "value", "2"), real_step("median", "radius", "1"),
                       real_step("brightness", "value", "10"),
                       real_step("contrast", "factor", "0.5")};
    ImgExec *exec = make_exec();
    ImgRunReport first, second;
    ImgImage images[2];
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(img_image_alloc((ImgShape){7 + i, 5, {IMG_COLOR_RGB, 16}}, &images[i], NULL),
                     IMG_OK);
        memset(images[i].view.data, 0x31, images[i].size);
        cr_assert_eq(img_exec_run(exec, steps, 4, &images[i], i == 0 ? &first : &second, NULL),
                     IMG_OK);
    }
    cr_expect_eq(first.count, 3);
    cr_expect_eq(second.count, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(first.passes[i].first, second.passes[i].first);
        cr_expect_eq(first.passes[i].steps, second.passes[i].steps);
    }
    cr_expect_eq(images[1].view.width, 8);
    cr_expect_eq(memcmp(images[0].view.data, images[1].view.data, 6), 0);
    img_image_free(&images[0]);
    img_image_free(&images[1]);
    img_exec_destroy(exec);
}
