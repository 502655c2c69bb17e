/* Monotonic time, and condition waits with a deadline. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_CLOCK_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_CLOCK_H

#include <pthread.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns monotonic seconds since some point in the past. */
double img_clock(void);

/* Initialises a condition for pthread_cond_timedwait with img_deadline_in. */
void img_condition_init(pthread_cond_t *condition);

/* Returns the time `seconds` from now, clamped to the range from now to one day. */
struct timespec img_deadline_in(double seconds);

#ifdef __cplusplus
}
#endif

#endif
