/* Tests of workers that share a device: which of them use it at once, which wait, and how expected
 * times adapt to measured times. */
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

Test(exec_pace, a_worker_skips_a_full_device_if_the_cpu_is_faster)
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

Test(exec_pace, a_worker_waits_for_a_full_device_that_is_faster)
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

/* The device processes one picture per second, and 10 pictures are before this one, so it would
 * finish in 11 seconds. The CPU is chosen only if it takes less than half of that time. */
Test(exec_pace, the_measured_speed_of_the_device_decides)
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

/* The first pictures take longer than later ones, because kernels are loaded and memory is
 * allocated. */
Test(exec_pace, the_first_pictures_on_a_device_are_not_measured)
{
    ImgPace pace;
    const ImgCost expected = {.cpu = 1, .cuda = 1};
    img_pace_init(&pace);
    for (int i = 0; i < IMG_PACE_PLACES; i++) {
        cr_assert(img_pace_enter(&pace, &expected));
        img_pace_leave(&pace, 0.1, 5);
        cr_expect_float_eq(img_pace_scaled(&pace, &expected).cuda, 1, 0);
        cr_expect_eq(pace.done, 0);
    }
    cr_assert(img_pace_enter(&pace, &expected));
    img_pace_leave(&pace, 0.1, 5);
    cr_expect_gt(img_pace_scaled(&pace, &expected).cuda, 10);
    cr_expect_eq(pace.done, 1);
    img_pace_destroy(&pace);
}

Test(exec_pace, expected_times_follow_the_measured_ones)
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
    /* A failed run must not change the measured speed. */
    cr_assert(img_pace_enter(&pace, &expected));
    img_pace_leave(&pace, 0.1, 0);
    cr_expect_float_eq(img_pace_scaled(&pace, &expected).cuda, 0.5, 0.01);
    img_pace_destroy(&pace);
}
