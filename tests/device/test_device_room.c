/* Tests of too little device memory, on a fake runtime with a settable size (fake_runtime.c). The
 * executor, or another executor on the same device, must release memory that it keeps between runs
 * before a run fails. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <unistd.h>

#include "kernels/core/exec/exec_priv.h"
#include "tests/device/failing_calls.h"
#include "tests/device/fake_runtime.h"

enum {
    MASK = 0x5a,
    MIB = 1 << 20,
    SOME = 64 << 10 /* bytes for pictures, constants and self-tests */
};

static ImgExec *make_exec(ImgAsyncDevice *async)
{
    ImgExec *exec;
    ImgExecConfig config = {.backend = IMG_BACKEND_CUDA, .threads = 1, .async_device = async};
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    return exec;
}

static ImgAsyncDevice *make_async(void)
{
    ImgAsyncDevice *async;
    cr_assert_eq(img_async_device_create(0, &async, NULL), IMG_OK);
    cr_assert_eq(img_async_device_wait(async, NULL), IMG_OK);
    return async;
}

/* Runs a step from file to file, with a workspace of `workspace` bytes on the device. */
static ImgStatus run_files(ImgExec *exec, size_t workspace)
{
    ImgStep step = masking_step(MASK);
    uint8_t bytes[MASKING_BYTES];
    ImgDeviceEnd source = masking_source();
    const ImgDeviceEnd sink = masking_sink(bytes);
    source.device_bytes = workspace;
    const ImgRunEnds ends = {.source = &source, .sink = &sink, .shape = masking_shape()};
    ImgImage image = IMG_IMAGE_NONE;
    ImgRunReport report;
    ImgStatus status = img_exec_run_between(exec, &step, 1, &ends, &image, &report, NULL);
    const ImgView view = img_view_make(bytes, MASKING_WIDTH, masking_shape());
    cr_expect(status != IMG_OK || masking_is_done(&view, MASK), "wrong bytes");
    return status;
}

/* Runs a step on a picture of this size in host memory. */
static ImgStatus run_pixels(ImgExec *exec, int32_t width, int32_t height)
{
    ImgStep step = masking_step(MASK);
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){width, height, {IMG_COLOR_GRAY, 8}}, &image, NULL),
                 IMG_OK);
    image.view.data[0] = 1;
    ImgStatus status = img_exec_run(exec, &step, 1, &image, NULL, NULL);
    cr_expect(status != IMG_OK || image.view.data[0] == (1 ^ MASK), "wrong pixels");
    img_image_free(&image);
    return status;
}

/* The workspace fits into the device memory, but the picture does not fit beside it. After the
 * failure the workspace must be released for a run on pixels, which needs none. */
Test(device_exec, a_failed_run_keeps_no_memory)
{
    ImgExec *exec = make_exec(NULL);
    failing_calls_set(ANY, ONCE, 0);
    cr_assert_eq(run_pixels(exec, 1, 1), IMG_OK, "so that all else is there");
    fake_runtime_set_memory(4 * MIB + SOME);
    ImgStep step = masking_step(MASK);
    ImgDeviceEnd source = masking_source();
    source.device_bytes = 4 * MIB;
    const ImgRunEnds ends = {.source = &source,
                             .shape = (ImgShape){1024, 1024, {IMG_COLOR_GRAY, 8}}};
    ImgImage image = IMG_IMAGE_NONE;
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_exec_run_between(exec, &step, 1, &ends, &image, &report, &err), IMG_E_MEMORY);
    cr_expect_str_eq(err.message, "fake GPU has no 1 MiB left for 1024 x 1024 pixels; use the CPU");
    cr_expect_eq(failing_calls_held(MEMORY), 0);
    cr_expect_eq(run_pixels(exec, 1024, 1024), IMG_OK);
    img_exec_destroy(exec);
}

/* The second run needs the memory that the first one keeps, including its constants. The third run
 * must send its constants again. */
Test(device_exec, memory_of_earlier_runs_is_released_when_needed)
{
    ImgExec *exec = make_exec(NULL);
    cr_assert_eq(run_files(exec, 4 * MIB), IMG_OK);
    fake_runtime_set_memory(4 * MIB + SOME);
    cr_expect_eq(run_pixels(exec, 1024, 1024), IMG_OK);
    cr_expect_eq(run_files(exec, 4 * MIB), IMG_OK);
    cr_expect_eq(run_files(exec, 8 * MIB), IMG_E_MEMORY);
    cr_expect_eq(run_files(exec, 4 * MIB), IMG_OK);
    img_exec_destroy(exec);
}

static void *give_soon(void *argument)
{
    void **given = argument;
    usleep(20000);
    img_async_device_give(given[0], given[1]);
    return NULL;
}

/* A channel is one of several open handles of a device. Memory that an unused channel keeps is
 * released at once; memory of a used channel only when the channel is returned. */
Test(device_exec, channels_of_a_device_release_memory_for_each_other)
{
    ImgCuda *first, *second;
    pthread_t thread;
    ImgAsyncDevice *async = make_async();
    ImgExec *exec = make_exec(async);
    cr_assert_eq(img_async_device_take(async, &first, NULL), IMG_OK);
    cr_assert_eq(run_files(exec, 4 * MIB), IMG_OK, "by the second way");
    cr_assert_eq(img_async_device_take(async, &second, NULL), IMG_OK);
    img_async_device_give(async, first);
    fake_runtime_set_memory(4 * MIB + SOME);
    void *given[] = {async, second};
    cr_assert_eq(pthread_create(&thread, NULL, give_soon, given), 0);
    cr_expect_eq(run_files(exec, 4 * MIB), IMG_OK, "by the first way, once the second is given");
    pthread_join(thread, NULL);
    img_exec_destroy(exec);
    img_async_device_destroy(async);
}

enum { WORKERS = 12, PICTURES = 8 };

typedef struct Worker {
    pthread_t thread;
    ImgAsyncDevice *async;
    /* number of pictures that were done, and number of pictures for which memory was short */
    int done, wanting;
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    ImgExec *exec = make_exec(worker->async);
    for (int i = 0; i < PICTURES; i++) {
        const ImgStatus status = run_files(exec, MIB);
        worker->done += status == IMG_OK;
        worker->wanting += status == IMG_E_MEMORY;
    }
    img_exec_destroy(exec);
    return NULL;
}

static void run_workers(size_t memory, int done, int wanting)
{
    Worker workers[WORKERS] = {{.done = 0}};
    ImgAsyncDevice *async = make_async();
    fake_runtime_set_memory(memory);
    for (int i = 0; i < WORKERS; i++) {
        workers[i].async = async;
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i].thread, NULL);
        cr_expect_eq(workers[i].done, done, "%d", workers[i].done);
        cr_expect_eq(workers[i].wanting, wanting, "%d", workers[i].wanting);
    }
    img_async_device_destroy(async);
}

/* The device has memory for two runs at a time, so the other workers must wait. */
Test(device_exec, workers_wait_for_memory_of_others)
{
    run_workers(2 * MIB + 2 * SOME, PICTURES, 0);
}

/* The device has too little memory for one run. Each worker must fail, and none may block for
 * ever. */
Test(device_exec, a_run_that_never_fits_fails)
{
    run_workers(MIB / 2, 0, PICTURES);
}
