/* What `auto` expects of the codecs (app/sched/resources.c). */
#include <criterion/criterion.h>

#include "app/sched/resources.h"

static const ImgFormat GRAY = {IMG_COLOR_GRAY, 8}, RGB = {IMG_COLOR_RGB, 8};

static ImgEndsCost cost_of(int32_t width, int32_t height, ImgFormat format)
{
    const ImgShape shape = {width, height, format};
    return resources_codec_cost(shape, shape, true, false, 1);
}

enum { MICROSECONDS = 4000 /* that any picture takes on a GPU */ };

/* 36 MB at 500 MB and 8 GB a second: its 40,000 rows count for nothing. */
Test(codec_cost, of_an_ordinary_picture_its_bytes_count)
{
    const ImgEndsCost cost = cost_of(300, 40000, RGB);
    cr_expect_float_eq(cost.cpu, 36e6 / 500e6, 1e-9);
    cr_expect_float_eq(cost.cuda, 36e6 / 8e9 + MICROSECONDS * 1e-6, 1e-9);
}

/* Rows that wait for each other: 40 million, 11 million a second. */
Test(codec_cost, of_a_tall_and_narrow_picture_its_rows_count_on_a_gpu)
{
    const ImgEndsCost cost = cost_of(1, 40000000, GRAY);
    cr_expect_float_eq(cost.cuda, 40.0 / 11 + MICROSECONDS * 1e-6, 1e-9);
    cr_expect_gt(cost.cuda, cost.cpu);
}

/* Launches and waits take as long as the CPU takes for all of it. */
Test(codec_cost, a_small_picture_is_the_cpus)
{
    const ImgEndsCost cost = cost_of(577, 433, RGB), larger = cost_of(2000, 1500, RGB);
    cr_expect_gt(cost.cuda, cost.cpu);
    cr_expect_lt(larger.cuda, larger.cpu);
}
