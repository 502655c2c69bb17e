/* The part of a run that concerns the caller: the pixels that it provides, the memory for its
 * result, and its progress callback. */
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

void img_held_put(ImgHeld *held, const ImgImage *result, bool is_in_to)
{
    if (!held->is_borrowed)
        img_image_free(&held->image);
    held->image = *result;
    held->is_borrowed = is_in_to;
}

ImgStatus img_held_place(const ImgHeld *held, ImgShape shape, ImgImage *result, ImgError *err)
{
    const ImgView *to = held->to;
    const bool is_palette = shape.format.color == IMG_COLOR_PALETTE;
    const bool fits =
        shape.width <= to->width && shape.height <= to->height &&
        shape.format.color == to->format.color &&
        (is_palette ? shape.format.bits <= to->format.bits : shape.format.bits == to->format.bits);
    if (!fits)
        return img_fail(err, IMG_E_USAGE,
                        "the result is %d x %d pixels, %s of %d bits, and there is room for %d x "
                        "%d, %s of %d bits",
                        shape.width, shape.height, img_color_name(shape.format.color),
                        shape.format.bits, to->width, to->height, img_color_name(to->format.color),
                        to->format.bits);
    *result = (ImgImage){.view = img_view_make(to->data, to->stride, shape)};
    return IMG_OK;
}

/* Copies the result to its destination if it is not there yet: to memory of the caller (held->to),
 * or to new memory if the caller provided none. The result may be elsewhere for two reasons. If no
 * pass changed anything, the held picture is still the caller's source. If a measuring pass
 * followed the pass that made the result, it was not known yet that the later steps would change
 * nothing; so the result is in memory of the run. */
static ImgStatus settle(ImgHeld *held, ImgError *err)
{
    ImgImage result = IMG_IMAGE_NONE;
    const bool is_there =
        held->to != NULL ? held->image.view.data == held->to->data : !held->is_borrowed;
    if (is_there)
        return IMG_OK;
    const ImgShape shape = img_view_shape(&held->image.view);
    ImgStatus status = held->to != NULL ? img_held_place(held, shape, &result, err)
                                        : img_image_alloc(shape, &result, err);
    if (status != IMG_OK)
        return status;
    img_view_copy(&held->image.view, &result.view);
    img_held_put(held, &result, held->to != NULL);
    return IMG_OK;
}

ImgStatus img_exec_run_view(ImgExec *exec, ImgStep *steps, size_t count, const ImgView *from,
                            ImgView *to, ImgImage *result, ImgRunReport *report, ImgError *err)
{
    ImgHeld held = {
        .image = {.view = *from}, .is_borrowed = true, .to = to->data != NULL ? to : NULL};
    *result = IMG_IMAGE_NONE;
    ImgStatus status = img_exec_run_held(exec, steps, count, &held, report, err);
    if (status == IMG_OK)
        status = settle(&held, err);
    if (status == IMG_OK && held.to != NULL)
        *to = held.image.view;
    else if (status == IMG_OK)
        *result = held.image;
    else if (!held.is_borrowed)
        img_image_free(&held.image);
    return status;
}

ImgStatus img_plan_progress(const ImgPlan *plan, size_t done, ImgError *err)
{
    ImgExec *exec = plan->exec;
    if (exec == NULL || exec->progress.passed == NULL)
        return IMG_OK;
    ImgStatus status = exec->progress.passed(exec->progress.context, done, plan->count, err);
    exec->stopped = status != IMG_OK;
    return status;
}
