/* Work on several threads. A team keeps its threads between pieces of work and starts them when
 * they are first needed. Its creator owns it and passes it to all functions that may use threads.
 * Any number of threads may use a team at the same time, including the team's own: each piece of
 * work gets separate threads.
 *
 * If the system refuses to create threads, the existing threads do all the work, without an
 * error. */
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
    size_t stack_bytes; /* stack size of each thread in bytes; 0 for the system's default */
    /* bytes of address space that must remain free when threads are started */
    uint64_t reserve_bytes;
    /* replacement for pthread_create in tests; NULL otherwise */
    int (*create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                  void *argument);
} ImgTeamConfig;

/* Stack size in bytes that suffices for all code in kernels/ and io/. */
enum { IMG_TEAM_STACK_BYTES = 1 << 20 };

/* Creates a team without starting threads. Returns NULL when memory is short. All functions accept
 * NULL as a team: they then start threads for each piece of work and end them with it. */
ImgTeam *img_team_create(const ImgTeamConfig *config);

/* Ends the team's threads and frees the team. All its work must have finished. Does nothing for
 * NULL. */
void img_team_free(ImgTeam *team);

/* Returns the largest number of threads that the system has so far refused to create for one piece
 * of work. */
int img_team_refused(ImgTeam *team);

/* Does one part of a piece of work. Parts are numbered from 0. */
typedef void ImgPartFunction(void *context, int part);

/* Calls `work` once for each of `parts` parts, at least 1, and returns when all are done. Part 0
 * runs on the calling thread. If threads are too few, a thread runs a further part after its own,
 * so a part must not wait for another one to start. Returns the number of threads used, including
 * the calling one. */
int img_parallel_run(ImgTeam *team, int parts, ImgPartFunction *work, void *context);

/* Processes the items from `first` up to but not including `end`. */
typedef void ImgRangeFunction(void *context, int64_t first, int64_t end);

/* Divides the numbers from 0 to count - 1 into one range for each of `threads` threads. Calls
 * `work` once for each range that is not empty. Lengths of ranges differ by at most one. A thread
 * usually gets the same range in the next call, so that the data is still in its cache or near its
 * core. */
void img_parallel_for(ImgTeam *team, int threads, int64_t count, ImgRangeFunction *work,
                      void *context);

/* A piece of work that runs while the calling thread does something else. */
typedef struct ImgHelpers ImgHelpers;

/* Starts to call `work` once for each of `parts` parts, none of them on the calling thread. Returns
 * NULL, without calling `work`, if no thread is available. */
ImgHelpers *img_helpers_start(ImgTeam *team, int parts, ImgPartFunction *work, void *context);

/* Returns the number of threads that work on `helpers`, at least 1. */
int img_helpers_count(const ImgHelpers *helpers);

/* Runs on the calling thread the parts that no thread has begun. Then waits until all parts are
 * done, and frees `helpers`. */
void img_helpers_finish(ImgHelpers *helpers);

#ifdef __cplusplus
}
#endif
#endif
