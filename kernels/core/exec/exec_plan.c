/* Which implementation does each step, on the backend that was asked for or chosen. */
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/select.h"

/* The implementation asked for by name decides the backend, unless the two contradict each other.
 */
static ImgStatus find_named(const ImgExecConfig *config, const ImgStep *step, const ImgImpl **impl,
                            ImgError *err)
{
    ImgStatus status = img_impl_find(step->op, config->impl, impl, err);
    if (status == IMG_OK && config->backend != IMG_BACKEND_AUTO &&
        config->backend != (*impl)->backend)
        return img_fail(err, IMG_E_USAGE,
                        "%s: implementation '%s' runs on %s, and --backend asks for %s; leave one "
                        "of them out",
                        step->op->name, (*impl)->name, img_backend_name((*impl)->backend),
                        img_backend_name(config->backend));
    return status;
}

static ImgStatus find_impl(const ImgExecConfig *config, const ImgStep *step, ImgBackend backend,
                           ImgShape src, const ImgImpl **impl, ImgError *err)
{
    if (config->impl == NULL)
        return img_impl_fastest(step->op, backend, src, step->params.bytes, impl, err);
    ImgStatus status = find_named(config, step, impl, err);
    return status == IMG_OK ? img_impl_check(step->op, *impl, src, step->params.bytes, err)
                            : status;
}

ImgStatus img_plan_make(const ImgExecConfig *config, const ImgStep *steps, size_t count,
                        ImgShape src, ImgBackend backend, ImgPlan *plan, ImgError *err)
{
    if (count > IMG_STEPS_MAX)
        return img_fail(err, IMG_E_USAGE, "%zu steps are more than the %d that one run can take",
                        count, IMG_STEPS_MAX);
    *plan = (ImgPlan){.steps = steps, .count = count};
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        status = find_impl(config, &steps[i], backend, src, &plan->impls[i], err);
        if (status == IMG_OK && plan->impls[i]->backend != plan->impls[0]->backend)
            status = img_fail(err, IMG_E_USAGE,
                              "implementation '%s' is a different backend's in %s and %s",
                              config->impl, steps[0].op->name, steps[i].op->name);
        ImgShape dst;
        if (status == IMG_OK)
            status = steps[i].op->shape(src, steps[i].params.bytes, &dst, err);
        if (status == IMG_OK)
            src = dst;
    }
    return status;
}

ImgBackend img_plan_backend(const ImgExecConfig *config, const ImgStep *steps, size_t count)
{
    const ImgImpl *impl;
    if (config->impl != NULL && count > 0 &&
        img_impl_find(steps[0].op, config->impl, &impl, NULL) == IMG_OK)
        return impl->backend;
    return config->backend;
}
