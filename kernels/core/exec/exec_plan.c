/* Which passes do the steps: the implementation of each on the backend that was asked for or
 * chosen, and point operations that follow each other as one. */
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/point/points.h"
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

/* --- Point operations ------------------------------------------------------------------------- */

/* No operation has more stages than this. */
enum { STAGES_OF_ONE = 6 };

/* As many as follow each other, and fit, joined into one pass. */
static ImgStatus join_points(const ImgStep *steps, size_t first, size_t count, ImgPass *pass,
                             ImgPoints *points, ImgError *err)
{
    ImgStatus status = IMG_OK;
    ImgShape shape = pass->src;
    for (size_t i = first; status == IMG_OK && i < count; i++) {
        if (!img_op_is_points(steps[i].op, steps[i].params.bytes) ||
            points->count > IMG_POINT_STAGES_MAX - STAGES_OF_ONE)
            break;
        status = steps[i].op->shape(shape, steps[i].params.bytes, &shape, err);
        if (status == IMG_OK)
            status = steps[i].op->points(steps[i].params.bytes, points, err);
        if (status == IMG_OK)
            status = img_points_compose(points, err);
        pass->steps++;
    }
    pass->dst = shape;
    if (pass->steps > 1)
        pass->op = &img_op_points;
    return status;
}

static ImgStatus plan_points(const ImgStep *steps, size_t first, size_t count, ImgPass *pass,
                             ImgError *err)
{
    ImgPoints points = img_points_start(pass->src.format);
    ImgStatus status = join_points(steps, first, count, pass, &points, err);
    if (status == IMG_OK)
        status = img_points_pack(&points, &pass->constants, err);
    img_points_free(&points);
    return status;
}

/* --- Passes ----------------------------------------------------------------------------------- */

static ImgStatus plan_new(const ImgStep *steps, size_t first, size_t count, ImgPass *pass,
                          ImgError *err)
{
    const ImgStep *step = &steps[first];
    if (img_op_is_points(step->op, step->params.bytes))
        return plan_points(steps, first, count, pass, err);
    pass->steps = 1;
    ImgStatus status = step->op->shape(pass->src, step->params.bytes, &pass->dst, err);
    return status == IMG_OK
               ? img_op_prepare(step->op, pass->src, step->params.bytes, &pass->constants, err)
               : status;
}

/* Pass `number`, as it was planned for the picture before. */
static ImgStatus plan_again(const ImgStep *steps, size_t first, ImgKept *kept, size_t number,
                            ImgPass *pass, ImgError *err)
{
    ImgStatus status = IMG_OK;
    pass->steps = img_kept_take(kept, number, &pass->constants);
    pass->dst = pass->src;
    for (size_t i = first; status == IMG_OK && i < first + pass->steps; i++)
        status = steps[i].op->shape(pass->dst, steps[i].params.bytes, &pass->dst, err);
    if (pass->steps > 1)
        pass->op = &img_op_points;
    return status;
}

static ImgStatus plan_passes(const ImgExecConfig *config, const ImgStep *steps, size_t count,
                             ImgShape src, ImgBackend backend, ImgKept *kept, ImgPlan *plan,
                             ImgError *err)
{
    ImgStatus status = IMG_OK;
    const bool again = img_kept_are_for(kept, steps, count, src);
    for (size_t i = 0; status == IMG_OK && i < count;) {
        const size_t number = plan->count++;
        ImgPass *pass = &plan->passes[number];
        *pass =
            (ImgPass){.op = steps[i].op, .params = steps[i].params.bytes, .src = src, .first = i};
        status = find_impl(config, &steps[i], backend, src, &pass->impl, err);
        if (status == IMG_OK)
            status = again ? plan_again(steps, i, kept, number, pass, err)
                           : plan_new(steps, i, count, pass, err);
        if (status == IMG_OK && pass->impl->backend != plan->passes[0].impl->backend)
            status = img_fail(err, IMG_E_USAGE,
                              "implementation '%s' is a different backend's in %s and %s",
                              config->impl, steps[0].op->name, steps[i].op->name);
        src = pass->dst;
        i += pass->steps;
    }
    return status;
}

ImgStatus img_plan_make(const ImgExecConfig *config, const ImgStep *steps, size_t count,
                        ImgShape src, ImgBackend backend, ImgKept *kept, ImgPlan *plan,
                        ImgError *err)
{
    plan->count = 0;
    if (count > IMG_STEPS_MAX)
        return img_fail(err, IMG_E_USAGE, "%zu steps are more than the %d that one run can take",
                        count, IMG_STEPS_MAX);
    const ImgStatus status = plan_passes(config, steps, count, src, backend, kept, plan, err);
    if (status != IMG_OK) {
        img_plan_free(plan);
        img_kept_free(kept); /* some of it was taken */
    }
    return status;
}

void img_plan_free(ImgPlan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        img_constants_free(&plan->passes[i].constants);
    plan->count = 0;
}

ImgBackend img_plan_backend(const ImgExecConfig *config, const ImgStep *steps, size_t count)
{
    const ImgImpl *impl;
    if (config->impl != NULL && count > 0 &&
        img_impl_find(steps[0].op, config->impl, &impl, NULL) == IMG_OK)
        return impl->backend;
    return config->backend;
}
