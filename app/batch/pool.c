#include "app/batch/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LOOK_MILLISECONDS = 50 };

typedef struct Worker {
    Pool *pool;
    pthread_t thread;
    int number;
    uint64_t bytes; /* admitted for the picture under way */
    int threads;    /* of them; 0: not admitted */
} Worker;

struct Pool {
    PoolConfig config;
    Worker *workers;
    int started, ended;

    pthread_mutex_t mutex;
    pthread_cond_t freed; /* memory or threads */
    pthread_cond_t done;  /* a worker ended */
    size_t next;
    bool stopped;
    uint64_t next_ticket, serving; /* who asks for memory gets it in turn */
    int under_way;                 /* admitted pictures */
    int threads_free;
    uint64_t memory_used, memory_most;
};

/* --- Admission; all with the mutex held ---------------------------------------------------------
 */

/* So large that not every thread can have one of these: it is worked on alone, by all threads. */
static bool is_large(const Pool *pool, uint64_t bytes)
{
    return bytes > pool->config.memory / (uint64_t)pool->config.jobs;
}

static bool fits(const Pool *pool, uint64_t bytes)
{
    if (pool->under_way == 0)
        return true;
    return !is_large(pool, bytes) && pool->threads_free > 0 &&
           bytes <= pool->config.memory - pool->memory_used;
}

/* A picture gets threads that would have nothing to do: there are no more pictures. */
static int threads_for(const Pool *pool, uint64_t bytes)
{
    size_t others = pool->config.count - pool->next + (size_t)(pool->next_ticket - pool->serving);
    if (is_large(pool, bytes))
        others = 0;
    if (others >= (size_t)pool->threads_free)
        return 1;
    return pool->threads_free / ((int)others + 1);
}

static void admit(Pool *pool, Worker *worker, uint64_t bytes)
{
    worker->bytes = bytes < pool->config.memory ? bytes : pool->config.memory;
    worker->threads = threads_for(pool, bytes);
    pool->threads_free -= worker->threads;
    pool->memory_used += worker->bytes;
    pool->under_way++;
    if (pool->memory_used > pool->memory_most)
        pool->memory_most = pool->memory_used;
}

static void release(Pool *pool, Worker *worker)
{
    if (worker->threads == 0)
        return;
    pool->threads_free += worker->threads;
    pool->memory_used -= worker->bytes;
    pool->under_way--;
    worker->threads = 0;
    pthread_cond_broadcast(&pool->freed);
}

int pool_admit(Pool *pool, int worker, uint64_t bytes)
{
    Worker *asking = &pool->workers[worker];
    pthread_mutex_lock(&pool->mutex);
    uint64_t ticket = pool->next_ticket++;
    while (ticket != pool->serving || !fits(pool, bytes))
        pthread_cond_wait(&pool->freed, &pool->mutex);
    pool->serving++;
    admit(pool, asking, bytes);
    int threads = asking->threads;
    pthread_cond_broadcast(&pool->freed); /* the next in turn may fit too */
    pthread_mutex_unlock(&pool->mutex);
    return threads;
}

void pool_stop(Pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    pool->stopped = true;
    pthread_mutex_unlock(&pool->mutex);
}

/* --- Threads ------------------------------------------------------------------------------------
 */

/* With the mutex held. */
static bool take(Pool *pool, size_t *index)
{
    if (pool->stopped || pool->next == pool->config.count)
        return false;
    *index = pool->next++;
    return true;
}

static void work_on(Worker *worker, size_t index)
{
    Pool *pool = worker->pool;
    pthread_mutex_unlock(&pool->mutex);
    pool->config.work(pool->config.context, pool, worker->number, index);
    pthread_mutex_lock(&pool->mutex);
    release(pool, worker);
}

static void *run_worker(void *argument)
{
    Worker *worker = argument;
    Pool *pool = worker->pool;
    size_t index;
    pthread_mutex_lock(&pool->mutex);
    while (take(pool, &index))
        work_on(worker, index);
    pool->ended++;
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* Without the mutex. */
static void watch(Pool *pool)
{
    bool go_on = pool->config.watch(pool->config.context);
    pthread_mutex_lock(&pool->mutex);
    pool->stopped = pool->stopped || !go_on;
    pthread_mutex_unlock(&pool->mutex);
}

static void wait_a_moment(Pool *pool)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MILLISECONDS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&pool->mutex);
    if (pool->ended < pool->started)
        pthread_cond_timedwait(&pool->done, &pool->mutex, &until);
    pthread_mutex_unlock(&pool->mutex);
}

static bool all_ended(Pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    bool ended = pool->ended == pool->started;
    pthread_mutex_unlock(&pool->mutex);
    return ended;
}

static void start_workers(Pool *pool)
{
    int wanted = pool->config.jobs;
    if (pool->config.count < (size_t)wanted)
        wanted = (int)pool->config.count;
    for (; pool->started < wanted; pool->started++) {
        Worker *worker = &pool->workers[pool->started];
        if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
            break;
    }
}

/* Without a thread of its own. */
static void run_here(Pool *pool)
{
    size_t index;
    pthread_mutex_lock(&pool->mutex);
    while (take(pool, &index)) {
        work_on(&pool->workers[0], index);
        pthread_mutex_unlock(&pool->mutex);
        watch(pool);
        pthread_mutex_lock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
}

PoolReport pool_run(const PoolConfig *config)
{
    Worker alone = {.number = 0};
    Pool pool = {.config = *config, .threads_free = config->jobs};
    pool.workers = calloc((size_t)config->jobs, sizeof *pool.workers);
    bool threads = pool.workers != NULL;
    if (!threads)
        pool.workers = &alone;
    for (int i = 0; i < (threads ? config->jobs : 1); i++) {
        pool.workers[i].pool = &pool;
        pool.workers[i].number = i;
    }
    pthread_mutex_init(&pool.mutex, NULL);
    pthread_cond_init(&pool.freed, NULL);
    pthread_cond_init(&pool.done, NULL);
    if (threads)
        start_workers(&pool);
    if (pool.started == 0)
        run_here(&pool);
    while (!all_ended(&pool)) {
        watch(&pool);
        wait_a_moment(&pool);
    }
    for (int i = 0; i < pool.started; i++)
        pthread_join(pool.workers[i].thread, NULL);
    (void)config->watch(config->context);
    pthread_cond_destroy(&pool.done);
    pthread_cond_destroy(&pool.freed);
    pthread_mutex_destroy(&pool.mutex);
    if (threads)
        free(pool.workers);
    return (PoolReport){pool.next, pool.memory_most};
}
