/* Threads of a team that work on many pictures side by side, within a budget of CPUs and of memory
 * that is shared by all. Nobody holds more than one picture: so nobody waits for somebody who
 * waits. */
#ifndef IMGTOOL_APP_SCHED_POOL_H
#define IMGTOOL_APP_SCHED_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/parallel/parallel.h"

typedef struct Pool Pool;

/* Works on picture number `index`, on thread number `worker` of 0..jobs - 1. Once it knows how much
 * memory that takes, and before it takes it, it calls pool_admit. */
typedef void PoolWork(void *context, Pool *pool, int worker, size_t index);

/* Called on the calling thread of pool_run, several times per second, or now and then where
 * pictures come one by one, and once more at the end. False: no more pictures are taken, and those
 * under way are finished. */
typedef bool PoolWatch(void *context);

typedef struct PoolConfig {
    ImgTeam *team;   /* borrowed, for the pictures too; may be NULL */
    int jobs;        /* threads for all pictures together, at least 1 */
    uint64_t memory; /* bytes for all pictures together */
    size_t count;    /* pictures */
    /* They come one by one, and `count` says nothing of how many there are to come: `work` waits
     * for the next one. Then nothing else needs threads but what is admitted or asks for room. */
    bool open_ended;
    PoolWork *work;
    PoolWatch *watch;
    void *context;
} PoolConfig;

/* Waits until `bytes` are free, in the order of those who ask, and says how many threads the
 * picture may use: those that nothing else will need. More than the whole budget is admitted once
 * nothing else is under way; the caller has refused what is too much. Ends with the picture. */
int pool_admit(Pool *pool, int worker, uint64_t bytes);

/* After pool_admit, once it is known what the picture needs in fact, and before that is taken: what
 * is too much is given back, and for more the worker asks again and waits, as it holds nothing
 * yet. Returns how many threads the picture may use. */
int pool_settle(Pool *pool, int worker, uint64_t bytes);

/* After both, once it is known that so much is needed: true, and that is admitted, where it is
 * free. Waits for nobody, as the worker holds what was admitted before. */
bool pool_grow(Pool *pool, int worker, uint64_t bytes);

/* Of a worker that begins its picture anew: what was admitted for it is given back. */
void pool_give_back(Pool *pool, int worker);

/* What each of all workers may hold at the same time, in bytes. */
uint64_t pool_share(const Pool *pool);

/* By a worker: no more pictures are taken from now on. */
void pool_stop(Pool *pool);

typedef struct PoolReport {
    size_t taken;         /* pictures that were begun */
    uint64_t memory_most; /* admitted at a time */
} PoolReport;

/* Returns when all is done, or the watch stopped it. Where the system refuses threads there are
 * fewer, at least one. */
PoolReport pool_run(const PoolConfig *config);

#endif
