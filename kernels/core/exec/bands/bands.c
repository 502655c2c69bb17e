/* Runs the first steps of a series on bands of rows. For each band of the result, chain.h
 * determines which rows each pass must read, from the last pass to the first. Then the rows of the
 * source are read, and the passes run. A pass that reads the pixels around a pixel also gets rows
 * above and below its band. Its results in these additional rows are wrong, because the pass treats
 * their outer edges as edges of the picture. So they are discarded. Bands are independent, so
 * several workers process bands at the same time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/bands/chain.h"
#include "kernels/core/exec/bands/measure.h"
#include "kernels/core/exec/bands/taker.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"

/* --- Beforehand ------------------------------------------------------------------------------- */

/* Returns true if the pass does not change the picture. Returns false for a pass of several point
 * operations, even if each of them changes nothing. */
static bool does_nothing(const ImgAhead *ahead, const ImgChainPass *pass)
{
    return ahead->steps == 1 && pass->op->measured.by == NULL &&
           pass->op->effect.does_nothing != NULL &&
           pass->op->effect.does_nothing(pass->src, pass->params);
}

const ImgImpl *img_bands_impl(const ImgStep *step, ImgShape src, const char *name)
{
    const ImgImpl *impl;
    const ImgStatus status = name != NULL ? img_impl_find(step->op, name, &impl, NULL)
                                          : img_impl_fastest(step->op, IMG_BACKEND_CPU, src,
                                                             step->params.bytes, &impl, NULL);
    return status == IMG_OK && impl->backend == IMG_BACKEND_CPU ? impl : NULL;
}

static ImgChain start_chain(ImgShape src, bool is_in_order, ImgBandHeights heights)
{
    return (ImgChain){.count = 0, .dst = src, .is_in_order = is_in_order, .heights = heights};
}

/* Returns true if the pass can process all rows of a source in order (ImgImpl.by_rows), while its
 * result is collected in memory. Such a pass does not run in bands: the source can then use several
 * threads (ImgRowSource.all). */
static bool takes_all(const ImgChain *chain, const ImgImpl *impl)
{
    return chain->is_in_order && chain->heights.first == 0 && impl->by_rows != NULL;
}

/* Returns true if the step can measure its source in an earlier pass over the source. There are two
 * conditions:
 *
 * 1. The source can be read twice.
 * 2. If the measurement may change the size of the result (ImgOp.measured.by), the heights of bands
 *    are given, or the source is a picture in memory.
 *
 * Condition 2 limits the window of source rows. The plan reserves the window for the largest
 * possible result. Heights that are not given follow from the size of the result
 * (img_chain_heights): a narrower result has higher bands, which may need more source rows than
 * planned. A picture in memory needs no window. */
static bool may_measure(const ImgStep *step, ImgBandsSource source, ImgRoom room,
                        ImgBandHeights heights)
{
    const bool is_repeatable =
        source == IMG_BANDS_REPEATED || (source == IMG_BANDS_IN_MEMORY && room.stores);
    const bool knows_heights = heights.first > 0 || source == IMG_BANDS_IN_MEMORY;
    return is_repeatable && (step->op->measured.by == NULL || knows_heights);
}

/* A series of steps whose first passes are added to `chain`. */
typedef struct Sketch {
    const ImgStep *steps;
    size_t count;
    const char *impl; /* name of the implementation for every step; NULL: the fastest one */
    ImgRoom room;
    ImgBandsSource source;
    ImgChain chain;
    /* the pass examined last: the first pass that does not run in bands, or the last pass if all
     * run in bands */
    ImgAhead next;
    /* `measuring`: peak memory, in bytes, of the passes that only measure the source; `measured`:
     * size, in bytes, of the constants that these passes produce */
    uint64_t measuring, measured;
} Sketch;

/* Adds to the sketch and the plan the memory and the source rows that an extra pass over the source
 * needs, in which `step` only measures. In this pass, the passes of `before` run before the
 * step. */
static void note_measurement(Sketch *sketch, const ImgChain *before, const ImgStep *step,
                             const ImgImpl *impl, ImgBandsPlan *plan)
{
    const ImgMeasuringNeeds needs = img_measuring_needs(before, step, impl, sketch->room);
    plan->measures++;
    plan->source_rows = img_max32(plan->source_rows, needs.source_rows);
    sketch->measuring = img_max64(sketch->measuring, needs.bytes);
    sketch->measured += needs.constants;
}

/* Adds the pass that begins with step `i` to the chain. Returns false if the pass does not run in
 * bands. */
static bool sketch_pass(Sketch *sketch, size_t i, ImgBandsPlan *plan)
{
    const ImgStep *step = &sketch->steps[i];
    const ImgShape src = sketch->chain.dst;
    const ImgAhead *next = &sketch->next;
    sketch->next = img_steps_look_ahead(step, sketch->count - i, src);
    ImgChainPass pass = {.op = next->op,
                         .params = step->params.bytes,
                         .src = src,
                         .dst = next->dst,
                         .is_points = img_op_is_points(step->op, step->params.bytes)};
    if (does_nothing(next, &pass))
        return true;
    const ImgImpl *impl = img_bands_impl(step, src, sketch->impl);
    pass.is_measured = img_measurement_of(step, impl) != NULL &&
                       may_measure(step, sketch->source, sketch->room, sketch->chain.heights);
    if (pass.is_measured && step->op->measured.by == NULL)
        pass.two_passes = impl->two_passes;
    const ImgChain before = sketch->chain;
    if (!next->is_known || impl == NULL || takes_all(&sketch->chain, impl) ||
        !img_chain_add(&sketch->chain, &pass))
        return false;
    if (pass.is_measured)
        note_measurement(sketch, &before, step, impl, plan);
    plan->windows |= !pass.is_points && pass.two_passes == NULL;
    return true;
}

/* Adds passes to the chain until one does not run in bands. Does not compute their constants. Sets
 * plan->steps, plan->measures, plan->windows and plan->all. */
static void sketch_chain(Sketch *sketch, ImgBandsPlan *plan)
{
    for (size_t i = 0; i < sketch->count; i += sketch->next.steps) {
        if (!sketch_pass(sketch, i, plan))
            return;
        plan->steps = i + sketch->next.steps;
    }
    plan->all = true;
}

/* Returns the number of workers if the result is collected in memory. `takes` is true if the pass
 * after the chain processes rows as they arrive. Such a pass needs its rows in order, so only one
 * worker computes them. */
static int workers_to_collect(const ImgChain *chain, bool takes, int threads)
{
    return chain->count == 0 || takes ? 1 : img_chain_bands(chain, threads);
}

bool img_bands_plan(const ImgStep *steps, size_t count, ImgShape src, const char *impl,
                    ImgRoom room, ImgBandHeights heights, ImgBandsSource source, ImgBandsPlan *plan)
{
    const bool is_in_memory = source == IMG_BANDS_IN_MEMORY;
    Sketch sketch = {.steps = steps,
                     .count = count,
                     .impl = impl,
                     .room = room,
                     .source = source,
                     .chain = start_chain(src, !is_in_memory, heights)};
    const ImgChain *chain = &sketch.chain;
    *plan = (ImgBandsPlan){.steps = 0};
    if (count > IMG_STEPS_MAX)
        return false;
    sketch_chain(&sketch, plan);
    const ImgStep *step = &steps[plan->steps];
    const ImgImpl *taker = plan->all ? NULL : img_bands_impl(step, chain->dst, impl);
    const bool takes = taker != NULL && taker->by_rows != NULL && step->op->measured.by == NULL;
    const bool collects = heights.first == 0;
    if (collects ? chain->count == 0 && !takes : !plan->all)
        return false;
    const int workers = collects ? workers_to_collect(chain, takes, room.threads)
                                 : img_chain_bands(chain, room.threads);
    const bool copies = is_in_memory ? room.stores : workers > 1;
    const ImgChainNeeds needs = img_chain_needs(chain, workers > 1 ? 1 : room.threads, copies);
    ImgConstantsNeed constants = img_steps_constants(steps, count, src);
    /* twice: ImgMeasured and the plan of the run (img_plan_make) each have a copy */
    constants.bytes += 2 * sketch.measured;
    uint64_t bytes = (uint64_t)workers *
                     (needs.buffer_bytes[0] + (uint64_t)needs.buffer_bytes[1] + needs.scratch);
    uint64_t later = 0;
    if (takes) {
        bytes += taker->by_rows->bytes(chain->dst, step->params.bytes) +
                 img_room_image_bytes(sketch.next.dst, room);
        later = img_steps_run_bytes(step + 1, count - plan->steps - 1, sketch.next.dst,
                                    constants.bytes, room);
    } else if (collects) {
        bytes += img_room_image_bytes(chain->dst, room);
        later = img_steps_run_bytes(step, count - plan->steps, chain->dst, constants.bytes, room);
    }
    if (is_in_memory && room.stores)
        later = 0; /* img_bands_plan_stored plans the later steps */
    plan->source_rows = img_max32(plan->source_rows, needs.source_rows);
    plan->rows = img_chain_heights(chain).rest;
    plan->taken = collects && takes ? sketch.next.steps : 0;
    plan->work = img_chain_work(chain, &needs);
    plan->is_narrow = needs.is_narrow;
    bytes = img_max64(img_max64(constants.making, bytes), sketch.measuring);
    plan->peak_bytes = img_max64(constants.bytes + bytes, later);
    return true;
}

/* --- The run ---------------------------------------------------------------------------------- */

/* Memory and times of a worker. */
typedef struct Worker {
    /* for each pass, the part of its source that it needs for the current band */
    ImgPart *parts;
    uint8_t *buffers[2]; /* one holds the rows before a pass, the other the rows after it */
    double seconds[IMG_STEPS_MAX];
} Worker;

struct ImgBands {
    ImgExec *exec;
    ImgStep *steps;
    size_t count;
    ImgPlan plan;
    ImgChain chain;
    size_t numbers[IMG_STEPS_MAX]; /* for each pass of `chain`, its index in `plan` */
    size_t next;                   /* index of the first pass that does not run in bands */
    const ImgRowSource *source;
    const ImgMeasured *measured; /* NULL: no step needed an earlier pass over the source */
    size_t buffer_bytes[2];
    Worker *workers;
    int worker_count, threads; /* number of workers; number of threads of each worker */
    ImgRunReport report;
    pthread_mutex_t lock; /* protects the source and the fields below */
    int32_t done;         /* number of rows of the result whose bands workers have begun */
    ImgError failure; /* the first failure of a worker; no worker begins a further band after it */
};

static void say_why(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src, char *reason)
{
    if (img_plan_backend(&exec->config, steps, count) != IMG_BACKEND_AUTO) {
        snprintf(reason, IMG_REASON_SIZE, "asked for");
        return;
    }
    if (exec->has_failed) {
        snprintf(reason, IMG_REASON_SIZE, "%s", exec->reason);
        return;
    }
    const ImgCost cost = img_exec_cost(steps, count, src, exec->config.threads);
    if (img_exec_choose(exec, &cost, 0, reason) != IMG_BACKEND_CPU)
        snprintf(reason, IMG_REASON_SIZE, "rows come from the CPU");
}

static ImgChainPass chain_pass(const ImgBands *bands, const ImgPass *pass)
{
    ImgChainPass own = {.op = pass->op,
                        .params = pass->params,
                        .src = pass->src,
                        .dst = pass->dst,
                        .is_points = pass->is_points};
    const ImgMeasured *measured = bands->measured;
    own.is_measured =
        measured != NULL && pass->first < measured->steps && measured->of[pass->first].impl != NULL;
    if (own.is_measured && pass->op->measured.by == NULL)
        own.two_passes = pass->impl->two_passes;
    return own;
}

/* Stores in bands->chain the first passes of the plan that can run in bands. */
static void make_chain(ImgBands *bands)
{
    ImgChain *chain = &bands->chain;
    for (; bands->next < bands->plan.count; bands->next++) {
        const ImgPass *pass = &bands->plan.passes[bands->next];
        const ImgChainPass own = chain_pass(bands, pass);
        const bool skips = pass->steps > 0 && img_pass_does_nothing(pass);
        if (!skips &&
            (pass->steps == 0 || takes_all(chain, pass->impl) || !img_chain_add(chain, &own)))
            return;
        bands->report.passes[bands->next].skipped = skips;
        bands->report.passes[bands->next].in_bands = !skips;
        if (!skips)
            bands->numbers[chain->count - 1] = bands->next;
    }
}

/* Returns true if workers copy the rows of the source to their buffers: because the rows are in a
 * store, or because the source reuses its memory for the rows of the next worker. */
static bool copies_rows(const ImgBands *bands)
{
    const ImgImage *image = bands->source->image;
    return image != NULL ? image->store != NULL : bands->worker_count > 1;
}

static ImgStatus make_workers(ImgBands *bands, ImgError *err)
{
    bands->workers = calloc((size_t)bands->worker_count, sizeof *bands->workers);
    for (int i = 0; bands->workers != NULL && i < bands->worker_count; i++) {
        Worker *worker = &bands->workers[i];
        worker->parts = malloc((bands->chain.count + 1) * sizeof *worker->parts);
        bool has_memory = worker->parts != NULL;
        for (int b = 0; b < 2; b++) {
            const size_t bytes = bands->buffer_bytes[b];
            worker->buffers[b] = bytes > 0 ? img_large_alloc(bytes) : NULL;
            has_memory = has_memory && (bytes == 0 || worker->buffers[b] != NULL);
        }
        if (!has_memory)
            return img_fail(err, IMG_E_MEMORY, "no memory for the rows of %d bands",
                            bands->worker_count);
    }
    return bands->workers != NULL ? IMG_OK : img_fail(err, IMG_E_MEMORY, "no memory for the steps");
}

ImgStatus img_bands_begin(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                          ImgBandHeights heights, const ImgMeasured *measured, ImgBands **bands,
                          ImgError *err)
{
    ImgBands *own = *bands = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    own->exec = exec;
    own->steps = steps;
    own->count = count;
    own->source = source;
    own->measured = measured;
    own->report.backend = IMG_BACKEND_CPU;
    pthread_mutex_init(&own->lock, NULL);
    ImgStatus status = img_plan_make(&exec->config, steps, count, source->shape, IMG_BACKEND_CPU,
                                     measured, &exec->kept, &own->plan, err);
    if (status != IMG_OK)
        return status;
    own->plan.limits = exec->limits;
    own->plan.store = exec->store;
    say_why(exec, steps, count, source->shape, own->report.reason);
    own->chain =
        (ImgChain){.dst = source->shape, .is_in_order = source->image == NULL, .heights = heights};
    make_chain(own);
    const ImgPass *next = own->next < own->plan.count ? &own->plan.passes[own->next] : NULL;
    const bool takes = next != NULL && next->steps > 0 && next->impl->by_rows != NULL;
    own->worker_count = heights.first > 0
                            ? img_chain_bands(&own->chain, exec->config.threads)
                            : workers_to_collect(&own->chain, takes, exec->config.threads);
    own->threads = own->worker_count > 1 ? 1 : exec->config.threads;
    const ImgChainNeeds needs = img_chain_needs(&own->chain, own->threads, copies_rows(own));
    memcpy(own->buffer_bytes, needs.buffer_bytes, sizeof own->buffer_bytes);
    return make_workers(own, err);
}

/* Sets *view to a rectangle of a source that is a picture: to the pixels themselves if they are in
 * memory, or to a copy in a buffer of the worker if they are in a store. */
static ImgStatus read_image(const ImgBands *bands, const Worker *worker, ImgRect rect,
                            ImgView *view, ImgError *err)
{
    const ImgImage *image = bands->source->image;
    *view = img_view_crop(&image->view, rect.x, rect.y, rect.width, rect.height);
    if (!copies_rows(bands))
        return IMG_OK;
    const ImgShape shape = img_view_shape(view);
    *view = img_view_make(worker->buffers[0], img_chain_row_bytes(shape), shape);
    return img_image_get(image, rect.x, rect.y, view, err);
}

/* Reads the next rows of a source that delivers them in order. If there are several workers, the
 * rows are copied to a buffer of the worker. */
static ImgStatus read_rows(const ImgBands *bands, const Worker *worker, ImgRect rect, ImgView *view,
                           ImgError *err)
{
    const ImgRowSource *source = bands->source;
    ImgView read;
    const ImgStatus status = source->rows(source->context, rect.y, rect.height, &read, err);
    if (status != IMG_OK)
        return status;
    *view = read;
    if (copies_rows(bands)) {
        const ImgShape shape = img_view_shape(&read);
        *view = img_view_make(worker->buffers[0], img_chain_row_bytes(shape), shape);
        img_view_copy(&read, view);
    }
    *view = img_view_crop(view, rect.x, 0, rect.width, rect.height);
    return IMG_OK;
}

/* Claims the next band, and sets worker->parts for it. If the source delivers rows in order, also
 * reads the rows of the band. The caller must hold the lock. *band is empty if no band is left. A
 * source that failed must not be read again, so a failure is stored before the lock is released. */
static ImgStatus claim_band(ImgBands *bands, const Worker *worker, ImgRows *band, ImgRect *rect,
                            ImgView *view, ImgError *err)
{
    *band = img_chain_band(&bands->chain, bands->done);
    if (bands->failure.status != IMG_OK || band->first == band->end)
        return bands->failure.status;
    *rect = img_chain_parts(&bands->chain, *band, worker->parts);
    const ImgStatus status =
        bands->source->image == NULL ? read_rows(bands, worker, *rect, view, err) : IMG_OK;
    if (status == IMG_OK)
        bands->done = band->end;
    else
        bands->failure = *err;
    return status;
}

/* Runs a pass on a part of its source. If the implementation of the pass does not support so small
 * a picture, uses the fastest implementation that does. */
static ImgStatus run_pass(const ImgBands *bands, const ImgPass *pass, const ImgPart *part,
                          const ImgView *src, const ImgView *dst, ImgError *err)
{
    const ImgImpl *impl = pass->impl;
    const ImgShape shape = img_view_shape(src);
    const void *params = pass->is_points ? pass->params : part->params.bytes;
    ImgConstants own = {NULL, 0};
    ImgStatus status = IMG_OK;
    if (!img_impl_applies(pass->op, impl, shape, params))
        status = img_impl_fastest(pass->op, IMG_BACKEND_CPU, shape, params, &impl, err);
    if (status == IMG_OK && !pass->is_points)
        status = img_op_part_constants(pass->op, pass->src, part, &pass->constants, &own, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = {
        .op = pass->op,
        .src = *src,
        .dst = *dst,
        .params = params,
        .constants = own.bytes != NULL ? own : pass->constants,
        .threads = bands->threads,
        .team = bands->exec->config.team,
    };
    status = impl->run(&call, err);
    img_constants_free(&own);
    return status;
}

/* Computes the rows of the first pass's result, tile by tile. */
static ImgStatus run_tiles(const ImgBands *bands, const Worker *worker, const ImgView *all,
                           ImgError *err)
{
    const ImgRect rows = worker->parts[0].src;
    ImgStatus status = IMG_OK;
    ImgPart part;
    ImgRect tile;
    for (int32_t x = 0; status == IMG_OK && x < rows.width; x = tile.x + tile.width) {
        ImgView src;
        tile = img_chain_tile(&bands->chain, rows, x, &part);
        const ImgView dst = img_view_crop(all, tile.x, 0, tile.width, tile.height);
        status = read_image(bands, worker, part.src, &src, err);
        if (status == IMG_OK)
            status =
                run_pass(bands, &bands->plan.passes[bands->numbers[0]], &part, &src, &dst, err);
    }
    return status;
}

/* Returns the part of `all` that the next pass reads; after the last pass, the rows of the band.
 * `all` is what pass number `pass` computed for the band, including rows that are discarded. */
static ImgView wanted_part(const ImgChain *chain, const ImgPart *parts, size_t pass, ImgRows band,
                           const ImgView *all)
{
    const int32_t skip = parts[pass].skip;
    if (pass + 1 == chain->count)
        return img_view_crop(all, 0, skip, all->width, band.end - band.first);
    const ImgRect next = parts[pass + 1].src;
    return img_view_crop(all, next.x, skip, next.width, next.height);
}

static ImgStatus run_passes(const ImgBands *bands, Worker *worker, ImgRows band, ImgView *view,
                            ImgError *err)
{
    const ImgChain *chain = &bands->chain;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < chain->count; i++) {
        const double start = img_clock();
        const ImgShape shape = img_chain_part_shape(chain, i, &worker->parts[i]);
        const ImgView all =
            img_view_make(worker->buffers[(i + 1) % 2], img_chain_row_bytes(shape), shape);
        status = i == 0 && chain->has_tiles
                     ? run_tiles(bands, worker, &all, err)
                     : run_pass(bands, &bands->plan.passes[bands->numbers[i]], &worker->parts[i],
                                view, &all, err);
        *view = wanted_part(chain, worker->parts, i, band, &all);
        worker->seconds[i] += img_clock() - start;
    }
    return status;
}

/* Computes the next band: *view becomes its rows, and *first the index of the first one. Sets
 * view->height to 0 if no band is left. */
static ImgStatus next_rows(ImgBands *bands, int worker, int32_t *first, ImgView *view,
                           ImgError *err)
{
    Worker *own = &bands->workers[worker];
    ImgRows band;
    ImgRect rect;
    *view = (ImgView){.height = 0};
    pthread_mutex_lock(&bands->lock);
    ImgStatus status = claim_band(bands, own, &band, &rect, view, err);
    pthread_mutex_unlock(&bands->lock);
    *first = band.first;
    if (status != IMG_OK || band.first == band.end)
        return status;
    if (bands->source->image != NULL && !bands->chain.has_tiles)
        status = read_image(bands, own, rect, view, err);
    return status == IMG_OK ? run_passes(bands, own, band, view, err) : status;
}

/* --- The work of all workers ------------------------------------------------------------------ */

/* Data that all workers share. */
typedef struct Job {
    ImgBands *bands;
    const ImgBandSink *sink;
    pthread_t starter; /* the thread that started the run */
} Job;

/* Calls the progress callback, which can end the run, between bands of a picture in a store. If a
 * decoder delivers the rows, it reports the progress itself. */
static ImgStatus check_progress(const Job *job, ImgError *err)
{
    ImgExec *exec = job->bands->exec;
    if (exec->store == NULL || exec->progress.passed == NULL ||
        !pthread_equal(pthread_self(), job->starter))
        return IMG_OK;
    const ImgStatus status =
        exec->progress.passed(exec->progress.context, 0, job->bands->plan.count, err);
    exec->stopped = status != IMG_OK;
    return status;
}

static void fail(const Job *job, const ImgError *failure)
{
    ImgBands *bands = job->bands;
    pthread_mutex_lock(&bands->lock);
    if (bands->failure.status == IMG_OK)
        bands->failure = *failure;
    pthread_mutex_unlock(&bands->lock);
    if (job->sink->stop != NULL)
        job->sink->stop(job->sink->context);
}

static void work(void *context, int worker)
{
    const Job *job = context;
    ImgError failure = {IMG_OK, ""};
    ImgView rows;
    int32_t first;
    do {
        ImgStatus status = check_progress(job, &failure);
        if (status == IMG_OK)
            status = next_rows(job->bands, worker, &first, &rows, &failure);
        if (status == IMG_OK && rows.height > 0)
            status = job->sink->take(job->sink->context, worker, first, &rows, &failure);
        if (status != IMG_OK) {
            fail(job, &failure);
            return;
        }
    } while (rows.height > 0);
}

int img_bands_workers(const ImgBands *bands)
{
    return bands->worker_count;
}

ImgStatus img_bands_run(ImgBands *bands, const ImgBandSink *sink, ImgError *err)
{
    Job job = {bands, sink, pthread_self()};
    (void)img_parallel_run(bands->exec->config.team, bands->worker_count, work, &job);
    const ImgError *failure = &bands->failure;
    return failure->status == IMG_OK ? IMG_OK
                                     : img_fail(err, failure->status, "%s", failure->message);
}

/* --- The result in memory --------------------------------------------------------------------- */

static ImgStatus take_copy(void *context, int worker, int32_t first, const ImgView *rows,
                           ImgError *err)
{
    (void)worker;
    return img_image_put(context, first, rows, err);
}

static ImgStatus give_all(ImgBands *bands, ImgTaker *taker, ImgError *err)
{
    const ImgRowSource *source = bands->source;
    const ImgRowSink rows = img_taker_rows(taker);
    if (bands->chain.count == 0 && source->image == NULL && source->all != NULL)
        return source->all(source->context, &rows, err);
    const ImgBandSink sink = img_taker_bands(taker);
    return img_bands_run(bands, &sink, err);
}

/* Runs a pass that processes rows as they arrive; its result goes to `image`. */
static ImgStatus collect_by_pass(ImgBands *bands, const ImgPass *pass, ImgImage *image,
                                 ImgError *err)
{
    ImgTaker taker;
    ImgStatus status = img_image_alloc_in(bands->plan.store, pass->dst, image, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = {
        .op = pass->op,
        .src = img_view_make(NULL, 0, pass->src),
        .dst = image->view,
        .params = pass->params,
        .constants = pass->constants,
        .threads = bands->exec->config.threads,
        .team = bands->exec->config.team,
    };
    status = img_taker_begin(&taker, pass->impl->by_rows, &call, err);
    if (status != IMG_OK)
        return status;
    status = give_all(bands, &taker, err);
    img_taker_end(&taker);
    bands->report.passes[bands->next].in_bands = true;
    bands->report.passes[bands->next].seconds = taker.seconds;
    return status;
}

static ImgStatus collect_copy(ImgBands *bands, ImgImage *image, ImgError *err)
{
    const ImgBandSink sink = {take_copy, NULL, image};
    const ImgStatus status = img_image_alloc_in(bands->plan.store, bands->chain.dst, image, err);
    return status == IMG_OK ? img_bands_run(bands, &sink, err) : status;
}

/* Frees the workers and reports the times of passes. The time of a pass is its average time per
 * worker. */
static void end_workers(ImgBands *bands)
{
    for (int w = 0; bands->workers != NULL && w < bands->worker_count; w++) {
        for (size_t i = 0; i < bands->chain.count; i++)
            bands->report.passes[bands->numbers[i]].seconds +=
                bands->workers[w].seconds[i] / bands->worker_count;
        free(bands->workers[w].parts);
        free(bands->workers[w].buffers[0]);
        free(bands->workers[w].buffers[1]);
    }
    free(bands->workers);
    bands->workers = NULL;
}

ImgStatus img_bands_collect(ImgBands *bands, ImgImage *image, ImgError *err)
{
    ImgPlan *plan = &bands->plan;
    const ImgExec *exec = bands->exec;
    const ImgPass *pass = bands->next < plan->count ? &plan->passes[bands->next] : NULL;
    const bool takes = pass != NULL && pass->steps > 0 && pass->impl->by_rows != NULL;
    *image = IMG_IMAGE_NONE;
    ImgStatus status =
        takes ? collect_by_pass(bands, pass, image, err) : collect_copy(bands, image, err);
    end_workers(bands);
    ImgHeld held = {.image = *image};
    if (status == IMG_OK)
        status = img_run_on_cpu(plan, bands->next + takes, exec->config.team, exec->config.threads,
                                &held, &bands->report, err);
    *image = held.image;
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}

/* Inserts the passes that only measured the source into the report, each before the pass that uses
 * its measurement. */
static void add_measurements(const ImgMeasured *measured, ImgRunReport *report)
{
    const ImgRunReport run = *report;
    report->count = 0;
    for (size_t i = 0; i < run.count; i++) {
        const size_t step = run.passes[i].first;
        if (measured->of[step].impl != NULL && report->count < IMG_PASSES_MAX) {
            const size_t at = report->count++;
            report->passes[at].impl = measured->of[step].impl;
            report->passes[at].first = step;
            report->passes[at].steps = 0;
            report->passes[at].in_bands = true;
            report->passes[at].skipped = false;
            report->passes[at].seconds = measured->of[step].seconds;
        }
        if (report->count < IMG_PASSES_MAX)
            report->passes[report->count++] = run.passes[i];
    }
    report->kernel += measured->seconds;
}

void img_bands_end(ImgBands *bands, ImgRunReport *report)
{
    if (bands == NULL)
        return;
    end_workers(bands);
    if (bands->plan.count > 0)
        img_exec_describe(bands->exec, &bands->plan, NULL, &bands->report);
    bands->report.kernel = 0;
    for (size_t i = 0; i < bands->plan.count; i++)
        bands->report.kernel += bands->report.passes[i].seconds;
    *report = bands->report;
    if (bands->measured != NULL)
        add_measurements(bands->measured, report);
    if (bands->plan.count > 0)
        img_kept_put(&bands->exec->kept, bands->steps, bands->count, &bands->plan);
    pthread_mutex_destroy(&bands->lock);
    free(bands);
}
