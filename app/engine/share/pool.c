#include "app/engine/share/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "app/engine/share/kept.h"
#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/lock.h"

/* Seconds between calls of the watch function. The pause is longer if pictures come one by one
 * (open_ended), since a server waits for days and shows no progress. */
static const double LOOK_SECONDS = 50e-3, LOOK_SECONDS_OPEN_ENDED = 2;

typedef struct Worker {
    PoolNeed
        need; /* bytes reserved for the picture in progress, and its limit for img_pool_raise */
    uint64_t mean; /* bytes that it has reserved on average, estimated */
    int threads;   /* threads of that picture; 0: it is not admitted */
    bool ends;     /* private to is_safe */
} Worker;

struct Pool {
    PoolConfig config;
    Worker *workers;
    int worker_count;
    int ended;

    pthread_mutex_t mutex;
    pthread_cond_t freed;   /* signalled when memory or threads were released */
    pthread_cond_t done;    /* signalled when a worker has ended */
    pthread_cond_t rests;   /* signalled when fewer workers are at work, or no picture is left */
    pthread_cond_t returns; /* signalled when a worker that has waited for a GPU may go on */
    size_t next;
    bool stopped;
    /* Number of workers that have a picture and do not wait for a GPU, and of those that wait for a
     * GPU which processes their picture alone. */
    int at_work, alone;
    /* Number of workers that have waited for a GPU and may go on as soon as fewer are at work. They
     * go on before other workers start pictures. */
    int returning;
    /* Requests for memory get tickets and are served in this order: the ticket of the next request,
     * and the ticket of the request that is served now. */
    uint64_t next_ticket, serving;
    int under_way; /* number of admitted pictures */
    int raising;   /* number of workers that wait in img_pool_raise */
    int threads_free;
    uint64_t memory_used, memory_most;
    uint64_t memory_mean; /* sum of Worker.mean */
};

/* A worker stops to work, at least for a while. The caller holds the mutex. */
static void rest(Pool *pool)
{
    pool->at_work--;
    pthread_cond_signal(pool->returning > 0 ? &pool->returns : &pool->rests);
}

/* --- Admission; all with the mutex held ------------------------------------------------------- */

uint64_t img_pool_share(const Pool *pool)
{
    return pool->config.memory / (uint64_t)pool->config.jobs;
}

uint64_t img_pool_memory(const Pool *pool)
{
    return pool->config.memory;
}

/* Returns the number of pictures of `bytes` bytes that can be processed at the same time, each by
 * one thread, with the memory and threads of the pool; at least 1. */
static int abreast(const Pool *pool, uint64_t bytes)
{
    const uint64_t jobs = (uint64_t)pool->config.jobs;
    const uint64_t count = bytes > 0 ? pool->config.memory / bytes : jobs;
    return count < 1 ? 1 : count < jobs ? (int)count : (int)jobs;
}

/* Lets all workers end that can reserve their largest need from `free` bytes. Adds the bytes that
 * they then release to *free. Returns the number of these workers. */
static int end_workers(const Pool *pool, uint64_t *free)
{
    int count = 0;
    for (int i = 0; i < pool->worker_count; i++) {
        Worker *worker = &pool->workers[i];
        if (worker->ends || worker->need.most - worker->need.now > *free)
            continue;
        worker->ends = true;
        *free += worker->need.now;
        count++;
    }
    return count;
}

/* Returns whether there is an order in which all workers can end, each with its largest need
 * (banker's algorithm; E. W. Dijkstra, EWD 623). Then no worker waits in img_pool_raise for
 * ever. */
static bool is_safe(Pool *pool)
{
    uint64_t free = pool->config.memory - pool->memory_used;
    int left = pool->worker_count, ended;
    for (int i = 0; i < pool->worker_count; i++)
        pool->workers[i].ends = false;
    do {
        ended = end_workers(pool, &free);
        left -= ended;
    } while (left > 0 && ended > 0);
    return left == 0;
}

/* Changes what a worker has reserved, and what it may reserve. */
static void reserve(Pool *pool, Worker *worker, PoolNeed need)
{
    pool->memory_used = pool->memory_used - worker->need.now + need.now;
    worker->need = need;
}

/* Makes the change if the memory is free, and all workers can still end. Returns false, and changes
 * nothing, if not. */
static bool try_reserve(Pool *pool, Worker *worker, PoolNeed need)
{
    const PoolNeed before = worker->need;
    if (need.now > before.now && need.now - before.now > pool->config.memory - pool->memory_used)
        return false;
    reserve(pool, worker, need);
    if (is_safe(pool))
        return true;
    reserve(pool, worker, before);
    return false;
}

/* Reserves memory for a picture that can be admitted now. Returns false if none can. A picture that
 * needs more than half of the memory runs alone. */
static bool fits(Pool *pool, Worker *worker, PoolNeed need)
{
    const uint64_t all = pool->config.memory;
    if (pool->under_way == 0) {
        reserve(pool, worker,
                (PoolNeed){need.now < all ? need.now : all, need.most < all ? need.most : all});
        return true;
    }
    return abreast(pool, need.most) > 1 && pool->threads_free > 0 && pool->raising == 0 &&
           try_reserve(pool, worker, need);
}

/* Returns the largest useful number of threads for one picture. More threads would hardly make it
 * faster, and would delay the next picture. */
static int enough_for_one(const Pool *pool)
{
    enum { ENOUGH = 8 };
    return pool->threads_free > 2 * ENOUGH ? pool->threads_free / 2 : ENOUGH;
}

/* Returns the number of threads for a picture of `bytes` bytes if there is memory for only
 * `pictures` such pictures: its share of the free threads, which other pictures will use that still
 * fit beside it. */
static int share_of(const Pool *pool, int pictures, uint64_t bytes)
{
    const int most = (pool->config.jobs + pictures - 1) / pictures;
    const uint64_t used = pool->memory_mean;
    const uint64_t places = used < pool->config.memory ? (pool->config.memory - used) / bytes : 0;
    const int share = places > 1 ? pool->threads_free / (int)places : pool->threads_free;
    return share < 1 ? 1 : share < most ? share : most;
}

/* Returns the number of threads for a picture: one, plus those that would be idle because no
 * pictures are left, or because there is memory for fewer pictures than threads. */
static int threads_for(const Pool *pool, uint64_t bytes)
{
    const int pictures = abreast(pool, bytes);
    size_t others = (size_t)(pool->next_ticket - pool->serving);
    if (!pool->config.open_ended)
        others += pool->config.count - pool->next;
    if (pictures < pool->config.jobs && others >= (size_t)pictures)
        return share_of(pool, pictures, bytes);
    if (others >= (size_t)pool->threads_free)
        return 1;
    int share = pool->threads_free / ((int)others + 1);
    bool may_others_come = pool->config.open_ended && pictures == pool->config.jobs;
    return may_others_come && share > enough_for_one(pool) ? enough_for_one(pool) : share;
}

/* Reports to kept.c that `bytes` were just reserved. */
static void note_planned(Pool *pool, uint64_t bytes)
{
    if (pool->memory_used > pool->memory_most)
        pool->memory_most = pool->memory_used;
    img_kept_planned(bytes, pool->memory_used, pool->config.memory);
}

/* Estimates the bytes that the picture will have reserved on average. */
static void note_mean(Pool *pool, Worker *worker)
{
    const uint64_t mean = worker->need.now + (worker->need.most - worker->need.now) / 2;
    pool->memory_mean = pool->memory_mean - worker->mean + mean;
    worker->mean = mean;
}

/* Admits the picture whose memory `fits` has reserved. */
static void admit(Pool *pool, Worker *worker)
{
    const uint64_t mean = worker->need.now + (worker->need.most - worker->need.now) / 2;
    worker->threads = threads_for(pool, mean);
    pool->threads_free -= worker->threads;
    pool->under_way++;
    note_mean(pool, worker);
    note_planned(pool, worker->need.now);
}

static void release(Pool *pool, Worker *worker)
{
    if (worker->threads == 0)
        return;
    reserve(pool, worker, (PoolNeed){0, 0});
    note_mean(pool, worker);
    pool->threads_free += worker->threads;
    pool->under_way--;
    worker->threads = 0;
    pthread_cond_broadcast(&pool->freed);
}

int img_pool_admit(Pool *pool, int worker, PoolNeed need)
{
    Worker *asking = &pool->workers[worker];
    pthread_mutex_lock(&pool->mutex);
    uint64_t ticket = pool->next_ticket++;
    rest(pool); /* others may work while this worker waits */
    while (ticket != pool->serving || !fits(pool, asking, need))
        pthread_cond_wait(&pool->freed, &pool->mutex);
    pool->at_work++;
    pool->serving++;
    admit(pool, asking);
    int threads = asking->threads;
    pthread_cond_broadcast(&pool->freed); /* the next request may also fit */
    pthread_mutex_unlock(&pool->mutex);
    return threads;
}

int img_pool_settle(Pool *pool, int worker, PoolNeed need)
{
    Worker *asking = &pool->workers[worker];
    pthread_mutex_lock(&pool->mutex);
    bool enough = need.now <= asking->need.now && need.most <= asking->need.most;
    if (enough) {
        reserve(pool, asking, need);
        note_mean(pool, asking);
        pthread_cond_broadcast(&pool->freed);
    } else if (asking->need.now < pool->config.memory) {
        release(pool, asking);
    } else {
        /* The picture already has all memory of the pool, so there is nothing to wait for. */
        enough = true;
    }
    int threads = asking->threads;
    pthread_mutex_unlock(&pool->mutex);
    return enough ? threads : img_pool_admit(pool, worker, need);
}

void img_pool_raise(Pool *pool, int worker, uint64_t bytes)
{
    Worker *asking = &pool->workers[worker];
    pthread_mutex_lock(&pool->mutex);
    const PoolNeed before = asking->need;
    const PoolNeed need = {bytes < before.most ? bytes : before.most, before.most};
    if (need.now > before.now) {
        pool->raising++;
        rest(pool);
        while (!try_reserve(pool, asking, need))
            pthread_cond_wait(&pool->freed, &pool->mutex);
        pool->at_work++;
        pool->raising--;
        pthread_cond_broadcast(&pool->freed); /* a request may wait for the end of this one */
        note_planned(pool, need.now - before.now);
    }
    pthread_mutex_unlock(&pool->mutex);
}

bool img_pool_grow(Pool *pool, int worker, uint64_t bytes)
{
    Worker *growing = &pool->workers[worker];
    pthread_mutex_lock(&pool->mutex);
    const PoolNeed before = growing->need;
    const uint64_t all = pool->config.memory, wanted = bytes < all ? bytes : all;
    bool grows = wanted <= before.now;
    if (!grows && (wanted == bytes || pool->under_way == 1))
        grows = try_reserve(pool, growing,
                            (PoolNeed){wanted, wanted > before.most ? wanted : before.most});
    if (grows && wanted > before.now) {
        note_mean(pool, growing);
        note_planned(pool, wanted - before.now);
    }
    pthread_mutex_unlock(&pool->mutex);
    return grows;
}

void img_pool_give_back(Pool *pool, int worker)
{
    pthread_mutex_lock(&pool->mutex);
    release(pool, &pool->workers[worker]);
    pthread_mutex_unlock(&pool->mutex);
}

/* The caller holds the mutex. */
static void stop(Pool *pool)
{
    pool->stopped = true;
    pthread_cond_broadcast(&pool->rests);
}

void img_pool_stop(Pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    stop(pool);
    pthread_mutex_unlock(&pool->mutex);
}

/* --- Threads ---------------------------------------------------------------------------------- */

/* The caller of is_over, take, rest and work_on holds the mutex. */

static bool is_over(const Pool *pool)
{
    return pool->stopped || pool->next == pool->config.count;
}

/* Returns true if as many workers are at work as may be. */
static bool is_busy(const Pool *pool)
{
    return pool->config.at_work > 0 && pool->at_work >= pool->config.at_work;
}

/* Returns true if no worker may start a picture at present. */
static bool is_full(const Pool *pool)
{
    return is_busy(pool) || pool->returning > 0 || pool->at_work + pool->alone >= pool->config.jobs;
}

static bool take(Pool *pool, size_t *index)
{
    while (!is_over(pool) && is_full(pool))
        pthread_cond_wait(&pool->rests, &pool->mutex);
    if (is_over(pool))
        return false;
    *index = pool->next++;
    pool->at_work++;
    if (is_over(pool))
        pthread_cond_broadcast(&pool->rests);
    return true;
}

static void work_on(Pool *pool, int worker, size_t index)
{
    pthread_mutex_unlock(&pool->mutex);
    pool->config.work(pool->config.context, pool, worker, index);
    pthread_mutex_lock(&pool->mutex);
    rest(pool);
    release(pool, &pool->workers[worker]);
}

static void run_worker(void *context, int worker)
{
    Pool *pool = context;
    size_t index;
    pthread_mutex_lock(&pool->mutex);
    while (take(pool, &index))
        work_on(pool, worker, index);
    pool->ended++;
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
}

void img_pool_begin_wait(Pool *pool, int worker, bool in_group)
{
    pthread_mutex_lock(&pool->mutex);
    if (in_group) {
        pool->threads_free += pool->workers[worker].threads;
        pthread_cond_broadcast(&pool->freed);
    } else {
        pool->alone++;
    }
    rest(pool);
    pthread_mutex_unlock(&pool->mutex);
}

void img_pool_end_wait(Pool *pool, int worker, bool in_group)
{
    pthread_mutex_lock(&pool->mutex);
    pool->returning++;
    while (is_busy(pool))
        pthread_cond_wait(&pool->returns, &pool->mutex);
    pool->returning--;
    if (in_group)
        pool->threads_free -= pool->workers[worker].threads;
    else
        pool->alone--;
    pool->at_work++;
    if (!is_busy(pool)) /* a worker that starts a picture, or one more that returns, may go on */
        pthread_cond_signal(pool->returning > 0 ? &pool->returns : &pool->rests);
    pthread_mutex_unlock(&pool->mutex);
}

/* Calls the watch function. The caller must not hold the mutex. */
static void watch(Pool *pool)
{
    if (!pool->config.watch(pool->config.context))
        img_pool_stop(pool);
}

static bool all_ended(Pool *pool, int workers)
{
    pthread_mutex_lock(&pool->mutex);
    bool ended = pool->ended == workers;
    pthread_mutex_unlock(&pool->mutex);
    return ended;
}

static void wait_a_moment(Pool *pool, int workers)
{
    struct timespec until =
        img_deadline_in(pool->config.open_ended ? LOOK_SECONDS_OPEN_ENDED : LOOK_SECONDS);
    pthread_mutex_lock(&pool->mutex);
    if (pool->ended < workers)
        pthread_cond_timedwait(&pool->done, &pool->mutex, &until);
    pthread_mutex_unlock(&pool->mutex);
}

/* Starts the workers. Workers for which the system refuses a thread get no work. The mutex is held
 * meanwhile, so that no picture is admitted before the number of workers is known. */
static ImgHelpers *start_workers(Pool *pool, int wanted)
{
    pthread_mutex_lock(&pool->mutex);
    ImgHelpers *helpers = img_helpers_start(pool->config.team, wanted, run_worker, pool);
    int started = helpers != NULL ? img_helpers_count(helpers) : 1;
    if (started < wanted && started < pool->config.jobs)
        pool->config.jobs = pool->threads_free = started;
    pthread_mutex_unlock(&pool->mutex);
    return helpers;
}

/* Processes all pictures on the calling thread. */
static void run_here(Pool *pool)
{
    size_t index;
    pthread_mutex_lock(&pool->mutex);
    while (take(pool, &index)) {
        work_on(pool, 0, index);
        pthread_mutex_unlock(&pool->mutex);
        watch(pool);
        pthread_mutex_lock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void run_beside(Pool *pool, ImgHelpers *helpers, int workers)
{
    while (!all_ended(pool, workers)) {
        watch(pool);
        wait_a_moment(pool, workers);
    }
    img_helpers_finish(helpers);
}

PoolReport img_pool_run(const PoolConfig *config)
{
    Worker alone = {.threads = 0};
    Pool pool = {.config = *config, .threads_free = config->jobs};
    const int most = config->workers > config->jobs ? config->workers : config->jobs;
    const int workers = config->count < (size_t)most ? (int)config->count : most;
    pool.workers = calloc((size_t)most, sizeof *pool.workers);
    pool.worker_count = pool.workers != NULL ? most : 1;
    ImgHelpers *helpers = NULL;
    img_lock_init(&pool.mutex);
    pthread_cond_init(&pool.freed, NULL);
    pthread_cond_init(&pool.rests, NULL);
    pthread_cond_init(&pool.returns, NULL);
    img_condition_init(&pool.done);
    if (pool.workers != NULL && workers > 0)
        helpers = start_workers(&pool, workers);
    if (helpers != NULL) {
        run_beside(&pool, helpers, workers);
    } else {
        Worker *many = pool.workers;
        pool.workers = many != NULL ? many : &alone;
        run_here(&pool);
        pool.workers = many;
    }
    (void)config->watch(config->context);
    pthread_cond_destroy(&pool.done);
    pthread_cond_destroy(&pool.returns);
    pthread_cond_destroy(&pool.rests);
    pthread_cond_destroy(&pool.freed);
    pthread_mutex_destroy(&pool.mutex);
    free(pool.workers);
    return (PoolReport){pool.next, pool.memory_most};
}
