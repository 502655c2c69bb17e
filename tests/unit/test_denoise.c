/* Tests of denoise, a non-local mean: values worked out by hand, identities, and the error against
 * double precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/denoise/denoise.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_2 = {IMG_COLOR_GRAY, 2};
static const ImgFormat RGB_8 = {IMG_COLOR_RGB, 8}, RGB_16 = {IMG_COLOR_RGB, 16};
static const ImgFormat RGBA_8 = {IMG_COLOR_RGBA, 8}, RGBA_16 = {IMG_COLOR_RGBA, 16};

/* --- Weights ---------------------------------------------------------------------------------- */

static ImgDenoise denoise_of(const char *strength, ImgFormat format)
{
    const ImgOp *op;
    ImgParams params;
    ImgConstants constants;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("denoise", &op, &err), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "strength", strength, &err), IMG_OK);
    cr_assert_eq(img_op_prepare(op, (ImgShape){1, 1, format}, params.bytes, &constants, &err),
                 IMG_OK);
    const ImgDenoise own = *(const ImgDenoise *)constants.bytes;
    img_constants_free(&constants);
    return own;
}

/* Sums of squares are clamped to `farthest`, whose weight must be 0. Rounding an exponent down
 * makes its weight larger, so `farthest` needs a margin at every strength (set_strength). If
 * `farthest` is UINT32_MAX, the strength is so high that sums with weight 0 may not fit 32 bits. */
Test(denoise, distant_patches_have_no_weight)
{
    for (int32_t strength = 500; strength < 200000; strength += strength / 40) {
        char text[32];
        snprintf(text, sizeof text, "%.3f", strength / 1000.0);
        for (int i = 0; i < 2; i++) {
            const ImgDenoise own = denoise_of(text, i == 0 ? RGB_8 : RGBA_16);
            cr_assert_eq(img_denoise_weight(&own, 0), IMG_DECAY_ONE);
            cr_assert(own.farthest == UINT32_MAX || img_denoise_weight(&own, own.farthest) == 0,
                      "%s", text);
        }
    }
}

/* --- Values worked out by hand ---------------------------------------------------------------- */

/* The row 0, 0, 0, 9, 0, 0, 0 is filtered with a search window and patches of 3 x 3. The border
 * mode is wrap, so the rows above and below are the same row. At the 9, the patch of a neighbour
 * differs by 81 in 6 of 9 samples, a mean of 54. With a strength of sqrt(54) = 7.348 the weight is
 * e^-1. The result is 9 / (1 + 2 e^-1) = 5.19. Beside the 9, the patches (0, 0, 9) and (0, 9, 0)
 * again give the weight e^-1. The patches (0, 0, 9) and (0, 0, 0) differ by a mean of 27, which
 * gives the weight e^-1/2. The result is 9 e^-1 / (1 + e^-1 + e^-1/2) = 1.68. */
Test(denoise, results_match_values_worked_out_by_hand)
{
    const ImgShape shape = {7, 1, GRAY_8};
    const uint8_t samples[] = {0, 0, 0, 9, 0, 0, 0}, expected[] = {0, 0, 2, 5, 2, 0, 0};
    ImgShape result;
    uint8_t *filtered =
        run_op("denoise", "strength=7.348 patch-radius=1 search-radius=1 border=wrap", shape,
               samples, &result);
    for (int i = 0; i < 7; i++)
        cr_expect_eq(filtered[i], expected[i], "%d: %d", i, filtered[i]);
    free(filtered);
}

/* The picture has stripes with noise of 4. Similar patches are far apart, and their pixels become
 * equal. */
Test(denoise, repeated_patterns_are_kept)
{
    const ImgShape shape = {32, 24, GRAY_8};
    uint8_t samples[32 * 24];
    ImgShape result;
    for (int i = 0; i < 32 * 24; i++)
        samples[i] = (uint8_t)((i % 32 % 4 < 2 ? 60 : 180) + i * 7 % 5 - 2);
    uint8_t *filtered = run_op("denoise", "strength=8", shape, samples, &result);
    for (int i = 0; i < 32 * 24; i++)
        cr_expect(abs(filtered[i] - (i % 32 % 4 < 2 ? 60 : 180)) <= 1, "%d: %d", i, filtered[i]);
    free(filtered);
}

Test(denoise, few_bits_become_8_bits)
{
    const ImgShape shape = {3, 2, GRAY_2};
    const uint8_t samples[] = {0, 3, 1, 2, 0, 3};
    ImgShape result;
    uint8_t *filtered = run_op("denoise", "strength=1", shape, samples, &result);
    cr_assert_eq(result.format.bits, 8);
    for (int i = 0; i < 6; i++)
        cr_expect_eq(filtered[i], 85 * samples[i]);
    free(filtered);
}

/* --- Identities ------------------------------------------------------------------------------- */

Test(denoise, a_constant_is_kept)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 8}, {IMG_COLOR_GRAY_ALPHA, 16}};
    static const char *const options[] = {
        "patch-radius=1 search-radius=1", "patch-radius=5 search-radius=15 strength=1000",
        "search-radius=9 border=wrap", "patch-radius=2 border=reflect"};
    for (size_t f = 0; f < 4; f++)
        for (size_t i = 0; i < 4; i++) {
            const ImgShape shape = {i == 2 ? 1 : 13, i == 3 ? 1 : 7, formats[f]};
            ImgShape result;
            uint8_t samples[13 * 7 * 8];
            memset(samples, 0xb7, sizeof samples);
            void *same = run_op("denoise", options[i], shape, samples, &result);
            cr_expect_eq(farthest(samples, same, shape), 0, "%s", options[i]);
            free(same);
        }
}

/* The picture is larger than a tile: tiles end at column 128 and at row 64. */
Test(denoise, a_low_strength_changes_nothing)
{
    const ImgFormat formats[] = {RGB_8, RGB_16, RGBA_8, RGBA_16, GRAY_8};
    for (size_t f = 0; f < 5; f++) {
        const ImgShape shape = {131, 67, formats[f]};
        ImgShape result;
        void *samples = random_picture(shape, 3);
        void *same = run_op("denoise", "strength=0.5 search-radius=3", shape, samples, &result);
        cr_expect_eq(farthest(samples, same, shape), 0, "format %zu", f);
        free(samples);
        free(same);
    }
}

Test(denoise, opaque_pictures_give_the_result_without_alpha)
{
    expect_opaque_alike("denoise", "strength=90", 8, 0);
    expect_opaque_alike("denoise", "strength=90", 16, 0);
}

/* Blue pixels stand beside transparent pixels. Blue must stay unchanged, and so must alpha and the
 * hidden colours. */
Test(denoise, transparent_colours_do_not_count)
{
    const ImgShape shape = {4, 1, RGBA_8};
    const uint8_t samples[] = {0, 0, 255, 255, 0, 0, 255, 7, 255, 0, 0, 0, 9, 8, 7, 0};
    ImgShape result;
    uint8_t *filtered = run_op("denoise", "strength=1000", shape, samples, &result);
    cr_expect_eq(memcmp(filtered, samples, sizeof samples), 0);
    free(filtered);
}

/* --- Compared with double precision ----------------------------------------------------------- */

typedef struct Case {
    int32_t patch, search;
    double strength;
    int32_t border;
} Case;

static double weight_of(const void *samples, ImgShape shape, const Case *given, int32_t x,
                        int32_t y, int32_t u, int32_t v)
{
    const int channels = img_format_channels(shape.format), side = 2 * given->patch + 1;
    const double unit = img_format_maximum(shape.format) / 255.0;
    double sum = 0;
    for (int32_t i = 0; i < side * side * channels; i++) {
        const int32_t across = i / channels % side - given->patch;
        const int32_t down = i / channels / side - given->patch;
        const int c = i % channels;
        const double apart =
            sample_beyond(samples, shape, x + across, y + down, c, given->border) -
            sample_beyond(samples, shape, x + u + across, y + v + down, c, given->border);
        sum += apart / unit * (apart / unit);
    }
    return exp(-sum / (side * side * channels) / (given->strength * given->strength));
}

static double exact_at(const void *samples, ImgShape shape, const Case *given, int32_t x, int32_t y,
                       int c)
{
    double sum = 0, weights = 0;
    for (int32_t v = -given->search; v <= given->search; v++)
        for (int32_t u = -given->search; u <= given->search; u++) {
            const double weight = weight_of(samples, shape, given, x, y, u, v);
            sum += weight * sample_beyond(samples, shape, x + u, y + v, c, given->border);
            weights += weight;
        }
    return sum / weights;
}

/* Returns the largest error of a sample in units of 1/255 of the range. */
static double error_of(const void *samples, ImgShape shape, const Case *given)
{
    char options[128];
    ImgShape result;
    double most = 0;
    snprintf(options, sizeof options, "patch-radius=%d search-radius=%d strength=%.3f border=%s",
             given->patch, given->search, given->strength, border_names[given->border]);
    void *filtered = run_op("denoise", options, shape, samples, &result);
    for (int32_t y = 0; y < shape.height; y++)
        for (int32_t x = 0; x < shape.width; x++)
            for (int c = 0; c < img_format_channels(shape.format); c++)
                most = fmax(most, fabs(sample_of(filtered, result, x, y, c) -
                                       exact_at(samples, shape, given, x, y, c)));
    free(filtered);
    return most * 255 / img_format_maximum(shape.format);
}

/* Noise of all values is the worst case. With 8 bits, half a sample of the error is due to
 * rounding. With 16 bits, all of the error comes from comparing only the upper 11 bits. */
Test(denoise, errors_against_double_precision_are_small)
{
    static const double strengths[] = {0.5, 3, 20, 90, 1000};
    const ImgShape shapes[] = {{1, 1, GRAY_8}, {2, 3, RGB_8},   {21, 9, RGB_8},
                               {9, 8, GRAY_8}, {11, 5, RGB_16}, {5, 11, {IMG_COLOR_GRAY, 16}}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        void *samples = random_picture(shapes[s], 12);
        for (int32_t i = 0; i < 5; i++)
            for (int32_t border = 0; border < 4; border++) {
                const Case given = {1 + i % 3, 1 + (i + (int32_t)s) % 5, strengths[i], border};
                const double error = error_of(samples, shapes[s], &given);
                cr_expect(error <= 0.6, "%zu: strength %g, border %d: %g", s, strengths[i], border,
                          error);
            }
        free(samples);
    }
}

Test(denoise, errors_of_large_patches_are_small)
{
    const ImgShape shape = {7, 6, RGB_16};
    const Case given = {5, 15, 100, IMG_BORDER_REFLECT};
    void *samples = random_picture(shape, 5);
    const double error = error_of(samples, shape, &given);
    cr_expect(error <= 0.12, "%g", error);
    free(samples);
}

/* In pictures with fewer columns than a vector has lanes, all implementations give the same result
 * for any bit depth. */
Test(denoise, narrow_pictures_give_the_same_result)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 4}, {IMG_COLOR_GRAY, 8}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 8}};
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++)
        for (int32_t width = 1; width < 40; width += 10) {
            const ImgShape shape = {width, 77, formats[f]};
            ImgShape result;
            void *samples = random_picture(shape, 5);
            free(run_op("denoise", "search-radius=2 border=wrap", shape, samples, &result));
            free(samples);
        }
}

/* --- Cost ------------------------------------------------------------------------------------- */

static double cost_of(int32_t width, int32_t height)
{
    const ImgOp *op;
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    const ImgShape shape = {width, height, GRAY_8};
    cr_assert_eq(img_op_find("denoise", &op, &err), IMG_OK);
    img_params_init(op, &params);
    return img_op_cpu_seconds(op, shape, params.bytes) / width / height;
}

/* A row costs 40 units plus its width, rounded up to a multiple of 32. Pictures narrower than 32
 * pixels are transposed, because a vector with one pixel costs as much as a full one. */
Test(denoise, narrow_pictures_cost_as_much_as_low_ones)
{
    const double full = cost_of(1280, 6400);
    cr_expect_float_eq(cost_of(1, 6400), cost_of(6400, 1), 1e-15);
    cr_expect_float_eq(cost_of(31, 6400), cost_of(6400, 31), 1e-15);
    cr_expect_lt(cost_of(1, 6400), 5 * full);
    cr_expect_float_eq(cost_of(32, 6400) / full, 72 / 32.0 / (168.0 / 128), 1e-9);
    cr_expect_float_eq(cost_of(33, 6400) / full, 104 / 33.0 / (168.0 / 128), 1e-9);
    cr_expect_gt(cost_of(1280, 1), 3 * full);
}
