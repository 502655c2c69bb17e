/* Chooses the backend and the implementations, and creates the CUDA context in the background. */
#include "kernels/core/exec.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/exec_priv.h"
#include "kernels/core/select.h"

struct ImgExec {
    ImgExecConfig config;
    ImgCuda *cuda; /* once it has been collected from the opener */

    /* The thread that opens the device, from img_exec_prepare until it is joined. */
    pthread_t opener;
    bool opening;
    atomic_bool opened;
    ImgCuda *opener_cuda;
    ImgError opener_error;
    double opener_start;
};

/* What the choice of `auto` rests on. Rates are deliberately rough and in favour of the CPU:
 * measured were 190 to 400 ms for a context, 2 to 4 GB/s a thread for turns on the CPU, about 10
 * GB/s through staging buffers, and over 1 TB/s for kernels (kernels/README.md). */
static const double CONTEXT_SECONDS = 0.4;
static const double CPU_BYTES_PER_SECOND = 3e9; /* a thread, up to CPU_THREADS_MAX of them */
static const double TRANSFER_BYTES_PER_SECOND = 10e9;
static const double CUDA_BYTES_PER_SECOND = 1e12;
/* Creating a context keeps a core busy that decoding could use: only a gain beyond this is one. */
static const double GAIN_SECONDS = 0.1;
enum { CPU_THREADS_MAX = 8 };

typedef struct Cost {
    double cpu;      /* seconds of all steps on the CPU */
    double cuda;     /* seconds of transfers and kernels, once a context is there */
    bool applicable; /* every step has a CUDA row */
} Cost;

static Cost cost_of(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src)
{
    Cost cost = {.applicable = img_cuda_in_build()};
    int threads =
        exec->config.threads < CPU_THREADS_MAX ? exec->config.threads : (int)CPU_THREADS_MAX;
    size_t bytes = 0;
    if (img_shape_bytes(src, &bytes, NULL) == IMG_OK)
        cost.cuda += (double)bytes / TRANSFER_BYTES_PER_SECOND;
    for (size_t i = 0; i < count; i++) {
        double traffic = (double)steps[i].op->traffic(src, steps[i].params.bytes);
        const ImgImpl *row;
        cost.cpu += traffic / (CPU_BYTES_PER_SECOND * threads);
        cost.cuda += traffic / CUDA_BYTES_PER_SECOND;
        cost.applicable &= img_impl_fastest(steps[i].op, IMG_BACKEND_CUDA, src,
                                            steps[i].params.bytes, &row, NULL) == IMG_OK;
        ImgShape dst;
        if (steps[i].op->shape(src, steps[i].params.bytes, &dst, NULL) != IMG_OK)
            break;
        src = dst;
    }
    if (img_shape_bytes(src, &bytes, NULL) == IMG_OK)
        cost.cuda += (double)bytes / TRANSFER_BYTES_PER_SECOND;
    return cost;
}

ImgStatus img_exec_create(const ImgExecConfig *config, ImgExec **exec, ImgError *err)
{
    *exec = NULL;
    if (config->threads < 1)
        return img_fail(err, IMG_E_USAGE, "%d threads are none; use at least 1", config->threads);
    if (config->device < 0)
        return img_fail(err, IMG_E_USAGE, "there is no CUDA device %d", config->device);
    if (config->backend == IMG_BACKEND_CUDA && !img_cuda_in_build())
        return img_cuda_open(config->device, &(ImgCuda *){NULL}, err);
    *exec = calloc(1, sizeof **exec);
    if (*exec == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    (*exec)->config = *config;
    return IMG_OK;
}

void img_exec_set_threads(ImgExec *exec, int threads)
{
    exec->config.threads = threads;
}

static void *open_device(void *argument)
{
    ImgExec *exec = argument;
    (void)img_cuda_open(exec->config.device, &exec->opener_cuda, &exec->opener_error);
    atomic_store(&exec->opened, true);
    return NULL;
}

static void start_opening(ImgExec *exec)
{
    if (exec->cuda != NULL || exec->opening)
        return;
    if (exec->config.opener != NULL) {
        img_opener_start(exec->config.opener);
        return;
    }
    img_error_clear(&exec->opener_error);
    atomic_store(&exec->opened, false);
    exec->opener_start = img_clock();
    exec->opening = pthread_create(&exec->opener, NULL, open_device, exec) == 0;
}

/* Waits for the opener and takes what it made. */
static ImgStatus collect_device(ImgExec *exec, ImgError *err)
{
    if (exec->cuda != NULL)
        return IMG_OK;
    if (exec->config.opener != NULL) {
        /* Its context makes opening the device again a matter of milliseconds. */
        ImgStatus status = img_opener_wait(exec->config.opener, err);
        return status == IMG_OK ? img_cuda_open(exec->config.device, &exec->cuda, err) : status;
    }
    if (!exec->opening)
        return img_cuda_open(exec->config.device, &exec->cuda, err);
    pthread_join(exec->opener, NULL);
    exec->opening = false;
    exec->cuda = exec->opener_cuda;
    exec->opener_cuda = NULL;
    if (exec->cuda == NULL)
        return img_fail(err, exec->opener_error.status, "%s", exec->opener_error.message);
    return IMG_OK;
}

void img_exec_destroy(ImgExec *exec)
{
    if (exec == NULL)
        return;
    if (exec->opening)
        (void)collect_device(exec, NULL);
    img_cuda_close(exec->cuda);
    free(exec);
}

/* The row asked for by name decides the backend, unless the two contradict each other. */
static ImgStatus find_named(const ImgExec *exec, const ImgStep *step, const ImgImpl **impl,
                            ImgError *err)
{
    ImgStatus status = img_impl_find(step->op, exec->config.impl, impl, err);
    if (status == IMG_OK && exec->config.backend != IMG_BACKEND_AUTO &&
        exec->config.backend != (*impl)->backend)
        return img_fail(err, IMG_E_USAGE,
                        "%s: implementation '%s' runs on %s, and --backend asks for %s; leave one "
                        "of them out",
                        step->op->name, (*impl)->name, img_backend_name((*impl)->backend),
                        img_backend_name(exec->config.backend));
    return status;
}

static ImgStatus find_row(const ImgExec *exec, const ImgStep *step, ImgBackend backend,
                          ImgShape src, const ImgImpl **impl, ImgError *err)
{
    if (exec->config.impl == NULL)
        return img_impl_fastest(step->op, backend, src, step->params.bytes, impl, err);
    ImgStatus status = find_named(exec, step, impl, err);
    return status == IMG_OK ? img_impl_check(step->op, *impl, src, step->params.bytes, err)
                            : status;
}

static ImgStatus make_plan(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                           ImgBackend backend, ImgPlan *plan, ImgError *err)
{
    if (count > IMG_STEPS_MAX)
        return img_fail(err, IMG_E_USAGE, "%zu steps are more than the %d that one run can take",
                        count, IMG_STEPS_MAX);
    *plan = (ImgPlan){.steps = steps, .count = count};
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        status = find_row(exec, &steps[i], backend, src, &plan->impls[i], err);
        if (status == IMG_OK && plan->impls[i]->backend != plan->impls[0]->backend)
            status = img_fail(err, IMG_E_USAGE,
                              "implementation '%s' is a different backend's in %s and %s",
                              exec->config.impl, steps[0].op->name, steps[i].op->name);
        ImgShape dst;
        if (status == IMG_OK)
            status = steps[i].op->shape(src, steps[i].params.bytes, &dst, err);
        if (status == IMG_OK)
            src = dst;
    }
    return status;
}

/* The backend that was asked for, by name or by implementation; AUTO where it is ours to choose. */
static ImgBackend backend_asked(const ImgExec *exec, const ImgStep *steps, size_t count)
{
    const ImgImpl *impl;
    if (exec->config.impl != NULL && count > 0 &&
        img_impl_find(steps[0].op, exec->config.impl, &impl, NULL) == IMG_OK)
        return impl->backend;
    return exec->config.backend;
}

void img_exec_prepare(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                      double decode_seconds)
{
    ImgBackend backend = backend_asked(exec, steps, count);
    if (backend == IMG_BACKEND_AUTO && exec->config.opener == NULL) {
        Cost cost = cost_of(exec, steps, count, src);
        double wait = CONTEXT_SECONDS > decode_seconds ? CONTEXT_SECONDS - decode_seconds : 0;
        if (cost.applicable && wait + cost.cuda + GAIN_SECONDS < cost.cpu)
            backend = IMG_BACKEND_CUDA;
    }
    if (backend == IMG_BACKEND_CUDA)
        start_opening(exec);
}

bool img_exec_is_worth_cuda(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                            size_t pictures, int workers)
{
    if (exec->config.impl != NULL)
        return backend_asked(exec, steps, count) == IMG_BACKEND_CUDA;
    Cost cost = cost_of(exec, steps, count, src);
    double gain = (cost.cpu - cost.cuda) * (double)pictures / workers;
    return cost.applicable && gain > CONTEXT_SECONDS + GAIN_SECONDS;
}

/* Seconds until the device can be had, as far as one can tell. */
static double wait_left(ImgExec *exec)
{
    if (exec->config.opener != NULL) /* who shares one has waited, if at all */
        return 0;
    if (exec->cuda != NULL || (exec->opening && atomic_load(&exec->opened)))
        return 0;
    double gone = exec->opening ? img_clock() - exec->opener_start : 0;
    return gone < CONTEXT_SECONDS ? CONTEXT_SECONDS - gone : 0;
}

/* Under `auto`, where the CPU does what the GPU could not: why. A GPU that is only out of memory
 * may do the next picture, another is left alone. */
static void note_failure(ImgExec *exec, const ImgError *failure, char *reason)
{
    const char *what = failure->status == IMG_E_UNAVAILABLE ? "no usable GPU" : "the GPU failed";
    snprintf(reason, IMG_REASON_SIZE, "%s: %.120s", what, failure->message);
    if (failure->status == IMG_E_DEVICE && exec->config.opener != NULL)
        img_opener_lose(exec->config.opener, failure);
}

/* `auto`, now that the picture is there: the GPU if it is quicker counting the wait that is left.
 */
static ImgBackend choose(ImgExec *exec, const Cost *cost, char *reason)
{
    if (!cost->applicable) {
        snprintf(reason, IMG_REASON_SIZE, "%s",
                 img_cuda_in_build() ? "not every step has a CUDA implementation"
                                     : "no CUDA in this build");
        return IMG_BACKEND_CPU;
    }
    /* A driver that is late must not keep all who share it from working: who would take longer than
     * it usually takes waits, but at most for as long as that. */
    const char *why_not;
    double patience = cost->cpu - cost->cuda > CONTEXT_SECONDS ? cost->cpu - cost->cuda : 0;
    if (exec->config.opener != NULL &&
        !img_opener_is_ready(exec->config.opener, patience, &why_not)) {
        snprintf(reason, IMG_REASON_SIZE, "%s", why_not);
        return IMG_BACKEND_CPU;
    }
    double wait = wait_left(exec);
    if (wait + cost->cuda >= cost->cpu) {
        snprintf(reason, IMG_REASON_SIZE, "%.0f ms of work on the CPU; a GPU would take %.0f ms%s",
                 cost->cpu * 1e3, (wait + cost->cuda) * 1e3, wait > 0 ? " with its start-up" : "");
        return IMG_BACKEND_CPU;
    }
    ImgError failure = {IMG_OK, ""};
    if (collect_device(exec, &failure) != IMG_OK) {
        note_failure(exec, &failure, reason);
        return IMG_BACKEND_CPU;
    }
    snprintf(reason, IMG_REASON_SIZE, "%.0f ms of work on the CPU; on the GPU %.0f ms",
             cost->cpu * 1e3, cost->cuda * 1e3);
    return IMG_BACKEND_CUDA;
}

static void describe(const ImgExec *exec, const ImgPlan *plan, ImgBackend backend,
                     ImgRunReport *report)
{
    report->backend = backend;
    report->count = plan->count;
    for (size_t i = 0; i < plan->count; i++)
        report->steps[i].impl = plan->impls[i];
    if (backend == IMG_BACKEND_CUDA)
        snprintf(report->device, sizeof report->device, "%s", img_cuda_name(exec->cuda));
    else
        snprintf(report->device, sizeof report->device, "CPU, %d thread%s, %s",
                 exec->config.threads, exec->config.threads == 1 ? "" : "s",
                 img_cpu_level_name(img_cpu_level()));
}

static ImgStatus run_on(ImgExec *exec, const ImgStep *steps, size_t count, ImgBackend backend,
                        ImgImage *image, ImgRunReport *report, ImgError *err)
{
    ImgPlan plan;
    ImgStatus status =
        make_plan(exec, steps, count, img_view_shape(&image->view), backend, &plan, err);
    if (status != IMG_OK)
        return status;
    if (backend == IMG_BACKEND_CUDA) {
        double start = img_clock();
        status = collect_device(exec, err);
        report->init += img_clock() - start;
        if (status != IMG_OK)
            return status;
    }
    describe(exec, &plan, backend, report);
    if (backend == IMG_BACKEND_CUDA)
        return img_run_on_cuda(exec->cuda, &plan, exec->config.threads, image, report, err);
    return img_run_on_cpu(&plan, exec->config.threads, image, report, err);
}

ImgStatus img_exec_run(ImgExec *exec, const ImgStep *steps, size_t count, ImgImage *image,
                       ImgRunReport *report, ImgError *err)
{
    ImgRunReport unused;
    if (report == NULL)
        report = &unused;
    *report = (ImgRunReport){.backend = IMG_BACKEND_CPU};

    ImgStatus status;
    ImgBackend asked = backend_asked(exec, steps, count);
    if (asked != IMG_BACKEND_AUTO || exec->config.impl != NULL) {
        snprintf(report->reason, sizeof report->reason, "asked for");
        status = run_on(exec, steps, count, asked, image, report, err);
    } else {
        Cost cost = cost_of(exec, steps, count, img_view_shape(&image->view));
        double start = img_clock();
        ImgBackend backend = choose(exec, &cost, report->reason);
        report->init = img_clock() - start;
        ImgError failure = {IMG_OK, ""};
        status = run_on(exec, steps, count, backend, image, report, &failure);
        if (status != IMG_OK && backend == IMG_BACKEND_CUDA) {
            /* The source is still whole: a GPU without memory, or one that failed, costs time only.
             */
            *report = (ImgRunReport){.init = report->init};
            note_failure(exec, &failure, report->reason);
            img_error_clear(&failure);
            status = run_on(exec, steps, count, IMG_BACKEND_CPU, image, report, &failure);
        }
        if (status != IMG_OK)
            img_fail(err, failure.status, "%s", failure.message);
    }
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}
