/* The executor: opens its device in the background, and runs steps on the backend that
 * exec_choose.c selects. */
#include "kernels/core/exec/exec.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/exec/exec_pace.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"

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

void img_exec_set_store(ImgExec *exec, struct ImgStore *store)
{
    exec->store = store;
}

void img_exec_set_limits(ImgExec *exec, const ImgExecLimits *limits)
{
    exec->limits = *limits;
}

void img_exec_set_progress(ImgExec *exec, ImgExecProgress progress)
{
    exec->progress = progress;
}

static void *open_device(void *argument)
{
    ImgExec *exec = argument;
    (void)img_cuda_open(exec->config.device, &exec->init_cuda, &exec->init_error);
    atomic_store(&exec->opened, true);
    return NULL;
}

void img_exec_start_opening(ImgExec *exec)
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

ImgStatus img_exec_collect_device(ImgExec *exec, ImgError *err)
{
    if (exec->cuda != NULL)
        return IMG_OK;
    if (exec->config.async_device != NULL)
        return img_async_device_wait(exec->config.async_device, err);
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
        (void)img_exec_collect_device(exec, NULL);
    for (int i = 0; i < IMG_HOST_COUNT; i++)
        img_host_memory_free(&exec->host[i]);
    img_kept_free(&exec->kept);
    img_cuda_close(exec->cuda);
    img_team_free(exec->own_team);
    free(exec);
}

void img_exec_describe(const ImgExec *exec, const ImgPlan *plan, const ImgCuda *cuda,
                       ImgRunReport *report)
{
    report->backend = cuda != NULL ? IMG_BACKEND_CUDA : IMG_BACKEND_CPU;
    report->count = plan->count;
    for (size_t i = 0; i < plan->count; i++) {
        report->passes[i].impl = plan->passes[i].impl;
        report->passes[i].first = plan->passes[i].first;
        report->passes[i].steps = plan->passes[i].steps;
    }
    if (cuda != NULL)
        snprintf(report->device, sizeof report->device, "%s", img_cuda_name(cuda));
    else
        snprintf(report->device, sizeof report->device, "CPU, %d thread%s, %s",
                 exec->config.threads, exec->config.threads == 1 ? "" : "s",
                 img_cpu_level_name(img_cpu_level()));
}

/* One attempt to run the steps. `alone`: other runs must not use the shared device meanwhile.
 * `room`: set by the attempt; tells whether device memory was short. */
typedef struct Attempt {
    bool alone;
    ImgCudaRoom room;
} Attempt;

/* Gets the device, or a lane of a shared one. `alone` means that no other run may use the shared
 * device meanwhile, because device memory did not suffice for several runs. */
static ImgStatus take_device(ImgExec *exec, bool alone, ImgCuda **cuda, ImgError *err)
{
    ImgAsyncDevice *async = exec->config.async_device;
    if (async != NULL)
        return alone ? img_async_device_take_alone(async, cuda, err)
                     : img_async_device_take(async, cuda, err);
    ImgStatus status = img_exec_collect_device(exec, err);
    *cuda = exec->cuda;
    return status;
}

static void give_device(ImgAsyncDevice *async, const ImgCuda *cuda, bool free_memory)
{
    if (async == NULL)
        return;
    img_async_device_give(async, cuda);
    if (free_memory)
        img_async_device_free_idle(async);
}

static ImgStatus run_on_device(ImgExec *exec, ImgPlan *plan, const ImgRunEnds *ends,
                               Attempt *attempt, ImgHeld *held, ImgRunReport *report, ImgError *err)
{
    ImgAsyncDevice *async = exec->config.async_device;
    ImgCuda *cuda = NULL;
    double start = img_clock();
    ImgStatus status = take_device(exec, attempt->alone, &cuda, err);
    report->init += img_clock() - start;
    attempt->room = (ImgCudaRoom){.is_wanting = async != NULL && status == IMG_E_MEMORY};
    if (status != IMG_OK)
        return status;
    ImgCudaWork work = {
        .plan = plan,
        .ends = ends,
        .host = exec->host,
        .team = exec->config.team,
        .threads = exec->config.threads,
        .turn = async != NULL ? img_async_device_turn(async) : NULL,
        .room = &attempt->room,
    };
    status = img_run_on_cuda(cuda, &work, held, report, err);
    img_exec_describe(exec, plan, cuda, report);
    give_device(async, cuda, attempt->room.is_wanting);
    return status;
}

static ImgStatus try_on(ImgExec *exec, ImgStep *steps, size_t count, ImgBackend backend,
                        const ImgRunEnds *ends, Attempt *attempt, ImgHeld *held,
                        ImgRunReport *report, ImgError *err)
{
    ImgPlan plan;
    bool has_source = ends != NULL && ends->source != NULL;
    ImgShape src = has_source ? ends->shape : img_view_shape(&held->image.view);
    ImgStatus status =
        img_plan_make(&exec->config, steps, count, src, backend, NULL, &exec->kept, &plan, err);
    if (status != IMG_OK)
        return status;
    plan.limits = exec->limits;
    plan.exec = exec;
    plan.store = backend == IMG_BACKEND_CUDA ? NULL : exec->store;
    if (backend == IMG_BACKEND_CUDA) {
        status = run_on_device(exec, &plan, ends, attempt, held, report, err);
    } else {
        status =
            img_run_on_cpu(&plan, 0, exec->config.team, exec->config.threads, held, report, err);
        img_exec_describe(exec, &plan, NULL, report);
    }
    img_kept_put(&exec->kept, steps, count, &plan);
    return status;
}

/* Returns true if another attempt may find more device memory. Without a shared device, memory kept
 * from earlier runs can be freed. On a shared device a run could wait until other runs end; under
 * `auto` it does not, because the CPU can do the work. */
static bool may_find_room(const ImgExec *exec, const ImgStep *steps, size_t count,
                          const ImgCudaRoom *room)
{
    if (!room->is_wanting || exec->stopped)
        return false;
    if (exec->config.async_device == NULL)
        return room->was_kept;
    return img_plan_backend(&exec->config, steps, count) == IMG_BACKEND_CUDA;
}

static ImgStatus run_on(ImgExec *exec, ImgStep *steps, size_t count, ImgBackend backend,
                        const ImgRunEnds *ends, ImgHeld *held, ImgRunReport *report, ImgError *err);

/* Adds the times and passes in `rest`, the report of the steps from `first` on, to `report`. */
static void add_report(ImgRunReport *report, const ImgRunReport *rest, size_t first)
{
    report->init += rest->init;
    report->upload += rest->upload;
    report->kernel += rest->kernel;
    report->download += rest->download;
    for (size_t i = 0; i < rest->count && report->count < IMG_PASSES_MAX; i++) {
        const size_t at = report->count++;
        report->passes[at] = rest->passes[i];
        report->passes[at].first += first;
    }
}

/* Returns true if steps for which device memory was short may run in bands on the device. Bands on
 * a shared device must wait until other runs end; under `auto` the CPU does the work instead. */
static bool may_run_in_bands(const ImgExec *exec, const ImgStep *steps, size_t count,
                             const ImgRunEnds *ends, const ImgCudaRoom *room)
{
    return ends == NULL && room->is_wanting && !exec->stopped &&
           (exec->config.async_device == NULL ||
            img_plan_backend(&exec->config, steps, count) == IMG_BACKEND_CUDA);
}

/* Runs steps on a device that has too little memory for the whole picture. Runs the first steps in
 * bands. Then run_on runs the other steps on the result of the first steps, which may be smaller
 * than the source. Sets *done to false and changes nothing if the first step needs the whole
 * picture. */
static ImgStatus run_in_bands(ImgExec *exec, ImgStep *steps, size_t count, ImgHeld *held,
                              bool *done, ImgRunReport *report, ImgError *err)
{
    /* Under `auto` the source must stay, so that the CPU can do the work after a failure. */
    const bool only_all = img_plan_backend(&exec->config, steps, count) != IMG_BACKEND_CUDA;
    ImgRunReport bands = {.backend = IMG_BACKEND_CUDA}, rest = bands;
    size_t ran = 0;
    ImgCuda *cuda = NULL;
    *done = false;
    ImgStatus status = take_device(exec, true, &cuda, err);
    if (status != IMG_OK)
        return status;
    status = img_bands_run_on_device(exec, cuda, steps, count, only_all, held, &ran, &bands, err);
    give_device(exec->config.async_device, cuda, true);
    *done = status != IMG_OK || ran > 0;
    if (status == IMG_OK && ran > 0 && ran < count)
        status = run_on(exec, steps + ran, count - ran, IMG_BACKEND_CUDA, NULL, held, &rest, err);
    if (status != IMG_OK || ran == 0)
        return status;
    snprintf(bands.reason, sizeof bands.reason, "%s", report->reason);
    bands.init = report->init;
    *report = bands;
    if (ran < count)
        add_report(report, &rest, ran);
    return IMG_OK;
}

/* Runs the steps on a backend. If device memory is short, tries once more: memory kept from earlier
 * runs is freed first, and no other run may use the device. If it is still short, runs in bands. */
static ImgStatus run_on(ImgExec *exec, ImgStep *steps, size_t count, ImgBackend backend,
                        const ImgRunEnds *ends, ImgHeld *held, ImgRunReport *report, ImgError *err)
{
    Attempt attempt = {.alone = false};
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = try_on(exec, steps, count, backend, ends, &attempt, held, report, &failure);
    if (status != IMG_OK && may_find_room(exec, steps, count, &attempt.room)) {
        attempt = (Attempt){.alone = true};
        img_error_clear(&failure);
        status = try_on(exec, steps, count, backend, ends, &attempt, held, report, &failure);
    }
    if (status != IMG_OK && may_run_in_bands(exec, steps, count, ends, &attempt.room)) {
        ImgError later = {IMG_OK, ""};
        bool done;
        const ImgStatus in_bands = run_in_bands(exec, steps, count, held, &done, report, &later);
        if (done) {
            status = in_bands;
            failure = later;
        }
    }
    return status == IMG_OK ? IMG_OK : img_fail(err, failure.status, "%s", failure.message);
}

ImgStatus img_exec_run_held(ImgExec *exec, ImgStep *steps, size_t count, ImgHeld *held,
                            ImgRunReport *report, ImgError *err)
{
    ImgRunReport unused;
    if (report == NULL)
        report = &unused;
    *report = (ImgRunReport){.backend = IMG_BACKEND_CPU};
    exec->stopped = false;

    ImgStatus status;
    ImgBackend asked = img_plan_backend(&exec->config, steps, count);
    if (asked != IMG_BACKEND_AUTO || exec->config.impl != NULL) {
        snprintf(report->reason, sizeof report->reason, "asked for");
        status = run_on(exec, steps, count, asked, NULL, held, report, err);
    } else {
        ImgCost cost =
            img_exec_cost(steps, count, img_view_shape(&held->image.view), exec->config.threads);
        double start = img_clock();
        ImgBackend backend =
            img_exec_choose(exec, &cost, img_exec_long_patience(&cost), report->reason);
        report->init = img_clock() - start;
        ImgError failure = {IMG_OK, ""};
        status = run_on(exec, steps, count, backend, NULL, held, report, &failure);
        if (status != IMG_OK && backend == IMG_BACKEND_CUDA && !exec->stopped) {
            /* The source is unchanged, so the CPU can do the work after a failure of the GPU. */
            *report = (ImgRunReport){.init = report->init};
            img_exec_note_failure(exec, &failure, report->reason);
            img_error_clear(&failure);
            status = run_on(exec, steps, count, IMG_BACKEND_CPU, NULL, held, report, &failure);
        }
        if (status != IMG_OK)
            img_fail(err, failure.status, "%s", failure.message);
    }
    return status;
}

static ImgStatus run_held(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                          ImgRunReport *report, ImgError *err)
{
    ImgHeld held = {.image = *image};
    const ImgStatus status = img_exec_run_held(exec, steps, count, &held, report, err);
    *image = held.image;
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}

/* Runs steps on a picture in a store: as many steps in bands as possible, then the same with the
 * rest. A step that needs the whole picture runs on the mapped files of the store. */
static ImgStatus run_stored(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                            ImgRunReport *report, ImgError *err)
{
    ImgRunReport part;
    ImgStatus status = IMG_OK;
    for (size_t first = 0, ran; status == IMG_OK && first < count; first += ran) {
        ImgRunReport *own = first == 0 ? report : &part;
        status = img_bands_run_stored(exec, steps + first, count - first, image, own, &ran, err);
        if (ran == 0) {
            const ImgShape shape = img_view_shape(&image->view);
            ran = img_steps_look_ahead(steps + first, count - first, shape).steps;
            status = run_held(exec, steps + first, ran, image, own, err);
        }
        if (first > 0)
            add_report(report, own, first);
    }
    return status;
}

ImgStatus img_exec_run(ImgExec *exec, ImgStep *steps, size_t count, ImgImage *image,
                       ImgRunReport *report, ImgError *err)
{
    ImgRunReport unused;
    if (exec->store != NULL && image->store != NULL && count > 0 &&
        !img_exec_prefers_cuda(exec, steps, count, img_view_shape(&image->view)))
        return run_stored(exec, steps, count, image, report != NULL ? report : &unused, err);
    return run_held(exec, steps, count, image, report, err);
}

/* --- Between a source and a sink -------------------------------------------------------------- */

ImgStatus img_exec_run_between(ImgExec *exec, ImgStep *steps, size_t count, const ImgRunEnds *ends,
                               ImgImage *image, ImgRunReport *report, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    double start = img_clock();
    *report = (ImgRunReport){.backend = IMG_BACKEND_CUDA};
    snprintf(report->reason, sizeof report->reason, "%s", exec->reason);
    ImgHeld held = {.image = *image};
    ImgStatus status = run_on(exec, steps, count, IMG_BACKEND_CUDA, ends, &held, report, &failure);
    *image = held.image;
    if (exec->has_place)
        img_pace_leave(img_async_device_pace(exec->config.async_device), exec->expected.cuda,
                       status == IMG_OK ? img_clock() - start : 0);
    exec->has_place = false;
    if (status == IMG_OK)
        return IMG_OK;
    img_exec_note_failure(exec, &failure, exec->reason);
    return img_fail(err, failure.status, "%s", failure.message);
}
