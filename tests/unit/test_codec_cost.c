/* Tests of the times that `--backend auto` expects for PNG decoding and encoding
 * (app/engine/share/resources.c). */
#include <criterion/criterion.h>

#include "app/engine/share/resources.h"

static const ImgFormat GRAY = {IMG_COLOR_GRAY, 8}, RGB = {IMG_COLOR_RGB, 8};

static ImgEndsCost cost_of(int32_t width, int32_t height, ImgFormat format)
{
    const ImgShape shape = {width, height, format};
    return img_resources_codec_cost(shape, shape, true, false, 1);
}

enum { MICROSECONDS = 4000 /* fixed time of any picture on a GPU, in microseconds */ };

/* The picture has 36 MB. The CPU takes 500 MB/s and the GPU 8 GB/s. Its 40,000 rows are too few to
 * matter. */
Test(codec_cost, an_ordinary_picture_costs_by_its_bytes)
{
    const ImgEndsCost cost = cost_of(300, 40000, RGB);
    cr_expect_float_eq(cost.cpu, 36e6 / 500e6, 1e-9);
    cr_expect_float_eq(cost.cuda, 36e6 / 8e9 + MICROSECONDS * 1e-6, 1e-9);
}

/* The picture has 40 million rows. Each row depends on the row above, so the GPU decodes only 11
 * million rows per second. */
Test(codec_cost, a_tall_narrow_picture_costs_by_its_rows_on_a_gpu)
{
    const ImgEndsCost cost = cost_of(1, 40000000, GRAY);
    cr_expect_float_eq(cost.cuda, 40.0 / 11 + MICROSECONDS * 1e-6, 1e-9);
    cr_expect_gt(cost.cuda, cost.cpu);
}

/* For a small picture the fixed time of the GPU alone exceeds the time of the CPU. */
Test(codec_cost, a_small_picture_is_faster_on_the_cpu)
{
    const ImgEndsCost cost = cost_of(577, 433, RGB), larger = cost_of(2000, 1500, RGB);
    cr_expect_gt(cost.cuda, cost.cpu);
    cr_expect_lt(larger.cuda, larger.cpu);
}
