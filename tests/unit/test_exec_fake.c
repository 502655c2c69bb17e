/* Tests of an executor whose GPU is slow to open, fails or runs out of memory. Also tests a device
 * that is opened in the background and the executors that share it. The GPUs are fakes
 * (fake_gpus.h). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "kernels/core/exec/exec_pace.h"
#include "kernels/core/exec/exec_priv.h"
#include "tests/unit/fake_gpus.h"

/* Seconds of CPU work, far more than the time to open a context. The CPU gets such work only while
 * the GPU is not ready. */
static const double LONG_WORK = 1000;

/* Seconds of CPU work that are too few to justify waiting until a GPU has been opened. */
static const double SHORT_WORK = 0.3;

TestSuite(exec_fake, .timeout = 60);

static ImgAsyncDevice *make_async(void)
{
    ImgAsyncDevice *async;
    cr_assert_eq(img_async_device_create(0, &async, NULL), IMG_OK);
    return async;
}

static ImgAsyncDevice *make_ready_async(void)
{
    ImgAsyncDevice *async = make_async();
    cr_assert_eq(img_async_device_wait(async, NULL), IMG_OK);
    return async;
}

static ImgExec *make_exec(ImgBackend backend, ImgAsyncDevice *async)
{
    ImgExec *exec;
    ImgExecConfig config = {.backend = backend, .threads = 1, .async_device = async};
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    return exec;
}

/* Processes one picture that takes the CPU `seconds`, and checks the result. Returns the report,
 * which names the backend. */
static ImgRunReport run_work(ImgExec *exec, int seed, double seconds)
{
    ImgStep step = fake_step(seconds);
    ImgImage image = fake_picture(seed);
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_assert(fake_picture_is_inverted(&image, seed), "picture %d is wrong", seed);
    img_image_free(&image);
    return report;
}

static ImgRunReport run(ImgExec *exec, int seed)
{
    return run_work(exec, seed, LONG_WORK);
}

static void expect_failure(ImgExec *exec, ImgStatus status, const char *message)
{
    ImgStep step = fake_step(LONG_WORK);
    ImgImage image = fake_picture(0);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_exec_run(exec, &step, 1, &image, NULL, &err), status);
    cr_expect(strstr(err.message, message) != NULL, "'%s'", err.message);
    cr_expect_null(image.view.data, "a failed run frees its image");
    img_image_free(&image);
}

static void expect_lost(ImgAsyncDevice *async, const char *expected)
{
    const char *message = "";
    cr_expect(img_async_device_is_lost(async, &message));
    cr_expect_str_eq(message, expected);
}

static void expect_not_lost(ImgAsyncDevice *async)
{
    const char *message = "untouched";
    cr_expect_not(img_async_device_is_lost(async, &message));
    cr_expect_str_eq(message, "untouched");
}

static void destroy(ImgExec *exec, ImgAsyncDevice *async)
{
    img_exec_destroy(exec);
    img_async_device_destroy(async);
    cr_expect_eq(fake_gpus_left_open(), 0);
}

static void *let_in_soon(void *unused)
{
    usleep(50000);
    fake_gpus_let_in();
    return unused;
}

/* --- Opening a GPU ---------------------------------------------------------------------------- */

/* Opening a GPU may take a long time. Until it is open, an executor with IMG_BACKEND_AUTO runs on
 * the CPU instead of waiting. */
Test(exec_fake, auto_stays_on_the_cpu_until_the_gpu_is_ready)
{
    fake_gpus_install(1);
    fake_gpus_hold();
    ImgAsyncDevice *async = make_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    ImgRunReport report = run(exec, 1);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU, "the GPU has not been started yet");
    cr_expect_eq(fake_gpus_openings(0), 0);
    img_async_device_start(async);
    for (int i = 0; i < 10; i++) {
        report = run_work(exec, i, SHORT_WORK);
        cr_expect_eq(report.backend, IMG_BACKEND_CPU);
        cr_expect_str_eq(report.passes[0].impl->name, "plain");
        cr_expect(strstr(report.reason, "not ready") != NULL, "'%s'", report.reason);
        /* The ten pauses together take longer than opening a CUDA context usually does. */
        usleep(50000);
    }
    fake_gpus_let_in();
    cr_assert_eq(img_async_device_wait(async, NULL), IMG_OK);
    report = run(exec, 3);
    cr_expect_eq(report.backend, IMG_BACKEND_CUDA);
    cr_expect_str_eq(report.device, "fake GPU 0");
    cr_expect_str_eq(report.passes[0].impl->name, "fake-cuda");
    cr_expect_eq(fake_gpus_runs(0), 1);
    expect_not_lost(async);
    destroy(exec, async);
}

Test(exec_fake, work_without_gain_on_a_gpu_stays_on_the_cpu)
{
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    ImgStep step = fake_step(0);
    ImgImage image = fake_picture(1);
    ImgRunReport report;
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, &report, NULL), IMG_OK);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_eq(fake_gpus_runs(0), 0);
    img_image_free(&image);
    destroy(exec, async);
}

/* Returns a step that takes the CPU `ns_per_byte` per byte. Writes its operation to `op`, which the
 * step refers to. */
static ImgStep step_that_costs(double ns_per_byte, ImgOp *op)
{
    ImgStep step = fake_step(LONG_WORK);
    *op = *step.op;
    op->cost.cpu_ns_per_byte = ns_per_byte;
    step.op = op;
    return step;
}

static ImgBackend backend_for(ImgExec *exec, ImgStep *step)
{
    ImgImage image = fake_picture(1);
    ImgRunReport report;
    cr_assert_eq(img_exec_run(exec, step, 1, &image, &report, NULL), IMG_OK);
    img_image_free(&image);
    return report.backend;
}

/* For a GPU both steps cost the same, because they move the same number of bytes. So only their
 * cost on the CPU decides. */
Test(exec_fake, auto_weighs_the_cost_of_the_operation)
{
    const ImgShape shape = {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}};
    ImgOp ops[2];
    ImgStep cheap = step_that_costs(1e-4, &ops[0]), dear = step_that_costs(1, &ops[1]);
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    cr_expect_not(img_exec_is_worth_cuda(exec, &cheap, 1, shape, NULL, 1000, 1));
    cr_expect(img_exec_is_worth_cuda(exec, &dear, 1, shape, NULL, 1000, 1));
    cr_expect_eq(backend_for(exec, &cheap), IMG_BACKEND_CPU);
    cr_expect_eq(backend_for(exec, &dear), IMG_BACKEND_CUDA);
    destroy(exec, async);
}

Test(exec_fake, costs_of_steps_add_up_and_are_divided_by_threads)
{
    const ImgShape shape = {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}};
    ImgOp ops[2];
    ImgStep steps[] = {step_that_costs(0.5, &ops[0]), step_that_costs(2, &ops[1])};
    double one = img_cost_of(steps, 1, shape, 1).cpu, both = img_cost_of(steps, 2, shape, 1).cpu;
    cr_expect_float_eq(one, 0.5 * LONG_WORK, 1e-6);
    cr_expect_float_eq(both, 2.5 * LONG_WORK, 1e-6);
    cr_expect_float_eq(img_cost_of(steps, 2, shape, 4).cpu, both / 4, 1e-6);
    cr_expect_float_eq(img_cost_of(steps, 2, shape, 64).cpu, both / 8, 1e-6);
}

Test(exec_fake, an_opening_starts_only_once)
{
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_async();
    img_async_device_start(async);
    img_async_device_start(async);
    cr_expect_eq(img_async_device_wait(async, NULL), IMG_OK);
    img_async_device_start(async);
    cr_expect_eq(img_async_device_wait(async, NULL), IMG_OK);
    cr_expect_eq(fake_gpus_openings(0), 1);
    destroy(NULL, async);
}

Test(exec_fake, if_opening_fails_the_cpu_does_all_work)
{
    fake_gpus_install(1);
    fake_gpus_fail_opening(0, 1, IMG_E_UNAVAILABLE);
    ImgAsyncDevice *async = make_async();
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_async_device_wait(async, &err), IMG_E_UNAVAILABLE);
    cr_expect_str_eq(err.message, "opening 1 of fake GPU 0");
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(run(exec, i).backend, IMG_BACKEND_CPU);
    cr_expect_eq(fake_gpus_openings(0), 1, "it is not tried again");
    /* A device that never worked does not count as lost. */
    expect_not_lost(async);
    destroy(exec, async);
}

typedef struct Waiter {
    ImgExec *exec;
    atomic_bool done;
    ImgBackend backend;
} Waiter;

static void *run_and_tell(void *argument)
{
    Waiter *waiter = argument;
    waiter->backend = run(waiter->exec, 5).backend;
    atomic_store(&waiter->done, true);
    return NULL;
}

Test(exec_fake, the_cuda_backend_waits_for_the_gpu)
{
    fake_gpus_install(1);
    fake_gpus_hold();
    ImgAsyncDevice *async = make_async();
    Waiter waiter = {.exec = make_exec(IMG_BACKEND_CUDA, async)};
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, run_and_tell, &waiter), 0);
    while (fake_gpus_openings(0) == 0)
        usleep(1000);
    usleep(20000);
    cr_expect_not(atomic_load(&waiter.done));
    fake_gpus_let_in();
    pthread_join(thread, NULL);
    cr_expect_eq(waiter.backend, IMG_BACKEND_CUDA);
    destroy(waiter.exec, async);
}

Test(exec_fake, destroying_waits_for_an_opening)
{
    fake_gpus_install(1);
    fake_gpus_hold();
    ImgAsyncDevice *async = make_async();
    img_async_device_start(async);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, let_in_soon, NULL), 0);
    destroy(NULL, async);
    pthread_join(thread, NULL);
    img_async_device_destroy(make_async()); /* a device whose opening was never started */
    img_async_device_destroy(NULL);
}

Test(exec_fake, destroying_waits_for_an_opening_of_the_executor_itself)
{
    fake_gpus_install(1);
    fake_gpus_hold();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, NULL);
    ImgStep step = fake_step(LONG_WORK);
    img_exec_prepare(exec, &step, 1, (ImgShape){FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}}, 0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, let_in_soon, NULL), 0);
    destroy(exec, NULL);
    pthread_join(thread, NULL);
    cr_expect_eq(fake_gpus_openings(0), 1);
}

/* --- Failures of a GPU ------------------------------------------------------------------------ */

Test(exec_fake, after_a_fault_the_cpu_continues)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 3, IMG_E_DEVICE);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async), *other = make_exec(IMG_BACKEND_AUTO, async);
    cr_expect_eq(run(exec, 1).backend, IMG_BACKEND_CUDA);
    cr_expect_eq(run(other, 2).backend, IMG_BACKEND_CUDA);
    expect_not_lost(async);

    ImgRunReport report = run(exec, 3);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_str_eq(report.passes[0].impl->name, "plain");
    cr_expect_str_eq(report.reason, "the GPU failed: run 3 on fake GPU 0");
    cr_expect_eq(strncmp(report.device, "CPU", 3), 0);
    expect_lost(async, "run 3 on fake GPU 0");

    for (int i = 4; i < 8; i++) {
        report = run(i % 2 == 0 ? exec : other, i);
        cr_expect_eq(report.backend, IMG_BACKEND_CPU);
        cr_expect_str_eq(report.reason, "the GPU cannot be used");
    }
    cr_expect_eq(fake_gpus_runs(0), 3, "a GPU that failed is left alone");
    expect_lost(async, "run 3 on fake GPU 0");
    img_exec_destroy(other);
    destroy(exec, async);
}

Test(exec_fake, out_of_memory_moves_only_that_picture_to_the_cpu)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 2, IMG_E_MEMORY);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    cr_expect_eq(run(exec, 1).backend, IMG_BACKEND_CUDA);
    ImgRunReport report = run(exec, 2);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_str_eq(report.reason, "the GPU failed: run 2 on fake GPU 0");
    expect_not_lost(async);
    cr_expect_eq(run(exec, 3).backend, IMG_BACKEND_CUDA);
    destroy(exec, async);
}

/* --- Channels of a shared device -------------------------------------------------------------- */

/* A channel is one of several open handles (ImgCuda) of a shared device. A free channel is reused,
 * and a new one is opened only if none is free. */
Test(exec_fake, channels_are_opened_when_needed)
{
    ImgCuda *first, *second, *again;
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    cr_assert_eq(img_async_device_take(async, &first, NULL), IMG_OK);
    cr_expect_eq(fake_gpus_openings(0), 1, "that of the device");
    cr_assert_eq(img_async_device_take(async, &second, NULL), IMG_OK);
    cr_expect_eq(fake_gpus_openings(0), 2);
    cr_expect_neq(first, second);
    img_async_device_give(async, second);
    cr_assert_eq(img_async_device_take(async, &again, NULL), IMG_OK);
    cr_expect_eq(again, second);
    cr_expect_eq(fake_gpus_openings(0), 2);
    img_async_device_give(async, first);
    img_async_device_give(async, again);
    destroy(NULL, async);
}

typedef struct Giver {
    ImgAsyncDevice *async;
    ImgCuda *cuda;
} Giver;

static void *give_soon(void *argument)
{
    const Giver *giver = argument;
    usleep(20000);
    img_async_device_give(giver->async, giver->cuda);
    return NULL;
}

Test(exec_fake, take_waits_for_a_free_channel)
{
    ImgCuda *all[IMG_PACE_PLACES], *more;
    pthread_t thread;
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        cr_assert_eq(img_async_device_take(async, &all[i], NULL), IMG_OK);
    Giver giver = {async, all[3]};
    cr_assert_eq(pthread_create(&thread, NULL, give_soon, &giver), 0);
    cr_assert_eq(img_async_device_take(async, &more, NULL), IMG_OK);
    pthread_join(thread, NULL);
    cr_expect_eq(more, all[3]);
    cr_expect_eq(fake_gpus_openings(0), IMG_PACE_PLACES);
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        img_async_device_give(async, all[i]);
    destroy(NULL, async);
}

/* Takes the only open channel, so that the next caller must open another. */
static ImgCuda *take_first(ImgAsyncDevice *async)
{
    ImgCuda *cuda;
    cr_assert_eq(img_async_device_take(async, &cuda, NULL), IMG_OK);
    return cuda;
}

Test(exec_fake, a_fault_while_a_channel_opens_loses_the_device)
{
    fake_gpus_install(1);
    fake_gpus_fail_opening(0, 2, IMG_E_DEVICE);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    ImgCuda *first = take_first(async);
    ImgRunReport report = run(exec, 1);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_str_eq(report.reason, "the GPU failed: opening 2 of fake GPU 0");
    expect_lost(async, "opening 2 of fake GPU 0");
    cr_expect_eq(run(exec, 2).backend, IMG_BACKEND_CPU);
    cr_expect_eq(fake_gpus_openings(0), 2);
    img_async_device_give(async, first);
    destroy(exec, async);
}

Test(exec_fake, out_of_memory_while_a_channel_opens_does_not_lose_the_device)
{
    fake_gpus_install(1);
    fake_gpus_fail_opening(0, 2, IMG_E_MEMORY);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    ImgCuda *first = take_first(async);
    cr_expect_eq(run(exec, 1).backend, IMG_BACKEND_CPU);
    expect_not_lost(async);
    cr_expect_eq(run(exec, 2).backend, IMG_BACKEND_CUDA);
    img_async_device_give(async, first);
    destroy(exec, async);
}

Test(exec_fake, a_fault_of_an_own_device_moves_the_work_to_the_cpu)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 1, IMG_E_DEVICE);
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, NULL);
    ImgRunReport report = run(exec, 1);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_str_eq(report.reason, "the GPU failed: run 1 on fake GPU 0");
    cr_expect_eq(fake_gpus_runs(0), 1);
    destroy(exec, NULL);
}

Test(exec_fake, the_cuda_backend_never_falls_back_to_the_cpu)
{
    static const ImgStatus failures[] = {IMG_E_DEVICE, IMG_E_MEMORY};
    fake_gpus_install(3);
    for (int i = 0; i < 2; i++) {
        ImgAsyncDevice *async;
        cr_assert_eq(img_async_device_create(i, &async, NULL), IMG_OK);
        fake_gpus_fail_run(i, 1, failures[i]);
        ImgExecConfig by_backend = {
            .backend = IMG_BACKEND_CUDA, .device = i, .threads = 1, .async_device = async};
        ImgExec *exec;
        cr_assert_eq(img_exec_create(&by_backend, &exec, NULL), IMG_OK);
        expect_failure(exec, failures[i], i == 0 ? "run 1 on fake GPU 0" : "run 1 on fake GPU 1");
        destroy(exec, async);
    }
    fake_gpus_fail_run(2, 1, IMG_E_MEMORY);
    ImgExecConfig by_row = {.impl = "fake-cuda", .device = 2, .threads = 1};
    ImgExec *exec;
    cr_assert_eq(img_exec_create(&by_row, &exec, NULL), IMG_OK);
    expect_failure(exec, IMG_E_MEMORY, "run 1 on fake GPU 2");
    cr_expect_eq(run(exec, 1).backend, IMG_BACKEND_CUDA);
    destroy(exec, NULL);
}

Test(exec_fake, the_cuda_backend_reports_why_the_gpu_did_not_open)
{
    fake_gpus_install(1);
    fake_gpus_fail_opening(0, 1, IMG_E_UNAVAILABLE);
    ImgAsyncDevice *async = make_async();
    ImgExec *exec = make_exec(IMG_BACKEND_CUDA, async);
    expect_failure(exec, IMG_E_UNAVAILABLE, "opening 1 of fake GPU 0");
    expect_failure(exec, IMG_E_UNAVAILABLE, "opening 1 of fake GPU 0");
    destroy(exec, async);
}

/* --- Many threads ----------------------------------------------------------------------------- */

enum { THREADS = 8, RUNS = 200, FAULT = THREADS * RUNS / 4 };

typedef struct Worker {
    ImgAsyncDevice *async;
    int number, on_cuda;
    bool back_on_cuda; /* true if a run used CUDA after an earlier run had used the CPU */
} Worker;

static void *work(void *argument)
{
    Worker *worker = argument;
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, worker->async);
    bool failed = false;
    for (int i = 0; i < RUNS; i++) {
        ImgRunReport report = run(exec, worker->number * RUNS + i);
        bool on_cuda = report.backend == IMG_BACKEND_CUDA;
        worker->on_cuda += on_cuda;
        worker->back_on_cuda |= failed && on_cuda;
        failed |= strncmp(report.reason, "the GPU failed", 14) == 0;
    }
    img_exec_destroy(exec);
    return NULL;
}

Test(exec_fake, a_fault_among_many_threads_loses_no_picture)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, FAULT, IMG_E_DEVICE);
    ImgAsyncDevice *async = make_ready_async();
    Worker workers[THREADS] = {0};
    pthread_t threads[THREADS];
    int on_cuda = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (Worker){.async = async, .number = i};
        cr_assert_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        on_cuda += workers[i].on_cuda;
        cr_expect_not(workers[i].back_on_cuda);
    }
    cr_expect_eq(on_cuda, FAULT - 1, "all before the fault, none after it");
    cr_expect_geq(fake_gpus_failed_runs(0), 1);
    cr_expect_leq(fake_gpus_failed_runs(0), THREADS, "one each, of those under way");
    const char *message = "", *again = "";
    cr_expect(img_async_device_is_lost(async, &message));
    cr_expect(img_async_device_is_lost(async, &again));
    cr_expect_eq(strncmp(message, "run ", 4), 0, "'%s'", message);
    cr_expect_str_eq(again, message);
    destroy(NULL, async);
}

/* --- Runs between a decoder and an encoder on the GPU ----------------------------------------- */

static const ImgShape PICTURE = {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}};

static bool takes(ImgExec *exec, double cpu, double cuda)
{
    ImgStep step = fake_step(0);
    ImgEndsCost ends = {cpu, cuda, false};
    return img_exec_takes_ends(exec, &step, 1, PICTURE, &ends);
}

static ImgStatus run_between(ImgExec *exec, ImgRunReport *report, ImgError *err)
{
    ImgStep step = fake_step(0);
    ImgImage image = fake_picture(1);
    ImgRunEnds ends = {.shape = PICTURE};
    ImgStatus status = img_exec_run_between(exec, &step, 1, &ends, &image, report, err);
    cr_expect_not_null(image.view.data, "it is the result, or as it was");
    img_image_free(&image);
    return status;
}

/* The costs of decoding and encoding justify a GPU, although the step alone does not. */
Test(exec_fake, a_gpu_is_used_if_the_codecs_save_time)
{
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *chooses = make_exec(IMG_BACKEND_AUTO, async);
    ImgExec *cpu = make_exec(IMG_BACKEND_CPU, async), *cuda = make_exec(IMG_BACKEND_CUDA, async);
    cr_expect_not(takes(cpu, 1000, 0));
    cr_expect(takes(cuda, 0, 1000));
    cr_assert_eq(run_between(cuda, &report, &err), IMG_OK, "%s", err.message);
    cr_expect_str_eq(report.reason, "asked for");
    cr_expect_not(takes(chooses, 0.001, 1));
    img_exec_note_cpu(chooses, 0.001);
    cr_expect(takes(chooses, 1, 0.001));
    cr_assert_eq(run_between(chooses, &report, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(report.backend, IMG_BACKEND_CUDA);
    cr_expect_eq(fake_gpus_runs(0), 2);
    img_exec_destroy(cpu);
    img_exec_destroy(cuda);
    destroy(chooses, async);
}

Test(exec_fake, a_gpu_that_is_hardly_faster_is_not_opened)
{
    ImgStep step = fake_step(0);
    const ImgEndsCost hardly = {0.0055, 0.004, false}, clearly = {0.0065, 0.004, false};
    fake_gpus_install(1);
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, NULL);
    cr_expect_not(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &hardly, 100000, 16));
    cr_expect(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &clearly, 100000, 16));
    img_exec_destroy(exec);
}

/* A CPU that takes four times the estimate makes a GPU worth its start-up time. */
Test(exec_fake, what_pictures_took_decides_whether_a_gpu_is_opened)
{
    ImgStep step = fake_step(0);
    const ImgEndsCost ends = {0.01, 0.001, false};
    fake_gpus_install(1);
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, NULL);
    cr_expect_not(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &ends, 40, 1));
    img_exec_note_cpu(exec, 1); /* ignored, because no time is expected yet */
    cr_expect_not(takes(exec, 0.01, 0.001));
    img_exec_note_cpu(exec, 0.04);
    cr_expect_not(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &ends, 40, 1), "a first picture");
    img_exec_note_cpu(exec, 0.04);
    cr_expect(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &ends, 40, 1));
    img_exec_note_cpu(exec, 0); /* ignored, because 0 means an unknown time */
    cr_expect(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &ends, 40, 1));
    for (int i = 0; i < 20; i++)
        img_exec_note_cpu(exec, 0.01);
    cr_expect_not(img_exec_is_worth_cuda(exec, &step, 1, PICTURE, &ends, 40, 1));
    img_exec_destroy(exec);
}

/* After the failure the picture is unchanged, so that the caller can still process it on the CPU. A
 * broken GPU is not used again. */
Test(exec_fake, a_run_between_codecs_that_fails_keeps_the_picture)
{
    ImgRunReport report;
    ImgError err = {IMG_OK, ""};
    const char *message;
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 1, IMG_E_DEVICE);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    cr_assert(takes(exec, 1, 0.001));
    cr_expect_eq(run_between(exec, &report, &err), IMG_E_DEVICE);
    cr_expect(img_async_device_is_lost(async, &message));
    cr_expect_not(takes(exec, 1, 0.001));
    img_exec_note_cpu(exec, 0);
    destroy(exec, async);
}

/* --- Device memory for files ------------------------------------------------------------------ */

Test(exec_fake, memory_for_files_is_kept_and_grows)
{
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    char *first = img_exec_file_memory(exec, 100000);
    cr_assert_not_null(first);
    first[99999] = 1;
    cr_expect_eq(img_exec_file_memory(exec, 5000), first, "it is large enough");
    char *second = img_exec_file_memory(exec, 6000000);
    cr_assert_not_null(second);
    second[5999999] = 1;
    img_exec_trim(exec, 100 << 20);
    cr_expect_eq(img_exec_file_memory(exec, 6000000), second, "small enough to be kept");
    img_exec_trim(exec, 1 << 20);
    cr_expect_eq(exec->host[IMG_HOST_OF_FILE].bytes, 0);
    cr_expect_null(img_exec_file_memory(exec, SIZE_MAX));
    destroy(exec, async);
}

Test(exec_fake, trimming_frees_only_as_many_buffers_as_needed)
{
    fake_gpus_install(1);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    ImgHostMemory *host = exec->host;
    cr_assert(img_host_memory_reserve(&host[IMG_HOST_OF_FILE], 6 << 20));
    cr_assert(img_host_memory_reserve(&host[IMG_HOST_OF_SOURCE], 1 << 20));
    cr_assert(img_host_memory_reserve(&host[IMG_HOST_OF_SINK], 1 << 20));
    img_exec_trim(exec, 2 << 20);
    cr_expect_eq(host[IMG_HOST_OF_FILE].bytes, 0);
    cr_expect_eq(host[IMG_HOST_OF_SOURCE].bytes, 1 << 20, "it fits");
    cr_expect_eq(host[IMG_HOST_OF_SINK].bytes, 1 << 20, "it fits");
    img_exec_trim(exec, 0);
    cr_expect_eq(host[IMG_HOST_OF_SOURCE].bytes + host[IMG_HOST_OF_SINK].bytes, 0);
    destroy(exec, async);
}

Test(exec_fake, memory_for_files_needs_a_shared_gpu_that_works)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 1, IMG_E_DEVICE);
    ImgAsyncDevice *async = make_ready_async();
    ImgExec *cpu = make_exec(IMG_BACKEND_CPU, async), *alone = make_exec(IMG_BACKEND_AUTO, NULL);
    ImgExec *exec = make_exec(IMG_BACKEND_AUTO, async);
    cr_expect_null(img_exec_file_memory(cpu, 1000));
    cr_expect_null(img_exec_file_memory(alone, 1000));
    cr_expect_not_null(img_exec_file_memory(exec, 1000));
    (void)run(exec, 1);
    cr_expect_null(img_exec_file_memory(exec, 1000), "the GPU failed");
    cr_expect_eq(exec->host[IMG_HOST_OF_FILE].bytes, 0);
    img_exec_destroy(cpu);
    img_exec_destroy(alone);
    destroy(exec, async);
}

/* --- Progress --------------------------------------------------------------------------------- */

static ImgStatus refuse(void *context, uint64_t done, uint64_t total, ImgError *err)
{
    (void)done;
    (void)total;
    ++*(int *)context;
    return img_fail(err, IMG_E_UNSUPPORTED, "enough");
}

Test(exec_fake, a_cancelled_run_is_not_restarted_on_the_cpu)
{
    int calls = 0;
    ImgExec *exec = NULL;
    const ImgExecConfig config = {.backend = IMG_BACKEND_AUTO, .threads = 1};
    fake_gpus_install(1);
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    img_exec_set_progress(exec, (ImgExecProgress){refuse, &calls});
    expect_failure(exec, IMG_E_UNSUPPORTED, "enough");
    cr_expect_eq(fake_gpus_runs(0), 1);
    cr_expect_eq(calls, 1);
    img_exec_destroy(exec);
}
