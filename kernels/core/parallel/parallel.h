/* Work on several threads at once. A team keeps threads between pieces of work, and starts them
 * when they are first needed; it belongs to whoever created it, and is handed down to all that may
 * use threads. Any number of threads may use a team at a time, work that runs on a team too: each
 * piece of work gets threads of its own.
 *
 * Where the system refuses threads, the threads there are do all the work, and nobody is told. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_PARALLEL_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgTeam ImgTeam;

typedef struct ImgTeamConfig {
    size_t stack_bytes;     /* of each thread; 0: the system's default */
    uint64_t reserve_bytes; /* address space that must stay free when threads are started */
    /* For tests; NULL: pthread_create. */
    int (*create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                  void *argument);
} ImgTeamConfig;

/* Enough for everything in kernels/ and io/. */
enum { IMG_TEAM_STACK_BYTES = 1 << 20 };

/* Starts nothing yet. NULL where there is no memory; NULL is a team too, in every function: one
 * that starts threads for each piece of work and ends them with it. */
ImgTeam *img_team_create(const ImgTeamConfig *config);

/* After all work. Harmless on NULL. */
void img_team_free(ImgTeam *team);

/* The most threads that the system refused to one piece of work. */
int img_team_refused(ImgTeam *team);

/* `part` counts from 0. */
typedef void ImgPartFunction(void *context, int part);

/* Calls `work` once for each of `parts` parts, at least 1, and returns when all are done. Part 0
 * runs on the calling thread. Parts for which there is no thread are done by those that are through
 * with theirs: so no part may wait for one that might not have started. Returns on how many
 * threads, with the calling one. */
int img_parallel_run(ImgTeam *team, int parts, ImgPartFunction *work, void *context);

/* The items from `first` to before `end`. */
typedef void ImgRangeFunction(void *context, int64_t first, int64_t end);

/* Divides 0..count - 1 into one range for each of `threads` threads, equally long but for one item,
 * and calls `work` once for each range that is not empty. Which range is which thread's stays the
 * same from call to call, as far as threads are free: near to its core, or in its cache. */
void img_parallel_for(ImgTeam *team, int threads, int64_t count, ImgRangeFunction *work,
                      void *context);

/* Work that goes on while the calling thread does something else. */
typedef struct ImgHelpers ImgHelpers;

/* Has `work` called once for each of `parts` parts, none of them on the calling thread. NULL: no
 * thread could be had, and nothing is called. */
ImgHelpers *img_helpers_start(ImgTeam *team, int parts, ImgPartFunction *work, void *context);

/* Threads that are at work, at least 1. */
int img_helpers_count(const ImgHelpers *helpers);

/* Waits until all parts are done, takes part in those that have not begun, and frees. */
void img_helpers_finish(ImgHelpers *helpers);

#ifdef __cplusplus
}
#endif
#endif
