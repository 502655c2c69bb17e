#include "app/montage/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"

enum { OURS = 3 };

typedef struct Value {
    const char *param, *text; /* name of a parameter, and its value as text */
} Value;

static ImgStatus append(CellSteps *steps, const char *name, const Value *values, size_t count,
                        ImgError *err)
{
    ImgStep *step = &steps->steps[steps->count];
    ImgStatus status = img_op_find(name, &step->op, err);
    if (status != IMG_OK)
        return status;
    img_params_init(step->op, &step->params);
    for (size_t i = 0; status == IMG_OK && i < count; i++)
        status = img_params_set(step->op, &step->params, values[i].param, values[i].text, err);
    steps->count++;
    return status;
}

static const char *gravity_name(int32_t gravity)
{
    const ImgChoice *choice = img_gravity_choices;
    while (choice->value != gravity)
        choice++;
    return choice->name;
}

static ImgStatus append_resize(CellSteps *steps, const SheetGrid *grid, const Settings *settings,
                               ImgError *err)
{
    static const char *const fits[] = {
        [CELL_FIT_INSIDE] = "inside", [CELL_FIT_COVER] = "cover", [CELL_FIT_FILL] = "fill"};
    char size[32];
    snprintf(size, sizeof size, "%dx%d", grid->cell_width, grid->cell_height);
    const Value values[] = {{"size", size},
                            {"fit", fits[settings->cell_fit]},
                            {"gravity", gravity_name(settings->gravity)},
                            {"only", settings->enlarge != 0 ? "any" : "shrink"}};
    return append(steps, "resize", values, sizeof values / sizeof *values, err);
}

ImgStatus cell_steps_make(const ImgStep *own, size_t own_count, const SheetGrid *grid,
                          const Settings *settings, CellSteps *steps, ImgError *err)
{
    static const Value eight_bits = {"bits", "8"};
    if (own_count > IMG_STEPS_MAX - OURS)
        return img_fail(err, IMG_E_USAGE, "--steps has %zu steps; a sheet takes up to %d",
                        own_count, IMG_STEPS_MAX - OURS);
    steps->steps = calloc(own_count + OURS, sizeof *steps->steps);
    if (steps->steps == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    ImgStatus status = append(steps, "autorotate", NULL, 0, err);
    if (status != IMG_OK)
        return status;
    if (own_count > 0)
        memcpy(steps->steps + steps->count, own, own_count * sizeof *own);
    steps->count += own_count;
    status = append_resize(steps, grid, settings, err);
    return status == IMG_OK ? append(steps, "depth", &eight_bits, 1, err) : status;
}

void cell_steps_free(CellSteps *steps)
{
    free(steps->steps);
    *steps = (CellSteps){NULL, 0};
}
