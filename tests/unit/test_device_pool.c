/* Tests of the executors of the workers of a batch, which are spread over the GPUs of the machine.
 * A worker uses the CPU until its GPU is ready, and again after its GPU failed. The GPUs are fakes
 * (fake_gpus.h). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/options.h"
#include "app/engine/share/place.h"
#include "tests/unit/fake_gpus.h"

/* Seconds of CPU work for one picture. A batch of many pictures justifies opening a CUDA context,
 * although one picture alone may not. */
static const double LONG_WORK = 0.3;
static const ImgShape SHAPE = {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}};

TestSuite(device_pool, .timeout = 60);

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

static DevicePool *make(const Settings *settings, int workers)
{
    DevicePool *pool;
    cr_assert_eq(img_device_pool_create(&settings->engine, workers, &pool, NULL), IMG_OK);
    return pool;
}

static void end(DevicePool *pool)
{
    img_device_pool_free(pool);
    cr_expect_eq(fake_gpus_left_open(), 0);
}

/* Processes one picture as a worker does, and checks the result. Returns the report, which names
 * the backend. */
static ImgRunReport run(DevicePool *pool, int worker, int seed)
{
    ImgStep step = fake_step(LONG_WORK);
    ImgImage image = fake_picture(seed);
    ImgRunReport report;
    ImgExec *exec;
    ImgError err = {IMG_OK, ""};
    const DeviceWork picture = {&step, 1, SHAPE, 1000, NULL};
    cr_assert_eq(img_device_pool_get(pool, worker, &picture, &exec, &err), IMG_OK, "%s",
                 err.message);
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, &report, &err), IMG_OK, "%s", err.message);
    cr_assert(fake_picture_is_inverted(&image, seed), "picture %d is wrong", seed);
    img_image_free(&image);
    return report;
}

/* Runs pictures until one of them runs on the GPU. If that never happens, the timeout of the suite
 * ends the test. */
static ImgRunReport run_until_on_cuda(DevicePool *pool, int worker)
{
    ImgRunReport report = run(pool, worker, 0);
    while (report.backend != IMG_BACKEND_CUDA) {
        usleep(1000);
        report = run(pool, worker, 0);
    }
    return report;
}

static ImgStatus status_of_run(DevicePool *pool, int worker, ImgError *err)
{
    ImgStep step = fake_step(LONG_WORK);
    ImgImage image = fake_picture(0);
    ImgExec *exec;
    const DeviceWork picture = {&step, 1, SHAPE, 1000, NULL};
    ImgStatus status = img_device_pool_get(pool, worker, &picture, &exec, err);
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

static void expect_nothing_lost(DevicePool *pool)
{
    int device;
    const char *message;
    cr_expect_not(img_device_pool_next_lost(pool, &device, &message));
}

/* --- Choice of the GPU ------------------------------------------------------------------------ */

Test(device_pool, workers_are_spread_over_all_gpus)
{
    fake_gpus_install(2);
    Settings settings = settings_of("cuda");
    DevicePool *pool = make(&settings, 4);
    for (int worker = 0; worker < 4; worker++) {
        ImgRunReport report = run(pool, worker, worker);
        cr_expect_str_eq(report.device, worker % 2 == 0 ? "fake GPU 0" : "fake GPU 1");
    }
    cr_expect_eq(fake_gpus_runs(0), 2);
    cr_expect_eq(fake_gpus_runs(1), 2);
    end(pool);
}

Test(device_pool, a_requested_device_is_the_only_one)
{
    static const char *const backends[] = {"cuda", "auto"};
    fake_gpus_install(3);
    for (int i = 0; i < 2; i++) {
        Settings settings = settings_of(backends[i]);
        set(&settings, "device", "1");
        DevicePool *pool = make(&settings, 3);
        for (int worker = 0; worker < 3; worker++)
            cr_expect_str_eq(run_until_on_cuda(pool, worker).device, "fake GPU 1");
        end(pool);
    }
    cr_expect_eq(fake_gpus_openings(0), 0);
    cr_expect_eq(fake_gpus_openings(2), 0);
}

/* The option `device` is 0 by default, and then workers are spread over all GPUs. If the user sets
 * it to 0, all workers use GPU 0. */
Test(device_pool, device_0_can_be_requested)
{
    fake_gpus_install(2);
    Settings settings = settings_of("cuda");
    set(&settings, "device", "0");
    DevicePool *pool = make(&settings, 2);
    cr_expect_str_eq(run(pool, 1, 1).device, "fake GPU 0");
    cr_expect_eq(fake_gpus_openings(1), 0);
    end(pool);
}

Test(device_pool, with_a_gpu_implementation_workers_are_spread_too)
{
    fake_gpus_install(2);
    Settings settings = settings_of("auto");
    set(&settings, "impl", "fake-cuda");
    DevicePool *pool = make(&settings, 2);
    while (strcmp(run(pool, 1, 0).device, "fake GPU 1") != 0)
        usleep(1000);
    cr_expect_str_eq(run(pool, 0, 0).device, "fake GPU 0");
    end(pool);
}

/* --- Opening a GPU ---------------------------------------------------------------------------- */

Test(device_pool, auto_works_on_the_cpu_until_the_gpu_is_ready)
{
    fake_gpus_install(2);
    fake_gpus_hold();
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, 2);
    for (int i = 0; i < 20; i++) {
        cr_expect_eq(run(pool, i % 2, i).backend, IMG_BACKEND_CPU);
        usleep(30000); /* All 20 pauses together are longer than opening a context usually takes. */
    }
    cr_expect_eq(fake_gpus_openings(0), 1);
    cr_expect_eq(fake_gpus_openings(1), 1);
    cr_expect_eq(fake_gpus_runs(0) + fake_gpus_runs(1), 0);
    fake_gpus_let_in();
    cr_expect_str_eq(run_until_on_cuda(pool, 0).device, "fake GPU 0");
    cr_expect_str_eq(run_until_on_cuda(pool, 1).device, "fake GPU 1");
    expect_nothing_lost(pool);
    end(pool);
}

/* Runs a single picture whose work takes the CPU `seconds`, long enough to open a GPU for it. If
 * `soon`, the GPU is ready quickly, otherwise only after the picture is done. */
static ImgRunReport run_costly(double seconds, bool soon)
{
    fake_gpus_install(1);
    fake_gpus_hold();
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, 1);
    ImgStep step = fake_step(seconds);
    ImgImage image = fake_picture(1);
    ImgRunReport report;
    ImgExec *exec;
    pthread_t thread;
    const DeviceWork picture = {&step, 1, SHAPE, 1, NULL};
    cr_assert_eq(img_device_pool_get(pool, 0, &picture, &exec, NULL), IMG_OK);
    if (soon)
        cr_assert_eq(pthread_create(&thread, NULL, let_in_soon, NULL), 0);
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, &report, NULL), IMG_OK);
    if (soon)
        pthread_join(thread, NULL);
    img_image_free(&image);
    fake_gpus_let_in();
    end(pool);
    return report;
}

Test(device_pool, an_expensive_picture_waits_for_the_gpu)
{
    ImgRunReport report = run_costly(30, true);
    cr_expect_eq(report.backend, IMG_BACKEND_CUDA, "%s", report.reason);
}

/* A driver may hang. The worker therefore waits for the GPU no longer than the CPU would take for
 * the picture. */
Test(device_pool, an_expensive_picture_does_not_wait_for_ever)
{
    ImgRunReport report = run_costly(0.6, false);
    cr_expect_eq(report.backend, IMG_BACKEND_CPU);
    cr_expect_str_eq(report.reason, "the GPU is not ready yet");
}

Test(device_pool, cheap_work_opens_no_gpu)
{
    fake_gpus_install(1);
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, 1);
    ImgStep step = fake_step(0.01);
    ImgExec *exec;
    const DeviceWork of_few = {&step, 1, SHAPE, 10, NULL}, of_many = {&step, 1, SHAPE, 100, NULL};
    cr_assert_eq(img_device_pool_get(pool, 0, &of_few, &exec, NULL), IMG_OK);
    end(pool); /* waits for openings that have been started */
    cr_expect_eq(fake_gpus_openings(0), 0);
    pool = make(&settings, 1);
    cr_assert_eq(img_device_pool_get(pool, 0, &of_many, &exec, NULL), IMG_OK);
    end(pool);
    cr_expect_eq(fake_gpus_openings(0), 1);
}

Test(device_pool, the_cpu_backend_opens_no_gpu)
{
    fake_gpus_install(1);
    Settings settings = settings_of("cpu");
    DevicePool *pool = make(&settings, 1);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(run(pool, 0, i).backend, IMG_BACKEND_CPU);
    end(pool);
    cr_expect_eq(fake_gpus_openings(0), 0);
}

Test(device_pool, freeing_the_pool_waits_for_an_opening)
{
    fake_gpus_install(2);
    fake_gpus_hold();
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, 1);
    run(pool, 0, 0);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, let_in_soon, NULL), 0);
    end(pool);
    pthread_join(thread, NULL);
    img_device_pool_free(NULL);
}

/* --- No GPU, or a failed one ------------------------------------------------------------------ */

Test(device_pool, without_a_gpu_auto_works_on_the_cpu)
{
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, 2);
    for (int i = 0; i < 10; i++)
        cr_expect_eq(run(pool, i % 2, i).backend, IMG_BACKEND_CPU);
    expect_nothing_lost(pool);
    end(pool);
}

Test(device_pool, without_a_gpu_the_cuda_backend_fails)
{
    Settings settings = settings_of("cuda");
    DevicePool *pool = make(&settings, 1);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(status_of_run(pool, 0, &err), IMG_E_UNAVAILABLE);
    cr_expect_str_eq(err.message, "there is no fake GPU 0");
    end(pool);
}

Test(device_pool, a_requested_gpu_that_fails_is_an_error)
{
    fake_gpus_install(1);
    fake_gpus_fail_run(0, 1, IMG_E_DEVICE);
    Settings settings = settings_of("cuda");
    DevicePool *pool = make(&settings, 1);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(status_of_run(pool, 0, &err), IMG_E_DEVICE);
    cr_expect_str_eq(err.message, "run 1 on fake GPU 0");
    end(pool);
}

Test(device_pool, each_failed_gpu_is_reported_once)
{
    fake_gpus_install(3);
    fake_gpus_fail_run(1, 2, IMG_E_DEVICE);
    fake_gpus_fail_run(2, 2, IMG_E_DEVICE);
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, 3);
    for (int worker = 0; worker < 3; worker++)
        run_until_on_cuda(pool, worker);
    expect_nothing_lost(pool);

    int device = -1;
    const char *message = "";
    cr_expect_eq(run(pool, 2, 1).backend, IMG_BACKEND_CPU);
    cr_expect(img_device_pool_next_lost(pool, &device, &message));
    cr_expect_eq(device, 2);
    cr_expect_str_eq(message, "run 2 on fake GPU 2");
    expect_nothing_lost(pool);

    cr_expect_eq(run(pool, 1, 2).backend, IMG_BACKEND_CPU);
    cr_expect(img_device_pool_next_lost(pool, &device, &message));
    cr_expect_eq(device, 1);
    cr_expect_str_eq(message, "run 2 on fake GPU 1");
    expect_nothing_lost(pool);

    cr_expect_eq(run(pool, 2, 3).backend, IMG_BACKEND_CPU);
    cr_expect_eq(run(pool, 0, 4).backend, IMG_BACKEND_CUDA, "the other one continues");
    expect_nothing_lost(pool);
    end(pool);
}

/* --- Many workers ----------------------------------------------------------------------------- */

enum { WORKERS = 8, RUNS = 200 };

typedef struct Worker {
    DevicePool *pool;
    int number;
    atomic_int *ended;
} Worker;

static void *work(void *argument)
{
    const Worker *worker = argument;
    for (int i = 0; i < RUNS; i++)
        run(worker->pool, worker->number, worker->number * RUNS + i);
    run_until_on_cuda(worker->pool, worker->number);
    atomic_fetch_add(worker->ended, 1);
    return NULL;
}

static void *work_beyond_the_fault(void *argument)
{
    const Worker *worker = argument;
    int seed = worker->number * RUNS;
    while (fake_gpus_failed_runs(1) == 0)
        run(worker->pool, worker->number, seed++);
    for (int i = 0; i < RUNS; i++)
        cr_assert_eq(run(worker->pool, worker->number, seed + i).backend, IMG_BACKEND_CPU);
    atomic_fetch_add(worker->ended, 1);
    return NULL;
}

/* GPU 1 fails during the runs. It belongs to the workers with odd numbers. */
Test(device_pool, a_fault_among_many_workers_loses_no_picture)
{
    fake_gpus_install(2);
    fake_gpus_fail_run(1, WORKERS / 2 * RUNS, IMG_E_DEVICE);
    Settings settings = settings_of("auto");
    DevicePool *pool = make(&settings, WORKERS);
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    atomic_int ended = 0;
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (Worker){pool, i, &ended};
        cr_assert_eq(pthread_create(&threads[i], NULL, i % 2 == 0 ? work : work_beyond_the_fault,
                                    &workers[i]),
                     0);
    }
    int reported = 0, device = -1;
    const char *message = "";
    while (atomic_load(&ended) < WORKERS) {
        reported += img_device_pool_next_lost(pool, &device, &message);
        usleep(100);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    reported += img_device_pool_next_lost(pool, &device, &message);
    cr_expect_eq(reported, 1);
    cr_expect_eq(device, 1);
    cr_expect(strstr(message, "fake GPU 1") != NULL, "'%s'", message);
    cr_expect_geq(fake_gpus_failed_runs(1), 1);
    cr_expect_leq(fake_gpus_failed_runs(1), WORKERS / 2, "one each, of those under way");
    cr_expect_eq(fake_gpus_failed_runs(0), 0);
    end(pool);
}

/* --- Places: an executor, threads and memory -------------------------------------------------- */

typedef struct Admitted {
    DevicePool *devices;
    ImgTeam *team;
    ImgStatus status;
    Share admitted, settled;
    ImgExec *expected;
} Admitted;

static void admit_and_settle(void *context, Pool *pool, int worker, size_t index)
{
    (void)index;
    Admitted *seen = context;
    ImgStep step = fake_step(LONG_WORK);
    const DeviceWork picture = {&step, 1, SHAPE, 1, NULL};
    const Place place = {.pool = pool,
                         .worker = worker,
                         .devices = seen->devices,
                         .team = seen->team,
                         .steps = &step,
                         .count = 1,
                         .pictures = 1};
    (void)img_device_pool_get(seen->devices, worker, &picture, &seen->expected, NULL);
    seen->status = img_place_admit(&place, SHAPE, img_pool_at_once(1000), &seen->admitted, NULL);
    seen->settled = seen->admitted;
    if (seen->status == IMG_OK)
        img_place_settle(&place, img_pool_at_once(3000), &seen->settled);
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

static PoolReport run_one(Admitted *seen)
{
    PoolConfig config = {.team = seen->team,
                         .jobs = 1,
                         .memory = 10000,
                         .count = 1,
                         .work = admit_and_settle,
                         .watch = go_on,
                         .context = seen};
    return img_pool_run(&config);
}

Test(device_pool, a_place_has_an_executor_and_a_share_of_threads_and_memory)
{
    fake_gpus_install(1);
    Settings settings = settings_of("cuda");
    Admitted seen = {.devices = make(&settings, 1), .team = img_team_create(&(ImgTeamConfig){0})};
    PoolReport report = run_one(&seen);
    cr_expect_eq(seen.status, IMG_OK);
    cr_expect_eq(seen.admitted.exec, seen.expected, "that of the worker");
    cr_expect_eq(seen.admitted.team, seen.team);
    cr_expect_eq(seen.admitted.threads, 1);
    cr_expect_eq(seen.settled.threads, 1);
    cr_expect_eq(seen.settled.exec, seen.expected, "only the threads may change");
    cr_expect_eq(report.memory_most, 3000, "asked for again as it was settled");
    end(seen.devices);
    img_team_free(seen.team);
}

Test(device_pool, a_place_without_an_executor_takes_no_memory)
{
    Settings settings = settings_of("cpu");
    /* There is no device -1, so no executor can be made. */
    settings.engine.device = -1;
    Admitted seen = {.devices = make(&settings, 1)};
    PoolReport report = run_one(&seen);
    cr_expect_eq(seen.status, IMG_E_USAGE);
    cr_expect_eq(report.memory_most, 0);
    end(seen.devices);
}

Test(device_pool, all_gpus_are_opened_before_the_first_picture)
{
    Settings settings = settings_of("auto");
    fake_gpus_install(2);
    DevicePool *pool = make(&settings, 4);
    int count;
    cr_assert_eq(img_device_pool_open(pool, &count, NULL), IMG_OK);
    cr_expect_eq(count, 2);
    cr_expect_eq(fake_gpus_left_open(), 2);
    cr_expect_eq(run(pool, 0, 1).backend, IMG_BACKEND_CUDA, "it is ready for the first one");
    end(pool);
}

Test(device_pool, the_requested_gpu_is_opened)
{
    Settings settings = settings_of("auto");
    set(&settings, "device", "1");
    fake_gpus_install(2);
    DevicePool *pool = make(&settings, 4);
    int count;
    cr_assert_eq(img_device_pool_open(pool, &count, NULL), IMG_OK);
    cr_expect_eq(count, 1);
    cr_expect_eq(fake_gpus_openings(0), 0);
    cr_expect_eq(fake_gpus_openings(1), 1);
    end(pool);
}

Test(device_pool, the_cpu_backend_opens_none)
{
    Settings settings = settings_of("cpu");
    fake_gpus_install(2);
    DevicePool *pool = make(&settings, 4);
    int count;
    cr_assert_eq(img_device_pool_open(pool, &count, NULL), IMG_OK);
    cr_expect_eq(count, 0);
    cr_expect_eq(fake_gpus_openings(0), 0);
    end(pool);
}

Test(device_pool, a_gpu_that_cannot_be_opened_fails_only_if_requested)
{
    static const char *const backends[] = {"auto", "cuda"};
    for (int gpus = 0; gpus <= 1; gpus++) {
        for (int i = 0; i < 2; i++) {
            Settings settings = settings_of(backends[i]);
            fake_gpus_install(gpus);
            fake_gpus_fail_opening(0, fake_gpus_openings(0) + 1, IMG_E_UNAVAILABLE);
            DevicePool *pool = make(&settings, 2);
            ImgError err = {IMG_OK, ""};
            int count;
            ImgStatus status = img_device_pool_open(pool, &count, &err);
            cr_expect_eq(status, i == 0 ? IMG_OK : IMG_E_UNAVAILABLE, "%s", backends[i]);
            cr_expect(i == 0 || err.message[0] != '\0');
            cr_expect_eq(count, 0);
            end(pool);
        }
    }
}
