/* Tests of the queue of small pictures that a shared GPU processes in groups. The GPU is a fake
 * (fake_gpus.h). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "kernels/core/exec/exec_priv.h"
#include "tests/unit/fake_gpus.h"

enum { PICTURES = 40, AT_ONCE = 4 /* GROUPS_MOST of exec_group.c */ };

TestSuite(exec_group, .timeout = 60);

static ImgDeviceManyBytes no_bytes(void *const *contexts, size_t count)
{
    (void)contexts;
    (void)count;
    return (ImgDeviceManyBytes){0, 0};
}

static ImgStatus no_work(void *const *contexts, const ImgDevicePlace *places, size_t count,
                         const ImgDevicePlace *common, ImgError *err)
{
    (void)contexts;
    (void)places;
    (void)count;
    (void)common;
    (void)err;
    return IMG_OK;
}

/* Two kinds of sources, which never join the same group. */
static const ImgDeviceManyEnds ONE_KIND = {no_bytes, no_work}, OTHER_KIND = {no_bytes, no_work};

/* A picture with its thread. `decoded` and `encoded` count the calls of the ends. */
typedef struct Picture {
    ImgAsyncDevice *async;
    pthread_t thread;
    const ImgDeviceManyEnds *many;
    uint64_t bytes;
    bool is_damaged;
    int decoded, encoded;
    ImgStatus status;
    ImgRunReport report;
    ImgError err;
} Picture;

static ImgStatus decode(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)place;
    (void)err;
    ((Picture *)context)->decoded++;
    return IMG_OK;
}

static ImgStatus end_source(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)place;
    const Picture *picture = context;
    return picture->is_damaged ? img_fail(err, IMG_E_UNSUPPORTED, "not verified") : IMG_OK;
}

static ImgStatus encode(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)place;
    (void)err;
    ((Picture *)context)->encoded++;
    return IMG_OK;
}

static ImgStatus end_sink(void *context, const ImgDevicePlace *place, ImgError *err)
{
    (void)context;
    (void)place;
    (void)err;
    return IMG_OK;
}

static void *run(void *context)
{
    Picture *picture = context;
    ImgStep step = fake_step(1);
    ImgExec *exec = NULL;
    const ImgDeviceEnd source = {.host_bytes = 100,
                                 .work = decode,
                                 .end = end_source,
                                 .context = picture,
                                 .many = picture->many,
                                 .many_bytes = picture->bytes};
    const ImgDeviceEnd sink = {
        .host_bytes = 100, .work = encode, .end = end_sink, .context = picture, .many = &ONE_KIND};
    const ImgRunEnds ends = {
        .source = &source, .sink = &sink, .shape = {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}}};
    const ImgExecConfig config = {
        .backend = IMG_BACKEND_CUDA, .threads = 1, .async_device = picture->async};
    picture->status = img_exec_create(&config, &exec, &picture->err);
    if (picture->status == IMG_OK && !img_exec_may_group(exec, &step, 1, &ends))
        picture->status = IMG_E_USAGE;
    if (picture->status == IMG_OK)
        picture->status =
            img_exec_run_in_group(exec, &step, 1, &ends, &picture->report, &picture->err);
    img_exec_destroy(exec);
    return NULL;
}

static Picture pictures[PICTURES];

static void set_up(ImgAsyncDevice **async)
{
    fake_gpus_install(1);
    cr_assert_eq(img_async_device_create(0, async, NULL), IMG_OK);
    cr_assert_eq(img_async_device_wait(*async, NULL), IMG_OK);
    for (int i = 0; i < PICTURES; i++)
        pictures[i] = (Picture){.async = *async, .many = &ONE_KIND};
}

/* Runs all pictures. The first groups wait until the other pictures have arrived, as far as 0.2 s
 * suffice for that. */
static void run_all(void)
{
    fake_gpus_hold_groups();
    for (int i = 0; i < PICTURES; i++)
        cr_assert_eq(pthread_create(&pictures[i].thread, NULL, run, &pictures[i]), 0);
    while (fake_gpus_runs(0) < AT_ONCE)
        usleep(1000);
    usleep(200000);
    cr_expect_eq(fake_gpus_runs(0), AT_ONCE, "the others wait");
    fake_gpus_let_groups_go();
    for (int i = 0; i < PICTURES; i++)
        pthread_join(pictures[i].thread, NULL);
}

static void expect_all(ImgStatus status)
{
    for (int i = 0; i < PICTURES; i++) {
        cr_expect_eq(pictures[i].status, status, "picture %d: %s", i, pictures[i].err.message);
        cr_expect_eq(pictures[i].decoded, status == IMG_OK, "picture %d", i);
        cr_expect_eq(pictures[i].encoded, status == IMG_OK, "picture %d", i);
    }
}

Test(exec_group, pictures_that_wait_form_the_next_group)
{
    ImgAsyncDevice *async;
    set_up(&async);
    run_all();
    expect_all(IMG_OK);
    cr_expect_gt(fake_gpus_largest_group(), 1);
    cr_expect_lt(fake_gpus_runs(0), PICTURES);
    cr_expect_eq(pictures[0].report.backend, IMG_BACKEND_CUDA);
    img_async_device_destroy(async);
    cr_expect_eq(fake_gpus_left_open(), 0);
}

Test(exec_group, a_damaged_file_fails_alone)
{
    ImgAsyncDevice *async;
    const char *message;
    set_up(&async);
    pictures[7].is_damaged = true;
    run_all();
    cr_expect_eq(pictures[7].status, IMG_E_UNSUPPORTED);
    cr_expect_str_eq(pictures[7].err.message, "not verified");
    pictures[7].status = IMG_OK;
    expect_all(IMG_OK);
    cr_expect_not(img_async_device_is_lost(async, &message));
    img_async_device_destroy(async);
}

Test(exec_group, pictures_of_different_kinds_or_too_many_bytes_do_not_join)
{
    ImgAsyncDevice *async;
    set_up(&async);
    for (int i = 0; i < PICTURES; i++) {
        pictures[i].many = i % 2 == 0 ? &ONE_KIND : &OTHER_KIND;
        pictures[i].bytes = IMG_GROUP_BYTES_MOST / 3;
    }
    run_all();
    expect_all(IMG_OK);
    cr_expect_leq(fake_gpus_largest_group(), 3);
    img_async_device_destroy(async);
}

Test(exec_group, a_group_without_memory_fails_as_a_whole_and_later_ones_do_not)
{
    ImgAsyncDevice *async;
    const char *message;
    int failed = 0;
    set_up(&async);
    fake_gpus_fail_run(0, AT_ONCE + 1, IMG_E_MEMORY);
    run_all();
    for (int i = 0; i < PICTURES; i++) {
        failed += pictures[i].status != IMG_OK;
        cr_expect(pictures[i].status == IMG_OK || pictures[i].status == IMG_E_MEMORY);
    }
    cr_expect_gt(failed, 0);
    cr_expect_leq(failed, PICTURES - AT_ONCE);
    cr_expect_not(img_async_device_is_lost(async, &message));
    img_async_device_destroy(async);
}

Test(exec_group, a_fault_loses_the_device_and_leaves_no_picture_waiting)
{
    ImgAsyncDevice *async;
    const char *message = "";
    set_up(&async);
    fake_gpus_fail_run(0, 1, IMG_E_DEVICE);
    run_all();
    expect_all(IMG_E_DEVICE);
    cr_expect(img_async_device_is_lost(async, &message));
    img_async_device_destroy(async);
}

Test(exec_group, only_ends_that_allow_it_and_shared_devices_make_groups)
{
    ImgAsyncDevice *async;
    ImgStep step = fake_step(1);
    ImgExec *own, *shared;
    set_up(&async);
    const ImgDeviceEnd end = {.many = &ONE_KIND}, alone = {.many = NULL};
    const ImgExecConfig for_own = {.backend = IMG_BACKEND_CUDA, .threads = 1},
                        for_shared = {
                            .backend = IMG_BACKEND_CUDA, .threads = 1, .async_device = async};
    cr_assert_eq(img_exec_create(&for_own, &own, NULL), IMG_OK);
    cr_assert_eq(img_exec_create(&for_shared, &shared, NULL), IMG_OK);
    ImgRunEnds ends = {&end, &end, {FAKE_WIDTH, FAKE_HEIGHT, {IMG_COLOR_GRAY, 8}}, false};
    cr_expect(img_exec_may_group(shared, &step, 1, &ends));
    cr_expect_not(img_exec_may_group(own, &step, 1, &ends));
    ends.in_parts = true;
    cr_expect_not(img_exec_may_group(shared, &step, 1, &ends), "its stages are timed");
    ends = (ImgRunEnds){&alone, &end, ends.shape, false};
    cr_expect_not(img_exec_may_group(shared, &step, 1, &ends));
    ends = (ImgRunEnds){&end, NULL, ends.shape, false};
    cr_expect_not(img_exec_may_group(shared, &step, 1, &ends));
    img_exec_destroy(own);
    img_exec_destroy(shared);
    img_async_device_destroy(async);
}
