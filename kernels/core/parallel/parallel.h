/* Work on several threads. A team keeps its threads between pieces of work and starts them when
 * they are first needed. Its creator owns it and passes it to all functions that may use threads.
 * Any number of threads may use a team at the same time, including its own: each piece of work gets
 * separate threads.
 *
 * If the system refuses threads, the existing threads do all the work. No error is reported. */
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
    size_t stack_bytes; /* bytes of the stack of each thread; 0 for the system's default */
    /* bytes of address space that must stay free when threads are started */
    uint64_t reserve_bytes;
    /* Replaces pthread_create in tests; NULL otherwise. */
    int (*create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                  void *argument);
} ImgTeamConfig;

/* Enough stack for everything in kernels/ and io/. */
enum { IMG_TEAM_STACK_BYTES = 1 << 20 };

/* Creates a team without starting threads. Returns NULL when memory is short. All functions accept
 * NULL as a team: they then start threads for each piece of work and end them with it. */
ImgTeam *img_team_create(const ImgTeamConfig *config);

/* Frees the team after all its work has finished. Harmless on NULL. */
void img_team_free(ImgTeam *team);

/* Returns the largest number of threads that the system refused for one piece of work. */
int img_team_refused(ImgTeam *team);

/* Does one part of the work; `part` counts from 0. */
typedef void ImgPartFunction(void *context, int part);

/* Calls `work` once for each of `parts` parts, at least 1, and returns when all are done. Part 0
 * runs on the calling thread. Parts without a thread of their own run on threads that have finished
 * theirs, so a part must not wait for another to start. Returns the number of threads, including
 * the calling one. */
int img_parallel_run(ImgTeam *team, int parts, ImgPartFunction *work, void *context);

/* Processes the items from `first` to before `end`. */
typedef void ImgRangeFunction(void *context, int64_t first, int64_t end);

/* Divides the numbers from 0 to count - 1 into one range for each of `threads` threads. Calls
 * `work` once for each range that is not empty. Lengths of ranges differ by at most one. As long as
 * threads are free, each keeps its range from call to call, so that the data is near its core or in
 * its cache. */
void img_parallel_for(ImgTeam *team, int threads, int64_t count, ImgRangeFunction *work,
                      void *context);

/* Work that runs while the calling thread does something else. */
typedef struct ImgHelpers ImgHelpers;

/* Starts `work` once for each of `parts` parts, none of them on the calling thread. Returns NULL,
 * without calling `work`, if no thread is available. */
ImgHelpers *img_helpers_start(ImgTeam *team, int parts, ImgPartFunction *work, void *context);

/* Returns the number of threads at work, at least 1. */
int img_helpers_count(const ImgHelpers *helpers);

/* Runs the parts that have not begun on the calling thread, waits until all are done, and frees
 * `helpers`. */
void img_helpers_finish(ImgHelpers *helpers);

#ifdef __cplusplus
}
#endif
#endif
