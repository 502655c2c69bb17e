/* Runs the first steps of a series on bands of rows. For each band of the result, the rows that
 * each pass needs are computed, from the last pass to the first. Then the rows of the source are
 * read, and the passes run. A pass that reads the pixels around a pixel also gets rows above and
 * below its band. For these rows it computes wrong values, as if the picture ended there, and they
 * are left out. Bands are independent, so several workers process bands at the same time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/minmax.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/select.h"

/* --- Rows of a band --------------------------------------------------------------------------- */

/* A pass that runs in bands. */
typedef struct BandPass {
    const ImgOp *op;
    const void *params;
    ImgShape src, dst;
    bool is_points;
} BandPass;

/* The passes that run in bands, in the order in which they run. */
typedef struct Chain {
    BandPass passes[IMG_STEPS_MAX];
    size_t count;
    ImgShape dst; /* shape of the result of the last pass */
} Chain;

/* Operations that move pixels do not run in bands yet. */
static bool runs_in_bands(const ImgOp *op, const void *params)
{
    return op->measure == NULL && op->group != IMG_GROUP_GEOMETRY &&
           (op->part != NULL || img_op_is_points(op, params));
}

/* Returns the rows of the source of a pass for the rows `wanted` of its result. The index of the
 * first row is a multiple of IMG_ROWS_STEP, so that patterns that repeat with rows do not shift. */
static ImgRows needed_for(const BandPass *pass, ImgRows wanted)
{
    ImgPart part;
    if (!pass->is_points && img_op_part(pass->op, pass->src, pass->params, wanted, &part))
        return (ImgRows){part.src.y, part.src.y + part.src.height};
    return (ImgRows){wanted.first - wanted.first % IMG_ROWS_STEP, wanted.end};
}

/* Sets rows[i] to the rows that pass i reads, and rows[count] to the rows `wanted` of the result.
 */
static void find_rows(const Chain *chain, ImgRows wanted, ImgRows *rows)
{
    rows[chain->count] = wanted;
    for (size_t i = chain->count; i-- > 0;)
        rows[i] = needed_for(&chain->passes[i], rows[i + 1]);
}

static ImgRows next_band(int32_t first, int32_t height, ImgBandHeights heights)
{
    const int32_t rows = first == 0 ? heights.first : heights.rest;
    return (ImgRows){first, rows < height - first ? first + rows : height};
}

static size_t row_bytes(ImgShape shape)
{
    return ((size_t)shape.width * img_format_pixel_size(shape.format) + 63) / 64 * 64;
}

/* The largest numbers of rows and bytes that any band needs. */
typedef struct Needs {
    int32_t source_rows;
    size_t buffer_bytes; /* size in bytes of each of the two buffers of a worker */
    uint64_t scratch;    /* bytes of scratch memory of a worker */
    double work; /* average number of rows that a pass computes for each row of its result */
} Needs;

static void add_band(const Chain *chain, const ImgRows *rows, int threads, Needs *needs)
{
    for (size_t i = 0; i < chain->count; i++) {
        const BandPass *pass = &chain->passes[i];
        const int32_t count = rows[i].end - rows[i].first;
        const size_t from = row_bytes(pass->src), to = row_bytes(pass->dst);
        const size_t bytes = (size_t)count * (from > to ? from : to);
        ImgShape band = pass->src;
        band.height = count;
        if (bytes > needs->buffer_bytes)
            needs->buffer_bytes = bytes;
        needs->scratch =
            img_max64(needs->scratch, img_op_scratch(pass->op, band, pass->params, threads));
        needs->work += count;
    }
    if (rows[0].end - rows[0].first > needs->source_rows)
        needs->source_rows = rows[0].end - rows[0].first;
}

static Needs find_needs(const Chain *chain, ImgBandHeights heights, int threads)
{
    ImgRows rows[IMG_STEPS_MAX + 1], band = {0, 0};
    Needs needs = {0};
    const int32_t height = chain->dst.height;
    while (band.end < height) {
        band = next_band(band.end, height, heights);
        find_rows(chain, band, rows);
        add_band(chain, rows, threads, &needs);
    }
    needs.work /= (double)height * (chain->count > 0 ? (double)chain->count : 1);
    return needs;
}

/* --- Beforehand ------------------------------------------------------------------------------- */

/* Returns true if the pass does not change the picture. A pass of several point operations counts
 * as changing it, even if each of them changes nothing. */
static bool does_nothing(const ImgAhead *ahead, const BandPass *pass)
{
    return ahead->steps == 1 && pass->op->measure == NULL && pass->op->does_nothing != NULL &&
           pass->op->does_nothing(pass->src, pass->params);
}

static const ImgImpl *cpu_impl(const ImgStep *step, ImgShape src, const char *name)
{
    const ImgImpl *impl;
    const ImgStatus status = name != NULL ? img_impl_find(step->op, name, &impl, NULL)
                                          : img_impl_fastest(step->op, IMG_BACKEND_CPU, src,
                                                             step->params.bytes, &impl, NULL);
    return status == IMG_OK && impl->backend == IMG_BACKEND_CPU ? impl : NULL;
}

/* Finds the first passes of the steps, as far as they run in bands, and stores them in `chain`
 * without planning them. Sets plan->steps, plan->windows and plan->all. *next becomes the pass
 * after them, if there is one. */
static void sketch_chain(const ImgStep *steps, size_t count, ImgShape src, const char *name,
                         Chain *chain, ImgAhead *next, ImgBandsPlan *plan)
{
    *chain = (Chain){.count = 0, .dst = src};
    for (size_t i = 0; i < count; i += next->steps) {
        const void *params = steps[i].params.bytes;
        *next = img_steps_look_ahead(steps + i, count - i, chain->dst);
        const BandPass pass = {next->op, params, chain->dst, next->dst,
                               img_op_is_points(steps[i].op, params)};
        const bool skips = does_nothing(next, &pass);
        if (!skips && (!next->is_known || !runs_in_bands(steps[i].op, params) ||
                       cpu_impl(&steps[i], chain->dst, name) == NULL))
            return;
        if (!skips)
            chain->passes[chain->count++] = pass;
        plan->windows |= !skips && !pass.is_points;
        chain->dst = next->dst;
        plan->steps = i + next->steps;
    }
    plan->all = true;
}

/* Returns the heights of bands if the result is collected in memory. Without passes in bands, rows
 * go directly to a pass that processes rows as they arrive, so low bands suffice. With such passes
 * bands are higher: rows around a band are computed again for the next band. */
static ImgBandHeights heights_to_collect(const Chain *chain)
{
    enum { BYTES = 2 << 20, BYTES_TO_TAKE = 1 << 18 };
    const uint64_t bytes = chain->count > 0 ? BYTES : BYTES_TO_TAKE;
    const uint64_t rows = bytes / row_bytes(chain->dst);
    const uint64_t height = (uint64_t)chain->dst.height;
    const int32_t most = (int32_t)img_min64(img_max64(rows, IMG_ROWS_STEP), height);
    return (ImgBandHeights){most, most};
}

/* Returns the number of workers if the result is collected in memory. `takes` is true if the next
 * pass processes rows as they arrive. Such a pass needs the rows in order, so there is only one
 * worker. */
static int workers_to_collect(const Chain *chain, bool takes, int threads)
{
    return chain->count == 0 || takes ? 1 : threads;
}

bool img_bands_plan(const ImgStep *steps, size_t count, ImgShape src, const char *impl,
                    ImgRoom room, ImgBandHeights heights, ImgBandsPlan *plan)
{
    Chain chain;
    ImgAhead next;
    *plan = (ImgBandsPlan){.steps = 0};
    if (count > IMG_STEPS_MAX)
        return false;
    sketch_chain(steps, count, src, impl, &chain, &next, plan);
    const ImgStep *step = &steps[plan->steps];
    const ImgImpl *taker = plan->all ? NULL : cpu_impl(step, chain.dst, impl);
    const bool takes = taker != NULL && taker->by_rows != NULL && step->op->measure == NULL;
    if (chain.count == 0 && !takes)
        return false;
    const bool collects = heights.first == 0 || !plan->all;
    int workers = room.threads;
    if (collects) {
        heights = heights_to_collect(&chain);
        workers = workers_to_collect(&chain, takes, room.threads);
    }
    const Needs needs = find_needs(&chain, heights, workers > 1 ? 1 : room.threads);
    const ImgConstantsNeed constants = img_steps_constants(steps, count, src);
    uint64_t bytes = (uint64_t)workers * (2 * (uint64_t)needs.buffer_bytes + needs.scratch);
    uint64_t later = 0;
    if (takes) {
        bytes += taker->by_rows->bytes(chain.dst, step->params.bytes) + img_image_bytes(next.dst);
        later =
            img_steps_run_bytes(step + 1, count - plan->steps - 1, next.dst, constants.bytes, room);
    } else if (collects) {
        bytes += img_image_bytes(chain.dst);
        later = img_steps_run_bytes(step, count - plan->steps, chain.dst, constants.bytes, room);
    }
    plan->source_rows = chain.count > 0 ? needs.source_rows : heights.first;
    plan->work = needs.work;
    plan->peak_bytes = img_max64(constants.bytes + img_max64(constants.making, bytes), later);
    return true;
}

/* --- The run ---------------------------------------------------------------------------------- */

/* Memory and times of a worker. */
typedef struct Worker {
    uint8_t *buffers[2]; /* one holds the rows before a pass, the other the rows after it */
    double seconds[IMG_STEPS_MAX];
} Worker;

struct ImgBands {
    ImgExec *exec;
    ImgStep *steps;
    size_t count;
    ImgPlan plan;
    Chain chain;
    size_t numbers[IMG_STEPS_MAX]; /* indices in the plan of the passes of `chain` */
    size_t next;                   /* index of the first pass that does not run in bands */
    const ImgRowSource *source;
    ImgBandHeights heights;
    size_t buffer_bytes;
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
    const ImgCost cost = img_exec_cost(steps, count, src, exec->config.threads);
    if (img_exec_choose(exec, &cost, 0, reason) != IMG_BACKEND_CPU)
        snprintf(reason, IMG_REASON_SIZE, "rows come from the CPU");
}

/* Stores the first passes of the plan in bands->chain, as far as they run in bands. */
static void make_chain(ImgBands *bands)
{
    Chain *chain = &bands->chain;
    chain->dst = bands->source->shape;
    for (; bands->next < bands->plan.count; bands->next++) {
        const ImgPass *pass = &bands->plan.passes[bands->next];
        const bool skips = pass->steps > 0 && img_pass_does_nothing(pass);
        if (!skips &&
            (pass->steps == 0 || !(pass->is_points || runs_in_bands(pass->op, pass->params))))
            return;
        bands->report.passes[bands->next].skipped = skips;
        bands->report.passes[bands->next].in_bands = !skips;
        if (skips)
            continue;
        bands->numbers[chain->count] = bands->next;
        chain->passes[chain->count++] =
            (BandPass){pass->op, pass->params, pass->src, pass->dst, pass->is_points};
        chain->dst = pass->dst;
    }
}

static ImgStatus make_workers(ImgBands *bands, ImgError *err)
{
    bands->workers = calloc((size_t)bands->worker_count, sizeof *bands->workers);
    if (bands->workers == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    for (int i = 0; bands->chain.count > 0 && i < 2 * bands->worker_count; i++) {
        uint8_t **buffer = &bands->workers[i / 2].buffers[i % 2];
        *buffer = img_large_alloc(bands->buffer_bytes);
        if (*buffer == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for the rows of %d bands",
                            bands->worker_count);
    }
    return IMG_OK;
}

ImgStatus img_bands_begin(ImgExec *exec, ImgStep *steps, size_t count, const ImgRowSource *source,
                          ImgBandHeights heights, ImgBands **bands, ImgError *err)
{
    ImgBands *own = *bands = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    own->exec = exec;
    own->steps = steps;
    own->count = count;
    own->source = source;
    own->report.backend = IMG_BACKEND_CPU;
    pthread_mutex_init(&own->lock, NULL);
    ImgStatus status = img_plan_make(&exec->config, steps, count, source->shape, IMG_BACKEND_CPU,
                                     &exec->kept, &own->plan, err);
    if (status != IMG_OK)
        return status;
    own->plan.limits = exec->limits;
    say_why(exec, steps, count, source->shape, own->report.reason);
    make_chain(own);
    const ImgPass *next = own->next < own->plan.count ? &own->plan.passes[own->next] : NULL;
    const bool takes = next != NULL && next->steps > 0 && next->impl->by_rows != NULL;
    own->heights = heights.first > 0 ? heights : heights_to_collect(&own->chain);
    own->worker_count = heights.first > 0
                            ? exec->config.threads
                            : workers_to_collect(&own->chain, takes, exec->config.threads);
    own->threads = own->worker_count > 1 ? 1 : exec->config.threads;
    own->buffer_bytes = find_needs(&own->chain, own->heights, own->threads).buffer_bytes;
    return make_workers(own, err);
}

/* Reads the rows of the source for the next band into a buffer of the worker. A single worker reads
 * them in place, without a copy. The caller must hold the lock. `view` is unchanged if no band is
 * left. */
static ImgStatus read_band(ImgBands *bands, Worker *worker, ImgRows *rows, ImgView *view,
                           ImgError *err)
{
    const Chain *chain = &bands->chain;
    const ImgRows band = next_band(bands->done, chain->dst.height, bands->heights);
    ImgView read;
    find_rows(chain, band, rows);
    if (bands->failure.status != IMG_OK || band.first == band.end)
        return bands->failure.status;
    const int32_t count = rows[0].end - rows[0].first;
    const ImgStatus status =
        bands->source->rows(bands->source->context, rows[0].first, count, &read, err);
    if (status != IMG_OK)
        return status;
    bands->done = band.end;
    *view = read;
    if (bands->worker_count == 1)
        return IMG_OK;
    *view =
        img_view_make(worker->buffers[0], row_bytes(img_view_shape(&read)), img_view_shape(&read));
    img_view_copy(&read, view);
    return IMG_OK;
}

/* Runs a pass on some rows of its source. If its implementation does not support so few rows, uses
 * the fastest one that does. */
static ImgStatus run_pass(const ImgBands *bands, const ImgPass *pass, const ImgView *src,
                          const ImgView *dst, ImgError *err)
{
    const ImgImpl *impl = pass->impl;
    const ImgShape shape = img_view_shape(src);
    ImgStatus status = IMG_OK;
    if (!img_impl_applies(pass->op, impl, shape, pass->params))
        status = img_impl_fastest(pass->op, IMG_BACKEND_CPU, shape, pass->params, &impl, err);
    if (status != IMG_OK)
        return status;
    const ImgCall call = {
        .op = pass->op,
        .src = *src,
        .dst = *dst,
        .params = pass->params,
        .constants = pass->constants,
        .threads = bands->threads,
        .team = bands->exec->config.team,
    };
    return impl->run(&call, err);
}

static ImgStatus run_passes(const ImgBands *bands, Worker *worker, const ImgRows *rows,
                            ImgView *view, ImgError *err)
{
    const Chain *chain = &bands->chain;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < chain->count; i++) {
        const double start = img_clock();
        ImgShape shape = chain->passes[i].dst;
        shape.height = view->height;
        const ImgView all = img_view_make(worker->buffers[(i + 1) % 2], row_bytes(shape), shape);
        status = run_pass(bands, &bands->plan.passes[bands->numbers[i]], view, &all, err);
        *view = img_view_crop(&all, 0, rows[i + 1].first - rows[i].first, shape.width,
                              rows[i + 1].end - rows[i + 1].first);
        worker->seconds[i] += img_clock() - start;
    }
    return status;
}

/* Computes the next band: *view becomes its rows, and *first the index of the first one. Sets
 * view->height to 0 if no band is left. */
static ImgStatus next_rows(ImgBands *bands, int worker, int32_t *first, ImgView *view,
                           ImgError *err)
{
    ImgRows rows[IMG_STEPS_MAX + 1];
    Worker *own = &bands->workers[worker];
    *view = (ImgView){.height = 0};
    pthread_mutex_lock(&bands->lock);
    ImgStatus status = read_band(bands, own, rows, view, err);
    pthread_mutex_unlock(&bands->lock);
    if (status == IMG_OK && view->height > 0)
        status = run_passes(bands, own, rows, view, err);
    *first = rows[bands->chain.count].first;
    return status;
}

/* --- The work of all workers ------------------------------------------------------------------ */

/* Data that all workers share. */
typedef struct Job {
    ImgBands *bands;
    const ImgBandSink *sink;
} Job;

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
        ImgStatus status = next_rows(job->bands, worker, &first, &rows, &failure);
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
    Job job = {bands, sink};
    (void)img_parallel_run(bands->exec->config.team, bands->worker_count, work, &job);
    const ImgError *failure = &bands->failure;
    return failure->status == IMG_OK ? IMG_OK
                                     : img_fail(err, failure->status, "%s", failure->message);
}

/* --- The result in memory --------------------------------------------------------------------- */

static ImgStatus take_copy(void *context, int worker, int32_t first, const ImgView *rows,
                           ImgError *err)
{
    const ImgView *image = context;
    const ImgView to = img_view_crop(image, 0, first, image->width, rows->height);
    (void)worker;
    (void)err;
    img_view_copy(rows, &to);
    return IMG_OK;
}

/* A pass that processes rows as they arrive, and the seconds that it has taken. */
typedef struct Taker {
    const ImgByRows *by_rows;
    void *state;
    double seconds;
} Taker;

static void take(void *context, const ImgView *rows, int32_t first)
{
    Taker *taker = context;
    const double start = img_clock();
    taker->by_rows->take(taker->state, rows, first);
    taker->seconds += img_clock() - start;
}

static ImgStatus take_band(void *context, int worker, int32_t first, const ImgView *rows,
                           ImgError *err)
{
    (void)worker;
    (void)err;
    take(context, rows, first);
    return IMG_OK;
}

static ImgStatus give_all(ImgBands *bands, Taker *taker, ImgError *err)
{
    const ImgRowSource *source = bands->source;
    const ImgRowSink sink = {take, taker, NULL};
    if (bands->chain.count == 0 && source->all != NULL)
        return source->all(source->context, &sink, err);
    const ImgBandSink bands_sink = {take_band, NULL, taker};
    return img_bands_run(bands, &bands_sink, err);
}

/* Runs a pass that processes rows as they arrive; its result goes to `image`. */
static ImgStatus collect_by_pass(ImgBands *bands, const ImgPass *pass, ImgImage *image,
                                 ImgError *err)
{
    Taker taker = {.by_rows = pass->impl->by_rows};
    ImgStatus status = img_image_alloc(pass->dst, image, err);
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
    status = taker.by_rows->begin(&call, &taker.state, err);
    if (status != IMG_OK)
        return status;
    status = give_all(bands, &taker, err);
    taker.by_rows->end(taker.state);
    bands->report.passes[bands->next].in_bands = true;
    bands->report.passes[bands->next].seconds = taker.seconds;
    return status;
}

static ImgStatus collect_copy(ImgBands *bands, ImgImage *image, ImgError *err)
{
    const ImgBandSink sink = {take_copy, NULL, &image->view};
    const ImgStatus status = img_image_alloc(bands->chain.dst, image, err);
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
    if (bands->plan.count > 0)
        img_kept_put(&bands->exec->kept, bands->steps, bands->count, &bands->plan);
    pthread_mutex_destroy(&bands->lock);
    free(bands);
}
