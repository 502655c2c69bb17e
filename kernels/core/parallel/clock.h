/* Monotonic time, and waits on condition variables with a deadline. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_CLOCK_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_CLOCK_H

#include <pthread.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the seconds since a fixed but unspecified point in the past (monotonic clock). */
double img_clock(void);

/* Initialises a condition variable that uses the monotonic clock, as img_deadline_in does. */
void img_condition_init(pthread_cond_t *condition);

/* Returns the monotonic time `seconds` from now, for pthread_cond_timedwait. `seconds` is clamped
 * to the range from 0 to one day. */
struct timespec img_deadline_in(double seconds);

#ifdef __cplusplus
}
#endif

#endif
