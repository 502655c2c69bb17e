/* Measures operations: one group of rows per step, size, format and backend. */
#include <stdio.h>
#include <string.h>

#include "app/bench/bench.h"
#include "app/bench/measure/variants.h"
#include "app/engine/share/resources.h"
#include "kernels/core/select.h"

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

/* Checks the implementation that was added last, in a named range, which profilers show. */
static void check_last(Variants *variants)
{
    const BenchGroup *group = variants->group;
    const BenchRow *row = &group->rows[group->count - 1];
    char range[BENCH_RANGE];
    img_device_mark(bench_range_name(group->title, group->subject, row->name, range));
    variants_check_last(variants);
    img_device_mark(NULL);
}

/* Adds the row of the limit (a copy or a plain read), then one row per implementation that is
 * wanted. Compares the result of each implementation with the reference implementation's result. */
static ImgStatus add_rows(const Bench *bench, const ImgStep *step, Variants *variants,
                          ImgError *err)
{
    const bool on_device = variants->backend == IMG_BACKEND_CUDA;
    const ImgShape shape = img_view_shape(variants->workload->config.src);
    ImgStatus status = IMG_OK;
    if (!bench->settings->profile && (!on_device || bench->device != NULL))
        status = variants_add(variants, NULL, err);
    for (const ImgImpl *impl = step->op->impls; impl->name != NULL && status == IMG_OK; impl++) {
        if (impl->backend != variants->backend || !is_wanted(bench, step, impl, shape))
            continue;
        if (bench->stopped())
            return IMG_OK;
        status = variants_add(variants, impl, err);
        if (status == IMG_OK && (!on_device || bench->device != NULL))
            check_last(variants);
    }
    return status;
}

static void describe(const ImgStep *step, const Workload *workload, ImgBackend backend,
                     BenchGroup *group)
{
    ImgShape shape = img_view_shape(workload->config.src);
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

static ImgStatus measure_group(Bench *bench, const ImgStep *step, Workload *workload,
                               ImgBackend backend, ImgError *err)
{
    BenchGroup *group = bench_report_add_group(&bench->report, err);
    if (group == NULL)
        return IMG_E_MEMORY;
    describe(step, workload, backend, group);
    announce(bench, group);
    const bool on_device = backend == IMG_BACKEND_CUDA;
    Variants variants = {.workload = workload, .group = group, .backend = backend};
    const Measurement how = {.seconds = bench->settings->row_time * 1e-3,
                             .least_noise = on_device ? bench_clock_step(bench) : 0,
                             .warm = on_device,
                             .stopped = bench->stopped};
    ImgStatus status = add_rows(bench, step, &variants, err);
    const bool runs = !on_device || bench->device != NULL;
    if (status == IMG_OK && runs && !bench->settings->profile)
        status = variants_time(&variants, how, err);
    if (status == IMG_OK && bench->complete != NULL)
        status = bench->complete(bench, group, step, workload->config.src->format, err);
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
    const WorkloadConfig config = {
        .op = step->op, .params = step->params.bytes, .src = src, .threads = bench->threads};
    ImgStatus status = workload_open(&config, &workload, err);
    if (status == IMG_OK)
        status = workload_expect(&workload, step->op->impls, err);
    if (status == IMG_OK && cpu && !bench->stopped())
        status = measure_group(bench, step, &workload, IMG_BACKEND_CPU, err);
    if (status == IMG_OK && cuda && !bench->stopped()) {
        if (bench->device != NULL)
            status = workload_upload(&workload, bench->device, err);
        if (status == IMG_OK)
            status = measure_group(bench, step, &workload, IMG_BACKEND_CUDA, err);
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
