/* What plans say of memory: logos, threads of their own, and rows that are not lifted. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

enum { STEPS_MOST = 8 };

static ImgStep step_of(const char *name, const char *options)
{
    ImgStep step = {.held = 0};
    ImgError err = {IMG_OK, ""};
    char param[64], value[64];
    int used = 0;
    cr_assert_eq(img_op_find(name, &step.op, &err), IMG_OK, "%s", err.message);
    img_params_init(step.op, &step.params);
    for (const char *at = options; sscanf(at, " %63[^=]=%63s%n", param, value, &used) == 2;
         at += used)
        cr_assert_eq(img_params_set(step.op, &step.params, param, value, &err), IMG_OK, "%s",
                     err.message);
    return step;
}

static uint64_t planned(const ImgStep *steps, size_t count, ImgShape src, int threads)
{
    ImgStep copies[STEPS_MOST];
    ImgShape dst;
    uint64_t peak = 0;
    ImgError err = {IMG_OK, ""};
    memcpy(copies, steps, count * sizeof *steps);
    cr_assert_eq(img_steps_plan(copies, count, src, &(ImgFacts){0}, (ImgRoom){threads, UINT64_MAX},
                                &dst, &peak, &err),
                 IMG_OK, "%s", err.message);
    return peak;
}

/* --- Constants -------------------------------------------------------------------------------- */

/* Those of all steps are there together. */
Test(exec_need, logos)
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

/* --- Threads ---------------------------------------------------------------------------------- */

/* 240,000 bytes, but 720,000 that are read or written, which are worth threads. */
Test(exec_need, clahe_counts_the_threads_that_run)
{
    const ImgStep step = step_of("clahe", "tiles=8");
    const ImgShape src = {600, 400, {IMG_COLOR_GRAY, 8}};
    cr_expect_eq(planned(&step, 1, src, 9) - planned(&step, 1, src, 1), 8 * 8 * 256 * 4);
    const ImgShape little = {400, 400, {IMG_COLOR_GRAY, 8}};
    cr_expect_eq(planned(&step, 1, little, 9), planned(&step, 1, little, 1));
}

/* A box of 65536 lifted pixels each. The result has 5 x 4 tiles of 128 x 128. */
Test(exec_need, tiles_of_maps_have_threads_of_their_own)
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

/* Rows are weighed as they are in the picture, unless they have to be lifted. */
Test(exec_need, blur_keeps_rows_only_where_it_lifts_them)
{
    const ImgShape row = {4000000, 1, {IMG_COLOR_GRAY, 8}};
    const ImgShape alpha = {4000000, 1, {IMG_COLOR_GRAY_ALPHA, 8}};
    const ImgStep blur = step_of("blur", "sigma=200"), sharpen = step_of("sharpen", "sigma=200"),
                  constant = step_of("blur", "sigma=200 border=constant");
    const uint64_t kept = UINT64_C(4000000) * 4 * 64 * sizeof(int16_t); /* rows of 4 groups of 64 */
    cr_expect_lt(planned(&blur, 1, row, 1), kept / 10);
    cr_expect_lt(planned(&sharpen, 1, row, 1), kept / 10);
    cr_expect_gt(planned(&constant, 1, row, 1), kept);
    cr_expect_gt(planned(&blur, 1, alpha, 1), 2 * kept);
}
