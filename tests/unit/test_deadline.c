/* Tests of deadlines in monotonic time, and of condition waits that end at them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "kernels/core/parallel/clock.h"

static double seconds_until(struct timespec deadline)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(deadline.tv_sec - now.tv_sec) + (double)(deadline.tv_nsec - now.tv_nsec) * 1e-9;
}

Test(deadline, deadlines_use_monotonic_time_and_have_a_maximum)
{
    static const struct {
        double wanted, least, most;
    } cases[] = {{0, -5, 0},        {-7, -5, 0},           {0.75, -5, 0.75},
                 {1.999999, -4, 2}, {86400, 86390, 86400}, {1e300, 86390, 86400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct timespec deadline = img_deadline_in(cases[i].wanted);
        double left = seconds_until(deadline);
        cr_expect(left >= cases[i].least && left <= cases[i].most, "%g: %g left", cases[i].wanted,
                  left);
        cr_expect(deadline.tv_nsec >= 0 && deadline.tv_nsec < 1000000000);
    }
}

/* The wait must use the monotonic clock. By the time of day the deadline is long past, so such a
 * wait would return at once. */
Test(deadline, a_condition_wait_ends_at_the_deadline)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never;
    img_condition_init(&never);
    struct timespec until = img_deadline_in(0.05);
    pthread_mutex_lock(&mutex);
    int result = 0;
    while (result == 0)
        result = pthread_cond_timedwait(&never, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    cr_expect_eq(result, ETIMEDOUT);
    cr_expect_leq(seconds_until(until), 0, "waited until then");
    pthread_cond_destroy(&never);
}
