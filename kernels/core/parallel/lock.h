/* Mutexes that are held for less than a microsecond. */
#ifndef IMGTOOL_KERNELS_CORE_PARALLEL_LOCK_H
#define IMGTOOL_KERNELS_CORE_PARALLEL_LOCK_H

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Initialises a mutex. A thread that finds it locked tries again for a short time before it sleeps,
 * if the C library supports that. To sleep and to be woken takes some 30 us on a virtual machine
 * with 16 cores, where threads of a batch of small pictures lock such a mutex every 10 us. */
void img_lock_init(pthread_mutex_t *mutex);

#ifdef __cplusplus
}
#endif

#endif
