#include "kernels/core/parallel/polled.h"

#include <sched.h>
#include <stdbool.h>

#include "kernels/core/parallel/clock.h"
#include "kernels/core/parallel/parallel_priv.h"

/* How long a waiting thread polls before it sleeps. Work often comes in quick succession, and
 * waking a thread takes 5 to 50 microseconds. The thread keeps its processor for KEEP_SECONDS, and
 * then yields it repeatedly until SPIN_SECONDS have passed. */
static const double KEEP_SECONDS = 20e-6, SPIN_SECONDS = 200e-6;

static void pause_briefly(void)
{
#ifdef IMGTOOL_X86
    __builtin_ia32_pause();
#endif
}

bool img_spin_while(const atomic_int *value, int same)
{
    enum { LOOKS = 32 };
    double start = img_clock(), gone = 0;
    while (gone < SPIN_SECONDS) {
        for (int i = 0; i < LOOKS; i++) {
            if (atomic_load_explicit(value, memory_order_relaxed) != same)
                return true;
            pause_briefly();
        }
        gone = img_clock() - start;
        if (gone > KEEP_SECONDS)
            sched_yield();
    }
    return false;
}

void img_polled_init(ImgPolled *polled)
{
    pthread_cond_init(&polled->wake, NULL);
    atomic_init(&polled->signals, 0);
    polled->waiting = polled->asleep = 0;
}

void img_polled_destroy(ImgPolled *polled)
{
    pthread_cond_destroy(&polled->wake);
}

void img_polled_wait(ImgPolled *polled, pthread_mutex_t *mutex)
{
    const int before = atomic_load(&polled->signals);
    polled->waiting++;
    pthread_mutex_unlock(mutex);
    (void)img_spin_while(&polled->signals, before);
    pthread_mutex_lock(mutex);
    polled->asleep++;
    while (atomic_load(&polled->signals) == before)
        pthread_cond_wait(&polled->wake, mutex);
    polled->asleep--;
    polled->waiting--;
}

/* The counter may wrap around: overflow of an atomic integer is defined. */
static void count_signal(ImgPolled *polled)
{
    (void)atomic_fetch_add(&polled->signals, 1);
}

void img_polled_signal(ImgPolled *polled)
{
    count_signal(polled);
    if (polled->asleep > 0)
        pthread_cond_signal(&polled->wake);
}

void img_polled_broadcast(ImgPolled *polled)
{
    count_signal(polled);
    if (polled->asleep > 0)
        pthread_cond_broadcast(&polled->wake);
}
