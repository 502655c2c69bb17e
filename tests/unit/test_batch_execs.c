/* The executors of a batch's workers: spread over the GPUs of the machine, on the CPU until these
 * are ready and after they failed. The GPUs are none (fake_gpus.h). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "app/batch/execs.h"
#include "tests/unit/fake_gpus.h"

/* A batch of many such pictures is worth a context, though one alone may not be. */
static const double LONG_WORK = 0.3;
static const ImgShape SHAPE = {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}};

TestSuite(batch_execs, .timeout = 60);

static void set(Settings *settings, const char *name, const char *value)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(option_set(option_find(name, FOR_BATCH), settings, value, &err), IMG_OK, "%s",
                 err.message);
}

static Settings settings_of(const char *backend)
{
    Settings settings;
    settings_init(&settings);
    set(&settings, "backend", backend);
    return settings;
}

static Execs *make(const Settings *settings, int workers)
{
    Execs *execs;
    cr_assert_eq(execs_create(settings, workers, &execs, NULL), IMG_OK);
    return execs;
}

static void end(Execs *execs)
{
    execs_free(execs);
    cr_expect_eq(fake_gpus_left_open(), 0);
}

/* One picture as a worker does it, with the right result; the report tells where. */
static ImgRunReport run(Execs *execs, int worker, int seed)
{
    ImgStep step = fake_step(LONG_WORK);
    ImgImage image = fake_picture(seed);
    ImgRunReport report;
    ImgExec *exec;
    ImgError err = {IMG_OK, ""};
    const ExecsPicture picture = {&step, 1, SHAPE, 1000};
    cr_assert_eq(execs_get(execs, worker, &picture, &exec, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_assert(fake_picture_is_inverted(&image, seed), "picture %d is wrong", seed);
    img_image_free(&image);
    return report;
}

/* Until the worker has a GPU; the suite's timeout ends what would not. */
static ImgRunReport run_until_on_cuda(Execs *execs, int worker)
{
    ImgRunReport report = run(execs, worker, 0);
    while (report.backend != IMG_BACKEND_CUDA) {
        usleep(1000);
        report = run(execs, worker, 0);
    }
    return report;
}

static ImgStatus status_of_run(Execs *execs, int worker, ImgError *err)
{
    ImgStep step = fake_step(LONG_WORK);
    ImgImage image = fake_picture(0);
    ImgExec *exec;
    const ExecsPicture picture = {&step, 1, SHAPE, 1000};
    ImgStatus status = execs_get(execs, worker, &picture, &exec, err);
    if (status == IMG_OK)
        status = img_exec_run(exec, &step, 1, &image, NULL, err);
    img_image_free(&image);
    return status;
}

static void *let_in_soon(void *unused)
{
    usleep(50000);
    fake_gpus_let_in();
    return unused;
}

static void expect_nothing_lost(Execs *execs)
{
    int device;
    const char *message;
    cr_expect_not(execs_tell_lost(execs, &device, &message));
}

/* --- Which GPU ----------------------------------------------------------------------------------
 */

Test(batch_execs, workers_are_spread_over_all_gpus)
{
    fake_gpus_install(2);
    Settings settings = settings_of("cuda");
    Execs *execs = make(&settings, 4);
    for (int worker = 0; worker < 4; worker++) {
        ImgRunReport report = run(execs, worker, worker);
        cr_expect_str_eq(report.device, worker % 2 == 0 ? "fake GPU 0" : "fake GPU 1");
    }
    cr_expect_eq(fake_gpus_runs(0), 2);
    cr_expect_eq(fake_gpus_runs(1), 2);
    end(execs);
}

Test(batch_execs, the_device_asked_for_is_the_only_one)
{
    static const char *const backends[] = {"cuda", "auto"};
    fake_gpus_install(3);
    for (int i = 0; i < 2; i++) {
        Settings settings = settings_of(backends[i]);
        set(&settings, "device", "1");
        Execs *execs = make(&settings, 3);
        for (int worker = 0; worker < 3; worker++)
            cr_expect_str_eq(run_until_on_cuda(execs, worker).device, "fake GPU 1");
        end(execs);
    }
    cr_expect_eq(fake_gpus_openings(0), 0);
    cr_expect_eq(fake_gpus_openings(2), 0);
}

/* Given, although it is the default. */
Test(batch_execs, device_0_can_be_asked_for)
{
    fake_gpus_install(2);
    Settings settings = settings_of("cuda");
    set(&settings, "device", "0");
    Execs *execs = make(&settings, 2);
    cr_expect_str_eq(run(execs, 1, 1).device, "fake GPU 0");
    cr_expect_eq(fake_gpus_openings(1), 0);
    end(execs);
}

Test(batch_execs, an_implementation_on_the_gpu_is_spread_too)
{
    fake_gpus_install(2);
    Settings settings = settings_of("auto");
    set(&settings, "impl", "fake-cuda");
    Execs *execs = make(&settings, 2);
    while (strcmp(run(execs, 1, 0).device, "fake GPU 1") != 0)
        usleep(1000);
    cr_expect_str_eq(run(execs, 0, 0).device, "fake GPU 0");
    end(execs);
}

/* --- When ---------------------------------------------------------------------------------------
 */

Test(batch_execs, auto_works_on_the_cpu_until_the_gpu_is_ready)
{
    fake_gpus_install(2);
    fake_gpus_hold();
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, 2);
    for (int i = 0; i < 20; i++) {
        cr_expect_eq(run(execs, i % 2, i).backend, IMG_BACKEND_CPU);
        usleep(30000); /* in all beyond the time that a context usually takes */
    }
    cr_expect_eq(fake_gpus_openings(0), 1);
    cr_expect_eq(fake_gpus_openings(1), 1);
    cr_expect_eq(fake_gpus_runs(0) + fake_gpus_runs(1), 0);
    fake_gpus_let_in();
    cr_expect_str_eq(run_until_on_cuda(execs, 0).device, "fake GPU 0");
    cr_expect_str_eq(run_until_on_cuda(execs, 1).device, "fake GPU 1");
    expect_nothing_lost(execs);
    end(execs);
}

/* A picture alone, which takes the CPU so long that a GPU is opened for it; that comes in soon, or
 * not before the picture is done. */
static ImgRunReport run_costly(double seconds, bool soon)
{
    fake_gpus_install(1);
    fake_gpus_hold();
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, 1);
    ImgStep step = fake_step(seconds);
    ImgImage image = fake_picture(1);
    ImgRunReport report;
    ImgExec *exec;
    pthread_t thread;
    const ExecsPicture picture = {&step, 1, SHAPE, 1};
    cr_assert_eq(execs_get(execs, 0, &picture, &exec, NULL), IMG_OK);
    if (soon)
        cr_assert_eq(pthread_create(&thread, NULL, let_in_soon, NULL), 0);
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, &report, NULL), IMG_OK);
    if (soon)
        pthread_join(thread, NULL);
    img_image_free(&image);
    fake_gpus_let_in();
    end(execs);
    return report;
}

Test(batch_execs, a_costly_picture_waits_for_the_gpu)
{
    ImgRunReport report = run_costly(30, true);
    cr_expect_eq(report.backend, IMG_BACKEND_CUDA, "%s", report.reason);
}

/* No longer than the CPU would take: a driver may hang. */
Test(batch_execs, a_costly_picture_does_not_wait_for_ever)
{
    ImgRunReport report = run_costly(0.6, false);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_str_eq(report.reason, "the GPU is not ready yet");
}

Test(batch_execs, what_is_not_worth_a_gpu_opens_none)
{
    fake_gpus_install(1);
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, 1);
    ImgStep step = fake_step(0.01);
    ImgExec *exec;
    const ExecsPicture of_few = {&step, 1, SHAPE, 10}, of_many = {&step, 1, SHAPE, 100};
    cr_assert_eq(execs_get(execs, 0, &of_few, &exec, NULL), IMG_OK);
    end(execs); /* waits for what was begun */
    cr_expect_eq(fake_gpus_openings(0), 0);
    execs = make(&settings, 1);
    cr_assert_eq(execs_get(execs, 0, &of_many, &exec, NULL), IMG_OK);
    end(execs);
    cr_expect_eq(fake_gpus_openings(0), 1);
}

Test(batch_execs, the_cpu_asked_for_opens_no_gpu)
{
    fake_gpus_install(1);
    Settings settings = settings_of("cpu");
    Execs *execs = make(&settings, 1);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(run(execs, 0, i).backend, IMG_BACKEND_CPU);
    end(execs);
    cr_expect_eq(fake_gpus_openings(0), 0);
}

Test(batch_execs, freeing_waits_for_an_opening)
{
    fake_gpus_install(2);
    fake_gpus_hold();
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, 1);
    run(execs, 0, 0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, let_in_soon, NULL), 0);
    end(execs);
    pthread_join(thread, NULL);
    execs_free(NULL);
}

/* --- None, or none any more ---------------------------------------------------------------------
 */

Test(batch_execs, without_a_gpu_auto_works_on_the_cpu)
{
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, 2);
    for (int i = 0; i < 10; i++)
        cr_expect_eq(run(execs, i % 2, i).backend, IMG_BACKEND_CPU);
    expect_nothing_lost(execs);
    end(execs);
}

Test(batch_execs, without_a_gpu_who_asks_for_one_is_told)
{
    Settings settings = settings_of("cuda");
    Execs *execs = make(&settings, 1);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(status_of_run(execs, 0, &err), IMG_E_UNAVAILABLE);
    cr_expect_str_eq(err.message, "there is no fake GPU 0");
    end(execs);
}

Test(batch_execs, a_gpu_asked_for_that_fails_is_an_error)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 1, IMG_E_DEVICE);
    Settings settings = settings_of("cuda");
    Execs *execs = make(&settings, 1);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(status_of_run(execs, 0, &err), IMG_E_DEVICE);
    cr_expect_str_eq(err.message, "run 1 on fake GPU 0");
    end(execs);
}

Test(batch_execs, each_gpu_that_failed_is_told_once)
{
    fake_gpus_install(3);
    fake_gpus_fail_run(1, 2, IMG_E_DEVICE);
    fake_gpus_fail_run(2, 2, IMG_E_DEVICE);
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, 3);
    for (int worker = 0; worker < 3; worker++)
        run_until_on_cuda(execs, worker);
    expect_nothing_lost(execs);

    int device = -1;
    const char *message = "";
    cr_expect_eq(run(execs, 2, 1).backend, IMG_BACKEND_CPU);
    cr_expect(execs_tell_lost(execs, &device, &message));
    cr_expect_eq(device, 2);
    cr_expect_str_eq(message, "run 2 on fake GPU 2");
    expect_nothing_lost(execs);

    cr_expect_eq(run(execs, 1, 2).backend, IMG_BACKEND_CPU);
    cr_expect(execs_tell_lost(execs, &device, &message));
    cr_expect_eq(device, 1);
    cr_expect_str_eq(message, "run 2 on fake GPU 1");
    expect_nothing_lost(execs);

    cr_expect_eq(run(execs, 2, 3).backend, IMG_BACKEND_CPU);
    cr_expect_eq(run(execs, 0, 4).backend, IMG_BACKEND_CUDA, "the other one goes on");
    expect_nothing_lost(execs);
    end(execs);
}

/* --- Many at once -------------------------------------------------------------------------------
 */

enum { WORKERS = 8, RUNS = 200 };

typedef struct Worker {
    Execs *execs;
    int number;
    atomic_int *ended;
} Worker;

static void *work(void *argument)
{
    const Worker *worker = argument;
    for (int i = 0; i < RUNS; i++)
        run(worker->execs, worker->number, worker->number * RUNS + i);
    run_until_on_cuda(worker->execs, worker->number);
    atomic_fetch_add(worker->ended, 1);
    return NULL;
}

static void *work_beyond_the_fault(void *argument)
{
    const Worker *worker = argument;
    int seed = worker->number * RUNS;
    while (fake_gpus_failed_runs(1) == 0)
        run(worker->execs, worker->number, seed++);
    for (int i = 0; i < RUNS; i++)
        cr_assert_eq(run(worker->execs, worker->number, seed + i).backend, IMG_BACKEND_CPU);
    atomic_fetch_add(worker->ended, 1);
    return NULL;
}

/* The GPU of the workers with odd numbers fails. */
Test(batch_execs, a_fault_in_the_midst_of_many_workers)
{
    fake_gpus_install(2);
    fake_gpus_fail_run(1, WORKERS / 2 * RUNS, IMG_E_DEVICE);
    Settings settings = settings_of("auto");
    Execs *execs = make(&settings, WORKERS);
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    atomic_int ended = 0;
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (Worker){execs, i, &ended};
        cr_assert_eq(pthread_create(&threads[i], NULL, i % 2 == 0 ? work : work_beyond_the_fault,
                                    &workers[i]),
                     0);
    }
    int told = 0, device = -1;
    const char *message = "";
    while (atomic_load(&ended) < WORKERS) {
        told += execs_tell_lost(execs, &device, &message);
        usleep(100);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    told += execs_tell_lost(execs, &device, &message);
    cr_expect_eq(told, 1);
    cr_expect_eq(device, 1);
    cr_expect(strstr(message, "fake GPU 1") != NULL, "'%s'", message);
    cr_expect_geq(fake_gpus_failed_runs(1), 1);
    cr_expect_leq(fake_gpus_failed_runs(1), WORKERS / 2, "one each, of those under way");
    cr_expect_eq(fake_gpus_failed_runs(0), 0);
    end(execs);
}
