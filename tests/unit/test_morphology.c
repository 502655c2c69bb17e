/* Tests of erode, dilate, open and close: values worked out by hand, comparison with the
 * definition, and properties of any picture, rectangle and border. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "kernels/window/border.h"

enum { MOST = 4096 };

static const char *const borders[] = {"replicate", "reflect", "wrap", "constant"};
static const ImgFormat GRAY = {IMG_COLOR_GRAY, 8};

typedef struct Options {
    const char *size, *border, *background;
} Options;

static void run(const char *name, Options options, ImgShape shape, const uint8_t *from, uint8_t *to)
{
    const ImgOp *op = NULL;
    ImgParams params;
    ImgShape result;
    ImgError err = {IMG_OK, ""};
    const size_t stride = (size_t)shape.width * img_format_pixel_size(shape.format);
    cr_assert_eq(img_op_find(name, &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "size", options.size, &err), IMG_OK, "%s",
                 err.message);
    if (options.border != NULL)
        cr_assert_eq(img_params_set(op, &params, "border", options.border, &err), IMG_OK);
    if (options.background != NULL)
        cr_assert_eq(img_params_set(op, &params, "background", options.background, &err), IMG_OK);
    cr_assert_eq(op->shape(shape, params.bytes, &result, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(memcmp(&result, &shape, sizeof shape), 0);
    ImgCall call = {.op = op,
                    .src = img_view_make((uint8_t *)from, stride, shape),
                    .dst = img_view_make(to, stride, shape),
                    .params = params.bytes,
                    .threads = 1};
    cr_assert_eq(op->impls[0].run(&call, &err), IMG_OK);
}

static void expect(const char *name, Options options, int32_t width, int32_t height,
                   const uint8_t *from, const uint8_t *expected)
{
    uint8_t to[64];
    run(name, options, (ImgShape){width, height, GRAY}, from, to);
    for (int32_t i = 0; i < width * height; i++)
        cr_expect_eq(to[i], expected[i], "%s %s %s: sample %d is %d, not %d", name, options.size,
                     options.border != NULL ? options.border : "", i, to[i], expected[i]);
}

Test(morphology, rows_match_values_worked_out_by_hand)
{
    static const uint8_t row[] = {5, 3, 7, 9, 4};
    expect("erode", (Options){.size = "3x1"}, 5, 1, row, (uint8_t[]){3, 3, 3, 4, 4});
    expect("dilate", (Options){.size = "3x1"}, 5, 1, row, (uint8_t[]){5, 7, 9, 9, 9});
    /* A rectangle with an even side extends one pixel further to the left. */
    expect("erode", (Options){.size = "2x1"}, 5, 1, row, (uint8_t[]){5, 3, 3, 7, 4});
    expect("dilate", (Options){.size = "2x1"}, 5, 1, row, (uint8_t[]){5, 5, 7, 9, 9});
    expect("erode", (Options){.size = "4x1"}, 5, 1, row, (uint8_t[]){3, 3, 3, 3, 4});
    /* The second step of open and close uses the mirrored rectangle, which extends one pixel
     * further to the right. So the result does not move. */
    expect("open", (Options){.size = "2x1"}, 5, 1, row, (uint8_t[]){5, 3, 7, 7, 4});
    expect("close", (Options){.size = "2x1"}, 5, 1, row, (uint8_t[]){5, 5, 7, 9, 9});
    expect("open", (Options){.size = "3x1"}, 5, 1, row, (uint8_t[]){3, 3, 4, 4, 4});
}

Test(morphology, borders_match_values_worked_out_by_hand)
{
    static const uint8_t row[] = {5, 3, 7, 9, 4};
    expect("erode", (Options){"5x1", "replicate", NULL}, 5, 1, row, (uint8_t[]){3, 3, 3, 3, 4});
    expect("dilate", (Options){"3x1", "wrap", NULL}, 5, 1, row, (uint8_t[]){5, 7, 9, 9, 9});
    expect("erode", (Options){"3x1", "wrap", NULL}, 5, 1, row, (uint8_t[]){3, 3, 3, 4, 4});
    expect("dilate", (Options){"2x1", "wrap", NULL}, 5, 1, row, (uint8_t[]){5, 5, 7, 9, 9});
    expect("dilate", (Options){"2x1", "reflect", NULL}, 5, 1, row, (uint8_t[]){5, 5, 7, 9, 9});
    expect("erode", (Options){"2x1", "reflect", NULL}, 5, 1, row, (uint8_t[]){3, 3, 3, 7, 4});
    expect("erode", (Options){"3x1", "constant", "#040404"}, 5, 1, row, (uint8_t[]){3, 3, 3, 4, 4});
    expect("erode", (Options){"3x1", "constant", "black"}, 5, 1, row, (uint8_t[]){0, 3, 3, 4, 0});
    expect("dilate", (Options){"3x1", "constant", "white"}, 5, 1, row,
           (uint8_t[]){255, 7, 9, 9, 255});
    /* The first step uses the background outside the picture. The second step ignores everything
     * outside the picture. */
    expect("open", (Options){"3x1", "constant", "black"}, 5, 1, row, (uint8_t[]){3, 3, 4, 4, 4});
    expect("close", (Options){"3x1", "constant", "white"}, 5, 1, row, (uint8_t[]){7, 7, 7, 9, 9});
}

Test(morphology, rectangles_match_values_worked_out_by_hand)
{
    static const uint8_t picture[] = {
        9, 9, 9, 9, /**/
        9, 1, 9, 9, /**/
        9, 9, 9, 2, /**/
    };
    expect("erode", (Options){.size = "2x3"}, 4, 3, picture,
           (uint8_t[]){9, 1, 1, 9, 9, 1, 1, 2, 9, 1, 1, 2});
    expect("erode", (Options){.size = "1x2"}, 4, 3, picture,
           (uint8_t[]){9, 9, 9, 9, 9, 1, 9, 9, 9, 1, 9, 2});
    expect("erode", (Options){.size = "3"}, 4, 3, picture,
           (uint8_t[]){1, 1, 1, 9, 1, 1, 1, 2, 1, 1, 1, 2});
    expect("erode", (Options){.size = "x3"}, 4, 3, picture,
           (uint8_t[]){1, 1, 1, 9, 1, 1, 1, 2, 1, 1, 1, 2});
    expect("erode", (Options){.size = "1023"}, 4, 3, picture,
           (uint8_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    expect("close", (Options){.size = "2x2"}, 4, 3, picture,
           (uint8_t[]){9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9});
}

Test(morphology, channels_are_independent_and_16_bit_samples_whole)
{
    static const uint8_t pixels[] = {1, 20, 30, 200, 4, 10, 60, 100, 2, 30, 10, 255};
    uint8_t to[12];
    run("erode", (Options){.size = "3"}, (ImgShape){3, 1, {IMG_COLOR_RGBA, 8}}, pixels, to);
    cr_expect_eq(memcmp(to, (uint8_t[]){1, 10, 30, 100, 1, 10, 10, 100, 2, 10, 10, 100}, sizeof to),
                 0);
    static const uint16_t samples[] = {0x01ff, 0x0200, 0xff00};
    uint16_t wide[3];
    run("dilate", (Options){.size = "2x1"}, (ImgShape){3, 1, {IMG_COLOR_GRAY, 16}},
        (const uint8_t *)samples, (uint8_t *)wide);
    cr_expect_eq(memcmp(wide, (uint16_t[]){0x01ff, 0x0200, 0xff00}, sizeof wide), 0);
}

Test(morphology, a_size_in_percent_is_rejected)
{
    const ImgOp *op = NULL;
    ImgParams params;
    ImgShape result;
    ImgError err = {IMG_OK, ""};
    img_op_find("open", &op, NULL);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "size", "50%", NULL), IMG_OK);
    cr_expect_eq(op->shape((ImgShape){4, 4, GRAY}, params.bytes, &result, &err), IMG_E_USAGE);
    cr_expect(strstr(err.message, "use WxH") != NULL, "%s", err.message);
    cr_expect_eq(img_params_set(op, &params, "size", "1024", NULL), IMG_E_USAGE);
}

/* --- Random pictures -------------------------------------------------------------------------- */

static uint32_t state = 1;

static uint32_t random_below(uint32_t bound)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
}

typedef struct Trial {
    ImgShape shape;
    int32_t width, height; /* size of the rectangle in pixels */
    Options options;
    char size[32];
    uint8_t source[MOST], result[MOST], again[MOST];
    int32_t samples;
} Trial;

/* Makes trial `number`: a random picture with sides of 1 to 12 pixels, a border mode, and a
 * rectangle whose sides may be three times as long. */
static void draw(Trial *trial, int number)
{
    trial->shape = (ImgShape){1 + (int32_t)random_below(12), 1 + (int32_t)random_below(12), GRAY};
    trial->samples = trial->shape.width * trial->shape.height;
    trial->width = 1 + (int32_t)random_below(number % 3 == 0 ? 36 : 6);
    trial->height = 1 + (int32_t)random_below(number % 3 == 0 ? 36 : 6);
    snprintf(trial->size, sizeof trial->size, "%dx%d", trial->width, trial->height);
    trial->options = (Options){trial->size, borders[number % 4], "#505050"};
    for (int32_t i = 0; i < trial->samples; i++)
        trial->source[i] = (uint8_t)(number % 2 == 0 ? random_below(256) : 255 * random_below(2));
}

static void invert(uint8_t *samples, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        samples[i] = (uint8_t)(255 - samples[i]);
}

/* Returns the minimum of all samples of the rectangle around (x, y), by the definition. Positions
 * outside the picture follow the border mode. */
static uint8_t least_around(const Trial *trial, int32_t x, int32_t y, int32_t border)
{
    int32_t least = 255;
    for (int32_t v = y - trial->height / 2; v < y - trial->height / 2 + trial->height; v++)
        for (int32_t u = x - trial->width / 2; u < x - trial->width / 2 + trial->width; u++) {
            const int32_t column = img_border_place(u, trial->shape.width, border);
            const int32_t row = img_border_place(v, trial->shape.height, border);
            const int32_t sample =
                column < 0 || row < 0 ? 0x50 : trial->source[row * trial->shape.width + column];
            least = sample < least ? sample : least;
        }
    return (uint8_t)least;
}

Test(morphology, erode_matches_its_definition)
{
    Trial trial;
    for (int number = 0; number < 400; number++) {
        draw(&trial, number);
        run("erode", trial.options, trial.shape, trial.source, trial.result);
        for (int32_t i = 0; i < trial.samples; i++)
            cr_assert_eq(trial.result[i], least_around(&trial, i % trial.shape.width,
                                                       i / trial.shape.width, number % 4));
    }
}

Test(morphology, dilate_is_erode_of_the_inverse)
{
    static const char *const pairs[][2] = {{"erode", "dilate"}, {"open", "close"}};
    Trial trial;
    for (int number = 0; number < 400; number++) {
        draw(&trial, number);
        run(pairs[number / 4 % 2][0], trial.options, trial.shape, trial.source, trial.result);
        invert(trial.source, trial.samples);
        trial.options.background = "#afafaf";
        run(pairs[number / 4 % 2][1], trial.options, trial.shape, trial.source, trial.again);
        invert(trial.again, trial.samples);
        cr_assert_eq(memcmp(trial.result, trial.again, (size_t)trial.samples), 0);
    }
}

Test(morphology, open_is_never_brighter_and_close_never_darker)
{
    Trial trial;
    for (int number = 0; number < 800; number++) {
        draw(&trial, number);
        run("open", trial.options, trial.shape, trial.source, trial.result);
        run("close", trial.options, trial.shape, trial.source, trial.again);
        for (int32_t i = 0; i < trial.samples; i++) {
            cr_assert_leq(trial.result[i], trial.source[i], "%s %s", trial.size,
                          trial.options.border);
            cr_assert_geq(trial.again[i], trial.source[i], "%s %s", trial.size,
                          trial.options.border);
        }
    }
}

Test(morphology, repeating_open_or_close_changes_nothing)
{
    Trial trial;
    for (int number = 0; number < 800; number++) {
        const char *name = number / 4 % 2 == 0 ? "open" : "close";
        draw(&trial, number);
        run(name, trial.options, trial.shape, trial.source, trial.result);
        run(name, trial.options, trial.shape, trial.result, trial.again);
        cr_assert_eq(memcmp(trial.result, trial.again, (size_t)trial.samples), 0,
                     "%s %s %s of %d x %d", name, trial.size, trial.options.border,
                     trial.shape.width, trial.shape.height);
    }
}

Test(morphology, twice_3x3_equals_5x5_and_1x1_is_a_copy)
{
    Trial trial;
    for (int number = 0; number < 100; number++) {
        const char *name = number / 4 % 2 == 0 ? "erode" : "dilate";
        draw(&trial, number);
        trial.options.size = "3";
        run(name, trial.options, trial.shape, trial.source, trial.result);
        run(name, trial.options, trial.shape, trial.result, trial.again);
        trial.options.size = "5";
        run(name, trial.options, trial.shape, trial.source, trial.result);
        cr_assert_eq(memcmp(trial.result, trial.again, (size_t)trial.samples), 0, "%s",
                     trial.options.border);
        trial.options.size = "1";
        run(name, trial.options, trial.shape, trial.source, trial.result);
        cr_assert_eq(memcmp(trial.result, trial.source, (size_t)trial.samples), 0);
    }
}
