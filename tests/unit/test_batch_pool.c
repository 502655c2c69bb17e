/* Tests of the worker pool of a batch: it processes every picture once, and keeps to its limits of
 * threads and memory. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "app/engine/share/place.h"
#include "app/engine/share/pool.h"

enum { PICTURES = 200 };

/* The settings of a test and the counts that its workers update while they run. */
typedef struct Watcher {
    ImgTeam *team;
    int jobs;
    uint64_t budget;
    uint64_t bytes[PICTURES];
    atomic_int begun[PICTURES], threads_of[PICTURES];
    /* `all_begun`: number of pictures started so far. `begun_before`: the same number at the time
     * when each picture was admitted */
    atomic_int all_begun, begun_before[PICTURES];
    /* number of admitted pictures, and number of threads of the first admitted one */
    atomic_int admitted, threads_of_first;
    atomic_int threads, most_threads, under_way, beside_large;
    atomic_uint_fast64_t memory, most_memory;
    /* first memory request of a picture in percent of its bytes; 0 if it requests all bytes at
     * once */
    int guessed;
    /* number of finished pictures after which the watch function stops the pool; 0 if it never
     * does */
    size_t stop_after;
    /* index of the picture whose worker stops the pool; 0 if no worker does */
    size_t stop_inside;
    /* `stopped`: not 0 after a worker has stopped the pool. `begun_late`: number of pictures that
     * were started after that */
    atomic_int stopped, begun_late;
    atomic_size_t done;
} Watcher;

static void note_most(atomic_int *most, int value)
{
    int seen = atomic_load(most);
    while (value > seen && !atomic_compare_exchange_weak(most, &seen, value))
        ;
}

static void work(void *context, Pool *pool, int worker, size_t index)
{
    Watcher *watcher = context;
    uint64_t bytes = watcher->bytes[index];
    atomic_fetch_add(&watcher->begun[index], 1);
    atomic_fetch_add(&watcher->all_begun, 1);
    atomic_fetch_add(&watcher->begun_late, atomic_load(&watcher->stopped));
    /* A picture of zero bytes ends before it requests memory. */
    if (bytes == 0) {
        atomic_fetch_add(&watcher->done, 1);
        return;
    }
    uint64_t percent = watcher->guessed > 0 ? (uint64_t)watcher->guessed : 100;
    int threads = img_pool_admit(pool, worker, img_pool_at_once(bytes * percent / 100));
    if (watcher->guessed > 0)
        threads = img_pool_settle(pool, worker, img_pool_at_once(bytes));
    int others = atomic_fetch_add(&watcher->under_way, 1);
    if (bytes > watcher->budget / 2 && others > 0)
        atomic_fetch_add(&watcher->beside_large, 1);
    atomic_store(&watcher->begun_before[index], atomic_load(&watcher->all_begun));
    atomic_store(&watcher->threads_of[index], threads);
    if (atomic_fetch_add(&watcher->admitted, 1) == 0)
        atomic_store(&watcher->threads_of_first, threads);
    note_most(&watcher->most_threads, atomic_fetch_add(&watcher->threads, threads) + threads);
    uint64_t memory = atomic_fetch_add(&watcher->memory, bytes) + bytes;
    if (memory > atomic_load(&watcher->most_memory))
        atomic_store(&watcher->most_memory, memory);
    if (watcher->stop_inside > 0 && index == watcher->stop_inside) {
        img_pool_stop(pool);
        atomic_store(&watcher->stopped, 1);
    }
    usleep(200 + index % 7 * 100 + (watcher->stop_after > 0 ? 20000 : 0));
    atomic_fetch_sub(&watcher->memory, bytes);
    atomic_fetch_sub(&watcher->threads, threads);
    atomic_fetch_sub(&watcher->under_way, 1);
    atomic_fetch_add(&watcher->done, 1);
}

static bool watch(void *context)
{
    Watcher *watcher = context;
    return watcher->stop_after == 0 || atomic_load(&watcher->done) < watcher->stop_after;
}

static PoolReport run(Watcher *watcher, size_t count)
{
    PoolConfig config = {.team = watcher->team,
                         .jobs = watcher->jobs,
                         .memory = watcher->budget,
                         .count = count,
                         .work = work,
                         .watch = watch,
                         .context = watcher};
    return img_pool_run(&config);
}

static void fill(Watcher *watcher, uint64_t bytes)
{
    for (size_t i = 0; i < PICTURES; i++)
        watcher->bytes[i] = bytes;
}

Test(pool, every_picture_is_done_once_within_threads_and_memory)
{
    for (int jobs = 1; jobs <= 9; jobs += 4) {
        static Watcher watcher;
        watcher = (Watcher){.jobs = jobs, .budget = 1000};
        for (size_t i = 0; i < PICTURES; i++)
            /* Some pictures are large, and every fifth has zero bytes. */
            watcher.bytes[i] = i % 5 == 0 ? 0 : 1 + i * 37 % 600;
        PoolReport report = run(&watcher, PICTURES);
        cr_assert_eq(report.taken, PICTURES);
        for (size_t i = 0; i < PICTURES; i++)
            cr_expect_eq(atomic_load(&watcher.begun[i]), 1, "picture %zu", i);
        cr_expect_leq(atomic_load(&watcher.most_threads), jobs);
        cr_expect_leq(atomic_load(&watcher.most_memory), 1000);
        cr_expect_leq(report.memory_most, 1000);
        cr_expect_geq(report.memory_most, 590);
        cr_expect_eq(atomic_load(&watcher.beside_large), 0, "a large one is alone");
    }
}

Test(pool, the_first_estimate_can_be_too_high_or_too_low)
{
    for (int guessed = 50; guessed <= 200; guessed += 150) {
        static Watcher watcher;
        watcher = (Watcher){.jobs = 5, .budget = 1000, .guessed = guessed};
        for (size_t i = 0; i < PICTURES; i++)
            watcher.bytes[i] = 1 + i * 37 % 600;
        watcher.bytes[7] = 5000;
        PoolReport report = run(&watcher, PICTURES);
        cr_expect_eq(report.taken, PICTURES);
        cr_expect_eq(atomic_load(&watcher.done), PICTURES);
        cr_expect_leq(atomic_load(&watcher.most_threads), 5);
        cr_expect_leq(report.memory_most, 1000);
        cr_expect_eq(atomic_load(&watcher.beside_large), 0, "a large one is alone");
    }
}

/* Number of pictures of zero bytes that stay queued after the others. Without them the pool could
 * give all threads to the last picture. */
enum { BEHIND = 2 };

/* State of pictures that request more memory while they run. At most two run at once, each with 400
 * of 1000 bytes. */
typedef struct Growing {
    int pictures;
    atomic_int admitted, tried;
    bool by_little, by_much, beyond;
} Growing;

static void wait_for(atomic_int *count, int wanted)
{
    while (atomic_load(count) < wanted)
        usleep(100);
}

static void grow(void *context, Pool *pool, int worker, size_t index)
{
    Growing *growing = context;
    if (index >= (size_t)growing->pictures)
        return;
    (void)img_pool_admit(pool, worker, img_pool_at_once(400));
    atomic_fetch_add(&growing->admitted, 1);
    wait_for(&growing->admitted, growing->pictures);
    if (index == 0) {
        growing->by_little = img_pool_grow(pool, worker, 600);
        growing->by_much = img_pool_grow(pool, worker, 601);
        growing->beyond = img_pool_grow(pool, worker, 5000);
        atomic_fetch_add(&growing->tried, 1);
    }
    wait_for(&growing->tried, 1);
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

static PoolReport run_growing(Growing *growing)
{
    const PoolConfig config = {.jobs = growing->pictures,
                               .memory = 1000,
                               .count = (size_t)growing->pictures + BEHIND,
                               .work = grow,
                               .watch = go_on,
                               .context = growing};
    return img_pool_run(&config);
}

/* img_pool_grow fails instead of blocking, because two workers could otherwise wait for each other
 * for ever. */
Test(pool, a_picture_grows_only_if_memory_is_free, .timeout = 60)
{
    Growing two = {.pictures = 2}, one = {.pictures = 1};
    cr_expect_eq(run_growing(&two).memory_most, 1000);
    cr_expect(two.by_little);
    cr_expect_not(two.by_much);
    cr_expect_not(two.beyond);
    cr_expect_eq(run_growing(&one).memory_most, 1000);
    cr_expect(one.by_much);
    cr_expect(one.beyond, "the caller has refused larger needs");
}

/* State of two workers that each hold 300 of 1000 bytes in addition to their pictures. Later 200 of
 * the 300 bytes turn out to belong to the picture. */
typedef struct Holding {
    atomic_int hold, asked[2], ended;
    bool lacks[2], lacks_restarted;
    /* number of pictures that had ended when the second picture was restarted */
    int ended_before;
} Holding;

static Share ask(Place *place, uint64_t bytes)
{
    Share share = {.threads = 0};
    place->held = 200;
    img_place_settle(place, img_pool_at_once(bytes), &share);
    return share;
}

static void restart(Holding *holding, Place *place)
{
    img_pool_give_back(place->pool, place->worker);
    img_place_hold(place, UINT64_MAX);
    holding->ended_before = atomic_load(&holding->ended);
    holding->lacks_restarted = ask(place, 400).lacks;
}

static void hold(void *context, Pool *pool, int worker, size_t index)
{
    Holding *holding = context;
    Place place = {.pool = pool, .worker = worker};
    if (index >= 2)
        return;
    img_place_hold(&place, 300);
    atomic_fetch_add(&holding->hold, 1);
    wait_for(&holding->hold, 2);
    if (index == 1)
        wait_for(&holding->asked[0], 1);
    holding->lacks[index] = ask(&place, 400).lacks;
    atomic_store(&holding->asked[index], 1);
    if (index == 1)
        restart(holding, &place);
    else
        wait_for(&holding->asked[1], 1);
    atomic_fetch_add(&holding->ended, 1);
}

/* A worker that lacks memory gives back what it holds and restarts. If it blocked instead, each
 * worker would wait for the memory of the other. */
Test(pool, a_worker_that_lacks_memory_restarts_alone_instead_of_blocking, .timeout = 60)
{
    Holding holding = {.lacks = {true, false}, .lacks_restarted = true};
    const PoolConfig config = {.jobs = 2,
                               .memory = 1000,
                               .count = 2 + BEHIND,
                               .work = hold,
                               .watch = go_on,
                               .context = &holding};
    cr_expect_eq(img_pool_run(&config).memory_most, 1000);
    cr_expect_not(holding.lacks[0], "600 beside 300");
    cr_expect(holding.lacks[1], "600 beside 600");
    cr_expect_eq(holding.ended_before, 1);
    cr_expect_not(holding.lacks_restarted);
}

enum { RAISING = 3, LEAST_SHARE = 200, LARGEST_SHARE = 400 };

typedef struct Raising {
    atomic_int admitted, most;
    atomic_int reserved;
    atomic_int ended;
} Raising;

/* Three pictures have 200 bytes each at the same time, and raise that to 400. As many pictures
 * without memory follow, so that none of the three gets the threads of another one. */
static void raise_in_steps(void *context, Pool *pool, int worker, size_t index)
{
    Raising *raising = context;
    if (index >= RAISING)
        return;
    (void)img_pool_admit(pool, worker, (PoolNeed){LEAST_SHARE, LARGEST_SHARE});
    int reserved = LEAST_SHARE;
    atomic_fetch_add(&raising->reserved, reserved);
    atomic_fetch_add(&raising->admitted, 1);
    wait_for(&raising->admitted, RAISING);
    for (; reserved < LARGEST_SHARE; reserved += 20) {
        img_pool_raise(pool, worker, (uint64_t)reserved + 20);
        note_most(&raising->most, atomic_fetch_add(&raising->reserved, 20) + 20);
        usleep(20);
    }
    atomic_fetch_sub(&raising->reserved, reserved);
    atomic_fetch_add(&raising->ended, 1);
}

/* If each got what is free when it asks, all three would have some 333 of 1000 bytes, and wait for
 * ever. */
Test(pool, pictures_that_raise_their_memory_never_wait_for_each_other, .timeout = 60)
{
    for (int i = 0; i < 50; i++) {
        Raising raising = {0};
        const PoolConfig config = {.jobs = RAISING,
                                   .memory = 1000,
                                   .count = (size_t)2 * RAISING,
                                   .work = raise_in_steps,
                                   .watch = go_on,
                                   .context = &raising};
        const PoolReport report = img_pool_run(&config);
        cr_expect_eq(atomic_load(&raising.ended), RAISING);
        cr_expect_leq(atomic_load(&raising.most), 1000);
        cr_expect_geq(report.memory_most, 2 * LARGEST_SHARE - LEAST_SHARE);
        cr_expect_leq(report.memory_most, 1000);
    }
}

/* Expects one thread for each picture that was admitted while many pictures were waiting. Pictures
 * that were admitted late, for example because the system delayed their worker, are not checked.
 * Returns the number of checked pictures. */
static int expect_one_thread_each(Watcher *watcher, size_t count)
{
    int looked_at = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t begun = (size_t)atomic_load(&watcher->begun_before[i]);
        if (begun + 2 * (size_t)watcher->jobs > count || watcher->bytes[i] > 200)
            continue;
        cr_expect_eq(atomic_load(&watcher->threads_of[i]), 1, "picture %zu", i);
        looked_at++;
    }
    return looked_at;
}

Test(pool, one_picture_gets_all_threads_and_many_get_one_each)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 8, .budget = 1 << 20};
    fill(&watcher, 10);
    run(&watcher, 1);
    cr_expect_eq(atomic_load(&watcher.threads_of[0]), 8);

    watcher = (Watcher){.jobs = 8, .budget = 1 << 20};
    fill(&watcher, 10);
    run(&watcher, 100);
    cr_expect_geq(expect_one_thread_each(&watcher, 100), 1);
    cr_expect_leq(atomic_load(&watcher.most_threads), 8);
}

enum { COME = 30 };

/* Function of the pool for the picture `index`: processes the first COME pictures, and stops the
 * pool at the next one. The pool is open-ended: it does not know the number of pictures. */
static void work_on_what_comes(void *context, Pool *pool, int worker, size_t index)
{
    if (index < COME)
        work(context, pool, worker, index);
    else
        img_pool_stop(pool);
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void work_alone(void *context, Pool *pool, int worker, size_t index)
{
    pthread_mutex_lock(&turn);
    work_on_what_comes(context, pool, worker, index);
    pthread_mutex_unlock(&turn);
}

static void run_open_ended(Watcher *watcher, int jobs, PoolWork *each)
{
    *watcher = (Watcher){.jobs = jobs, .budget = 1 << 20};
    fill(watcher, 10);
    PoolConfig config = {.jobs = watcher->jobs,
                         .memory = watcher->budget,
                         .count = SIZE_MAX,
                         .open_ended = true,
                         .work = each,
                         .watch = watch,
                         .context = watcher};
    img_pool_run(&config);
    cr_expect_eq(atomic_load(&watcher->done), COME);
    cr_expect_leq(atomic_load(&watcher->most_threads), watcher->jobs);
}

Test(pool, pictures_that_arrive_one_by_one_share_the_threads)
{
    static Watcher watcher;
    run_open_ended(&watcher, 8, work_on_what_comes);
    for (size_t i = 0; i < COME; i++)
        cr_expect_geq(atomic_load(&watcher.threads_of[i]), 1, "picture %zu", i);
}

Test(pool, a_picture_alone_gets_all_threads)
{
    static Watcher watcher;
    run_open_ended(&watcher, 8, work_alone);
    for (size_t i = 0; i < COME; i++)
        cr_expect_eq(atomic_load(&watcher.threads_of[i]), watcher.jobs, "picture %zu", i);
}

/* With many threads the pool leaves some for the next picture, so that it can start before the
 * first one ends. */
Test(pool, with_many_threads_one_picture_leaves_some_for_later_ones)
{
    static Watcher watcher;
    run_open_ended(&watcher, 20, work_alone);
    for (size_t i = 0; i < COME; i++)
        cr_expect_leq(atomic_load(&watcher.threads_of[i]), 10, "picture %zu", i);
    cr_expect_eq(atomic_load(&watcher.threads_of_first), 10);
    run_open_ended(&watcher, 12, work_alone);
    for (size_t i = 0; i < COME; i++)
        cr_expect_leq(atomic_load(&watcher.threads_of[i]), 8, "picture %zu", i);
    cr_expect_eq(atomic_load(&watcher.threads_of_first), 8);
}

Test(pool, a_large_picture_gets_all_threads_though_others_are_queued)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 4, .budget = 1000};
    fill(&watcher, 100);
    watcher.bytes[20] = 900;
    run(&watcher, 60);
    cr_expect_eq(atomic_load(&watcher.threads_of[20]), 4);
    cr_expect_geq(expect_one_thread_each(&watcher, 60), 1);
}

/* There is memory for two pictures, which share the eight threads. */
Test(pool, pictures_that_fill_the_memory_share_all_threads)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 8, .budget = 1000};
    fill(&watcher, 400);
    run(&watcher, 60);
    cr_expect_eq(atomic_load(&watcher.most_memory), 800);
    for (size_t i = 0; i < 50; i++)
        cr_expect_eq(atomic_load(&watcher.threads_of[i]), 4, "picture %zu", i);
}

/* There is memory for three pictures. Eight threads are not a multiple of three, but none is idle.
 */
Test(pool, pictures_that_fill_the_memory_leave_no_thread_idle)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 8, .budget = 1000};
    fill(&watcher, 300);
    run(&watcher, 60);
    cr_expect_eq(atomic_load(&watcher.most_memory), 900);
    cr_expect_eq(atomic_load(&watcher.most_threads), 8);
    for (size_t i = 0; i < 50; i++)
        cr_expect_leq(atomic_load(&watcher.threads_of[i]), 3, "picture %zu", i);
}

Test(pool, a_picture_larger_than_the_budget_runs_alone)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 4, .budget = 1000};
    fill(&watcher, 100);
    watcher.bytes[3] = 5000;
    PoolReport report = run(&watcher, 20);
    cr_expect_eq(report.taken, 20);
    cr_expect_eq(atomic_load(&watcher.threads_of[3]), 4);
    cr_expect_eq(atomic_load(&watcher.beside_large), 0);
}

Test(pool, the_watch_function_stops_the_pool)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 3, .budget = 1000, .stop_after = 5};
    fill(&watcher, 10);
    PoolReport report = run(&watcher, PICTURES);
    cr_expect_geq(report.taken, 5);
    cr_expect_lt(report.taken, PICTURES);
    cr_expect_eq(atomic_load(&watcher.done), report.taken, "those under way are finished");
    cr_expect_eq(atomic_load(&watcher.under_way), 0);
}

Test(pool, a_worker_stops_the_pool_at_once)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 3, .budget = 1000, .stop_inside = 50};
    fill(&watcher, 10);
    PoolReport report = run(&watcher, PICTURES);
    cr_expect_geq(report.taken, 51);
    cr_expect_leq(atomic_load(&watcher.begun_late), 2, "pictures that others had already taken");
    cr_expect_eq(atomic_load(&watcher.done), report.taken);
}

/* --- Fewer busy workers than threads ---------------------------------------------------------- */

typedef struct Waits {
    atomic_int at_work, most_at_work, waiting, most_waiting, done;
    int stop_after; /* number of pictures after which the pool is stopped; 0 if never */
    bool in_group;
} Waits;

/* Computes for 0.5 ms and then waits for 5 ms, as a worker waits for a GPU. */
static void work_and_wait(void *context, Pool *pool, int worker, size_t index)
{
    Waits *waits = context;
    cr_expect_geq(img_pool_admit(pool, worker, img_pool_at_once(1)), 1);
    note_most(&waits->most_at_work, atomic_fetch_add(&waits->at_work, 1) + 1);
    if (waits->stop_after > 0 && (int)index == waits->stop_after)
        img_pool_stop(pool);
    usleep(500);
    atomic_fetch_sub(&waits->at_work, 1);
    note_most(&waits->most_waiting, atomic_fetch_add(&waits->waiting, 1) + 1);
    img_pool_begin_wait(pool, worker, waits->in_group);
    usleep(5000);
    img_pool_end_wait(pool, worker, waits->in_group);
    atomic_fetch_sub(&waits->waiting, 1);
    atomic_fetch_add(&waits->done, 1);
}

static PoolReport run_waits(Waits *waits, int jobs, int at_work, size_t count)
{
    const PoolConfig config = {.jobs = jobs,
                               .workers = 40,
                               .at_work = at_work,
                               .memory = 1000,
                               .count = count,
                               .work = work_and_wait,
                               .watch = go_on,
                               .context = waits};
    return img_pool_run(&config);
}

Test(pool, more_threads_than_may_work_begin_while_others_wait_for_a_gpu, .timeout = 60)
{
    Waits waits = {.stop_after = 0};
    cr_expect_eq(run_waits(&waits, 8, 2, 60).taken, 60);
    cr_expect_eq(atomic_load(&waits.done), 60);
    cr_expect_leq(atomic_load(&waits.most_at_work), 2);
    cr_expect_geq(atomic_load(&waits.most_waiting), 3);
    cr_expect_leq(atomic_load(&waits.most_waiting), 8);
}

Test(pool, pictures_that_wait_in_groups_do_not_count_as_jobs, .timeout = 60)
{
    Waits waits = {.in_group = true};
    cr_expect_eq(run_waits(&waits, 4, 2, 200).taken, 200);
    cr_expect_eq(atomic_load(&waits.done), 200);
    cr_expect_leq(atomic_load(&waits.most_at_work), 2);
    cr_expect_gt(atomic_load(&waits.most_waiting), 4);
    cr_expect_leq(atomic_load(&waits.most_waiting), 40);
}

Test(pool, threads_that_may_not_work_end_with_the_others, .timeout = 60)
{
    Waits waits = {.stop_after = 5};
    const PoolReport report = run_waits(&waits, 8, 1, 60);
    cr_expect_geq(report.taken, 6);
    cr_expect_lt(report.taken, 60);
    cr_expect_eq((size_t)atomic_load(&waits.done), report.taken);
}

Test(pool, zero_pictures_end_at_once)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 3, .budget = 1000};
    cr_expect_eq(run(&watcher, 0).taken, 0);
}

/* number of threads that can still be created; later calls of create_some fail */
static atomic_int grants;

static int create_some(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                       void *argument)
{
    if (atomic_fetch_sub(&grants, 1) <= 0)
        return EAGAIN;
    return pthread_create(thread, attributes, start, argument);
}

Test(pool, the_pool_runs_with_fewer_threads_if_the_system_refuses_some)
{
    for (int granted = 0; granted <= 6; granted++) {
        const ImgTeamConfig config = {.stack_bytes = IMG_TEAM_STACK_BYTES, .create = create_some};
        static Watcher watcher;
        atomic_store(&grants, granted);
        watcher = (Watcher){.jobs = 5, .budget = 1000, .team = img_team_create(&config)};
        fill(&watcher, 100);
        cr_assert_eq(run(&watcher, PICTURES).taken, PICTURES);
        for (size_t i = 0; i < PICTURES; i++)
            cr_assert_eq(atomic_load(&watcher.begun[i]), 1, "picture %zu", i);
        cr_expect_leq(atomic_load(&watcher.most_threads), granted < 1   ? 1
                                                          : granted < 5 ? granted
                                                                        : 5);
        cr_expect_eq(img_team_refused(watcher.team), granted < 5 ? 5 - granted : 0);
        img_team_free(watcher.team);
    }
}
