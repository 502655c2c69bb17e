/* Plans the passes that perform the steps: finds an implementation of each step for the backend,
 * and joins adjacent point operations. */
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/minmax.h"
#include "kernels/core/select.h"
#include "kernels/point/points.h"

/* Finds the implementation with the requested name (config->impl). Fails if the implementation
 * belongs to a backend other than the requested one. */
static ImgStatus find_named(const ImgExecConfig *config, const ImgStep *step, const ImgImpl **impl,
                            ImgError *err)
{
    ImgStatus status = img_impl_find(step->op, config->impl, impl, err);
    if (status == IMG_OK && config->backend != IMG_BACKEND_AUTO &&
        config->backend != (*impl)->backend)
        return img_fail(
            err, IMG_E_USAGE,
            "%s: implementation '%s' runs on %s, and the backend option asks for %s; leave "
            "one of them out",
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

/* Plans one pass for as many adjacent point operations, from step `first` on, as fit into it. */
static ImgStatus plan_points(const ImgStep *steps, size_t first, size_t count, ImgPass *pass,
                             ImgError *err)
{
    ImgPoints points = img_points_start(pass->src.format);
    ImgShape shape = pass->src;
    ImgStatus status =
        img_points_join(steps + first, count - first, &points, &shape, &pass->steps, err);
    pass->dst = shape;
    if (pass->steps > 1)
        pass->op = &img_op_points;
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
    if (pass->is_points)
        return plan_points(steps, first, count, pass, err);
    pass->steps = 1;
    ImgStatus status = step->op->shape(pass->src, step->params.bytes, &pass->dst, err);
    return status == IMG_OK
               ? img_op_prepare(step->op, pass->src, step->params.bytes, &pass->constants, err)
               : status;
}

/* Plans the pass with index `number`, from step `first` on, with the constants that were kept from
 * the previous picture. */
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

/* If an earlier pass over the source has measured constants for this pass, replaces the constants
 * of the pass by a copy of them. */
static ImgStatus copy_measured(const ImgMeasured *measured, ImgPass *pass, ImgError *err)
{
    const ImgConstants *from = &measured->of[pass->first].constants;
    if (from->bytes == NULL)
        return IMG_OK;
    img_constants_free(&pass->constants);
    pass->constants = (ImgConstants){malloc(from->size), from->size};
    if (pass->constants.bytes == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    memcpy(pass->constants.bytes, from->bytes, from->size);
    return IMG_OK;
}

/* Plans the next pass. `kept` contains constants that an earlier plan has computed for the same
 * steps; if it is NULL, the constants are computed now. */
static ImgStatus plan_step(ImgPlan *plan, ImgShape src, ImgKept *kept, ImgError *err)
{
    const size_t number = plan->count++, first = plan->next;
    const ImgStep *step = &plan->steps[first];
    ImgPass *pass = &plan->passes[number];
    *pass =
        (ImgPass){.op = step->op, .params = step->params.bytes, .src = src, .first = plan->next};
    pass->is_points = img_op_is_points(step->op, step->params.bytes);
    ImgStatus status = find_impl(plan->config, step, plan->backend, src, &pass->impl, err);
    if (status == IMG_OK)
        status = kept != NULL ? plan_again(plan->steps, first, kept, number, pass, err)
                              : plan_new(plan->steps, first, plan->step_count, pass, err);
    if (status == IMG_OK && plan->measured != NULL)
        status = copy_measured(plan->measured, pass, err);
    if (status == IMG_OK && pass->impl->backend != plan->passes[0].impl->backend)
        status =
            img_fail(err, IMG_E_USAGE, "implementation '%s' means different backends in %s and %s",
                     plan->config->impl, plan->steps[0].op->name, step->op->name);
    plan->next += pass->steps;
    return status;
}

/* Finds the implementation of the measurement that a step needs. It is the one whose name the user
 * requested, if the measurement has an implementation of that name. Otherwise it is the fastest
 * one. */
static ImgStatus find_measuring(const ImgPlan *plan, const ImgStep *step, ImgShape src,
                                const ImgImpl **impl, ImgError *err)
{
    const ImgImpl *own;
    ImgStatus status = find_impl(plan->config, step, plan->backend, src, &own, err);
    if (status != IMG_OK)
        return status;
    if (plan->config->impl != NULL &&
        img_impl_find(step->op->measured.by, own->name, impl, NULL) == IMG_OK)
        return IMG_OK;
    return img_impl_fastest(step->op->measured.by, own->backend, src, step->params.bytes, impl,
                            err);
}

static ImgStatus plan_measuring(ImgPlan *plan, ImgShape src, ImgError *err)
{
    const ImgStep *step = &plan->steps[plan->next];
    ImgPass *pass = &plan->passes[plan->count++];
    *pass = (ImgPass){
        .op = step->op->measured.by, .params = step->params.bytes, .src = src, .first = plan->next};
    ImgStatus status = find_measuring(plan, step, src, &pass->impl, err);
    return status == IMG_OK ? pass->op->shape(src, pass->params, &pass->dst, err) : status;
}

/* Plans passes up to the next step that needs a measurement. If is_measured, the measurement of the
 * first step is already done. */
static ImgStatus plan_passes(ImgPlan *plan, ImgShape src, bool is_measured, ImgKept *kept,
                             ImgError *err)
{
    ImgStatus status = IMG_OK;
    while (status == IMG_OK && plan->next < plan->step_count) {
        const bool was_measured = plan->measured != NULL && plan->next < plan->measured->steps;
        if (plan->steps[plan->next].op->measured.by != NULL && !is_measured && !was_measured)
            return plan_measuring(plan, src, err);
        is_measured = false;
        status = plan_step(plan, src, kept, err);
        src = plan->passes[plan->count - 1].dst;
    }
    return status;
}

ImgStatus img_plan_make(const ImgExecConfig *config, ImgStep *steps, size_t count, ImgShape src,
                        ImgBackend backend, const ImgMeasured *measured, ImgKept *kept,
                        ImgPlan *plan, ImgError *err)
{
    plan->count = plan->next = 0;
    plan->measured = measured;
    plan->config = config;
    plan->steps = steps;
    plan->step_count = count;
    plan->backend = backend;
    plan->limits = (ImgExecLimits){.admit = NULL};
    plan->held_bytes = 0;
    plan->exec = NULL;
    plan->store = NULL;
    if (count > IMG_STEPS_MAX)
        return img_fail(err, IMG_E_USAGE, "%zu steps are more than the %d that one run supports",
                        count, IMG_STEPS_MAX);
    const bool again = measured == NULL && img_kept_are_for(kept, steps, count, src);
    if (!again)
        /* kept constants are freed before new ones are computed: memory is planned for one set of
         * constants */
        img_kept_free(kept);
    const ImgStatus status = plan_passes(plan, src, false, again ? kept : NULL, err);
    if (status != IMG_OK) {
        img_plan_free(plan);
        /* `kept` may be incomplete: the failed plan may have taken some of its constants */
        img_kept_free(kept);
    }
    return status;
}

/* --- After a measurement ---------------------------------------------------------------------- */

bool img_plan_measures(const ImgPlan *plan)
{
    return plan->count > 0 && plan->passes[plan->count - 1].steps == 0;
}

static ImgStatus check_pixels(const ImgExecLimits *limits, const ImgOp *op, ImgShape shape,
                              ImgError *err)
{
    const uint64_t pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    if (limits->max_pixels == 0 || pixels <= limits->max_pixels)
        return IMG_OK;
    return img_fail(err, IMG_E_LIMIT, "%s: %d x %d is %llu pixels, more than the limit of %llu%s%s",
                    op->name, shape.width, shape.height, (unsigned long long)pixels,
                    (unsigned long long)limits->max_pixels, limits->more_pixels != NULL ? "; " : "",
                    limits->more_pixels != NULL ? limits->more_pixels : "");
}

/* Computes the shapes of the results from step `first` on. The parameters of this step are
 * complete. Sets *shape to the last shape. Shapes are exact up to the next step that needs a
 * measurement. From there on they are computed for the largest result that this step may have. Sets
 * *end to the index of the first step whose shape cannot be computed. */
static ImgStatus find_shapes(const ImgPlan *plan, size_t first, ImgShape *shape, size_t *end,
                             ImgError *err)
{
    bool is_known = true;
    size_t bytes, i = first;
    for (; i < plan->step_count; i++) {
        const ImgStep *step = &plan->steps[i];
        ImgShape result = *shape;
        is_known = is_known && (i == first || step->op->measured.by == NULL);
        ImgError *told = is_known ? err : NULL;
        ImgStatus status = step->op->shape(*shape, step->params.bytes, &result, told);
        if (status == IMG_OK)
            status = img_shape_bytes(result, &bytes, told);
        if (status == IMG_OK && is_known)
            status = check_pixels(&plan->limits, step->op, result, told);
        if (status != IMG_OK && is_known)
            return status;
        if (status != IMG_OK)
            break;
        *shape = result;
    }
    *end = i;
    return IMG_OK;
}

/* Checks the limits for the remaining steps, because the memory plan of the run could not know the
 * measured sizes. */
static ImgStatus admit_rest(ImgPlan *plan, size_t measured, ImgError *err)
{
    const ImgExecLimits *limits = &plan->limits;
    const ImgShape src = plan->passes[measured].src;
    const size_t first = plan->passes[measured].first;
    const ImgStep *rest = plan->steps + first;
    ImgShape after = src;
    size_t end;
    ImgStatus status = find_shapes(plan, first, &after, &end, err);
    if (status != IMG_OK || limits->admit == NULL)
        return status;
    const uint64_t room = img_max64(limits->most_bytes, limits->room_bytes);
    const ImgRoom within = {plan->config->threads, limits->room_bytes == 0 ? UINT64_MAX : room,
                            plan->store != NULL};
    const uint64_t constants = img_plan_constants(plan);
    const ImgConstantsNeed more = img_steps_constants(rest, end - first, src);
    const uint64_t making = constants + more.bytes + more.making + plan->held_bytes;
    const uint64_t bytes =
        img_max64(making, img_steps_bytes(rest, end - first, src, constants, within));
    status = limits->admit(limits->context, after, bytes, err);
    if (status == IMG_OK && limits->room_bytes > 0)
        plan->limits.room_bytes = img_max64(limits->room_bytes, bytes);
    return status;
}

ImgStatus img_plan_extend(ImgPlan *plan, const ImgView *table, ImgError *err)
{
    const size_t last = plan->count - 1;
    const ImgPass *measured = &plan->passes[last];
    ImgStep *step = &plan->steps[measured->first];
    step->op->measured.take(step->params.bytes, measured->src, table);
    const ImgStatus status = admit_rest(plan, last, err);
    return status == IMG_OK ? plan_passes(plan, measured->src, true, NULL, err) : status;
}

/* --- The end ---------------------------------------------------------------------------------- */

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
