/* Measures operations: one group of rows per step, size, format and backend. */
#include <stdio.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/bench/measure/measurement.h"
#include "app/bench/measure/workload.h"
#include "app/engine/share/resources.h"
#include "kernels/core/select.h"

enum { ROWS_MAX = 64 };

/* State of measuring one group. It is the context of time_row. */
typedef struct GroupRun {
    Workload *workload;
    ImgBackend backend;
    /* implementation of each row; NULL for the row of the limit (a copy or a plain read) */
    const ImgImpl *impls[ROWS_MAX];
} GroupRun;

static bool is_wanted(const Bench *bench, const ImgStep *step, const ImgImpl *impl, ImgShape shape)
{
    bool on_device = impl->backend == IMG_BACKEND_CUDA;
    bool runs = img_impl_usable(impl) && (!on_device || bench->device != NULL);
    return bench_plan_has(&bench->plan, impl) &&
           img_impl_applies(step->op, impl, shape, step->params.bytes) &&
           (runs || (on_device && bench->modelled));
}

static bool any_wanted(const Bench *bench, const ImgStep *step, ImgBackend backend, ImgShape shape)
{
    for (const ImgImpl *impl = step->op->impls; impl->name != NULL; impl++)
        if (impl->backend == backend && is_wanted(bench, step, impl, shape))
            return true;
    return false;
}

static void name_subject(ImgShape shape, char subject[BENCH_SUBJECT])
{
    snprintf(subject, BENCH_SUBJECT, "%s %dx%d", bench_format_name(shape.format), shape.width,
             shape.height);
}

static ImgStatus add_row(BenchGroup *group, GroupRun *run, const ImgImpl *impl, const char *name,
                         ImgError *err)
{
    if (group->count == ROWS_MAX)
        return IMG_OK;
    run->impls[group->count] = impl;
    BenchRow *row = bench_group_add_row(group, err);
    if (row == NULL)
        return IMG_E_MEMORY;
    row->verdict = impl == NULL ? BENCH_LIMIT : BENCH_VERIFIED;
    snprintf(row->name, sizeof row->name, "%s", name);
    return IMG_OK;
}

/* Runs a row once and compares its result with the result of the reference implementation. The run
 * is in a named range, which profilers show. */
static void check_row(const BenchGroup *group, BenchRow *row, Workload *workload,
                      const ImgImpl *impl)
{
    char range[BENCH_RANGE];
    ImgError failure = {IMG_OK, ""};
    img_device_mark(bench_range_name(group->title, group->subject, row->name, range));
    if (workload_check(workload, impl, &failure) != IMG_OK)
        bench_row_fail(row, &failure);
    img_device_mark(NULL);
}

/* Adds the row of the limit (a copy or a plain read), then one row per implementation that is
 * wanted. Compares the result of each implementation with the reference implementation's result. */
static ImgStatus add_rows(const Bench *bench, BenchGroup *group, GroupRun *run, ImgError *err)
{
    Workload *workload = run->workload;
    bool on_device = run->backend == IMG_BACKEND_CUDA;
    const ImgStep *step = workload->step;
    ImgShape shape = img_view_shape(workload->src);
    ImgStatus status = IMG_OK;
    if (!bench->settings->profile && (!on_device || bench->device != NULL))
        status = add_row(group, run, NULL,
                         workload->measures ? "plain read"
                         : on_device        ? "device copy"
                                            : "memcpy",
                         err);
    for (const ImgImpl *impl = step->op->impls; impl->name != NULL && status == IMG_OK; impl++) {
        if (impl->backend != run->backend || !is_wanted(bench, step, impl, shape))
            continue;
        if (bench->stopped())
            return IMG_OK;
        status = add_row(group, run, impl, impl->name, err);
        if (status != IMG_OK)
            return status;
        BenchRow *row = &group->rows[group->count - 1];
        if (!on_device || bench->device != NULL)
            check_row(group, row, workload, impl);
    }
    return status;
}

static ImgStatus time_row(void *context, size_t row, ImgCaches caches, int repeats, double *seconds,
                          ImgError *err)
{
    const GroupRun *run = context;
    return workload_time(run->workload, run->impls[row], run->backend, caches, repeats, seconds,
                         err);
}

static void describe(const Workload *workload, ImgBackend backend, BenchGroup *group)
{
    ImgShape shape = img_view_shape(workload->src);
    const ImgStep *step = workload->step;
    group->section = BENCH_OPS;
    group->backend = backend;
    group->bytes = img_op_traffic(step->op, shape, step->params.bytes);
    group->limit_bytes = workload_limit_bytes(workload);
    bench_step_title(step, group->title, sizeof group->title);
    snprintf(group->format, sizeof group->format, "%s", bench_format_name(shape.format));
    name_subject(shape, group->subject);
}

static void announce(const Bench *bench, const BenchGroup *group)
{
    char what[256];
    snprintf(what, sizeof what, "%s, %s, %s", group->title, group->subject,
             img_backend_name(group->backend));
    bench->begins(bench, what);
}

double bench_clock_step(const Bench *bench)
{
    const double step = 15;
    double clock = bench->report.machine.gpu_mhz;
    return clock > 0 ? step / clock : 0;
}

static ImgStatus measure_group(Bench *bench, Workload *workload, ImgBackend backend, ImgError *err)
{
    GroupRun run = {.workload = workload, .backend = backend};
    BenchGroup *group = bench_report_add_group(&bench->report, err);
    if (group == NULL)
        return IMG_E_MEMORY;
    describe(workload, backend, group);
    announce(bench, group);
    ImgStatus status = add_rows(bench, group, &run, err);
    Measurement measurement = {
        .group = group,
        .run = time_row,
        .context = &run,
        .seconds = bench->settings->row_time * 1e-3,
        .least_noise = backend == IMG_BACKEND_CUDA ? bench_clock_step(bench) : 0,
        .warm = backend == IMG_BACKEND_CUDA,
        .stopped = bench->stopped,
    };
    bool runs = backend == IMG_BACKEND_CPU || bench->device != NULL;
    if (status == IMG_OK && runs && !bench->settings->profile)
        status = measurement_run(&measurement, err);
    if (status == IMG_OK && bench->complete != NULL)
        status = bench->complete(bench, group, workload->step, workload->src->format, err);
    if (status == IMG_OK)
        bench->finished(bench, group);
    return status;
}

/* Returns true if the operation supports the shape (format and size). If not, and the user named no
 * operation, there is no group for this shape. */
static bool supports(const ImgStep *step, ImgShape shape)
{
    ImgShape result;
    return step->op->shape(shape, step->params.bytes, &result, NULL) == IMG_OK;
}

static ImgStatus measure_step(Bench *bench, const ImgStep *step, const ImgView *src, ImgError *err)
{
    Workload workload;
    ImgShape shape = img_view_shape(src);
    bool cpu = any_wanted(bench, step, IMG_BACKEND_CPU, shape);
    bool cuda = any_wanted(bench, step, IMG_BACKEND_CUDA, shape);
    if (!cpu && !cuda)
        return IMG_OK;
    ImgStatus status = workload_open(step, src, bench->threads, &workload, err);
    if (status == IMG_OK && cpu && !bench->stopped())
        status = measure_group(bench, &workload, IMG_BACKEND_CPU, err);
    if (status == IMG_OK && cuda && !bench->stopped()) {
        if (bench->device != NULL)
            status = workload_upload(&workload, bench->device, err);
        if (status == IMG_OK)
            status = measure_group(bench, &workload, IMG_BACKEND_CUDA, err);
    }
    workload_free(&workload);
    return status;
}

/* Checks the limits of pixels and memory before any memory is allocated. */
static ImgStatus check_size(const Bench *bench, const ImgStep *step, ImgShape shape, ImgError *err)
{
    ImgLimits limits = img_resources_limits(&bench->settings->engine);
    uint64_t bytes = 0, pixels = (uint64_t)shape.width * (uint64_t)shape.height;
    if (pixels > limits.max_pixels)
        return img_fail(err, IMG_E_LIMIT,
                        "%d x %d pixels are more than the limit; --max-pixels %llu would allow it",
                        shape.width, shape.height, (unsigned long long)pixels);
    ImgStatus status = workload_bytes(step, shape, &bytes, err);
    return status == IMG_OK ? img_resources_check_memory(shape, bytes, &limits, err) : status;
}

static ImgStatus measure_shape(Bench *bench, const ImgStep *step, ImgShape shape, ImgError *err)
{
    ImgImage picture;
    if (!bench->plan.named && !supports(step, shape))
        return IMG_OK;
    ImgStatus status = check_size(bench, step, shape, err);
    if (status == IMG_OK)
        status = img_image_alloc(shape, &picture, err);
    if (status != IMG_OK)
        return status;
    bench_fill_photo(&picture.view, 1);
    status = measure_step(bench, step, &picture.view, err);
    img_image_free(&picture);
    return status;
}

ImgStatus bench_ops(Bench *bench, ImgError *err)
{
    const BenchPlan *plan = &bench->plan;
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < plan->step_count; i++)
        for (size_t s = 0; s < plan->size_count; s++)
            for (size_t f = 0; f < plan->format_count; f++) {
                if (status != IMG_OK || bench->stopped())
                    return status;
                ImgShape shape = {plan->sizes[s][0], plan->sizes[s][1], plan->formats[f]->format};
                status = measure_shape(bench, &plan->steps[i], shape, err);
            }
    return status;
}

ImgStatus bench_ops_of(Bench *bench, const ImgView *picture, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; i < bench->plan.step_count && status == IMG_OK && !bench->stopped(); i++)
        if (bench->plan.named || supports(&bench->plan.steps[i], img_view_shape(picture)))
            status = measure_step(bench, &bench->plan.steps[i], picture, err);
    return status;
}
