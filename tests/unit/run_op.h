/* Runs an operation on a picture for the tests of operations. It runs every implementation that
 * this processor supports, whole and row by row, and fails the test if two results differ.
 * A program that uses only step_of need not link run_op.c. */
#ifndef IMGTOOL_TESTS_UNIT_RUN_OP_H
#define IMGTOOL_TESTS_UNIT_RUN_OP_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/op.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

/* Runs operation `name` on a picture. `options` are written as "sigma=2 border=wrap". Samples are
 * packed without gaps. A palette has two colours: black and red. Fails the test if the operation
 * rejects the options or the picture. The caller frees the result. */
void *run_op(const char *name, const char *options, ImgShape src, const void *samples,
             ImgShape *result);

/* Returns the sample of channel `c` at column `x` and row `y` of a picture whose rows have no
 * padding. */
uint32_t sample_of(const void *samples, ImgShape shape, int32_t x, int32_t y, int c);

/* Like sample_of, but also for positions outside the picture, where the border mode `border`
 * chooses the sample. Returns 0 there if the border is constant. */
double sample_beyond(const void *samples, ImgShape shape, int32_t x, int32_t y, int c,
                     int32_t border);

/* The names of the border modes. The index is the value of the enum constant. */
extern const char *const border_names[4];

/* Runs a filter with a border option on an opaque RGBA picture and on the same picture without
 * alpha. Colours may differ by at most `most` units of a sample, and alpha must stay opaque. */
void expect_opaque_alike(const char *name, const char *options, int bits, uint32_t most);

/* Returns the largest absolute difference between corresponding samples of two pictures of this
 * shape. */
uint32_t farthest(const void *a, const void *b, ImgShape shape);

/* Returns a picture of random samples, which use all values of the bit depth. The caller frees
 * it. */
void *random_picture(ImgShape shape, uint32_t seed);

/* Returns the step of operation `name`. `options` are written as "sigma=2 border=wrap". */
static inline ImgStep step_of(const char *name, const char *options)
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

#endif
