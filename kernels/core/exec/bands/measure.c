/* Passes over a source that only measure it. The steps before the measurement run in bands, on
 * several workers. The measurement takes the bands in order. */
#include "kernels/core/exec/bands/measure.h"

#include <string.h>

#include "kernels/core/exec/bands/taker.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"
#include "kernels/core/store.h"

const ImgOp *img_measurement_of(const ImgStep *step, const ImgImpl *impl)
{
    if (step->op->measured.by != NULL)
        return step->op->measured.by;
    const bool has_passes = impl != NULL && impl->two_passes != NULL;
    return has_passes && !img_op_is_points(step->op, step->params.bytes) ? impl->two_passes->measure
                                                                         : NULL;
}

/* A measurement of the source of a step. */
typedef struct Measurement {
    const ImgOp *op;
    const ImgImpl *impl; /* the fastest implementation; it has `by_rows` */
    ImgParams params;
    ImgShape table; /* shape of its result */
} Measurement;

static ImgStatus find_measurement(const ImgStep *step, const ImgImpl *impl, ImgShape src,
                                  Measurement *measurement, ImgError *err)
{
    const ImgOp *op = measurement->op = img_measurement_of(step, impl);
    if (op == NULL)
        return img_fail(err, IMG_E_UNSUPPORTED, "%s measures nothing", step->op->name);
    measurement->params = step->params;
    if (step->op->measured.by == NULL)
        impl->two_passes->set_params(step->op, src.format, step->params.bytes,
                                     measurement->params.bytes);
    const void *params = measurement->params.bytes;
    const ImgStatus status =
        img_impl_fastest(op, IMG_BACKEND_CPU, src, params, &measurement->impl, err);
    return status == IMG_OK ? op->shape(src, params, &measurement->table, err) : status;
}

/* Returns the heights of bands for a pass that only measures the source. All bands get the height
 * `rest`. `first`, the height of the first band, may depend on the size of the picture, and an
 * earlier measurement may have changed this size. */
static ImgBandHeights heights_before(ImgBandHeights heights)
{
    return (ImgBandHeights){heights.rest, heights.rest};
}

ImgMeasuringNeeds img_measuring_needs(const ImgChain *before, const ImgStep *step,
                                      const ImgImpl *impl, ImgRoom room)
{
    Measurement measurement;
    ImgChain chain = *before;
    chain.heights = heights_before(before->heights);
    if (find_measurement(step, impl, chain.dst, &measurement, NULL) != IMG_OK)
        return (ImgMeasuringNeeds){.bytes = UINT64_MAX / 4};
    const int workers = img_chain_bands(&chain, room.threads);
    const bool copies = chain.is_in_order ? workers > 1 : room.stores;
    const ImgChainNeeds needs = img_chain_needs(&chain, workers > 1 ? 1 : room.threads, copies);
    if (chain.is_in_order && !needs.keeps_order)
        return (ImgMeasuringNeeds){.bytes = UINT64_MAX / 4};
    uint64_t constants = 0;
    if (step->op->measured.by == NULL)
        constants = impl->two_passes->constants_bytes(step->op, chain.dst, step->params.bytes);
    return (ImgMeasuringNeeds){
        .source_rows = needs.source_rows,
        .bytes = (uint64_t)workers *
                     (needs.buffer_bytes[0] + (uint64_t)needs.buffer_bytes[1] + needs.scratch) +
                 measurement.impl->by_rows->bytes(chain.dst, measurement.params.bytes) +
                 img_image_bytes(measurement.table),
        .constants = constants};
}

/* --- The pass over the source ----------------------------------------------------------------- */

/* A pass over the source that makes the measurement of one step. Earlier steps run in bands. */
typedef struct Run {
    ImgExec *exec;
    ImgStep *steps;
    size_t before; /* number of steps before the one that measures */
    const ImgRowSource *source;
    ImgBandHeights heights;
    const ImgMeasured *measured;
} Run;

/* Runs the steps before the measurement, and passes their rows to it. */
static ImgStatus give_bands(const Run *run, ImgTaker *taker, ImgError *err)
{
    const ImgBandSink sink = img_taker_bands(taker);
    ImgBands *bands = NULL;
    ImgRunReport report;
    ImgStatus status = img_bands_begin(run->exec, run->steps, run->before, run->source,
                                       run->heights, run->measured, &bands, err);
    if (status == IMG_OK)
        status = img_bands_run(bands, &sink, err);
    img_bands_end(bands, &report);
    return status;
}

static ImgStatus give_rows(const Run *run, ImgTaker *taker, ImgError *err)
{
    const ImgRowSource *source = run->source;
    if (run->before > 0 || source->image != NULL || source->all == NULL)
        return give_bands(run, taker, err);
    const ImgRowSink sink = img_taker_rows(taker);
    return source->all(source->context, &sink, err);
}

/* Makes the measurement of a picture of shape `src`; `table` is its result. */
static ImgStatus measure(const Run *run, const Measurement *measurement, ImgShape src,
                         ImgImage *table, double *seconds, ImgError *err)
{
    ImgTaker taker;
    ImgStatus status = img_image_alloc(measurement->table, table, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = {.op = measurement->op,
                          .src = img_view_make(NULL, 0, src),
                          .dst = table->view,
                          .params = measurement->params.bytes,
                          .threads = run->exec->config.threads,
                          .team = run->exec->config.team};
    status = img_taker_begin(&taker, measurement->impl->by_rows, &call, err);
    if (status != IMG_OK)
        return status;
    status = give_rows(run, &taker, err);
    img_taker_end(&taker);
    *seconds = taker.seconds;
    return status;
}

/* Returns the index of the first step, from measured->steps on, that needs a measurement. Sets *src
 * to the shape of that step's source, and *impl to its implementation. Returns `count` if no step
 * needs a measurement. Before the call, *src must be the shape of the source of step 0. */
static size_t find_step(const ImgExec *exec, const ImgStep *steps, size_t count,
                        const ImgMeasured *measured, ImgShape *src, const ImgImpl **impl)
{
    for (size_t i = 0; i < count; i++) {
        *impl = img_bands_impl(&steps[i], *src, exec->config.impl);
        if (i >= measured->steps && img_measurement_of(&steps[i], *impl) != NULL)
            return i;
        if (steps[i].op->shape(*src, steps[i].params.bytes, src, NULL) != IMG_OK)
            break;
    }
    return count;
}

ImgStatus img_bands_measure(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                            ImgBandHeights heights, ImgMeasured *measured, ImgError *err)
{
    const double start = img_clock();
    ImgShape src = source->shape;
    const ImgImpl *impl;
    const size_t at = find_step(exec, steps, count, measured, &src, &impl);
    if (at == count)
        return img_fail(err, IMG_E_USAGE, "no step measures the picture");
    ImgStep *step = &steps[at];
    Measurement measurement;
    ImgImage table = IMG_IMAGE_NONE;
    const Run run = {exec, steps, at, source, heights_before(heights), measured};
    ImgStatus status = find_measurement(step, impl, src, &measurement, err);
    if (status == IMG_OK)
        status = measure(&run, &measurement, src, &table, &measured->of[at].seconds, err);
    if (status == IMG_OK && step->op->measured.by == NULL)
        status = impl->two_passes->constants(step->op, src, step->params.bytes, &table.view,
                                             &measured->of[at].constants, err);
    if (status == IMG_OK && step->op->measured.by != NULL)
        step->op->measured.take(step->params.bytes, src, &table.view);
    img_image_free(&table);
    if (status != IMG_OK)
        return status;
    measured->of[at].impl = measurement.impl;
    measured->steps = at + 1;
    measured->seconds += img_clock() - start;
    return IMG_OK;
}

void img_measured_free(ImgMeasured *measured)
{
    for (size_t i = 0; i < IMG_STEPS_MAX; i++)
        img_constants_free(&measured->of[i].constants);
    *measured = (ImgMeasured){.steps = 0};
}

/* --- A picture in a store --------------------------------------------------------------------- */

/* A way to run steps in bands on a picture in a store. */
typedef struct StoredPlan {
    ImgBandsPlan plan;
    ImgBandHeights heights;
    int threads;
    bool fits; /* true: it needs no more memory than allowed */
} StoredPlan;

/* Plans bands of `rows` rows, or of suitable heights if `rows` is 0, with as many threads as fit
 * `most` bytes. Returns false if the first step needs the whole picture. */
static bool plan_heights(const ImgStep *steps, size_t count, ImgShape shape, const char *impl,
                         uint64_t most, int threads, int32_t rows, StoredPlan *stored)
{
    *stored = (StoredPlan){.heights = {0, rows}, .threads = threads};
    for (;;) {
        const ImgRoom room = {stored->threads, most, true};
        if (!img_bands_plan(steps, count, shape, impl, room, stored->heights, IMG_BANDS_IN_MEMORY,
                            &stored->plan))
            return false;
        stored->fits = stored->plan.peak_bytes <= most;
        if (stored->fits || stored->threads == 1)
            return true;
        stored->threads /= 2;
    }
}

/* Returns an estimate of the time of the run, relative to other plans. */
static double cost_of(const StoredPlan *stored)
{
    return (stored->plan.work > 1 ? stored->plan.work : 1) / stored->threads;
}

/* Returns whether `plan` is better than `best`: it runs more steps in bands or costs less. If
 * neither fits, the one that needs less memory is better. */
static bool is_better(const StoredPlan *plan, const StoredPlan *best)
{
    if (!plan->fits && !best->fits)
        return plan->plan.peak_bytes < best->plan.peak_bytes;
    if (plan->fits != best->fits)
        return plan->fits;
    return plan->plan.steps != best->plan.steps ? plan->plan.steps > best->plan.steps
                                                : cost_of(plan) < cost_of(best);
}

/* Plans the run within `most` bytes and with at most `threads` threads. If memory is short for
 * bands of suitable heights, also tries bands down to 1/64 of that height: they need less memory,
 * so that more threads fit, but compute more rows again. Returns false if the first step needs the
 * whole picture. */
static bool plan_steps(const ImgStep *steps, size_t count, ImgShape shape, const char *impl,
                       uint64_t most, int threads, StoredPlan *best)
{
    enum { LOWEST = 64 };
    StoredPlan lower;
    if (!plan_heights(steps, count, shape, impl, most, threads, 0, best))
        return false;
    const int32_t highest = best->plan.rows;
    for (int32_t part = 2; part <= LOWEST && part <= highest; part *= 2) {
        if (best->fits && best->threads == threads)
            break;
        if (plan_heights(steps, count, shape, impl, most, threads, highest / part, &lower) &&
            is_better(&lower, best))
            *best = lower;
    }
    return true;
}

/* Plans the run of as many steps as fit into `most` bytes. If not even the first step fits, plans
 * all steps. Returns the same as plan_steps. */
static bool plan_stored(const ImgStep *steps, size_t count, ImgShape shape, const char *impl,
                        uint64_t most, int threads, StoredPlan *best)
{
    for (size_t few = count; few > 0; few--)
        if (plan_steps(steps, few, shape, impl, most, threads, best) && best->fits)
            return true;
    return plan_steps(steps, count, shape, impl, most, threads, best);
}

bool img_bands_plan_stored(const ImgStep *steps, size_t count, ImgShape shape, const char *impl,
                           uint64_t most, uint64_t *bytes)
{
    const ImgRoom room = {1, most, true};
    StoredPlan best;
    uint64_t later = 0;
    if (count == 0 || !plan_stored(steps, count, shape, impl, most, 1, &best))
        return false;
    const size_t ran = best.plan.steps + best.plan.taken;
    for (size_t i = 0; i < ran; i++)
        if (steps[i].op->shape(shape, steps[i].params.bytes, &shape, NULL) != IMG_OK)
            return false;
    if (ran < count && !img_bands_plan_stored(steps + ran, count - ran, shape, impl, most, &later))
        later = img_steps_run_bytes(steps + ran, count - ran, shape, 0, room);
    *bytes = img_max64(best.plan.peak_bytes, later);
    return true;
}

/* Returns the memory in bytes that a run in bands may use: the limit of the plan or, if that is
 * more, the memory that mapped pages of the store may take. Bands map no pages. */
static uint64_t stored_room(const ImgExec *exec)
{
    return img_max64(img_store_resident(exec->store), exec->limits.room_bytes);
}

ImgStatus img_bands_run_stored(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                               ImgRunReport *report, size_t *ran, ImgError *err)
{
    const ImgRowSource source = {.shape = img_view_shape(&image->view), .image = image};
    const int all = exec->config.threads;
    ImgMeasured measured = {0};
    StoredPlan best;
    ImgBands *bands = NULL;
    ImgImage result = IMG_IMAGE_NONE;
    ImgStatus status = IMG_OK;
    *ran = 0;
    if (!plan_stored(steps, count, source.shape, exec->config.impl, stored_room(exec), all,
                     &best) ||
        !best.fits)
        return IMG_OK;
    *ran = count = best.plan.steps + best.plan.taken;
    img_store_unmap(exec->store);
    exec->config.threads = best.threads;
    for (size_t i = 0; status == IMG_OK && i < best.plan.measures; i++)
        status = img_bands_measure(exec, steps, count, &source, best.heights, &measured, err);
    if (status == IMG_OK)
        status = img_bands_begin(exec, steps, count, &source, best.heights, &measured, &bands, err);
    if (status == IMG_OK)
        status = img_bands_collect(bands, &result, err);
    img_bands_end(bands, report);
    img_measured_free(&measured);
    exec->config.threads = all;
    img_image_free(image);
    *image = result;
    return status;
}
