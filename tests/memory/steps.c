/* Random steps (jobs.h). */
#include "tests/memory/jobs.h"

#include <stdio.h>
#include <string.h>

#include "io/expand.h"
#include "kernels/core/params.h"
#include "kernels/pipeline/pipeline.h"
#include "kernels/registry.h"
#include "tests/checkkernels/fill.h"

enum { TRIES = 60, TIMES = 4, ANYWAY = 1 << 16, STEPS_MOST = 6, LONGEST = 4 << 20 };
static const double SECONDS_OF_ALL = 0.25;

static const ImgOp *draw_op(Random *random)
{
    uint32_t count = 0;
    while (img_ops[count] != NULL)
        count++;
    return img_ops[random_below(random, count)];
}

static const char *file_of(const StepFiles *files, const ImgOp *op)
{
    if (strcmp(op->name, "lut") == 0)
        return files->cube;
    return strcmp(op->name, "overlay") == 0 ? files->picture : files->kernel;
}

/* Draws a size with one long and one short side. For such sizes, memory that is proportional to one
 * side is large enough for the test to notice. */
static void draw_thin_size(Random *random, char text[IMG_PARAM_TEXT])
{
    const unsigned longer = 1 + random_below(random, LONGEST), other = 1 + random_below(random, 4);
    const bool wide = random_below(random, 2) == 0;
    snprintf(text, IMG_PARAM_TEXT, "%ux%u", wide ? longer : other, wide ? other : longer);
}

static void draw_param(const StepFiles *files, const ImgOp *op, const ImgParam *param,
                       ImgShape shape, Random *random, ImgParams *params)
{
    char text[IMG_PARAM_TEXT];
    uint32_t choices = 0;
    while (param->type == IMG_PARAM_CHOICE && param->choices[choices].name != NULL)
        choices++;
    if (choices > 0)
        snprintf(text, sizeof text, "%s", param->choices[random_below(random, choices)].name);
    else if (param->type == IMG_PARAM_FILE)
        snprintf(text, sizeof text, "%s", file_of(files, op));
    else if (param->type == IMG_PARAM_SIZE && random_below(random, 4) == 0)
        draw_thin_size(random, text);
    else
        draw_value(param, shape, params, random, text);
    /* An invalid value leaves the parameter unchanged. */
    (void)img_params_set(op, params, param->name, text, NULL);
}

static bool is_moderate(ImgShape src, ImgShape result)
{
    const bool is_thin = result.width <= TIMES || result.height <= TIMES;
    return (int64_t)result.width * result.height <=
           TIMES * (int64_t)src.width * src.height + (is_thin ? LONGEST : ANYWAY);
}

static bool draw_once(const StepFiles *files, ImgShape *shape, double seconds, Random *random,
                      ImgStep *step)
{
    ImgShape result;
    memset(step, 0, sizeof *step);
    step->op = draw_op(random);
    img_params_init(step->op, &step->params);
    for (const ImgParam *param = step->op->params; param->name != NULL; param++)
        if (param->default_value[0] == '\0' ? random_below(random, 2) == 0
                                            : random_below(random, 3) > 0)
            draw_param(files, step->op, param, *shape, random, &step->params);
    ImgShape taken = *shape;
    if (img_op_needs_channels(step->op, step->params.bytes))
        taken = img_expanded_shape(taken, &IMG_METADATA_NONE);
    if (step->op->shape(taken, step->params.bytes, &result, NULL) != IMG_OK ||
        !is_moderate(taken, result) ||
        img_op_cpu_seconds(step->op, taken, step->params.bytes) > seconds)
        return false;
    *shape = result;
    return true;
}

bool step_draw(const StepFiles *files, ImgShape *shape, double seconds, Random *random,
               ImgStep *step)
{
    for (int i = 0; i < TRIES; i++)
        if (draw_once(files, shape, seconds, random, step))
            return true;
    return false;
}

size_t steps_draw(const StepFiles *files, ImgShape shape, size_t most, Random *random,
                  char text[STEPS_TEXT])
{
    ImgStep steps[STEPS_MOST];
    const size_t wanted =
        1 + random_below(random, (uint32_t)(most < STEPS_MOST ? most : STEPS_MOST));
    size_t count = 0;
    while (count < wanted &&
           step_draw(files, &shape, SECONDS_OF_ALL / (double)wanted, random, &steps[count]))
        count++;
    img_pipeline_print(steps, count, text, STEPS_TEXT);
    return count;
}
