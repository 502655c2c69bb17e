/* Runs steps on pixels in the caller's device memory, with the caller's stream and workspace. */
#include <string.h>

#include "kernels/core/exec/exec_priv.h"

/* --- Memory ----------------------------------------------------------------------------------- */

static size_t round_up(size_t bytes)
{
    enum { ALIGNMENT = 256 };
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t image_bytes(ImgShape shape)
{
    return round_up(img_device_pitch(shape) * (size_t)shape.height);
}

static size_t pass_workspace(const ImgPass *pass)
{
    const ImgImpl *impl = pass->impl;
    return impl->workspace != NULL ? round_up(impl->workspace(pass->op, pass->src, pass->params))
                                   : 0;
}

/* Computes the layout of the workspace: the constants of all passes, two images that passes write
 * in turn, and the scratch memory of the pass that needs most. */
static void lay_out(const ImgPlan *plan, ImgDeviceLayout *layout)
{
    size_t image[2] = {0, 0}, workspace = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const size_t own = pass_workspace(&plan->passes[i]);
        workspace = own > workspace ? own : workspace;
        if (i + 1 == plan->count)
            break;
        const size_t result = image_bytes(plan->passes[i].dst);
        image[i % 2] = result > image[i % 2] ? result : image[i % 2];
    }
    layout->image[0] = img_sent_bytes(plan, 0);
    layout->image[1] = layout->image[0] + image[0];
    layout->workspace = layout->image[1] + image[1];
    layout->bytes = layout->workspace + workspace;
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* Makes a plan for the CUDA backend. If it returns IMG_OK, the caller must end the plan with
 * img_kept_put. */
static ImgStatus make_plan(ImgExec *exec, const ImgExecConfig *config, ImgStep *steps, size_t count,
                           ImgShape src, ImgPlan *plan, ImgError *err)
{
    if (img_steps_measure(steps, count))
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "a step makes a result whose size depends on pixels, which are not waited "
                        "for");
    return img_plan_make(config, steps, count, src, IMG_BACKEND_CUDA, NULL, &exec->kept, plan, err);
}

/* Makes the executor's device the current one of the thread. Call it before a plan is made, because
 * implementations query the current device. */
static ImgStatus enter(const ImgExec *exec, int *before, ImgError *err)
{
    return img_cuda_enter(exec->config.device, before, err);
}

ImgStatus img_exec_queue_bytes(ImgExec *exec, ImgStep *steps, size_t count, ImgShape src,
                               size_t *bytes, ImgError *err)
{
    int before;
    ImgPlan plan;
    ImgDeviceLayout layout;
    const ImgExecConfig config = {.backend = IMG_BACKEND_CUDA, .threads = 1};
    *bytes = 0;
    ImgStatus status = enter(exec, &before, err);
    if (status != IMG_OK)
        return status;
    status = make_plan(exec, &config, steps, count, src, &plan, err);
    if (status == IMG_OK) {
        lay_out(&plan, &layout);
        *bytes = layout.bytes;
        img_kept_put(&exec->kept, steps, count, &plan);
    }
    img_cuda_leave(before);
    return status;
}

static ImgStatus check_aligned(const char *name, const ImgView *view, ImgError *err)
{
    if ((uintptr_t)view->data % IMG_DEVICE_ALIGNMENT == 0 &&
        view->stride % IMG_DEVICE_ALIGNMENT == 0)
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE, "%s: rows on a device start at multiples of %d bytes", name,
                    (int)IMG_DEVICE_ALIGNMENT);
}

static ImgStatus check_run(const ImgPlan *plan, const ImgDeviceRun *run, ImgError *err)
{
    const ImgShape to = img_view_shape(&run->to);
    const ImgShape after =
        plan->count > 0 ? plan->passes[plan->count - 1].dst : img_view_shape(&run->from);
    ImgStatus status = check_aligned("from", &run->from, err);
    if (status == IMG_OK)
        status = check_aligned("to", &run->to, err);
    if (status != IMG_OK)
        return status;
    if (to.width != after.width || to.height != after.height ||
        to.format.color != after.format.color || to.format.bits != after.format.bits)
        return img_fail(err, IMG_E_USAGE, "to: the result is %d x %d pixels, %s of %d bits",
                        after.width, after.height, img_color_name(after.format.color),
                        after.format.bits);
    return IMG_OK;
}

static ImgStatus queue(const ImgPlan *plan, const ImgDeviceRun *run, ImgError *err)
{
    ImgDeviceLayout layout;
    ImgStatus status = check_run(plan, run, err);
    if (status != IMG_OK)
        return status;
    lay_out(plan, &layout);
    if (layout.bytes > 0 && run->workspace == NULL)
        return img_fail(err, IMG_E_USAGE, "there is no workspace, of which %zu bytes are needed",
                        layout.bytes);
    return img_cuda_queue(plan, &layout, run, err);
}

ImgStatus img_exec_queue(ImgExec *exec, ImgStep *steps, size_t count, const ImgDeviceRun *run,
                         ImgError *err)
{
    int before;
    ImgPlan plan;
    const ImgExecConfig config = {.backend = IMG_BACKEND_CUDA, .threads = 1};
    ImgStatus status = enter(exec, &before, err);
    if (status != IMG_OK)
        return status;
    status = make_plan(exec, &config, steps, count, img_view_shape(&run->from), &plan, err);
    if (status == IMG_OK) {
        status = queue(&plan, run, err);
        img_kept_put(&exec->kept, steps, count, &plan);
    }
    img_cuda_leave(before);
    return status;
}
