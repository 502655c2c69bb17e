/* Chooses the backend and the implementations, and creates the CUDA context in the background. */
#include "kernels/core/exec/exec.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/exec/exec_pace.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"

struct ImgExec {
    ImgExecConfig config;
    ImgTeam *own_team;
    ImgCuda *cuda; /* once it has been collected from the initialisation */

    /* The thread that opens the device, from img_exec_prepare until it is joined. */
    pthread_t init_thread;
    bool opening;
    atomic_bool opened;
    ImgCuda *init_cuda;
    ImgError init_error;
    double init_start;

    /* What img_exec_takes_ends said last. */
    char reason[IMG_REASON_SIZE];
    ImgCost expected;
    bool has_place; /* on the shared device */
    bool is_beside; /* it is counted among those on the CPU */
};

/* Creating a context takes 190 to 400 ms (measured), and keeps a core busy that decoding could use:
 * only a gain beyond both is one. */
static const double CONTEXT_SECONDS = 0.4;
static const double GAIN_SECONDS = 0.1;

/* In a build without CUDA nothing is for a GPU, not even no step at all. */
static ImgCost cost_of(const ImgStep *steps, size_t count, ImgShape src, int threads)
{
    ImgCost cost = img_cost_of(steps, count, src, threads);
    cost.applicable &= img_cuda_in_build();
    return cost;
}

ImgStatus img_exec_create(const ImgExecConfig *config, ImgExec **exec, ImgError *err)
{
    *exec = NULL;
    if (config->threads < 1)
        return img_fail(err, IMG_E_USAGE, "threads must be at least 1, not %d", config->threads);
    if (config->device < 0)
        return img_fail(err, IMG_E_USAGE, "there is no CUDA device %d", config->device);
    if (config->backend == IMG_BACKEND_CUDA && !img_cuda_in_build())
        return img_cuda_open(config->device, &(ImgCuda *){NULL}, err);
    *exec = calloc(1, sizeof **exec);
    if (*exec == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    (*exec)->config = *config;
    img_exec_set_threads(*exec, config->team, config->threads);
    return IMG_OK;
}

void img_exec_set_threads(ImgExec *exec, ImgTeam *team, int threads)
{
    static const ImgTeamConfig config = {.stack_bytes = IMG_TEAM_STACK_BYTES};
    if (team == NULL && exec->own_team == NULL)
        exec->own_team = img_team_create(&config);
    exec->config.team = team != NULL ? team : exec->own_team;
    exec->config.threads = threads;
}

static void *open_device(void *argument)
{
    ImgExec *exec = argument;
    (void)img_cuda_open(exec->config.device, &exec->init_cuda, &exec->init_error);
    atomic_store(&exec->opened, true);
    return NULL;
}

static void start_opening(ImgExec *exec)
{
    if (exec->cuda != NULL || exec->opening)
        return;
    if (exec->config.async_device != NULL) {
        img_async_device_start(exec->config.async_device);
        return;
    }
    img_error_clear(&exec->init_error);
    atomic_store(&exec->opened, false);
    exec->init_start = img_clock();
    exec->opening = pthread_create(&exec->init_thread, NULL, open_device, exec) == 0;
}

/* Waits for the initialisation and takes the device. */
static ImgStatus collect_device(ImgExec *exec, ImgError *err)
{
    if (exec->cuda != NULL)
        return IMG_OK;
    if (exec->config.async_device != NULL) {
        /* Its context makes opening the device again a matter of milliseconds. */
        ImgStatus status = img_async_device_wait(exec->config.async_device, err);
        return status == IMG_OK ? img_cuda_open(exec->config.device, &exec->cuda, err) : status;
    }
    if (!exec->opening)
        return img_cuda_open(exec->config.device, &exec->cuda, err);
    pthread_join(exec->init_thread, NULL);
    exec->opening = false;
    exec->cuda = exec->init_cuda;
    exec->init_cuda = NULL;
    if (exec->cuda == NULL)
        return img_fail(err, exec->init_error.status, "%s", exec->init_error.message);
    return IMG_OK;
}

void img_exec_destroy(ImgExec *exec)
{
    if (exec == NULL)
        return;
    if (exec->opening)
        (void)collect_device(exec, NULL);
    img_cuda_close(exec->cuda);
    img_team_free(exec->own_team);
    free(exec);
}

void img_exec_prepare(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                      double decode_seconds)
{
    ImgBackend backend = img_plan_backend(&exec->config, steps, count);
    if (backend == IMG_BACKEND_AUTO && exec->config.async_device == NULL) {
        ImgCost cost = cost_of(steps, count, src, exec->config.threads);
        double wait = CONTEXT_SECONDS > decode_seconds ? CONTEXT_SECONDS - decode_seconds : 0;
        if (cost.applicable && wait + cost.cuda + GAIN_SECONDS < cost.cpu)
            backend = IMG_BACKEND_CUDA;
    }
    if (backend == IMG_BACKEND_CUDA)
        start_opening(exec);
}

static ImgCost cost_with_ends(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                              const ImgEndsCost *ends)
{
    ImgCost cost = cost_of(steps, count, src, exec->config.threads);
    if (ends != NULL) {
        cost.cpu += ends->cpu;
        cost.cuda += ends->cuda - cost.transfers;
    }
    return cost;
}

bool img_exec_is_worth_cuda(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                            const ImgEndsCost *ends, size_t pictures, int workers)
{
    if (exec->config.impl != NULL)
        return img_plan_backend(&exec->config, steps, count) == IMG_BACKEND_CUDA;
    ImgCost cost = cost_with_ends(exec, steps, count, src, ends);
    double gain = (cost.cpu - cost.cuda) * (double)pictures / workers;
    return cost.applicable && gain > CONTEXT_SECONDS + GAIN_SECONDS;
}

/* Seconds until the device can be had, as far as one can tell. */
static double wait_left(ImgExec *exec)
{
    if (exec->config.async_device != NULL) /* who shares one has waited, if at all */
        return 0;
    if (exec->cuda != NULL || (exec->opening && atomic_load(&exec->opened)))
        return 0;
    double gone = exec->opening ? img_clock() - exec->init_start : 0;
    return gone < CONTEXT_SECONDS ? CONTEXT_SECONDS - gone : 0;
}

/* Under `auto`, where the CPU does what the GPU could not: why. A GPU that is only out of memory
 * may do the next picture, another is left alone. */
static void note_failure(ImgExec *exec, const ImgError *failure, char *reason)
{
    const char *what = failure->status == IMG_E_UNAVAILABLE ? "no usable GPU" : "the GPU failed";
    snprintf(reason, IMG_REASON_SIZE, "%s: %.120s", what, failure->message);
    if (failure->status == IMG_E_DEVICE && exec->config.async_device != NULL)
        img_async_device_lose(exec->config.async_device, failure);
}

/* How long to wait for a device that is being opened. A driver that is late must not keep all who
 * share it from working: who would take longer than it usually takes waits, but at most for as long
 * as that. Who comes when it is almost there waits too: a picture begun on the CPU would keep the
 * thread from the device for longer than that. And so does who comes when many are on the CPU
 * already: the driver is late where it has to share the cores with too many. */
static double patience_of(const ImgExec *exec, const ImgCost *cost)
{
    ImgAsyncDevice *async = exec->config.async_device;
    double gain = cost->cpu - cost->cuda, opening = img_async_device_opening(async);
    if (gain > CONTEXT_SECONDS)
        return gain;
    if (gain <= 0 || opening <= 0 || opening > 2 * CONTEXT_SECONDS)
        return 0;
    if (img_pace_is_crowded(img_async_device_pace(async)))
        return 2 * CONTEXT_SECONDS - opening;
    return opening > CONTEXT_SECONDS / 2 ? gain : 0;
}

/* `auto`, now that the picture is there: the GPU if it is quicker counting the wait that is left.
 */
static ImgBackend choose(ImgExec *exec, const ImgCost *cost, char *reason)
{
    if (!cost->applicable) {
        snprintf(reason, IMG_REASON_SIZE, "%s",
                 img_cuda_in_build() ? "not every step has a CUDA implementation"
                                     : "no CUDA in this build");
        return IMG_BACKEND_CPU;
    }
    const char *why_not;
    double patience = exec->config.async_device != NULL ? patience_of(exec, cost) : 0;
    if (exec->config.async_device != NULL &&
        !img_async_device_is_ready(exec->config.async_device, patience, &why_not)) {
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
                        const ImgRunEnds *ends, ImgImage *image, ImgRunReport *report,
                        ImgError *err)
{
    ImgPlan plan;
    bool has_source = ends != NULL && ends->source != NULL;
    ImgShape src = has_source ? ends->shape : img_view_shape(&image->view);
    ImgStatus status = img_plan_make(&exec->config, steps, count, src, backend, &plan, err);
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
        return img_run_on_cuda(exec->cuda, &plan, ends, exec->config.team, exec->config.threads,
                               image, report, err);
    return img_run_on_cpu(&plan, exec->config.team, exec->config.threads, image, report, err);
}

ImgStatus img_exec_run(ImgExec *exec, const ImgStep *steps, size_t count, ImgImage *image,
                       ImgRunReport *report, ImgError *err)
{
    ImgRunReport unused;
    if (report == NULL)
        report = &unused;
    *report = (ImgRunReport){.backend = IMG_BACKEND_CPU};

    ImgStatus status;
    ImgBackend asked = img_plan_backend(&exec->config, steps, count);
    if (asked != IMG_BACKEND_AUTO || exec->config.impl != NULL) {
        snprintf(report->reason, sizeof report->reason, "asked for");
        status = run_on(exec, steps, count, asked, NULL, image, report, err);
    } else {
        ImgCost cost = cost_of(steps, count, img_view_shape(&image->view), exec->config.threads);
        double start = img_clock();
        ImgBackend backend = choose(exec, &cost, report->reason);
        report->init = img_clock() - start;
        ImgError failure = {IMG_OK, ""};
        status = run_on(exec, steps, count, backend, NULL, image, report, &failure);
        if (status != IMG_OK && backend == IMG_BACKEND_CUDA) {
            /* The source is still whole: a GPU without memory, or one that failed, costs time only.
             */
            *report = (ImgRunReport){.init = report->init};
            note_failure(exec, &failure, report->reason);
            img_error_clear(&failure);
            status = run_on(exec, steps, count, IMG_BACKEND_CPU, NULL, image, report, &failure);
        }
        if (status != IMG_OK)
            img_fail(err, failure.status, "%s", failure.message);
    }
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}

/* --- Between other ends -------------------------------------------------------------------------
 */

/* Of a picture that went to the CPU. */
static void leave_cpu(ImgExec *exec)
{
    if (exec->is_beside)
        img_pace_leave_cpu(img_async_device_pace(exec->config.async_device));
    exec->is_beside = false;
}

bool img_exec_takes_ends(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                         const ImgEndsCost *ends)
{
    ImgBackend asked = img_plan_backend(&exec->config, steps, count);
    ImgAsyncDevice *async = exec->config.async_device;
    leave_cpu(exec);
    snprintf(exec->reason, sizeof exec->reason, "asked for");
    exec->expected = cost_with_ends(exec, steps, count, src, ends);
    exec->has_place = false;
    if (asked != IMG_BACKEND_AUTO)
        return asked == IMG_BACKEND_CUDA;
    ImgCost cost = exec->expected;
    if (async != NULL)
        cost = img_pace_scaled(img_async_device_pace(async), &cost);
    bool chosen = choose(exec, &cost, exec->reason) == IMG_BACKEND_CUDA;
    if (async == NULL)
        return chosen;
    exec->has_place = chosen && img_pace_enter(img_async_device_pace(async), &cost);
    exec->is_beside = !exec->has_place;
    if (exec->is_beside)
        img_pace_enter_cpu(img_async_device_pace(async));
    return exec->has_place;
}

void img_exec_end_beside(ImgExec *exec, double seconds)
{
    leave_cpu(exec);
    if (exec->config.async_device != NULL && seconds > 0)
        img_pace_note_cpu(img_async_device_pace(exec->config.async_device), exec->expected.cpu,
                          seconds);
}

ImgStatus img_exec_run_between(ImgExec *exec, const ImgStep *steps, size_t count,
                               const ImgRunEnds *ends, ImgImage *image, ImgRunReport *report,
                               ImgError *err)
{
    char unused[IMG_REASON_SIZE];
    ImgError failure = {IMG_OK, ""};
    double start = img_clock();
    *report = (ImgRunReport){.backend = IMG_BACKEND_CUDA};
    snprintf(report->reason, sizeof report->reason, "%s", exec->reason);
    ImgStatus status = run_on(exec, steps, count, IMG_BACKEND_CUDA, ends, image, report, &failure);
    if (exec->has_place)
        img_pace_leave(img_async_device_pace(exec->config.async_device), exec->expected.cuda,
                       status == IMG_OK ? img_clock() - start : 0);
    exec->has_place = false;
    if (status == IMG_OK)
        return IMG_OK;
    note_failure(exec, &failure, unused);
    return img_fail(err, failure.status, "%s", failure.message);
}
