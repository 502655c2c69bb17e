/* Chooses the backend under `auto`: compares the times on the CPU and on a GPU, and determines how
 * long to wait for the GPU. */
#include <stdio.h>

#include "kernels/core/exec/exec_pace.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"

/* Costs of opening a GPU, in seconds. Creating a context takes 0.19 to 0.4 s (measured), during
 * which it also keeps a core busy that decoding could use. `auto` opens a GPU only if the GPU saves
 * more than the sum of both constants; GAIN_SECONDS is the least gain that is worth it. */
static const double CONTEXT_SECONDS = 0.4;
static const double GAIN_SECONDS = 0.1;
/* A GPU is opened for many pictures only if it is at least this many times as fast as the CPU. Each
 * picture on the GPU also keeps a core busy, so below this factor the cores alone are about as
 * fast: 6,000 blurred pictures of a quarter of a megapixel took 1.6 s on a GPU, 1.9 s on 16 cores,
 * and 2.2 s on both. */
static const double SPEED_UP_LEAST = 1.5;

/* Without CUDA in the build, the GPU is never applicable, not even for an empty list of steps. */
ImgCost img_exec_cost(const ImgStep *steps, size_t count, ImgShape src, int threads)
{
    ImgCost cost = img_cost_of(steps, count, src, threads);
    cost.applicable &= img_cuda_in_build();
    return cost;
}

static ImgCost cost_with_ends(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                              const ImgEndsCost *ends)
{
    ImgCost cost = img_exec_cost(steps, count, src, exec->config.threads);
    if (ends != NULL) {
        cost.cpu += ends->cpu;
        cost.cuda += ends->cuda - cost.transfers;
    }
    return cost;
}

/* Returns the time that the CPU has taken, divided by the time that was estimated. Returns 1 until
 * 50 ms have been measured: the first milliseconds of a thread are slow, because its memory is not
 * mapped yet. */
static double cpu_pace(const ImgExec *exec)
{
    const double least = 0.05;
    return exec->cpu_seconds < least ? 1 : exec->cpu_seconds / exec->cpu_expected;
}

bool img_exec_is_worth_cuda(const ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                            const ImgEndsCost *ends, size_t pictures, int workers)
{
    if (exec->config.impl != NULL)
        return img_plan_backend(&exec->config, steps, count) == IMG_BACKEND_CUDA;
    ImgCost cost = cost_with_ends(exec, steps, count, src, ends);
    cost.cpu *= cpu_pace(exec);
    double gain = (cost.cpu - cost.cuda) * (double)pictures / workers;
    return cost.applicable && cost.cpu > SPEED_UP_LEAST * cost.cuda &&
           gain > CONTEXT_SECONDS + GAIN_SECONDS;
}

void img_exec_prepare(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                      double decode_seconds)
{
    exec->has_failed = false;
    ImgBackend backend = img_plan_backend(&exec->config, steps, count);
    if (backend == IMG_BACKEND_AUTO && exec->config.async_device == NULL) {
        ImgCost cost = img_exec_cost(steps, count, src, exec->config.threads);
        double wait = CONTEXT_SECONDS > decode_seconds ? CONTEXT_SECONDS - decode_seconds : 0;
        if (cost.applicable && wait + cost.cuda + GAIN_SECONDS < cost.cpu)
            backend = IMG_BACKEND_CUDA;
    }
    if (backend == IMG_BACKEND_CUDA)
        img_exec_start_opening(exec);
}

/* Writes to `reason` and to exec->reason why, under `auto`, the CPU does the work instead of the
 * GPU. If the run failed on a shared GPU for any reason other than lack of memory, marks the GPU as
 * lost, so that it is not used again. */
void img_exec_note_failure(ImgExec *exec, const ImgError *failure, char *reason)
{
    const char *what = failure->status == IMG_E_UNAVAILABLE ? "no usable GPU" : "the GPU failed";
    snprintf(reason, IMG_REASON_SIZE, "%s: %.120s", what, failure->message);
    if (reason != exec->reason)
        snprintf(exec->reason, sizeof exec->reason, "%s", reason);
    exec->has_failed = true;
    if (failure->status == IMG_E_DEVICE && exec->config.async_device != NULL)
        img_async_device_lose(exec->config.async_device, failure);
}

/* Returns the estimated seconds until the executor's own device is ready; 0 for a shared one. */
static double wait_left(ImgExec *exec)
{
    /* img_async_device_is_ready has already waited for a shared device */
    if (exec->config.async_device != NULL)
        return 0;
    if (exec->cuda != NULL || (exec->opening && atomic_load(&exec->opened)))
        return 0;
    double gone = exec->opening ? img_clock() - exec->init_start : 0;
    return gone < CONTEXT_SECONDS ? CONTEXT_SECONDS - gone : 0;
}

/* Returns how many seconds to wait for a device that is being opened. A slow driver must not block
 * all workers. So a worker waits only if the GPU saves more time than creating a context usually
 * takes. It waits at most for the time that the GPU saves. */
double img_exec_long_patience(const ImgCost *cost)
{
    double gain = cost->cpu - cost->cuda;
    return gain > CONTEXT_SECONDS ? gain : 0;
}

/* Returns how many seconds a worker waits for the device if the GPU could decode, process and
 * encode its picture. Waiting is better than starting on the CPU, which would keep the thread busy
 * for longer than the wait. A busy thread would also slow down the driver: five decoding threads
 * made it open the device in 0.42 s instead of 0.22 s (16 cores, H200). Threads of another process
 * make no difference, so the cause is memory allocation, for which the threads of one process
 * compete with the driver. */
static double patience_of(const ImgExec *exec, const ImgCost *cost)
{
    ImgAsyncDevice *async = exec->config.async_device;
    double gain = cost->cpu - cost->cuda, opening = img_async_device_opening(async);
    if (gain > CONTEXT_SECONDS || gain <= 0 || opening <= 0 || opening > 2 * CONTEXT_SECONDS)
        return img_exec_long_patience(cost);
    return 2 * CONTEXT_SECONDS - opening;
}

/* Chooses the GPU if it is faster, including the remaining wait for the device. */
ImgBackend img_exec_choose(ImgExec *exec, const ImgCost *cost, double patience, char *reason)
{
    if (exec->store != NULL) {
        snprintf(reason, IMG_REASON_SIZE, "the picture is in temporary files");
        return IMG_BACKEND_CPU;
    }
    if (!cost->applicable) {
        snprintf(reason, IMG_REASON_SIZE, "%s",
                 img_cuda_in_build() ? "not every step has a CUDA implementation"
                                     : "no CUDA in this build");
        return IMG_BACKEND_CPU;
    }
    const char *why_not;
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
    if (img_exec_collect_device(exec, &failure) != IMG_OK) {
        img_exec_note_failure(exec, &failure, reason);
        return IMG_BACKEND_CPU;
    }
    snprintf(reason, IMG_REASON_SIZE, "%.0f ms of work on the CPU; on the GPU %.0f ms",
             cost->cpu * 1e3, cost->cuda * 1e3);
    return IMG_BACKEND_CUDA;
}

bool img_exec_prefers_cuda(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src)
{
    char reason[IMG_REASON_SIZE];
    const ImgBackend asked = img_plan_backend(&exec->config, steps, count);
    if (exec->store != NULL || asked != IMG_BACKEND_AUTO)
        return exec->store == NULL && asked == IMG_BACKEND_CUDA;
    const ImgCost cost = img_exec_cost(steps, count, src, exec->config.threads);
    return img_exec_choose(exec, &cost, img_exec_long_patience(&cost), reason) == IMG_BACKEND_CUDA;
}

/* --- Between a source and a sink -------------------------------------------------------------- */

bool img_exec_takes_ends(ImgExec *exec, const ImgStep *steps, size_t count, ImgShape src,
                         const ImgEndsCost *ends)
{
    ImgBackend asked = img_plan_backend(&exec->config, steps, count);
    ImgAsyncDevice *async = exec->config.async_device;
    snprintf(exec->reason, sizeof exec->reason, "asked for");
    exec->expected = cost_with_ends(exec, steps, count, src, ends);
    exec->has_place = false;
    if (asked != IMG_BACKEND_AUTO)
        return asked == IMG_BACKEND_CUDA;
    ImgCost cost = exec->expected;
    if (async != NULL)
        cost = img_pace_scaled(img_async_device_pace(async), &cost);
    double patience = async != NULL ? patience_of(exec, &cost) : 0;
    bool chosen = img_exec_choose(exec, &cost, patience, exec->reason) == IMG_BACKEND_CUDA;
    if (async == NULL || ends->in_group)
        return chosen;
    exec->has_place = chosen && img_pace_enter(img_async_device_pace(async), &cost);
    return exec->has_place;
}

void img_exec_note_cpu(ImgExec *exec, double seconds)
{
    const double expected = exec->expected.cpu;
    if (seconds <= 0 || expected <= 0)
        return;
    if (exec->config.async_device != NULL)
        img_pace_note_cpu(img_async_device_pace(exec->config.async_device), expected, seconds);
    exec->cpu_seconds += seconds;
    exec->cpu_expected += expected;
}
