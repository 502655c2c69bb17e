/* See steps.h. */
#include "tests/checkkernels/steps.h"

#include <stdio.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"

/* The step with combination `number` of choices; false past the last. */
static bool print_step(const ImgOp *op, int number)
{
    char step[256];
    size_t used = (size_t)snprintf(step, sizeof step, "%s", op->name);
    for (const ImgParam *param = op->params; param->name != NULL && used < sizeof step; param++) {
        int choices = 0;
        if (param->type != IMG_PARAM_CHOICE)
            continue;
        while (param->choices[choices].name != NULL)
            choices++;
        if (choices == 0)
            continue;
        used += (size_t)snprintf(step + used, sizeof step - used, " %s=%s", param->name,
                                 param->choices[number % choices].name);
        number /= choices;
    }
    if (number == 0)
        puts(step);
    return number == 0;
}

void steps_list(void)
{
    for (size_t i = 0; img_ops[i] != NULL; i++)
        for (int number = 0; print_step(img_ops[i], number);)
            number++;
}
