/* Tests of thread teams. Every part and every item must be done once, for any number of threads
 * that the system allows, and also while other threads use the team. Also tests of deadlines. */
#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/parallel.h"
#include "kernels/core/parallel/polled.h"

enum { MOST = 40 };

static const ImgTeamConfig PLAIN = {.stack_bytes = IMG_TEAM_STACK_BYTES};

/* --- Threads that the system refuses ---------------------------------------------------------- */

/* number of calls of create_some, number of calls that succeeded, and number after which calls
 * fail */
static atomic_int asked, granted_calls, refused_from;

/* Creates a thread as pthread_create does, but fails after the first refused_from calls. */
static int create_some(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                       void *argument)
{
    if (atomic_fetch_add(&asked, 1) >= atomic_load(&refused_from))
        return EAGAIN;
    atomic_fetch_add(&granted_calls, 1);
    return pthread_create(thread, attributes, run, argument);
}

static ImgTeam *team_of(int granted)
{
    const ImgTeamConfig config = {.stack_bytes = IMG_TEAM_STACK_BYTES, .create = create_some};
    atomic_store(&asked, 0);
    atomic_store(&granted_calls, 0);
    atomic_store(&refused_from, granted);
    ImgTeam *team = img_team_create(&config);
    cr_assert_not_null(team);
    return team;
}

/* --- Parts ------------------------------------------------------------------------------------ */

typedef struct Tally {
    atomic_int parts[MOST];
    atomic_int at_a_time, most_at_a_time;
    pthread_t caller;
    /* number of times that part 0 ran on another thread than the caller's */
    atomic_int wrong_threads;
} Tally;

static void count_part(void *context, int part)
{
    Tally *tally = context;
    int now = atomic_fetch_add(&tally->at_a_time, 1) + 1,
        most = atomic_load(&tally->most_at_a_time);
    while (now > most && !atomic_compare_exchange_weak(&tally->most_at_a_time, &most, now))
        ;
    atomic_fetch_add(&tally->parts[part], 1);
    if (part == 0 && pthread_equal(pthread_self(), tally->caller) == 0)
        atomic_fetch_add(&tally->wrong_threads, 1);
    atomic_fetch_sub(&tally->at_a_time, 1);
}

static int run_parts(ImgTeam *team, int parts)
{
    Tally tally = {.caller = pthread_self()};
    int threads = img_parallel_run(team, parts, count_part, &tally);
    for (int i = 0; i < MOST; i++)
        cr_assert_eq(atomic_load(&tally.parts[i]), i < parts ? 1 : 0, "part %d of %d", i, parts);
    cr_assert_leq(atomic_load(&tally.most_at_a_time), threads);
    cr_assert_eq(atomic_load(&tally.wrong_threads), 0);
    return threads;
}

Test(parallel, every_part_is_done_once)
{
    ImgTeam *team = img_team_create(&PLAIN);
    for (int round = 0; round < 20; round++)
        for (int parts = 1; parts <= 9; parts++)
            cr_assert_eq(run_parts(team, parts), parts);
    cr_expect_eq(img_team_refused(team), 0);
    img_team_free(team);
}

Test(parallel, a_null_team_runs_on_the_caller)
{
    for (int parts = 1; parts <= 9; parts++)
        cr_assert_eq(run_parts(NULL, parts), parts);
    cr_expect_eq(img_team_refused(NULL), 0);
    img_team_free(NULL);
}

Test(parallel, refused_threads_are_not_needed)
{
    for (int granted = 0; granted <= 9; granted++)
        for (int parts = 1; parts <= 9; parts++) {
            ImgTeam *team = team_of(granted);
            int threads = granted + 1 < parts ? granted + 1 : parts;
            for (int round = 0; round < 5; round++)
                cr_assert_eq(run_parts(team, parts), threads);
            cr_expect_eq(img_team_refused(team), parts - threads);
            img_team_free(team);
        }
}

Test(parallel, threads_are_kept_for_the_next_work)
{
    ImgTeam *team = team_of(MOST);
    for (int round = 0; round < 50; round++)
        (void)run_parts(team, 4);
    cr_expect_eq(atomic_load(&granted_calls), 3);
    (void)run_parts(team, 6);
    cr_expect_eq(atomic_load(&granted_calls), 5);
    img_team_free(team);
}

Test(parallel, threads_leave_address_space_to_the_caller)
{
    ImgTeamConfig config = PLAIN;
    config.reserve_bytes = UINT64_MAX / 4;
    ImgTeam *team = img_team_create(&config);
    cr_expect_eq(run_parts(team, 4), 1);
    cr_expect_eq(img_team_refused(team), 3);
    img_team_free(team);
    config.reserve_bytes = 1 << 20;
    team = img_team_create(&config);
    cr_expect_eq(run_parts(team, 4), 4);
    img_team_free(team);
}

/* --- Ranges ----------------------------------------------------------------------------------- */

enum { ITEMS = 1000 };

typedef struct Items {
    atomic_int done[ITEMS];
    atomic_int ranges, shortest, longest;
} Items;

static void count_items(void *context, int64_t first, int64_t end)
{
    Items *items = context;
    int length = (int)(end - first);
    atomic_fetch_add(&items->ranges, 1);
    if (length < atomic_load(&items->shortest))
        atomic_store(&items->shortest, length);
    if (length > atomic_load(&items->longest))
        atomic_store(&items->longest, length);
    for (int64_t i = first; i < end; i++)
        atomic_fetch_add(&items->done[i], 1);
}

static void run_items(ImgTeam *team, int threads, int count)
{
    static Items items;
    memset(&items, 0, sizeof items);
    atomic_store(&items.shortest, ITEMS);
    img_parallel_for(team, threads, count, count_items, &items);
    for (int i = 0; i < ITEMS; i++)
        cr_assert_eq(atomic_load(&items.done[i]), i < count ? 1 : 0, "item %d of %d", i, count);
    int wanted = threads < 1 ? 1 : threads;
    cr_assert_eq(atomic_load(&items.ranges), count < wanted ? (count > 0 ? count : 0) : wanted);
    cr_assert(count <= 0 || atomic_load(&items.longest) - atomic_load(&items.shortest) <= 1);
}

Test(parallel, every_item_is_done_once)
{
    ImgTeam *team = img_team_create(&PLAIN);
    for (int threads = 0; threads <= 17; threads += 1 + threads / 4)
        for (int count = 0; count <= 70; count++)
            run_items(team, threads, count);
    run_items(team, 3, ITEMS);
    run_items(team, MOST, ITEMS);
    img_team_free(team);
    run_items(NULL, 3, ITEMS);
}

Test(parallel, every_item_is_done_once_if_threads_are_refused)
{
    for (int granted = 0; granted <= 4; granted++) {
        ImgTeam *team = team_of(granted);
        for (int count = 0; count <= 70; count++)
            run_items(team, 5, count);
        img_team_free(team);
    }
}

/* Sums of the items of a long range. The bounds of the parts must not overflow. */
typedef struct Sum {
    atomic_uint_fast64_t items, last;
} Sum;

static void add_length(void *context, int64_t first, int64_t end)
{
    Sum *sum = context;
    atomic_fetch_add(&sum->items, (uint64_t)(end - first));
    if (end == INT64_MAX)
        atomic_fetch_add(&sum->last, 1);
}

Test(parallel, the_longest_range_works)
{
    Sum sum = {0};
    img_parallel_for(NULL, 7, INT64_MAX, add_length, &sum);
    cr_expect_eq(atomic_load(&sum.items), (uint64_t)INT64_MAX);
    cr_expect_eq(atomic_load(&sum.last), 1);
}

/* --- Nested and concurrent work --------------------------------------------------------------- */

typedef struct Nested {
    ImgTeam *team;
    atomic_int leaves;
} Nested;

static void add_leaf(void *context, int part)
{
    (void)part;
    atomic_fetch_add((atomic_int *)context, 1);
}

static void run_inside(void *context, int part)
{
    Nested *nested = context;
    (void)part;
    for (int i = 0; i < 20; i++)
        (void)img_parallel_run(nested->team, 3, add_leaf, &nested->leaves);
}

Test(parallel, work_may_start_work_on_the_same_team)
{
    for (int granted = 0; granted <= 12; granted += 3) {
        Nested nested = {.team = team_of(granted)};
        for (int round = 0; round < 10; round++)
            (void)img_parallel_run(nested.team, 4, run_inside, &nested);
        cr_expect_eq(atomic_load(&nested.leaves), 10 * 4 * 20 * 3);
        cr_expect_leq(atomic_load(&granted_calls), 11, "at most one request for each thread");
        img_team_free(nested.team);
    }
}

static void *use_team(void *context)
{
    run_inside(context, 0);
    return NULL;
}

Test(parallel, many_threads_may_use_a_team)
{
    enum { CALLERS = 6 };
    Nested nested = {.team = img_team_create(&PLAIN)};
    pthread_t callers[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        cr_assert_eq(pthread_create(&callers[i], NULL, use_team, &nested), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    cr_expect_eq(atomic_load(&nested.leaves), CALLERS * 20 * 3);
    img_team_free(nested.team);
}

/* --- Helpers beside the caller ---------------------------------------------------------------- */

typedef struct Gate {
    atomic_int open, through;
    pthread_t caller;
    atomic_int on_caller;
} Gate;

static void pass(void *context, int part)
{
    Gate *gate = context;
    (void)part;
    while (atomic_load(&gate->open) == 0)
        usleep(100);
    atomic_fetch_add(&gate->through, 1);
    if (pthread_equal(pthread_self(), gate->caller) != 0)
        atomic_fetch_add(&gate->on_caller, 1);
}

Test(parallel, helpers_work_while_the_caller_continues)
{
    for (int granted = 0; granted <= 4; granted++) {
        ImgTeam *team = team_of(granted);
        Gate gate = {.caller = pthread_self()};
        ImgHelpers *helpers = img_helpers_start(team, 3, pass, &gate);
        cr_assert_eq(helpers == NULL, granted == 0);
        if (helpers != NULL) {
            cr_expect_eq(img_helpers_count(helpers), granted < 3 ? granted : 3);
            atomic_store(&gate.open, 1);
            for (int i = 0; i < 50000 && atomic_load(&gate.through) < 3; i++)
                usleep(100);
            cr_expect_eq(atomic_load(&gate.through), 3, "all parts, without the caller");
            cr_expect_eq(atomic_load(&gate.on_caller), 0);
            img_helpers_finish(helpers);
        }
        cr_expect_eq(atomic_load(&gate.through), granted == 0 ? 0 : 3);
        img_team_free(team);
    }
}

/* --- Condition variables whose waiters poll --------------------------------------------------- */

typedef struct Ball {
    pthread_mutex_t mutex;
    ImgPolled changed;
    /* Each thread is a player and waits until it holds the ball. `holder` is the player that holds
     * the ball; `passes` counts how often the ball was passed on. */
    int holder, passes;
    /* one of every `slow` passes is delayed, so that waiting players fall asleep */
    int slow;
} Ball;

enum { PLAYERS = 3, PASSES = 3000 };

static void play(void *context, int player)
{
    const struct timespec late = {0, 2000000};
    Ball *ball = context;
    pthread_mutex_lock(&ball->mutex);
    while (ball->passes < PASSES) {
        if (ball->holder != player) {
            img_polled_wait(&ball->changed, &ball->mutex);
            continue;
        }
        if (ball->passes % ball->slow == 0)
            nanosleep(&late, NULL);
        ball->holder = (player + 1) % PLAYERS;
        ball->passes++;
        img_polled_broadcast(&ball->changed);
    }
    pthread_mutex_unlock(&ball->mutex);
}

Test(polled, polling_and_sleeping_waiters_wake_up, .timeout = 60)
{
    Ball ball = {.mutex = PTHREAD_MUTEX_INITIALIZER, .slow = 100};
    img_polled_init(&ball.changed);
    /* The counter of signals starts so high that it overflows and wraps around in the middle of the
     * test. */
    atomic_store(&ball.changed.signals, INT_MAX - PASSES / 2);
    cr_assert_eq(img_parallel_run(NULL, PLAYERS, play, &ball), PLAYERS);
    cr_expect_eq(ball.passes, PASSES);
    cr_expect_eq(ball.changed.waiting, 0);
    cr_expect_eq(ball.changed.asleep, 0);
    img_polled_destroy(&ball.changed);
}

/* State of takers that wait for tickets. A signal wakes only one sleeping taker. */
typedef struct Tickets {
    pthread_mutex_t mutex;
    ImgPolled changed;
    int tickets, taken;
} Tickets;

enum { TAKERS = 4 };

static void take_ticket(void *context, int part)
{
    const struct timespec late = {0, 3000000};
    Tickets *tickets = context;
    if (part == 0) {
        for (int i = 1; i < TAKERS; i++) {
            nanosleep(&late, NULL);
            pthread_mutex_lock(&tickets->mutex);
            tickets->tickets++;
            img_polled_signal(&tickets->changed);
            pthread_mutex_unlock(&tickets->mutex);
        }
        return;
    }
    pthread_mutex_lock(&tickets->mutex);
    while (tickets->tickets == 0)
        img_polled_wait(&tickets->changed, &tickets->mutex);
    tickets->tickets--;
    tickets->taken++;
    pthread_mutex_unlock(&tickets->mutex);
}

Test(polled, a_signal_wakes_one_waiter, .timeout = 60)
{
    for (int round = 0; round < 20; round++) {
        Tickets tickets = {.mutex = PTHREAD_MUTEX_INITIALIZER};
        img_polled_init(&tickets.changed);
        cr_assert_eq(img_parallel_run(NULL, TAKERS, take_ticket, &tickets), TAKERS);
        cr_expect_eq(tickets.taken, TAKERS - 1);
        img_polled_destroy(&tickets.changed);
    }
}

/* --- A forked process ------------------------------------------------------------------------- */

/* After fork, ThreadSanitizer does not support a child of a process with threads. */
#if defined(__SANITIZE_THREAD__)
#define FORKS false
#else
#define FORKS true
#endif

Test(parallel, a_team_works_in_a_forked_process_without_its_threads, .timeout = 20)
{
    if (!FORKS)
        return;
    ImgTeam *team = img_team_create(&PLAIN);
    (void)run_parts(team, 4);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        Tally tally = {.caller = pthread_self()};
        (void)img_parallel_run(team, 4, count_part, &tally);
        int done = 0;
        for (int i = 0; i < 4; i++)
            done += atomic_load(&tally.parts[i]);
        _exit(done);
    }
    int status = 0;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 4);
    img_team_free(team);
}

/* --- Deadlines in monotonic time, and condition waits that end at them ------------------------ */

static double seconds_until(struct timespec deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(deadline.tv_sec - now.tv_sec) + (double)(deadline.tv_nsec - now.tv_nsec) * 1e-9;
}

Test(deadline, deadlines_use_monotonic_time_and_have_a_maximum)
{
    static const struct {
        double wanted, least, most;
    } cases[] = {{0, -5, 0},        {-7, -5, 0},           {0.75, -5, 0.75},
                 {1.999999, -4, 2}, {86400, 86390, 86400}, {1e300, 86390, 86400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct timespec deadline = img_deadline_in(cases[i].wanted);
        double left = seconds_until(deadline);
        cr_expect(left >= cases[i].least && left <= cases[i].most, "%g: %g left", cases[i].wanted,
                  left);
        cr_expect(deadline.tv_nsec >= 0 && deadline.tv_nsec < 1000000000);
    }
}

/* The wait must use the monotonic clock. By the time of day the deadline is long past, so such a
 * wait would return at once. */
Test(deadline, a_condition_wait_ends_at_the_deadline)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never;
    img_condition_init(&never);
    struct timespec until = img_deadline_in(0.05);
    pthread_mutex_lock(&mutex);
    int result = 0;
    while (result == 0)
        result = pthread_cond_timedwait(&never, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    cr_expect_eq(result, ETIMEDOUT);
    cr_expect_leq(seconds_until(until), 0, "waited until then");
    pthread_cond_destroy(&never);
}
