/* A condition variable for short waits: a thread that waits polls before it sleeps. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_POLLED_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_POLLED_H

#include <pthread.h>
#include <stdatomic.h>

/* A condition with a mutex. The caller must hold that mutex in img_polled_wait, _signal and
 * _broadcast. */
typedef struct ImgPolled {
    pthread_cond_t wake;
    atomic_int signals; /* number of signals; it wraps around */
    int waiting;        /* number of threads in img_polled_wait */
    int asleep;         /* number of these threads that sleep and no longer poll */
} ImgPolled;

void img_polled_init(ImgPolled *polled);
void img_polled_destroy(ImgPolled *polled);

/* Returns after a signal. Another thread may have been faster, so the caller must check its
 * condition again. */
void img_polled_wait(ImgPolled *polled, pthread_mutex_t *mutex);

/* Wakes all threads that poll, and one that sleeps. */
void img_polled_signal(ImgPolled *polled);

/* Wakes all threads that wait. */
void img_polled_broadcast(ImgPolled *polled);

#endif
