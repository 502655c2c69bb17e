/* Time by the clock that nobody sets, and waiting for a condition, but not for ever. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_CLOCK_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_CLOCK_H

#include <pthread.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Monotonic seconds since some point in the past. */
double img_clock(void);

/* A condition for pthread_cond_timedwait with a deadline. */
void img_condition_init(pthread_cond_t *condition);

/* So many seconds from now; at most a day, at least now. */
struct timespec img_deadline_in(double seconds);

#ifdef __cplusplus
}
#endif

#endif
