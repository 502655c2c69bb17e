/* Tests of median: values worked out by hand, comparison with sorting, and properties of any
 * median, for every CPU implementation. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/sample.h"
#include "kernels/core/select.h"
#include "kernels/median/median_rows.h"
#include "kernels/registry.h"

enum { MOST = 1 << 15 };

typedef struct Options {
    int radius;
    const char *border, *background;
} Options;

static void set_options(const ImgOp *op, Options options, ImgParams *params)
{
    char radius[16];
    ImgError err = {IMG_OK, ""};
    snprintf(radius, sizeof radius, "%d", options.radius);
    img_params_init(op, params);
    cr_assert_eq(img_params_set(op, params, "radius", radius, &err), IMG_OK, "%s", err.message);
    if (options.border != NULL)
        cr_assert_eq(img_params_set(op, params, "border", options.border, &err), IMG_OK);
    if (options.background != NULL)
        cr_assert_eq(img_params_set(op, params, "background", options.background, &err), IMG_OK);
}

/* Runs all CPU implementations and expects equal results. `out` gets the result. */
static void median(ImgShape shape, Options options, const void *in, void *out)
{
    const ImgOp *op;
    ImgParams params;
    ImgShape result;
    const size_t row = (size_t)shape.width * img_format_pixel_size(shape.format);
    const size_t size = row * (size_t)shape.height;
    bool first = true;
    cr_assert_eq(img_op_find("median", &op, NULL), IMG_OK);
    set_options(op, options, &params);
    cr_assert_eq(op->shape(shape, params.bytes, &result, NULL), IMG_OK);
    cr_assert_eq(memcmp(&result, &shape, sizeof shape), 0);
    cr_assert_leq(size, MOST);
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++) {
        static uint8_t got[MOST];
        if (impl->backend != IMG_BACKEND_CPU || !img_impl_usable(impl))
            continue;
        ImgCall call = {.op = op,
                        .src = img_view_make((uint8_t *)in, row, shape),
                        .dst = img_view_make(got, row, shape),
                        .params = params.bytes,
                        .threads = 2};
        cr_assert_eq(impl->run(&call, NULL), IMG_OK);
        if (first)
            memcpy(out, got, size);
        cr_expect_eq(memcmp(out, got, size), 0, "%s, radius %d", impl->name, options.radius);
        first = false;
    }
}

static ImgShape gray(int32_t width, int32_t height, int bits)
{
    return (ImgShape){width, height, {IMG_COLOR_GRAY, bits}};
}

static void expect_bytes(const uint8_t *got, const uint8_t *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(got[i], expected[i], "place %zu: %d, not %d", i, got[i], expected[i]);
}

static const uint8_t SQUARE[] = {
    1, 2, 3, /**/
    4, 5, 6, /**/
    7, 8, 9,
};

/* The window of the top left corner, with replicated edges, is 1 1 2, 1 1 2, 4 4 5. Sorted it is 1
 * 1 1 1 2 2 4 4 5, so the median is 2. */
Test(median, replicate_matches_values_worked_out_by_hand)
{
    uint8_t out[9];
    median(gray(3, 3, 8), (Options){1, "replicate", NULL}, SQUARE, out);
    expect_bytes(out, (uint8_t[]){2, 3, 3, 4, 5, 6, 7, 7, 8}, 9);
}

/* The window of the top left corner, with reflected edges, is 5 4 5, 2 1 2, 5 4 5. */
Test(median, reflect_matches_values_worked_out_by_hand)
{
    uint8_t out[9];
    median(gray(3, 3, 8), (Options){1, "reflect", NULL}, SQUARE, out);
    expect_bytes(out, (uint8_t[]){4, 4, 5, 5, 5, 5, 5, 6, 6}, 9);
}

/* With wrapping, every window of 3 x 3 contains the whole picture. */
Test(median, wrap_matches_values_worked_out_by_hand)
{
    uint8_t out[9];
    median(gray(3, 3, 8), (Options){1, "wrap", NULL}, SQUARE, out);
    expect_bytes(out, (uint8_t[]){5, 5, 5, 5, 5, 5, 5, 5, 5}, 9);
}

/* In a corner five samples of the window lie in the background, and at an edge three. They are 0
 * with a black background and 255 with a white one. */
Test(median, constant_matches_values_worked_out_by_hand)
{
    uint8_t out[9];
    median(gray(3, 3, 8), (Options){1, "constant", "black"}, SQUARE, out);
    expect_bytes(out, (uint8_t[]){0, 2, 0, 2, 5, 3, 0, 5, 0}, 9);
    median(gray(3, 3, 8), (Options){1, "constant", "white"}, SQUARE, out);
    expect_bytes(out, (uint8_t[]){255, 5, 255, 7, 5, 8, 255, 8, 255}, 9);
}

Test(median, channels_are_filtered_independently)
{
    const uint8_t in[] = {10, 200, 1, 3, 30, 100, 2, 255, 20, 150, 9, 7};
    uint8_t out[12];
    median((ImgShape){3, 1, {IMG_COLOR_RGBA, 8}}, (Options){1, NULL, NULL}, in, out);
    expect_bytes(out, (uint8_t[]){10, 200, 1, 3, 20, 150, 2, 7, 20, 150, 9, 7}, 12);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void fill(ImgShape shape, uint32_t seed, uint32_t spread, uint8_t *samples)
{
    const int channels = img_format_channels(shape.format);
    const uint32_t maximum = img_format_maximum(shape.format);
    for (int32_t i = 0; i < shape.width * shape.height * channels; i++)
        img_sample_set(samples, (size_t)i, shape.format.bits,
                       next_random(&seed) % (spread < maximum ? spread + 1 : maximum + 1));
}

static int by_value(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* Returns the median by its definition: sorts the samples of a window, with replicated edges, and
 * takes the middle one. */
static uint32_t sorted_middle(ImgShape shape, const uint8_t *in, int32_t x, int32_t y, int channel,
                              int radius)
{
    uint16_t window[51 * 51];
    const int channels = img_format_channels(shape.format);
    size_t count = 0;
    for (int32_t j = y - radius; j <= y + radius; j++)
        for (int32_t i = x - radius; i <= x + radius; i++) {
            const int32_t column = i < 0 ? 0 : i < shape.width ? i : shape.width - 1;
            const int32_t row = j < 0 ? 0 : j < shape.height ? j : shape.height - 1;
            const int32_t place = (row * shape.width + column) * channels + channel;
            window[count++] = (uint16_t)img_sample(in, (size_t)place, shape.format.bits);
        }
    qsort(window, count, sizeof *window, by_value);
    return window[count / 2];
}

static void expect_sorted_middles(ImgShape shape, int radius, uint32_t spread)
{
    static uint8_t in[MOST], out[MOST];
    const int channels = img_format_channels(shape.format);
    fill(shape, (uint32_t)(radius * 31 + shape.width), spread, in);
    median(shape, (Options){radius, NULL, NULL}, in, out);
    for (int32_t i = 0; i < shape.width * shape.height * channels; i++) {
        const int32_t pixel = i / channels, x = pixel % shape.width, y = pixel / shape.width;
        cr_assert_eq(img_sample(out, (size_t)i, shape.format.bits),
                     sorted_middle(shape, in, x, y, i % channels, radius), "radius %d, at %d, %d",
                     radius, x, y);
    }
}

Test(median, results_equal_those_of_sorting)
{
    for (int radius = 1; radius <= 25; radius++) {
        expect_sorted_middles(gray(19, 7, 8), radius, 255);
        expect_sorted_middles(gray(19, 7, 16), radius, 65535);
    }
    expect_sorted_middles((ImgShape){9, 11, {IMG_COLOR_RGB, 8}}, 3, 255);
    expect_sorted_middles((ImgShape){9, 11, {IMG_COLOR_RGBA, 16}}, 12, 65535);
    expect_sorted_middles((ImgShape){7, 5, {IMG_COLOR_GRAY_ALPHA, 8}}, 20, 255);
}

/* Many samples have the same upper byte. The lower bytes are then counted for more than one window
 * at a time. */
Test(median, results_equal_those_of_sorting_for_similar_samples)
{
    expect_sorted_middles(gray(40, 9, 16), 14, 300);
    expect_sorted_middles(gray(40, 9, 16), 25, 3);
    expect_sorted_middles(gray(40, 9, 8), 25, 17);
}

Test(median, windows_larger_than_the_picture)
{
    for (int32_t width = 1; width <= 3; width++)
        for (int32_t height = 1; height <= 3; height++) {
            expect_sorted_middles(gray(width, height, 8), 1, 255);
            expect_sorted_middles(gray(width, height, 16), 25, 65535);
        }
}

Test(median, samples_of_few_bits_keep_their_depth)
{
    expect_sorted_middles(gray(13, 5, 1), 2, 1);
    expect_sorted_middles(gray(13, 5, 2), 9, 3);
    expect_sorted_middles(gray(13, 5, 4), 1, 15);
}

/* The picture is wider than a tile, and several threads work on it. */
Test(median, tiles_match_at_their_borders)
{
    expect_sorted_middles(gray(1700, 9, 8), 2, 255);
    expect_sorted_middles(gray(1700, 5, 16), 11, 65535);
    expect_sorted_middles(gray(3, 3000, 8), 1, 255);
}

Test(median, a_constant_stays_and_specks_disappear)
{
    static uint8_t in[64 * 48], out[64 * 48];
    for (int radius = 1; radius <= 25; radius += 4) {
        memset(in, 77, sizeof in);
        for (size_t i = 200; i < sizeof in; i += 271)
            in[i] = i % 2 == 0 ? 0 : 255;
        median(gray(64, 48, 8), (Options){radius, NULL, NULL}, in, out);
        for (size_t i = 0; i < sizeof out; i++)
            cr_assert_eq(out[i], 77, "radius %d", radius);
    }
}

Test(median, a_step_keeps_its_place)
{
    static uint8_t in[60 * 20], out[60 * 20];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = i % 60 < 23 ? 40 : 200;
    for (int radius = 1; radius <= 25; radius += 3) {
        median(gray(60, 20, 8), (Options){radius, NULL, NULL}, in, out);
        cr_expect_eq(memcmp(in, out, sizeof in), 0, "radius %d", radius);
    }
}

/* A monotonic table, increasing or decreasing, can be applied before or after the median with the
 * same result. */
Test(median, a_median_commutes_with_monotonic_tables)
{
    static uint8_t in[50 * 30], by[50 * 30], out[50 * 30], expected[50 * 30];
    for (int radius = 1; radius <= 13; radius += 4) {
        for (int falling = 0; falling < 2; falling++) {
            fill(gray(50, 30, 8), 5, 255, in);
            median(gray(50, 30, 8), (Options){radius, "reflect", NULL}, in, expected);
            for (size_t i = 0; i < sizeof in; i++) {
                by[i] = (uint8_t)(falling ? 255 - in[i] : in[i] * in[i] / 255);
                expected[i] =
                    (uint8_t)(falling ? 255 - expected[i] : expected[i] * expected[i] / 255);
            }
            median(gray(50, 30, 8), (Options){radius, "reflect", NULL}, by, out);
            cr_expect_eq(memcmp(out, expected, sizeof out), 0, "radius %d", radius);
        }
    }
}

/* A median program is a list of minimum and maximum steps on registers. The steps, pruned or not,
 * must use only registers that the program allocates. */
Test(median, programs_use_only_registers_they_have)
{
    for (int radius = 1; radius <= 25; radius++) {
        ImgMedianProgram program;
        cr_assert(img_median_program_make(radius, &program));
        const ImgMedianMerge *last = &program.merge[program.merges - 1];
        cr_expect_eq(last->columns, 2 * radius + 1);
        cr_expect_eq(last->kept, 1);
        for (int32_t i = 0; i < program.pairs; i++)
            cr_assert(program.pair[i].low < program.pair[i].high &&
                      program.pair[i].high < program.registers);
        img_median_program_free(&program);
    }
}

Test(median, a_radius_out_of_range_is_rejected)
{
    const ImgOp *op;
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("median", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_expect_eq(img_params_set(op, &params, "radius", "0", &err), IMG_E_USAGE);
    cr_expect_eq(img_params_set(op, &params, "radius", "26", NULL), IMG_E_USAGE);
    cr_expect(strstr(err.message, "1..25") != NULL, "%s", err.message);
}
