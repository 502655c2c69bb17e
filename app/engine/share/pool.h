/* A pool of worker threads that process many pictures within one budget of CPUs and memory. Each
 * worker holds at most one picture, so that workers cannot wait for each other. */
#ifndef IMGTOOL_APP_ENGINE_SHARE_POOL_H
#define IMGTOOL_APP_ENGINE_SHARE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/parallel/parallel.h"

typedef struct Pool Pool;

/* Processes picture number `index` on worker number `worker` (0 to workers - 1). It calls
 * img_pool_admit when it knows how much memory the picture needs, and before it allocates that
 * memory. */
typedef void PoolWork(void *context, Pool *pool, int worker, size_t index);

/* Called at intervals on the thread that called img_pool_run, and once more at the end. It is
 * called several times per second or, with `open_ended`, every two seconds. If it returns false, no
 * more pictures are started, and those in progress are finished. */
typedef bool PoolWatch(void *context);

typedef struct PoolConfig {
    /* Team of threads for the workers, and for threads within a picture; borrowed; may be NULL. */
    ImgTeam *team;
    int jobs; /* number of threads for all pictures together, at least 1 */
    /* Number of workers. More than `jobs` let pictures wait for a GPU in groups; 0: `jobs`. */
    int workers;
    /* A worker starts a picture only while fewer workers than this have a picture and do not wait
     * for a GPU; 0: no limit. With more working threads than processors, batches of small pictures
     * took 1.6 times as long (io/png/MEASUREMENTS.md). */
    int at_work;
    uint64_t memory; /* memory budget, in bytes, for all pictures together */
    size_t count;    /* number of pictures */
    /* Pictures arrive one by one, and `work` waits for the next one, so `count` is not the number
     * of pictures that remain. Threads are then reserved only for pictures that are admitted or
     * wait for memory. */
    bool open_ended;
    PoolWork *work;
    PoolWatch *watch;
    void *context;
} PoolConfig;

/* Memory of a picture, in bytes. */
typedef struct PoolNeed {
    uint64_t now;  /* to be reserved at once */
    uint64_t most; /* to which img_pool_raise will raise that; at least `now` */
} PoolNeed;

/* Returns the need of a picture that gets all its memory at once. */
static inline PoolNeed img_pool_at_once(uint64_t bytes)
{
    return (PoolNeed){bytes, bytes};
}

/* Reserves need.now bytes for the worker's picture, and waits until they are free, and until
 * need.most bytes can be reserved later. Requests are served in the order of the calls. Returns the
 * number of threads that the picture may use: one, plus its share of the threads that would
 * otherwise be idle, because few pictures are left or memory is too short for more pictures. A
 * request for more than half of the budget waits until no other picture is in progress, and is then
 * admitted, even if it exceeds the whole budget. So the caller must reject pictures that are too
 * large before the call. The reservation ends with the picture. */
int img_pool_admit(Pool *pool, int worker, PoolNeed need);

/* Changes the reservation to `need`, which is known after the file is read. Call it before
 * that memory is allocated. A smaller need releases the difference. For a larger need the worker
 * waits again, which is safe because it holds no memory yet. Returns the number of threads that the
 * picture may use. */
int img_pool_settle(Pool *pool, int worker, PoolNeed need);

/* Raises the reservation to `bytes`, at most PoolNeed.most, while the picture is processed. Waits
 * until they are free. No two workers wait for each other, because memory is only given away while
 * all pictures can still get their largest need, one after another. Meanwhile no picture is
 * admitted. */
void img_pool_raise(Pool *pool, int worker, uint64_t bytes);

/* Enlarges the reservation to `bytes` while the picture is processed. Returns true if the memory
 * was free and is now reserved. Never blocks: the worker already holds memory, so workers could
 * wait for each other. */
bool img_pool_grow(Pool *pool, int worker, uint64_t bytes);

/* Releases the reservation of a worker that starts its picture again. */
void img_pool_give_back(Pool *pool, int worker);

/* A worker calls img_pool_begin_wait before it waits for a GPU, and img_pool_end_wait afterwards.
 * In between it does not count toward PoolConfig.at_work. If its picture is processed in a group
 * (`in_group`), it does not count toward PoolConfig.jobs either, and other pictures may use its
 * threads. img_pool_end_wait waits until fewer than PoolConfig.at_work workers are at work. */
void img_pool_begin_wait(Pool *pool, int worker, bool in_group);
void img_pool_end_wait(Pool *pool, int worker, bool in_group);

/* Returns the number of bytes that each worker may reserve if all workers reserve the same
 * amount. */
uint64_t img_pool_share(const Pool *pool);

/* Returns the number of bytes that all pictures together may reserve. */
uint64_t img_pool_memory(const Pool *pool);

/* Called by a worker: no further pictures are started. */
void img_pool_stop(Pool *pool);

typedef struct PoolReport {
    size_t taken;         /* number of pictures that were started */
    uint64_t memory_most; /* largest sum of all reservations at any time, in bytes */
} PoolReport;

/* Runs workers until all pictures are done, or the watch function stops the pool. If the system
 * refuses some threads, the pool has fewer workers, but at least one. */
PoolReport img_pool_run(const PoolConfig *config);

#endif
