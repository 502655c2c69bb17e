#include "kernels/core/parallel/clock.h"

double img_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void img_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

struct timespec img_deadline_in(double seconds)
{
    const double day = 86400;
    const long second = 1000000000;
    struct timespec deadline;
    if (!(seconds > 0))
        seconds = 0;
    if (seconds > day)
        seconds = day;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += (time_t)seconds;
    deadline.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    deadline.tv_sec += deadline.tv_nsec / second;
    deadline.tv_nsec %= second;
    return deadline;
}
