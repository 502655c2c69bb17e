/* The pool of a batch: every picture once, never more threads or memory than there are. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "app/sched/place.h"
#include "app/sched/pool.h"

enum { PICTURES = 200 };

/* What is under way, as the workers see it. */
typedef struct Watcher {
    ImgTeam *team;
    int jobs;
    uint64_t budget;
    uint64_t bytes[PICTURES];
    atomic_int begun[PICTURES], threads_of[PICTURES];
    atomic_int all_begun, begun_before[PICTURES]; /* of all, when that one was admitted */
    atomic_int admitted, threads_of_first;        /* the first that was admitted */
    atomic_int threads, most_threads, under_way, beside_large;
    atomic_uint_fast64_t memory, most_memory;
    int guessed;        /* percent of the bytes that are asked for at first; 0: all, at once */
    size_t stop_after;  /* pictures; 0: never */
    size_t stop_inside; /* a worker stops the pool at that picture; 0: none does */
    atomic_int stopped, begun_late; /* it has; pictures begun since */
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
    if (bytes == 0) { /* skipped before anything of its size was taken */
        atomic_fetch_add(&watcher->done, 1);
        return;
    }
    uint64_t percent = watcher->guessed > 0 ? (uint64_t)watcher->guessed : 100;
    int threads = pool_admit(pool, worker, bytes * percent / 100);
    if (watcher->guessed > 0)
        threads = pool_settle(pool, worker, bytes);
    int others = atomic_fetch_add(&watcher->under_way, 1);
    if (bytes > watcher->budget / (uint64_t)watcher->jobs && others > 0)
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
        pool_stop(pool);
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
    return pool_run(&config);
}

static void fill(Watcher *watcher, uint64_t bytes)
{
    for (size_t i = 0; i < PICTURES; i++)
        watcher->bytes[i] = bytes;
}

Test(pool, works_on_every_picture_once_within_its_threads_and_memory)
{
    for (int jobs = 1; jobs <= 9; jobs += 4) {
        static Watcher watcher;
        watcher = (Watcher){.jobs = jobs, .budget = 1000};
        for (size_t i = 0; i < PICTURES; i++)
            watcher.bytes[i] = i % 5 == 0 ? 0 : 1 + i * 37 % 600; /* some are large */
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

Test(pool, a_first_guess_may_be_too_much_or_too_little)
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

/* So many pictures of no size are behind those that wait for each other: one that nothing is left
 * behind may get all threads before the other one asks for its own. */
enum { BEHIND = 2 };

/* Two pictures are under way with 400 of 1000 each, or one. */
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
    (void)pool_admit(pool, worker, 400);
    atomic_fetch_add(&growing->admitted, 1);
    wait_for(&growing->admitted, growing->pictures);
    if (index == 0) {
        growing->by_little = pool_grow(pool, worker, 600);
        growing->by_much = pool_grow(pool, worker, 601);
        growing->beyond = pool_grow(pool, worker, 5000);
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
    return pool_run(&config);
}

/* A worker that waited for it would keep what the one that it waits for may wait for. */
Test(pool, a_picture_grows_where_there_is_room)
{
    Growing two = {.pictures = 2}, one = {.pictures = 1};
    cr_expect_eq(run_growing(&two).memory_most, 1000);
    cr_expect(two.by_little);
    cr_expect_not(two.by_much);
    cr_expect_not(two.beyond);
    cr_expect_eq(run_growing(&one).memory_most, 1000);
    cr_expect(one.by_much);
    cr_expect(one.beyond, "the caller has refused what is too much");
}

/* Two that hold 300 of 1000 each beside their pictures, and 200 of these as it turns out. */
typedef struct Holding {
    atomic_int hold, asked[2], ended;
    bool lacks[2], lacks_anew;
    int ended_before; /* of others, when the second one had begun anew */
} Holding;

static Share ask(Place *place, uint64_t bytes)
{
    Share share = {.threads = 0};
    place->held = 200;
    place_settle(place, bytes, &share);
    return share;
}

static void begin_anew(Holding *holding, Place *place)
{
    pool_give_back(place->pool, place->worker);
    place_hold(place, UINT64_MAX);
    holding->ended_before = atomic_load(&holding->ended);
    holding->lacks_anew = ask(place, 400).lacks;
}

static void hold(void *context, Pool *pool, int worker, size_t index)
{
    Holding *holding = context;
    Place place = {.pool = pool, .worker = worker};
    if (index >= 2)
        return;
    place_hold(&place, 300);
    atomic_fetch_add(&holding->hold, 1);
    wait_for(&holding->hold, 2);
    if (index == 1)
        wait_for(&holding->asked[0], 1);
    holding->lacks[index] = ask(&place, 400).lacks;
    atomic_store(&holding->asked[index], 1);
    if (index == 1)
        begin_anew(holding, &place);
    else
        wait_for(&holding->asked[1], 1);
    atomic_fetch_add(&holding->ended, 1);
}

/* If it waited, both would: each for what the other one has. */
Test(pool, who_holds_something_does_not_wait_for_more_but_begins_anew_alone, .timeout = 60)
{
    Holding holding = {.lacks = {true, false}, .lacks_anew = true};
    const PoolConfig config = {.jobs = 2,
                               .memory = 1000,
                               .count = 2 + BEHIND,
                               .work = hold,
                               .watch = go_on,
                               .context = &holding};
    cr_expect_eq(pool_run(&config).memory_most, 1000);
    cr_expect_not(holding.lacks[0], "600 beside 300");
    cr_expect(holding.lacks[1], "600 beside 600");
    cr_expect_eq(holding.ended_before, 1);
    cr_expect_not(holding.lacks_anew);
}

/* All that were admitted while more pictures were left than there are threads: a worker that the
 * system lets wait may come after all others. Returns how many they are. */
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

/* Pictures that come one by one, to a pool that is not told how many there are. */
static void work_on_what_comes(void *context, Pool *pool, int worker, size_t index)
{
    if (index < COME)
        work(context, pool, worker, index);
    else
        pool_stop(pool);
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
    pool_run(&config);
    cr_expect_eq(atomic_load(&watcher->done), COME);
    cr_expect_leq(atomic_load(&watcher->most_threads), watcher->jobs);
}

Test(pool, pictures_that_come_one_by_one_share_the_threads)
{
    static Watcher watcher;
    run_open_ended(&watcher, 8, work_on_what_comes);
    for (size_t i = 0; i < COME; i++)
        cr_expect_geq(atomic_load(&watcher.threads_of[i]), 1, "picture %zu", i);
}

Test(pool, one_that_nobody_waits_behind_gets_all_threads_whatever_may_come)
{
    static Watcher watcher;
    run_open_ended(&watcher, 8, work_alone);
    for (size_t i = 0; i < COME; i++)
        cr_expect_eq(atomic_load(&watcher.threads_of[i]), watcher.jobs, "picture %zu", i);
}

/* So that the next one need not wait for its end; it may come before that is over. */
Test(pool, of_many_threads_one_picture_leaves_some_for_others_that_may_come)
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

Test(pool, a_large_picture_gets_all_threads_although_more_are_to_come)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 4, .budget = 1000};
    fill(&watcher, 100);
    watcher.bytes[20] = 900;
    run(&watcher, 60);
    cr_expect_eq(atomic_load(&watcher.threads_of[20]), 4);
    cr_expect_geq(expect_one_thread_each(&watcher, 60), 1);
}

Test(pool, what_needs_more_than_the_whole_budget_is_worked_on_alone)
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

Test(pool, the_watch_stops_it)
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

Test(pool, a_worker_stops_it_at_once)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 3, .budget = 1000, .stop_inside = 50};
    fill(&watcher, 10);
    PoolReport report = run(&watcher, PICTURES);
    cr_expect_geq(report.taken, 51);
    cr_expect_leq(atomic_load(&watcher.begun_late), 2, "what others had taken by then");
    cr_expect_eq(atomic_load(&watcher.done), report.taken);
}

Test(pool, no_pictures_at_all)
{
    static Watcher watcher;
    watcher = (Watcher){.jobs = 3, .budget = 1000};
    cr_expect_eq(run(&watcher, 0).taken, 0);
}

static atomic_int grants; /* threads that are still granted */

static int create_some(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                       void *argument)
{
    if (atomic_fetch_sub(&grants, 1) <= 0)
        return EAGAIN;
    return pthread_create(thread, attributes, start, argument);
}

Test(pool, does_without_threads_that_the_system_refuses)
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
