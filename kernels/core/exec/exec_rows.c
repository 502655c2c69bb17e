/* Runs steps on the CPU. Their first pass processes rows as they arrive, so that the source is
 * never in memory as a whole. */
#include <stdio.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"

/* --- Beforehand ------------------------------------------------------------------------------- */

static bool is_points(const ImgStep *step)
{
    return img_op_is_points(step->op, step->params.bytes);
}

/* Returns the index of the first step that changes the picture. A point operation that changes
 * nothing is skipped only if no other point operation follows. Otherwise the two would be joined
 * into one pass. */
static size_t first_that_acts(const ImgStep *steps, size_t count, ImgShape src)
{
    size_t i = 0;
    while (i < count && steps[i].op->does_nothing != NULL && steps[i].op->measure == NULL &&
           !(is_points(&steps[i]) && i + 1 < count && is_points(&steps[i + 1])) &&
           steps[i].op->does_nothing(src, steps[i].params.bytes))
        i++;
    return i;
}

static const ImgByRows *by_rows_of(const ImgStep *step, ImgShape src, const char *name)
{
    const ImgImpl *impl;
    if (step->op->measure != NULL)
        return NULL;
    ImgStatus status = name != NULL ? img_impl_find(step->op, name, &impl, NULL)
                                    : img_impl_fastest(step->op, IMG_BACKEND_CPU, src,
                                                       step->params.bytes, &impl, NULL);
    return status == IMG_OK ? impl->by_rows : NULL;
}

bool img_steps_take_rows(const ImgStep *steps, size_t count, ImgShape src, const char *impl,
                         ImgRoom room, uint64_t *peak_bytes)
{
    size_t i = first_that_acts(steps, count, src);
    const ImgByRows *by_rows = i < count ? by_rows_of(&steps[i], src, impl) : NULL;
    ImgShape shape;
    if (by_rows == NULL || steps[i].op->shape(src, steps[i].params.bytes, &shape, NULL) != IMG_OK)
        return false;
    const ImgConstantsNeed constants = img_steps_constants(steps, count, src);
    const uint64_t taking = by_rows->bytes(src, steps[i].params.bytes) + img_image_bytes(shape);
    const uint64_t later =
        img_steps_run_bytes(steps + i + 1, count - i - 1, shape, constants.bytes, room);
    *peak_bytes = img_max64(constants.bytes + img_max64(constants.making, taking), later);
    return true;
}

/* --- The run ---------------------------------------------------------------------------------- */

typedef struct Taking {
    const ImgByRows *by_rows;
    void *state;
    double seconds;
} Taking;

static void take(void *context, const ImgView *rows, int32_t first)
{
    Taking *taking = context;
    const double start = img_clock();
    taking->by_rows->take(taking->state, rows, first);
    taking->seconds += img_clock() - start;
}

/* Runs the pass that processes rows as they arrive; its result goes to `image`. */
static ImgStatus run_pass(const ImgExec *exec, const ImgPass *pass, const ImgRowSource *source,
                          ImgImage *image, double *seconds, ImgError *err)
{
    Taking taking = {.by_rows = pass->impl->by_rows};
    const ImgRowSink sink = {.take = take, .context = &taking};
    ImgStatus status = img_image_alloc(pass->dst, image, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = {
        .op = pass->op,
        .src = img_view_make(NULL, 0, pass->src),
        .dst = image->view,
        .params = pass->params,
        .constants = pass->constants,
        .threads = exec->config.threads,
        .team = exec->config.team,
    };
    status = taking.by_rows->begin(&call, &taking.state, err);
    if (status != IMG_OK)
        return status;
    status = source->give(source->context, &sink, err);
    taking.by_rows->end(taking.state);
    *seconds = taking.seconds;
    return status;
}

static ImgStatus run_plan(const ImgExec *exec, ImgPlan *plan, const ImgRowSource *source,
                          ImgImage *image, ImgRunReport *report, ImgError *err)
{
    size_t i = 0;
    while (i < plan->count && plan->passes[i].steps > 0 && img_pass_does_nothing(&plan->passes[i]))
        report->passes[i++].skipped = true;
    if (i == plan->count || plan->passes[i].impl->by_rows == NULL)
        return img_fail(err, IMG_E_UNSUPPORTED, "these steps take no rows as they come");
    ImgStatus status = run_pass(exec, &plan->passes[i], source, image, &report->taking, err);
    report->passes[i].seconds = report->taking;
    report->passes[i].by_rows = true;
    if (status != IMG_OK)
        return status;
    ImgHeld held = {.image = *image};
    status =
        img_run_on_cpu(plan, i + 1, exec->config.team, exec->config.threads, &held, report, err);
    *image = held.image;
    return status;
}

static void say_why(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src, char *reason)
{
    if (img_plan_backend(&exec->config, steps, count) != IMG_BACKEND_AUTO) {
        snprintf(reason, IMG_REASON_SIZE, "asked for");
        return;
    }
    const ImgCost cost = img_exec_cost(steps, count, src, exec->config.threads);
    if (img_exec_choose(exec, &cost, 0, reason) != IMG_BACKEND_CPU)
        snprintf(reason, IMG_REASON_SIZE, "rows come from the CPU");
}

ImgStatus img_exec_run_rows(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                            ImgImage *image, ImgRunReport *report, ImgError *err)
{
    ImgPlan plan;
    *report = (ImgRunReport){.backend = IMG_BACKEND_CPU};
    *image = IMG_IMAGE_NONE;
    ImgStatus status = img_plan_make(&exec->config, steps, count, source->shape, IMG_BACKEND_CPU,
                                     &exec->kept, &plan, err);
    if (status != IMG_OK)
        return status;
    plan.limits = exec->limits;
    say_why(exec, steps, count, source->shape, report->reason);
    status = run_plan(exec, &plan, source, image, report, err);
    img_exec_describe(exec, &plan, NULL, report);
    img_kept_put(&exec->kept, steps, count, &plan);
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}
