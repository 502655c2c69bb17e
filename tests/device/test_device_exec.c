/* Tests of the CUDA side of the executor, with a fake runtime (fake_runtime.c). Every call of a run
 * fails in turn: once, with all later calls of its class, or with all later calls of any class.
 * With `auto` there must still be a result; with `cuda` there must be a result or an error. No
 * resource may be left. Of many similar calls only some are tried, unless DEVICE_EVERY_CALL is
 * set. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/select.h"
#include "tests/device/failing_calls.h"
#include "tests/device/fake_runtime.h"

enum { FIRST_MASK = 0x5a, SECOND_MASK = 0x33, BOTH = FIRST_MASK ^ SECOND_MASK, STEPS = 2 };

TestSuite(device_exec, .timeout = 600);

/* A function that uses the executor completely, from its creation to its destruction. */
typedef ImgStatus Scenario(ImgBackend backend, ImgError *err);

static ImgExec *make_exec(ImgBackend backend, ImgAsyncDevice *async)
{
    ImgExec *exec;
    ImgExecConfig config = {.backend = backend, .threads = 1, .async_device = async};
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    return exec;
}

static ImgStatus run_picture(ImgExec *exec, ImgError *err)
{
    ImgStep steps[STEPS] = {masking_step(FIRST_MASK), masking_step(SECOND_MASK)};
    ImgImage image = masking_picture();
    ImgStatus status = img_exec_run(exec, steps, STEPS, &image, NULL, err);
    if (status == IMG_OK)
        cr_assert(masking_is_done(&image.view, BOTH), "wrong pixels");
    img_image_free(&image);
    return status;
}

/* --- Scenarios -------------------------------------------------------------------------------- */

/* Processes two pictures. The second picture uses the device memory and constants of the first. */
static ImgStatus two_pictures(ImgBackend backend, ImgError *err)
{
    ImgExec *exec = make_exec(backend, NULL);
    ImgStatus status = run_picture(exec, err);
    if (status == IMG_OK)
        status = run_picture(exec, err);
    img_exec_destroy(exec);
    return status;
}

/* Prepares the device before the picture is there. In a real job the file would be decoded
 * meanwhile. */
static ImgStatus announced(ImgBackend backend, ImgError *err)
{
    ImgExec *exec = make_exec(backend, NULL);
    ImgStep steps[STEPS] = {masking_step(FIRST_MASK), masking_step(SECOND_MASK)};
    img_exec_prepare(exec, steps, STEPS, masking_shape(), 0);
    ImgStatus status = run_picture(exec, err);
    img_exec_destroy(exec);
    return status;
}

/* Processes a picture as a job does. If the GPU cannot process it from file to file, the executor
 * processes its pixels. */
static ImgStatus between_ends(ImgExec *exec, bool in_parts, ImgError *err)
{
    ImgStep steps[STEPS] = {masking_step(FIRST_MASK), masking_step(SECOND_MASK)};
    uint8_t bytes[MASKING_BYTES];
    const ImgDeviceEnd source = masking_source(), sink = masking_sink(bytes);
    const ImgRunEnds ends = {
        .source = &source, .sink = &sink, .shape = masking_shape(), .in_parts = in_parts};
    const ImgEndsCost cost = {.cpu = 1};
    ImgImage image = IMG_IMAGE_NONE;
    ImgRunReport report;
    ImgError failure = {IMG_OK, ""};
    if (!img_exec_takes_ends(exec, steps, STEPS, masking_shape(), &cost) ||
        img_exec_run_between(exec, steps, STEPS, &ends, &image, &report, &failure) != IMG_OK)
        return run_picture(exec, err);
    const ImgView view = img_view_make(bytes, MASKING_WIDTH, masking_shape());
    cr_assert(masking_is_done(&view, BOTH), "wrong bytes%s", in_parts ? ", in parts" : "");
    return IMG_OK;
}

static ImgStatus files(ImgBackend backend, ImgError *err)
{
    ImgExec *exec = make_exec(backend, NULL);
    ImgStatus status = between_ends(exec, false, err);
    if (status == IMG_OK)
        status = between_ends(exec, false, err);
    img_exec_destroy(exec);
    return status;
}

static ImgStatus files_in_parts(ImgBackend backend, ImgError *err)
{
    ImgExec *exec = make_exec(backend, NULL);
    ImgStatus status = between_ends(exec, true, err);
    img_exec_destroy(exec);
    return status;
}

/* A worker of a batch. All workers share one device. */
typedef struct Worker {
    pthread_t thread;
    ImgExec *exec;
    ImgStatus status;
    ImgError err;
} Worker;

static void *work(void *context)
{
    Worker *worker = context;
    for (int i = 0; i < 2 && worker->status == IMG_OK; i++)
        worker->status = between_ends(worker->exec, false, &worker->err);
    return NULL;
}

static ImgStatus workers(ImgBackend backend, ImgError *err)
{
    enum { WORKERS = 3 };
    ImgAsyncDevice *async;
    Worker worker[WORKERS] = {{.status = IMG_OK}};
    cr_assert_eq(img_async_device_create(0, &async, NULL), IMG_OK);
    img_async_device_start(async);
    (void)img_async_device_wait(async, NULL);
    for (int i = 0; i < WORKERS; i++) {
        worker[i].exec = make_exec(backend, async);
        cr_assert_eq(pthread_create(&worker[i].thread, NULL, work, &worker[i]), 0);
    }
    ImgStatus status = IMG_OK;
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(worker[i].thread, NULL);
        if (status == IMG_OK && worker[i].status != IMG_OK)
            status = img_fail(err, worker[i].status, "%s", worker[i].err.message);
        img_exec_destroy(worker[i].exec);
    }
    img_async_device_destroy(async);
    return status;
}

/* Queues a run on device memory, as a caller does whose pixels are already on the device. */
static ImgStatus queue(ImgExec *exec, ImgDeviceRun *run, const ImgView *host, ImgError *err)
{
    ImgStep steps[STEPS] = {masking_step(FIRST_MASK), masking_step(SECOND_MASK)};
    const size_t stride = run->from.stride;
    const ImgRowsCopy there = {host->data, run->from.data, host->stride,
                               stride,     MASKING_WIDTH,  MASKING_HEIGHT};
    const ImgRowsCopy back = {run->to.data, host->data,    stride,
                              host->stride, MASKING_WIDTH, MASKING_HEIGHT};
    ImgStatus status = img_cuda_copy(0, &there, run->stream, err);
    if (status == IMG_OK)
        status = img_exec_queue(exec, steps, STEPS, run, err);
    if (status == IMG_OK)
        status = img_cuda_wait(0, run->stream, err);
    return status == IMG_OK ? img_cuda_copy(0, &back, run->stream, err) : status;
}

static ImgStatus on_device_memory(ImgBackend backend, ImgError *err)
{
    ImgStep steps[STEPS] = {masking_step(FIRST_MASK), masking_step(SECOND_MASK)};
    const size_t pitch = 64, bytes = pitch * MASKING_HEIGHT;
    ImgExec *exec = make_exec(backend, NULL);
    ImgImage image = masking_picture();
    void *from = NULL, *to = NULL, *room = NULL;
    size_t room_bytes = 0;
    ImgStatus status = img_exec_queue_bytes(exec, steps, STEPS, masking_shape(), &room_bytes, err);
    if (status == IMG_OK)
        status = img_cuda_allocate(0, bytes, &from, err);
    if (status == IMG_OK)
        status = img_cuda_allocate(0, bytes, &to, err);
    if (status == IMG_OK)
        status = img_cuda_allocate(0, room_bytes, &room, err);
    if (status == IMG_OK) {
        ImgDeviceRun run = {.from = img_view_make(from, pitch, masking_shape()),
                            .to = img_view_make(to, pitch, masking_shape()),
                            .workspace = room};
        status = queue(exec, &run, &image.view, err);
    }
    if (status == IMG_OK)
        cr_assert(masking_is_done(&image.view, BOTH), "wrong pixels");
    img_cuda_free(0, from);
    img_cuda_free(0, to);
    img_cuda_free(0, room);
    img_image_free(&image);
    img_exec_destroy(exec);
    return status;
}

/* --- Every call fails in turn ----------------------------------------------------------------- */

static void expect_nothing_kept(const char *what, bool may_stay_pinned)
{
    for (int thing = 0; thing < TAKEN_THINGS; thing++)
        if (thing != PINNED || !may_stay_pinned)
            cr_assert_eq(failing_calls_held(thing), 0, "%s: %ld of thing %d are kept", what,
                         failing_calls_held(thing), thing);
}

static void expect_outcome(const char *what, ImgBackend backend, ImgStatus status,
                           const ImgError *err)
{
    cr_assert(backend != IMG_BACKEND_AUTO || status == IMG_OK, "%s: auto fails: %s", what,
              err->message);
    cr_assert(status == IMG_OK || status == IMG_E_DEVICE || status == IMG_E_UNAVAILABLE ||
                  status == IMG_E_MEMORY,
              "%s: status %d", what, status);
    cr_assert(status == IMG_OK || err->message[0] != '\0', "%s: without a message", what);
}

static void fail_call(Scenario *scenario, ImgBackend backend, CallClass of, FailingMode mode,
                      unsigned long at)
{
    char what[80];
    snprintf(what, sizeof what, "%s, call %lu of %s, mode %d", img_backend_name(backend), at,
             failing_calls_name(of), mode);
    ImgError err = {IMG_OK, ""};
    failing_calls_set(of, mode, at);
    const ImgStatus status = scenario(backend, &err);
    expect_outcome(what, backend, status, &err);
    expect_nothing_kept(what, of == RELEASE || of == ANY);
}

/* Returns true if call number `at` of `made` calls is tried. Opening a device creates a hundred
 * events, and closing it destroys them. Of these similar calls only some are tried. */
static bool is_tried(unsigned long at, unsigned long made)
{
    enum { ENDS = 12, EVERY = 11 };
    return getenv("DEVICE_EVERY_CALL") != NULL || at <= ENDS || at + ENDS > made || at % EVERY == 0;
}

/* Runs a scenario once without failures to count its calls of each class. Then makes each of these
 * calls fail in turn. */
static void fail_each(Scenario *scenario, ImgBackend backend)
{
    unsigned long made[CALL_CLASSES];
    ImgError err = {IMG_OK, ""};
    failing_calls_set(ANY, ONCE, 0);
    cr_assert_eq(scenario(backend, &err), IMG_OK, "%s", err.message);
    expect_nothing_kept("nothing fails", false);
    for (int of = 0; of < CALL_CLASSES; of++)
        made[of] = failing_calls_made(of);
    cr_assert_gt(made[LAUNCH], 0, "it was not on the GPU");
    cr_assert_gt(made[COPY], 0);
    for (int of = 0; of < CALL_CLASSES; of++)
        for (int mode = ONCE; mode <= BROKEN; mode++)
            for (unsigned long at = 1; at <= made[of] && (mode != BROKEN || of == ANY); at++)
                if (is_tried(at, made[of]))
                    fail_call(scenario, backend, of, mode, at);
}

static void fail_on_both(Scenario *scenario)
{
    fail_each(scenario, IMG_BACKEND_AUTO);
    fail_each(scenario, IMG_BACKEND_CUDA);
}

Test(device_exec, pictures_survive_every_failing_call)
{
    fail_on_both(two_pictures);
}

Test(device_exec, a_prepared_device_survives_every_failing_call)
{
    fail_on_both(announced);
}

Test(device_exec, runs_from_file_to_file_survive_every_failing_call)
{
    fail_on_both(files);
}

/* While a later part is prepared, the failure of an earlier launch must not get lost. */
Test(device_exec, runs_in_parts_survive_every_failing_call)
{
    fail_on_both(files_in_parts);
}

Test(device_exec, workers_on_a_shared_device_survive_every_failing_call)
{
    fail_on_both(workers);
}

Test(device_exec, runs_on_memory_of_the_caller_survive_every_failing_call)
{
    fail_each(on_device_memory, IMG_BACKEND_CUDA);
}

/* Leaves an error pending, as a library does that ignores a failed call. The device itself still
 * works. */
static void leave_error(void)
{
    void *memory = NULL;
    failing_calls_set(ALLOCATE, ONCE, 1);
    cr_assert_eq(cudaMalloc(&memory, 1), cudaErrorMemoryAllocation);
}

Test(device_exec, an_error_left_by_another_library_is_ignored)
{
    ImgError err = {IMG_OK, ""};
    leave_error();
    cr_expect_eq(on_device_memory(IMG_BACKEND_CUDA, &err), IMG_OK, "%s", err.message);
    ImgExec *exec = make_exec(IMG_BACKEND_CUDA, NULL);
    cr_assert_eq(run_picture(exec, NULL), IMG_OK);
    leave_error();
    cr_expect_eq(run_picture(exec, &err), IMG_OK, "%s", err.message);
    img_exec_destroy(exec);
}

/* The message must say that there is no driver. The runtime itself would report that the version of
 * the driver is insufficient. */
Test(device_exec, a_machine_without_a_driver_is_reported)
{
    ImgCuda *cuda = NULL;
    ImgError err = {IMG_OK, ""};
    fake_runtime_set_driver(false);
    cr_expect_eq(img_cuda_open(0, &cuda, &err), IMG_E_UNAVAILABLE);
    cr_expect_null(cuda);
    cr_expect_str_eq(err.message,
                     "no usable CUDA device: no NVIDIA driver is installed; use the CPU");
}
