/* The times of PNG decoding and encoding that `--backend auto` expects (app/sched/resources.c). */
#include <criterion/criterion.h>

#include "app/sched/resources.h"

static const ImgFormat GRAY = {IMG_COLOR_GRAY, 8}, RGB = {IMG_COLOR_RGB, 8};

static ImgEndsCost cost_of(int32_t width, int32_t height, ImgFormat format)
{
    const ImgShape shape = {width, height, format};
    return resources_codec_cost(shape, shape, true, false, 1);
}

enum { MICROSECONDS = 4000 /* fixed time that any picture takes on a GPU */ };

/* 36 MB at 500 MB/s on the CPU and at 8 GB/s on the GPU. Its 40,000 rows are too few to matter. */
Test(codec_cost, an_ordinary_picture_costs_by_its_bytes)
{
    const ImgEndsCost cost = cost_of(300, 40000, RGB);
    cr_expect_float_eq(cost.cpu, 36e6 / 500e6, 1e-9);
    cr_expect_float_eq(cost.cuda, 36e6 / 8e9 + MICROSECONDS * 1e-6, 1e-9);
}

/* 40 million rows, each of which depends on the row above, at 11 million rows per second. */
Test(codec_cost, a_tall_narrow_picture_costs_by_its_rows_on_a_gpu)
{
    const ImgEndsCost cost = cost_of(1, 40000000, GRAY);
    cr_expect_float_eq(cost.cuda, 40.0 / 11 + MICROSECONDS * 1e-6, 1e-9);
    cr_expect_gt(cost.cuda, cost.cpu);
}

/* For a small picture the launches and waits of the GPU alone take as long as all the work on the
 * CPU. */
Test(codec_cost, a_small_picture_is_faster_on_the_cpu)
{
    const ImgEndsCost cost = cost_of(577, 433, RGB), larger = cost_of(2000, 1500, RGB);
    cr_expect_gt(cost.cuda, cost.cpu);
    cr_expect_lt(larger.cuda, larger.cpu);
}
