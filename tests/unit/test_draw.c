/* Tests of the random parameter values that checkkernels draws, for every type of parameter. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checkkernels/fill.h"

enum { DRAWS = 5000 };

static const ImgShape shape = {30, 20, {IMG_COLOR_RGB, 8}};

static ImgOp op_of(const ImgParam *param)
{
    return (ImgOp){.name = "example", .params = param, .params_size = IMG_PARAMS_SIZE};
}

/* Draws a value and checks that the parameter accepts it. */
static ImgParams draw(const ImgParam *param, Random *random, char text[IMG_PARAM_TEXT])
{
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    ImgOp op = op_of(param);
    img_params_init(&op, &params);
    draw_value(param, shape, &params, random, text);
    cr_assert_eq(img_params_set(&op, &params, param->name, text, &err), IMG_OK, "%s", err.message);
    return params;
}

static int32_t draw_scalar(const ImgParam *param, Random *random)
{
    char text[IMG_PARAM_TEXT];
    int32_t value;
    ImgParams params = draw(param, random, text);
    memcpy(&value, params.bytes, sizeof value);
    return value;
}

Test(draw, numbers_have_both_signs)
{
    static const ImgParamType types[] = {IMG_PARAM_INT, IMG_PARAM_DECIMAL};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const ImgParam param[] = {
            {.name = "value", .type = types[t], .default_value = "0", .min = -2500, .max = 1500},
            {.name = NULL}};
        Random random = random_start(1, t);
        int least = 0, small = 0, large = 0;
        for (int i = 0; i < DRAWS; i++) {
            int32_t value = draw_scalar(param, &random);
            least += value == -2500;
            small += value < 0 && value > -1000;
            large += value > 0;
        }
        cr_expect_gt(least, DRAWS / 5, "the least is one of four");
        cr_expect_gt(small, DRAWS / 20);
        cr_expect_gt(large, DRAWS / 20);
    }
}

Test(draw, numbers_cover_the_whole_range)
{
    static const ImgParamType types[] = {IMG_PARAM_INT, IMG_PARAM_DECIMAL};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const ImgParam param[] = {{.name = "value",
                                   .type = types[t],
                                   .default_value = "0",
                                   .min = INT32_MIN,
                                   .max = INT32_MAX},
                                  {.name = NULL}};
        Random random = random_start(2, t);
        bool negative = false, positive = false;
        for (int i = 0; i < DRAWS; i++) {
            int32_t value = draw_scalar(param, &random);
            negative |= value < 0 && value > INT32_MIN;
            positive |= value > 0;
        }
        cr_expect(negative && positive);
    }
}

Test(draw, numbers_can_be_all_negative)
{
    const ImgParam param[] = {{.name = "value",
                               .type = IMG_PARAM_INT,
                               .default_value = "-2000",
                               .min = -200000,
                               .max = -2000},
                              {.name = NULL}};
    Random random = random_start(7, 0);
    bool more = false;
    for (int i = 0; i < DRAWS; i++)
        more |= draw_scalar(param, &random) > -190000;
    cr_expect(more);
}

Test(draw, colours_have_and_lack_alpha)
{
    const ImgParam param[] = {{.name = "color", .type = IMG_PARAM_COLOR, .default_value = "black"},
                              {.name = NULL}};
    Random random = random_start(3, 0);
    char text[IMG_PARAM_TEXT];
    int none = 0, opaque = 0, some = 0;
    for (int i = 0; i < DRAWS; i++) {
        ImgRgba color;
        ImgParams params = draw(param, &random, text);
        memcpy(&color, params.bytes, sizeof color);
        none += color.alpha == 0;
        opaque += color.alpha == 65535;
        some += color.alpha > 0 && color.alpha < 65535;
    }
    cr_expect(none > DRAWS / 5 && opaque > DRAWS / 5 && some > DRAWS / 3);
}

static void draw_lists(const char *default_value, int counts[IMG_NUMBERS_MAX + 1])
{
    const ImgParam param[] = {{.name = "matrix",
                               .type = IMG_PARAM_NUMBERS,
                               .default_value = default_value,
                               .min = -2000000,
                               .max = 2000000},
                              {.name = NULL}};
    Random random = random_start(4, 0);
    char text[IMG_PARAM_TEXT];
    for (int i = 0; i < DRAWS; i++) {
        ImgNumbers numbers;
        ImgParams params = draw(param, &random, text);
        memcpy(&numbers, params.bytes, sizeof numbers);
        counts[numbers.count]++;
    }
}

Test(draw, lists_have_every_length_and_often_the_default_one)
{
    int counts[IMG_NUMBERS_MAX + 1] = {0};
    draw_lists("", counts);
    for (int i = 1; i <= IMG_NUMBERS_MAX; i++)
        cr_expect(counts[i] > DRAWS / 40 && counts[i] < DRAWS / 10, "%d", i);
    draw_lists("1,0,0,0,1,0,0,0,1", counts);
    cr_expect_gt(counts[9], DRAWS / 2);
}

Test(draw, sizes_have_every_form_and_a_bounded_area)
{
    const ImgParam param[] = {
        {.name = "size", .type = IMG_PARAM_SIZE, .default_value = "", .min = 1, .max = INT32_MAX},
        {.name = NULL}};
    Random random = random_start(5, 0);
    char text[IMG_PARAM_TEXT];
    int both = 0, width = 0, height = 0, share = 0;
    for (int i = 0; i < DRAWS; i++) {
        ImgSize size;
        ImgParams params = draw(param, &random, text);
        memcpy(&size, params.bytes, sizeof size);
        cr_assert(size.width <= 60 && size.height <= 40 && size.share <= 200000, "%s", text);
        both += size.width > 0 && size.height > 0;
        width += size.width > 0 && size.height == 0;
        height += size.width == 0 && size.height > 0;
        share += size.share > 0;
    }
    cr_expect(both > DRAWS / 5 && width > DRAWS / 5 && height > DRAWS / 5 && share > DRAWS / 5);
}

Test(draw, the_smallest_size_may_exceed_twice_the_picture)
{
    const ImgParam param[] = {
        {.name = "size", .type = IMG_PARAM_SIZE, .default_value = "", .min = 100, .max = 200},
        {.name = NULL}};
    Random random = random_start(6, 0);
    char text[IMG_PARAM_TEXT];
    for (int i = 0; i < DRAWS; i++)
        draw(param, &random, text);
}
