/* Runs steps on a GPU whose memory is too small for the picture. The result is computed in bands of
 * rows. For each band, the part of the source that it needs is uploaded, processed like a picture
 * of its own (img_run_on_cuda), and downloaded. Several workers, each with a stream and device
 * memory of its own, process bands at the same time: while the kernels of one band run, other bands
 * are copied. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/bands/chain.h"
#include "kernels/core/minmax.h"
#include "kernels/core/select.h"
#include "kernels/core/store.h"

enum {
    /* so that one band is uploaded, one processed and one downloaded at the same time */
    WORKERS = 3,
    LEAST_ROWS = 16,
    LEAST_TILE = 32 /* smallest width and height of tiles in pixels */
};

/* Sizes of the largest picture of a band in bytes: the one that is tried first, and the smallest
 * one. A worker needs device memory for two such pictures and for the workspace of a pass. */
static const uint64_t MOST_BYTES = (uint64_t)256 << 20, LEAST_BYTES = 16 << 10;

typedef struct Worker {
    ImgCuda *cuda;
    ImgPart *parts;                   /* for each pass of the band, the part of its source */
    ImgPlan plan;                     /* the passes on these parts */
    ImgRect reads[IMG_STEPS_MAX + 1]; /* see ImgCudaWork.reads */
    ImgHostMemory host[IMG_HOST_COUNT];
    ImgCudaRoom room;
    ImgRunReport report; /* sums over the bands of the worker */
} Worker;

/* The leading steps of a plan that run in bands together. */
typedef struct Series {
    ImgExec *exec;
    ImgPlan plan; /* the passes on whole pictures */
    ImgChain chain;
    size_t numbers[IMG_STEPS_MAX]; /* for each pass of `chain`, its index in `plan` */
    /* number of passes of `plan`, from the first one on, in the series; number of their steps */
    size_t passes, steps;
    int32_t tile_width; /* width of tiles of the result in pixels; 0: bands are not divided */
    const ImgImage *from;
    const ImgImage *to;
    Worker *workers;
    int worker_count;
    pthread_t starter;
    pthread_mutex_t lock; /* protects the fields below */
    int32_t done;         /* number of rows of the result whose bands workers have begun */
    ImgError failure;     /* the first failure; no worker begins a further band after it */
} Series;

/* --- The passes of a series ------------------------------------------------------------------- */

/* Adds the first passes of the plan to the chain, as far as they run in bands. A pass that computes
 * its result in tiles is a series of its own: its tiles are as wide as high, so that they need
 * small rectangles of the source. */
static void make_chain(Series *series)
{
    const ImgPlan *plan = &series->plan;
    ImgChain *chain = &series->chain;
    for (; series->passes < plan->count && !chain->has_tiles; series->passes++) {
        const ImgPass *pass = &plan->passes[series->passes];
        const bool skips = pass->steps > 0 && img_pass_does_nothing(pass);
        const ImgChainPass own = {.op = pass->op,
                                  .params = pass->params,
                                  .src = pass->src,
                                  .dst = pass->dst,
                                  .is_points = pass->is_points};
        if (!skips && (pass->steps == 0 || !img_chain_add(chain, &own)))
            return;
        if (!skips)
            series->numbers[chain->count - 1] = series->passes;
        series->steps = pass->first + pass->steps;
    }
}

/* Sets the heights of bands, and the width of tiles, so that no picture of a band is larger than
 * `bytes`, if possible. */
static void set_heights(Series *series, uint64_t bytes)
{
    ImgChain *chain = &series->chain;
    const ImgShape dst = chain->dst;
    int32_t height = dst.height;
    if (chain->has_tiles) {
        /* half of the bytes, because a tile of a rotated result needs a larger rectangle of the
         * source */
        const uint64_t pixels = bytes / 2 / img_format_pixel_size(dst.format);
        int32_t side = LEAST_TILE;
        while ((uint64_t)4 * (uint64_t)side * (uint64_t)side <= pixels)
            side *= 2;
        series->tile_width = img_min32(side, dst.width);
        height = img_min32(side, height);
    }
    chain->heights = (ImgBandHeights){height, height};
    while (!chain->has_tiles && height > LEAST_ROWS) {
        const ImgChainNeeds needs = img_chain_needs(chain, 1, true);
        if (img_max64(needs.buffer_bytes[0], needs.buffer_bytes[1]) <= bytes)
            return;
        height = (height + 1) / 2;
        chain->heights = (ImgBandHeights){height, height};
    }
}

/* --- A band ----------------------------------------------------------------------------------- */

static void free_constants(Worker *worker, const Series *series)
{
    for (size_t i = 0; i < worker->plan.count; i++) {
        ImgConstants *own = &worker->plan.passes[i].constants;
        if (own->bytes != series->plan.passes[series->numbers[i]].constants.bytes)
            img_constants_free(own);
    }
}

/* Plans pass number `number` of the series on a part of its source (worker->parts). If its
 * implementation does not support so small a picture, uses the fastest one that does. */
static ImgStatus plan_pass(const Series *series, Worker *worker, size_t number, ImgError *err)
{
    const ImgPass *whole = &series->plan.passes[series->numbers[number]];
    const ImgPart *part = &worker->parts[number];
    ImgPass *own = &worker->plan.passes[number];
    ImgConstants constants = {NULL, 0};
    *own = *whole;
    own->params = whole->is_points ? whole->params : part->params.bytes;
    own->src.width = part->src.width;
    own->src.height = part->src.height;
    own->dst = img_chain_part_shape(&series->chain, number, part);
    worker->plan.count = number + 1;
    ImgStatus status = IMG_OK;
    if (series->chain.has_tiles)
        status = own->op->shape(own->src, own->params, &own->dst, err);
    if (status == IMG_OK && !img_impl_applies(own->op, own->impl, own->src, own->params))
        status =
            img_impl_fastest(own->op, IMG_BACKEND_CUDA, own->src, own->params, &own->impl, err);
    if (status == IMG_OK && !whole->is_points)
        status =
            img_op_part_constants(own->op, whole->src, part, &whole->constants, &constants, err);
    if (constants.bytes != NULL)
        own->constants = constants;
    return status;
}

/* Plans all passes for worker->parts. Each pass reads a part of the result of the previous one; the
 * last result contains `rows` rows that are wanted. */
static ImgStatus plan_passes(const Series *series, Worker *worker, int32_t rows, ImgError *err)
{
    const size_t count = series->chain.count;
    const ImgPart *parts = worker->parts;
    ImgStatus status = IMG_OK;
    worker->plan.count = 0;
    worker->reads[0] = (ImgRect){0, 0, parts[0].src.width, parts[0].src.height};
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        status = plan_pass(series, worker, i, err);
        if (i + 1 < count)
            worker->reads[i + 1] = (ImgRect){parts[i + 1].src.x, parts[i].skip,
                                             parts[i + 1].src.width, parts[i + 1].src.height};
    }
    const ImgShape last = worker->plan.passes[worker->plan.count - 1].dst;
    worker->reads[count] = (ImgRect){0, parts[count - 1].skip, last.width, rows};
    return status;
}

static void add_times(ImgRunReport *sums, const ImgRunReport *report, size_t count)
{
    sums->upload += report->upload;
    sums->kernel += report->kernel;
    sums->download += report->download;
    for (size_t i = 0; i < count; i++)
        sums->passes[i].seconds += report->passes[i].seconds;
}

/* Computes a rectangle of the result from the rectangle `src` of the source, as worker->parts
 * say. */
static ImgStatus run_part(const Series *series, Worker *worker, ImgRect src, const ImgView *to,
                          ImgError *err)
{
    ImgImage copy = IMG_IMAGE_NONE;
    ImgView from = img_view_crop(&series->from->view, src.x, src.y, src.width, src.height);
    ImgStatus status = IMG_OK;
    if (series->from->store != NULL) {
        status = img_image_alloc(img_view_shape(&from), &copy, err);
        from = copy.view;
        if (status == IMG_OK)
            status = img_image_get(series->from, src.x, src.y, &from, err);
    }
    if (status == IMG_OK)
        status = plan_passes(series, worker, to->height, err);
    ImgRunReport report = {.backend = IMG_BACKEND_CUDA};
    ImgHeld held = {.image = {.view = from}, .is_borrowed = true, .to = to};
    const int threads = series->exec->config.threads / series->worker_count;
    const ImgCudaWork work = {
        .plan = &worker->plan,
        .reads = worker->reads,
        .host = worker->host,
        .team = series->exec->config.team,
        .threads = threads > 0 ? threads : 1,
        .room = &worker->room,
    };
    if (status == IMG_OK)
        status = img_run_on_cuda(worker->cuda, &work, &held, &report, err);
    add_times(&worker->report, &report, worker->plan.count);
    free_constants(worker, series);
    img_image_free(&copy);
    return status;
}

static ImgStatus run_tiles(const Series *series, Worker *worker, ImgRows band, const ImgView *to,
                           ImgError *err)
{
    const ImgChainPass *pass = &series->chain.passes[0];
    ImgStatus status = IMG_OK;
    for (int32_t x = 0; status == IMG_OK && x < to->width; x += series->tile_width) {
        const ImgRect tile = {x, band.first, img_min32(series->tile_width, to->width - x),
                              to->height};
        const ImgView view = img_view_crop(to, x, 0, tile.width, tile.height);
        (void)img_op_tile(pass->op, pass->src, pass->params, tile, &worker->parts[0]);
        status = run_part(series, worker, worker->parts[0].src, &view, err);
    }
    return status;
}

static ImgStatus run_rows(const Series *series, Worker *worker, ImgRows band, const ImgView *to,
                          ImgError *err)
{
    if (series->chain.has_tiles)
        return run_tiles(series, worker, band, to, err);
    const ImgRect src = img_chain_parts(&series->chain, band, worker->parts);
    return run_part(series, worker, src, to, err);
}

static ImgStatus run_band(const Series *series, Worker *worker, ImgRows band, ImgError *err)
{
    const ImgImage *result = series->to;
    const int32_t rows = band.end - band.first;
    ImgView to = img_view_crop(&result->view, 0, band.first, result->view.width, rows);
    if (result->store == NULL)
        return run_rows(series, worker, band, &to, err);
    ImgImage copy;
    ImgStatus status = img_image_alloc(img_view_shape(&to), &copy, err);
    if (status == IMG_OK)
        status = run_rows(series, worker, band, &copy.view, err);
    if (status == IMG_OK)
        status = img_image_put(result, band.first, &copy.view, err);
    img_image_free(&copy);
    return status;
}

/* --- Workers ---------------------------------------------------------------------------------- */

/* Claims the next band. It is empty if none is left, or after a failure. */
static ImgRows claim(Series *series)
{
    pthread_mutex_lock(&series->lock);
    ImgRows band = img_chain_band(&series->chain, series->done);
    if (series->failure.status != IMG_OK)
        band.end = band.first;
    series->done = band.end;
    pthread_mutex_unlock(&series->lock);
    return band;
}

/* Calls the progress callback, which can end the run, on the thread that started the run. */
static ImgStatus check_progress(const Series *series, ImgError *err)
{
    ImgExec *exec = series->exec;
    if (exec->progress.passed == NULL || !pthread_equal(pthread_self(), series->starter))
        return IMG_OK;
    const ImgStatus status =
        exec->progress.passed(exec->progress.context, 0, series->plan.count, err);
    exec->stopped = status != IMG_OK;
    return status;
}

static void work(void *context, int number)
{
    Series *series = context;
    ImgError failure = {IMG_OK, ""};
    ImgStatus status;
    ImgRows band;
    do {
        band = claim(series);
        status = check_progress(series, &failure);
        if (status == IMG_OK && band.first < band.end)
            status = run_band(series, &series->workers[number], band, &failure);
    } while (status == IMG_OK && band.first < band.end);
    pthread_mutex_lock(&series->lock);
    if (series->failure.status == IMG_OK)
        series->failure = failure;
    pthread_mutex_unlock(&series->lock);
}

static void free_workers(Series *series)
{
    for (int i = 0; series->workers != NULL && i < WORKERS; i++) {
        free(series->workers[i].parts);
        if (i > 0)
            img_cuda_close(series->workers[i].cuda);
    }
    free(series->workers);
    series->workers = NULL;
}

/* Makes workers: the first one uses `cuda`; each of the others opens the device once more. If that
 * fails, there are fewer workers. */
static ImgStatus make_workers(Series *series, ImgCuda *cuda, ImgError *err)
{
    const int most =
        img_chain_bands(&series->chain, img_min32(WORKERS, series->exec->config.threads));
    series->workers = calloc(WORKERS, sizeof *series->workers);
    series->worker_count = 0;
    for (int i = 0; series->workers != NULL && i < most; i++) {
        Worker *worker = &series->workers[i];
        worker->parts = calloc(series->chain.count, sizeof *worker->parts);
        worker->cuda = cuda;
        if (worker->parts == NULL ||
            (i > 0 && img_cuda_open(series->exec->config.device, &worker->cuda, NULL) != IMG_OK))
            break;
        series->worker_count++;
    }
    return series->worker_count > 0 ? IMG_OK
                                    : img_fail(err, IMG_E_MEMORY, "no memory for the steps");
}

/* --- The run ---------------------------------------------------------------------------------- */

/* Runs the series in bands. No picture of a band has more than `bytes` bytes, if possible. Sets
 * *is_wanting if device memory was short. */
static ImgStatus try_with(Series *series, uint64_t bytes, ImgCuda *cuda, bool *is_wanting,
                          ImgError *err)
{
    set_heights(series, bytes);
    series->done = 0;
    img_error_clear(&series->failure);
    *is_wanting = false;
    ImgStatus status = make_workers(series, cuda, err);
    if (status == IMG_OK)
        (void)img_parallel_run(series->exec->config.team, series->worker_count, work, series);
    for (int i = 0; i < series->worker_count; i++)
        *is_wanting |= series->workers[i].room.is_wanting;
    if (status == IMG_OK && series->failure.status != IMG_OK)
        status = img_fail(err, series->failure.status, "%s", series->failure.message);
    return status;
}

/* Adds the times of the workers to the report: their average, because workers run at the same
 * time. */
static void report_times(const Series *series, const ImgCuda *cuda, ImgRunReport *report)
{
    img_exec_describe(series->exec, &series->plan, cuda, report);
    report->count = series->passes;
    for (size_t i = 0; i < series->passes; i++)
        report->passes[i].skipped = true;
    for (size_t i = 0; i < series->chain.count; i++) {
        report->passes[series->numbers[i]].skipped = false;
        report->passes[series->numbers[i]].in_bands = true;
    }
    for (int w = 0; w < series->worker_count; w++) {
        const ImgRunReport *own = &series->workers[w].report;
        report->upload += own->upload / series->worker_count;
        report->kernel += own->kernel / series->worker_count;
        report->download += own->download / series->worker_count;
        for (size_t i = 0; i < series->chain.count; i++)
            report->passes[series->numbers[i]].seconds +=
                own->passes[i].seconds / series->worker_count;
    }
}

static ImgStatus run_series(Series *series, ImgCuda *cuda, ImgRunReport *report, ImgError *err)
{
    const struct ImgStore *store = series->exec->store;
    uint64_t bytes = MOST_BYTES;
    /* Each worker has up to two pictures in memory that are copied from or to the store. Together
     * they may use only the memory of the store. */
    if (store != NULL)
        bytes = img_min64(bytes, img_store_resident(store) / (2 * WORKERS));
    ImgStatus status;
    bool is_wanting;
    do {
        ImgError failure = {IMG_OK, ""};
        status = try_with(series, bytes, cuda, &is_wanting, &failure);
        if (status == IMG_OK)
            report_times(series, cuda, report);
        else if (!is_wanting || bytes / 4 < LEAST_BYTES)
            (void)img_fail(err, status, "%s", failure.message);
        free_workers(series);
        bytes /= 4;
    } while (status != IMG_OK && is_wanting && bytes >= LEAST_BYTES);
    img_cuda_free_memory(cuda);
    return status;
}

/* Runs the series into a new picture, which replaces the held one. */
static ImgStatus run_held(Series *series, size_t count, ImgCuda *cuda, ImgHeld *held,
                          ImgRunReport *report, ImgError *err)
{
    const bool is_in_to = held->to != NULL && series->steps == count;
    ImgImage result = IMG_IMAGE_NONE;
    ImgStatus status =
        is_in_to ? img_held_place(held, series->chain.dst, &result, err)
                 : img_image_alloc_in(series->exec->store, series->chain.dst, &result, err);
    series->from = &held->image;
    series->to = &result;
    if (status == IMG_OK)
        status = run_series(series, cuda, report, err);
    if (status == IMG_OK)
        img_held_put(held, &result, is_in_to);
    else if (!is_in_to)
        img_image_free(&result);
    return status;
}

ImgStatus img_bands_run_on_device(ImgExec *exec, ImgCuda *cuda, ImgStep *steps, size_t count,
                                  bool only_all, ImgHeld *held, size_t *done, ImgRunReport *report,
                                  ImgError *err)
{
    const ImgShape src = img_view_shape(&held->image.view);
    *done = 0;
    Series *series = calloc(1, sizeof *series);
    if (series == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the steps");
    series->exec = exec;
    series->starter = pthread_self();
    series->chain = (ImgChain){.dst = src, .heights = {LEAST_ROWS, LEAST_ROWS}};
    pthread_mutex_init(&series->lock, NULL);
    ImgStatus status = img_plan_make(&exec->config, steps, count, src, IMG_BACKEND_CUDA, NULL,
                                     &exec->kept, &series->plan, err);
    if (status == IMG_OK) {
        make_chain(series);
        if (series->chain.count > 0 && (series->steps == count || !only_all)) {
            status = run_held(series, count, cuda, held, report, err);
            *done = status == IMG_OK ? series->steps : 0;
        }
        img_kept_put(&exec->kept, steps, count, &series->plan);
    }
    pthread_mutex_destroy(&series->lock);
    free(series);
    return status;
}
