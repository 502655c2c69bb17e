/* A helper that makes a step of a pipeline for tests. */
#ifndef IMGTOOL_TESTS_UNIT_TEST_STEP_H
#define IMGTOOL_TESTS_UNIT_TEST_STEP_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

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
