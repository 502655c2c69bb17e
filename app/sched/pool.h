/* A pool of worker threads for many pictures, within one budget of CPUs and memory. Each worker
 * holds at most one picture, so that no worker waits for another one that waits. */
#ifndef IMGTOOL_APP_SCHED_POOL_H
#define IMGTOOL_APP_SCHED_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/parallel/parallel.h"

typedef struct Pool Pool;

/* Processes picture `index` on worker `worker`, 0..jobs - 1. It calls pool_admit once it knows how
 * much memory the picture needs, and before it allocates it. */
typedef void PoolWork(void *context, Pool *pool, int worker, size_t index);

/* Called on the thread that called pool_run, several times per second, or now and then with
 * `open_ended`, and once more at the end. If it returns false no more pictures are started, and
 * those in progress are finished. */
typedef bool PoolWatch(void *context);

typedef struct PoolConfig {
    ImgTeam *team; /* borrowed, also for threads within a picture; may be NULL */
    int jobs;      /* threads for all pictures together, at least 1 */
    /* A worker takes a picture only while fewer than this many are at work; 0: no limit. More
     * threads than processors slow each other down: one that the system suspends may hold the lock
     * of the output's directory. */
    int at_work;
    uint64_t memory; /* bytes for all pictures together */
    size_t count;    /* number of pictures */
    /* Pictures arrive one by one, and `work` waits for the next one, so that `count` does not tell
     * how many are left. Threads are then reserved only for pictures that are admitted or waiting
     * for memory. */
    bool open_ended;
    PoolWork *work;
    PoolWatch *watch;
    void *context;
} PoolConfig;

/* Waits until `bytes` are free, in the order of the calls. Returns how many threads the picture may
 * use: those that no other picture will need. A request above the whole budget is admitted when
 * nothing else is in progress; the caller has rejected what is too large. The reservation ends with
 * the picture. */
int pool_admit(Pool *pool, int worker, uint64_t bytes);

/* Adjusts the reservation after pool_admit, once the real need is known and before that memory is
 * allocated. A smaller need releases the difference. For a larger one the worker waits again, as it
 * holds no memory yet. Returns how many threads the picture may use. */
int pool_settle(Pool *pool, int worker, uint64_t bytes);

/* Enlarges the reservation later. Returns true if the memory is free and now reserved. Never
 * blocks, since the worker already holds memory. */
bool pool_grow(Pool *pool, int worker, uint64_t bytes);

/* Releases the reservation of a worker that restarts its picture. */
void pool_give_back(Pool *pool, int worker);

/* Returns the bytes that each worker may hold if all hold the same. */
/* A worker calls them around a wait for a GPU: meanwhile it does not count as at work. Neither
 * blocks. */
void pool_begin_wait(Pool *pool);
void pool_end_wait(Pool *pool);

/* What each of all workers may hold at the same time, in bytes. */
uint64_t pool_share(const Pool *pool);

/* Called by a worker: no more pictures are started. */
void pool_stop(Pool *pool);

typedef struct PoolReport {
    size_t taken;         /* pictures that were started */
    uint64_t memory_most; /* largest sum of reservations, in bytes */
} PoolReport;

/* Runs until all pictures are done or the watch stops it. If the system refuses threads there are
 * fewer, at least one. */
PoolReport pool_run(const PoolConfig *config);

#endif
