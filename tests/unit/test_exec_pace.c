/* Workers that share a device: who gets a place on it, who waits for one, and what is learned. */
#include <criterion/criterion.h>
#include <unistd.h>

#include "kernels/core/exec/exec_pace.h"

TestSuite(exec_pace, .timeout = 60);

static const ImgCost SLOW_CPU = {.cpu = 1000, .cuda = 0.001, .applicable = true},
                     FAST_CPU = {.cpu = 0, .cuda = 1, .applicable = true};

static void fill(ImgPace *pace)
{
    for (int i = 0; i < IMG_PACE_PLACES; i++)
        cr_assert(img_pace_enter(pace, &FAST_CPU), "place %d", i);
}

Test(exec_pace, a_full_device_is_not_waited_for_where_the_cpu_is_sooner)
{
    ImgPace pace;
    img_pace_init(&pace);
    fill(&pace);
    cr_expect_not(img_pace_enter(&pace, &FAST_CPU));
    img_pace_leave(&pace, 1, 1);
    cr_expect(img_pace_enter(&pace, &FAST_CPU));
    cr_expect_not(img_pace_enter(&pace, &FAST_CPU));
    img_pace_destroy(&pace);
}

static void *leave_soon(void *pace)
{
    usleep(20000);
    img_pace_leave(pace, 1, 1);
    return NULL;
}

Test(exec_pace, it_is_waited_for_where_it_is_sooner)
{
    ImgPace pace;
    pthread_t thread;
    img_pace_init(&pace);
    fill(&pace);
    cr_assert_eq(pthread_create(&thread, NULL, leave_soon, &pace), 0);
    cr_expect(img_pace_enter(&pace, &SLOW_CPU));
    pthread_join(thread, NULL);
    cr_expect_eq(pace.under_way, IMG_PACE_PLACES);
    cr_expect_eq(pace.waiting, 0);
    img_pace_destroy(&pace);
}

/* One picture a second, 10 before it: it would be done in 11 seconds. The CPU has to be clearly
 * sooner: in less than half of that. */
Test(exec_pace, how_fast_it_is_counts_once_that_is_known)
{
    ImgPace pace;
    const ImgCost shorter = {.cpu = 5, .cuda = 0.001}, longer = {.cpu = 7, .cuda = 0.001};
    pthread_t thread;
    img_pace_init(&pace);
    fill(&pace);
    pace.done = 10;
    pace.since -= 10;
    cr_expect_not(img_pace_enter(&pace, &shorter));
    cr_assert_eq(pthread_create(&thread, NULL, leave_soon, &pace), 0);
    cr_expect(img_pace_enter(&pace, &longer));
    pthread_join(thread, NULL);
    img_pace_destroy(&pace);
}

Test(exec_pace, expectations_follow_what_was_measured)
{
    ImgPace pace;
    const ImgCost expected = {.cpu = 1, .cuda = 1};
    img_pace_init(&pace);
    for (int i = 0; i < 100; i++) {
        img_pace_note_cpu(&pace, 0.1, 0.3);
        cr_assert(img_pace_enter(&pace, &expected));
        img_pace_leave(&pace, 0.1, 0.05);
    }
    ImgCost cost = img_pace_scaled(&pace, &expected);
    cr_expect_float_eq(cost.cpu, 3, 0.01);
    cr_expect_float_eq(cost.cuda, 0.5, 0.01);
    cr_assert(img_pace_enter(&pace, &expected)); /* a failure tells nothing of how fast it is */
    img_pace_leave(&pace, 0.1, 0);
    cr_expect_float_eq(img_pace_scaled(&pace, &expected).cuda, 0.5, 0.01);
    img_pace_destroy(&pace);
}
