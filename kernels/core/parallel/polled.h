/* A condition variable for short waits: a waiting thread polls for a while before it sleeps. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_POLLED_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_POLLED_H

#include <pthread.h>
#include <stdatomic.h>

/* A condition variable. The caller must hold the mutex that protects the condition in
 * img_polled_wait, img_polled_signal and img_polled_broadcast. */
typedef struct ImgPolled {
    pthread_cond_t wake;
    atomic_int signals; /* number of signals sent; it wraps around */
    int waiting;        /* number of threads inside img_polled_wait */
    int asleep;         /* number of threads that sleep in img_polled_wait and no longer poll */
} ImgPolled;

void img_polled_init(ImgPolled *polled);
void img_polled_destroy(ImgPolled *polled);

/* Releases `mutex`, waits for a signal and locks `mutex` again. Another thread may have acted
 * first, so the caller must check its condition again. */
void img_polled_wait(ImgPolled *polled, pthread_mutex_t *mutex);

/* Wakes all threads that poll, and one thread that sleeps. */
void img_polled_signal(ImgPolled *polled);

/* Wakes all threads that wait, whether they poll or sleep. */
void img_polled_broadcast(ImgPolled *polled);

#endif
