/* Tests of the bilateral filter: weights, values worked out by hand, identities, and the error
 * against double precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/denoise/bilateral.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_2 = {IMG_COLOR_GRAY, 2};
static const ImgFormat GRAY_16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGB_8 = {IMG_COLOR_RGB, 8}, RGB_16 = {IMG_COLOR_RGB, 16};
static const ImgFormat RGBA_8 = {IMG_COLOR_RGBA, 8}, RGBA_16 = {IMG_COLOR_RGBA, 16};

/* --- Weights ---------------------------------------------------------------------------------- */

Test(bilateral, weights_decrease_and_are_exact)
{
    uint32_t before = IMG_DECAY_ONE;
    double most = 0;
    cr_expect_eq(img_decay(0), IMG_DECAY_ONE);
    cr_expect_eq(img_decay(1 << IMG_DECAY_PLACES), IMG_DECAY_ONE / 2);
    for (uint32_t exponent = 0; exponent < 70000; exponent++) {
        const uint32_t weight = img_decay(exponent);
        const double exact = IMG_DECAY_ONE * exp2(-(double)exponent / (1 << IMG_DECAY_PLACES));
        cr_assert(weight <= before, "%u", exponent);
        most = fmax(most, fabs(weight - exact) / fmax(1, exact * 1.7e-4 + 0.5));
        before = weight;
    }
    cr_expect(most <= 1, "%g", most);
}

Test(bilateral, alpha_scales_weights)
{
    for (uint32_t weight = 0; weight <= IMG_DECAY_ONE; weight++) {
        cr_assert_eq(img_scale_15(weight, img_alpha_15(255, 8)), weight);
        cr_assert_eq(img_scale_15(weight, img_alpha_15(65535, 16)), weight);
        cr_assert_eq(img_scale_15(weight, img_alpha_15(0, 8)), 0);
    }
    cr_expect_neq(img_scale_15(IMG_DECAY_ONE, img_alpha_15(1, 16)), 0);
}

/* Returns the prepared constants of the operation. `options` has at most two pairs, written as
 * "NAME=VALUE NAME=VALUE". */
static ImgBilateral bilateral_of(const char *options, ImgFormat format)
{
    const ImgOp *op;
    ImgParams params;
    ImgConstants constants;
    ImgError err = {IMG_OK, ""};
    char name[32], value[32];
    int length;
    cr_assert_eq(img_op_find("bilateral", &op, &err), IMG_OK);
    img_params_init(op, &params);
    while (sscanf(options, " %31[^=]=%31s%n", name, value, &length) == 2) {
        cr_assert_eq(img_params_set(op, &params, name, value, &err), IMG_OK, "%s", err.message);
        options += length;
    }
    cr_assert_eq(img_op_prepare(op, (ImgShape){1, 1, format}, params.bytes, &constants, &err),
                 IMG_OK);
    const ImgBilateral own = *(const ImgBilateral *)constants.bytes;
    img_constants_free(&constants);
    return own;
}

/* The disc of neighbours is the smallest one that contains every tap, for any given radius. Some
 * taps lie between the axes: for sigma 1.093 the farthest tap is at (4, 2), and no tap is at (5,
 * 0). */
Test(bilateral, the_disc_has_all_taps_and_no_empty_ring)
{
    for (int radius = 1; radius <= 16; radius++)
        for (int sigma = 250; sigma < 8000; sigma += sigma / 20) {
            char options[64];
            int32_t farthest_tap = 0;
            snprintf(options, sizeof options, "radius=%d sigma-space=%.3f", radius, sigma / 1000.0);
            const ImgBilateral own = bilateral_of(options, RGB_8);
            for (int32_t i = 0; i < own.count; i++) {
                const int32_t x = own.taps[i].x, y = own.taps[i].y;
                farthest_tap = x * x + y * y > farthest_tap ? x * x + y * y : farthest_tap;
            }
            cr_assert(own.radius <= radius && farthest_tap <= own.radius * own.radius, "%s",
                      options);
            cr_assert(own.radius == 1 || farthest_tap > (own.radius - 1) * (own.radius - 1), "%s",
                      options);
        }
    cr_expect_eq(bilateral_of("radius=8 sigma-space=1.093", GRAY_16).radius, 5);
}

/* Distant colours have weight 0 for any sigma, and no intermediate value exceeds 16 bits. */
Test(bilateral, distant_colours_have_no_weight)
{
    for (int32_t sigma = 250; sigma < 10000000; sigma += sigma / 40) {
        char text[32];
        snprintf(text, sizeof text, "sigma-range=%.3f", sigma / 1000.0);
        for (int i = 0; i < 2; i++) {
            const ImgBilateral own = bilateral_of(text, i == 0 ? RGB_8 : RGBA_16);
            cr_assert_eq(img_bilateral_weight(&own, 0, 0), IMG_DECAY_ONE);
            cr_assert(own.farthest == 65535 || img_bilateral_weight(&own, own.farthest, 0) == 0,
                      "%s", text);
            cr_assert(own.factor < 65536 && own.farthest << own.shift < 65536, "%s", text);
            cr_assert((own.farthest << own.shift) * own.factor >> 16 < 32768, "%s", text);
        }
    }
}

/* --- Values worked out by hand ---------------------------------------------------------------- */

/* In a picture of one row, the neighbours above and below a pixel equal the pixel itself. The pixel
 * 120 has a 100 on either side: 120 with weight 1 + 2 e^-1/2 and 100 with weight 2 e^-1 give
 * 115.01. For the left 100, the weight of 100 is 1 + 3 e^-1/2 and that of 120 is e^-1, which gives
 * 102.31. */
Test(bilateral, results_match_values_worked_out_by_hand)
{
    const ImgShape shape = {3, 1, GRAY_8};
    const uint8_t samples[] = {100, 120, 100};
    ImgShape result;
    uint8_t *filtered =
        run_op("bilateral", "radius=1 sigma-range=20 sigma-space=1", shape, samples, &result);
    cr_expect_eq(filtered[1], 115, "%d", filtered[1]);
    cr_expect_eq(filtered[0], 102, "%d", filtered[0]);
    cr_expect_eq(filtered[2], 102, "%d", filtered[2]);
    free(filtered);
}

/* The distance of two colours is the sum of their differences in all channels: here 10 in red and
 * 10 in blue. Its weight applies to all channels, green included. */
Test(bilateral, channels_decide_together)
{
    const ImgShape shape = {3, 1, RGB_8};
    const uint8_t samples[] = {90, 50, 30, 100, 50, 40, 90, 50, 30};
    ImgShape result;
    uint8_t *filtered =
        run_op("bilateral", "radius=1 sigma-range=20 sigma-space=1", shape, samples, &result);
    cr_expect_eq(filtered[3], 98, "%d", filtered[3]); /* 97.5 before rounding */
    cr_expect_eq(filtered[4], 50);
    cr_expect_eq(filtered[5], 38, "%d", filtered[5]);
    free(filtered);
}

/* Each side of a step of 150 has noise of 4. The noise disappears, and the step stays sharp. */
Test(bilateral, an_edge_is_kept)
{
    const ImgShape shape = {16, 12, GRAY_8};
    uint8_t samples[16 * 12];
    ImgShape result;
    for (int i = 0; i < 16 * 12; i++)
        samples[i] = (uint8_t)((i % 16 < 8 ? 50 : 200) + ((i + i / 16) % 2 == 0 ? 4 : 0));
    uint8_t *filtered = run_op("bilateral", "radius=3 sigma-space=3", shape, samples, &result);
    for (int i = 0; i < 16 * 12; i++)
        cr_expect(abs(filtered[i] - (i % 16 < 8 ? 52 : 202)) <= 1, "%d: %d", i, filtered[i]);
    free(filtered);
}

Test(bilateral, few_bits_become_8_bits)
{
    const ImgShape shape = {3, 1, GRAY_2};
    const uint8_t samples[] = {0, 3, 1};
    ImgShape result;
    uint8_t *filtered = run_op("bilateral", "sigma-range=1", shape, samples, &result);
    cr_assert_eq(result.format.bits, 8);
    cr_expect(filtered[0] == 0 && filtered[1] == 255 && filtered[2] == 85);
    free(filtered);
}

/* --- Identities ------------------------------------------------------------------------------- */

Test(bilateral, a_constant_is_kept)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 8}, {IMG_COLOR_GRAY_ALPHA, 16}};
    static const char *const options[] = {"radius=1", "radius=16 sigma-range=10000 sigma-space=900",
                                          "radius=9 border=wrap", "radius=5 border=reflect"};
    for (size_t f = 0; f < 4; f++)
        for (size_t i = 0; i < 4; i++) {
            const ImgShape shape = {i == 2 ? 1 : 13, i == 3 ? 1 : 7, formats[f]};
            ImgShape result;
            uint8_t samples[13 * 7 * 8];
            memset(samples, 0xb7, sizeof samples);
            void *same = run_op("bilateral", options[i], shape, samples, &result);
            cr_expect_eq(farthest(samples, same, shape), 0, "%s", options[i]);
            free(same);
        }
}

Test(bilateral, a_tiny_sigma_changes_nothing)
{
    static const char *const options[] = {"sigma-range=0.25", "sigma-space=0.1",
                                          "sigma-range=0.25 radius=16 sigma-space=1000"};
    const ImgFormat formats[] = {RGB_8, RGB_16, RGBA_8, RGBA_16, GRAY_8};
    for (size_t f = 0; f < 5; f++)
        for (size_t i = 0; i < 3; i++) {
            const ImgShape shape = {31, 5, formats[f]};
            ImgShape result;
            if (formats[f].color == IMG_COLOR_GRAY && i == 2)
                /* Skipped: with only 256 grays, hundreds of neighbours differ from a pixel by only
                 * one. Together their small weights change the pixel. */
                continue;
            void *samples = random_picture(shape, 3);
            void *same = run_op("bilateral", options[i], shape, samples, &result);
            cr_expect_eq(farthest(samples, same, shape), 0, "%s, format %zu", options[i], f);
            free(samples);
            free(same);
        }
}

/* --- Alpha ------------------------------------------------------------------------------------ */

Test(bilateral, opaque_pictures_give_the_result_without_alpha)
{
    expect_opaque_alike("bilateral", "sigma-range=200", 8, 0);
    expect_opaque_alike("bilateral", "sigma-range=200", 16, 0);
}

/* Two blue pixels stand beside two transparent ones. Blue must stay unchanged, and so must alpha
 * and the hidden colours. */
Test(bilateral, transparent_colours_do_not_count)
{
    const ImgShape shape = {4, 1, RGBA_8};
    const uint8_t samples[] = {0, 0, 255, 255, 0, 0, 255, 7, 255, 0, 0, 0, 9, 8, 7, 0};
    ImgShape result;
    uint8_t *filtered = run_op("bilateral", "sigma-range=10000", shape, samples, &result);
    cr_expect_eq(memcmp(filtered, samples, sizeof samples), 0);
    free(filtered);
}

/* --- Compared with double precision ----------------------------------------------------------- */

typedef struct Case {
    int32_t radius;
    double range, space;
    int32_t border;
} Case;

/* Returns sample `c` of the exact result in double precision. Samples beyond the edges follow the
 * border mode; a constant background is transparent or black. */
static double exact_at(const void *samples, ImgShape shape, const Case *given, int32_t x, int32_t y,
                       int c)
{
    const int channels = img_format_channels(shape.format);
    const int colors = channels - img_format_has_alpha(shape.format);
    const double unit = img_format_maximum(shape.format) / 255.0;
    double sum = 0, weights = 0;
    for (int32_t v = -given->radius; v <= given->radius; v++)
        for (int32_t u = -given->radius; u <= given->radius; u++) {
            double other[4] = {0, 0, 0, 0}, distance = 0;
            for (int i = 0; i < channels; i++)
                other[i] = sample_beyond(samples, shape, x + u, y + v, i, given->border);
            for (int i = 0; i < colors; i++)
                distance += fabs(other[i] - sample_of(samples, shape, x, y, i)) / unit;
            double weight = u * u + v * v > given->radius * given->radius ? 0 : 1;
            weight *= exp(-distance * distance / (2 * given->range * given->range));
            weight *= exp(-(u * u + v * v) / (2 * given->space * given->space));
            weight *= colors < channels ? other[colors] / (255 * unit) : 1;
            sum += weight * other[c];
            weights += weight;
        }
    return sum / weights;
}

/* Returns the error of a sample less the half sample that rounding allows. With alpha the error is
 * multiplied by alpha, because only that part is visible. */
static double shown_error(const void *samples, const void *filtered, ImgShape shape,
                          const Case *given, int32_t x, int32_t y, int c)
{
    const int alpha = img_format_channels(shape.format) - 1;
    const double error =
        fabs(sample_of(filtered, shape, x, y, c) - exact_at(samples, shape, given, x, y, c));
    if (!img_format_has_alpha(shape.format))
        return error - 0.5;
    const double share = sample_of(samples, shape, x, y, alpha);
    return share > 0 ? (error - 0.5) * share / img_format_maximum(shape.format) : 0;
}

/* Returns the largest error of a sample in units of 1/255 of the range. */
static double error_of(const void *samples, ImgShape shape, const Case *given)
{
    char options[128];
    ImgShape result;
    double most = 0;
    snprintf(options, sizeof options, "radius=%d sigma-range=%g sigma-space=%g border=%s",
             given->radius, given->range, given->space, border_names[given->border]);
    void *filtered = run_op("bilateral", options, shape, samples, &result);
    const int channels = img_format_channels(shape.format);
    const int colors = channels - img_format_has_alpha(shape.format);
    for (int32_t y = 0; y < shape.height; y++)
        for (int32_t x = 0; x < shape.width; x++)
            for (int c = 0; c < colors; c++)
                most = fmax(most, shown_error(samples, filtered, shape, given, x, y, c));
    free(filtered);
    return (most + 0.5) * 255 / img_format_maximum(shape.format);
}

/* Noise of all values is the worst case, because a result then sums many small weights of distant
 * colours. With 8 bits, half a sample of the error is due to rounding. */
Test(bilateral, errors_against_double_precision_are_small)
{
    static const double ranges[] = {0.5, 2, 7.3, 25, 75, 160, 170, 500, 10000};
    const ImgShape shapes[] = {{1, 1, GRAY_8},  {2, 3, RGB_8},    {37, 19, RGB_8}, {19, 18, GRAY_8},
                               {9, 21, RGB_16}, {33, 14, RGBA_8}, {8, 9, RGBA_16}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        void *samples = random_picture(shapes[s], 12);
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            for (int32_t border = 0; border < 4; border++) {
                const Case given = {1 + (int32_t)i % 5, ranges[i], 0.6 + (double)i, border};
                const double error = error_of(samples, shapes[s], &given);
                const double bound = shapes[s].format.bits == 8 ? 0.57 : 0.12;
                cr_expect(error <= bound, "%zu: sigma %g, border %d: %g", s, ranges[i], border,
                          error);
            }
        free(samples);
    }
}

Test(bilateral, errors_of_large_discs_are_small)
{
    const ImgShape shape = {40, 30, RGB_8};
    const Case cases[] = {{16, 60, 12, IMG_BORDER_REFLECT}, {16, 10000, 1000, IMG_BORDER_WRAP}};
    void *samples = random_picture(shape, 5);
    for (size_t i = 0; i < 2; i++) {
        const double error = error_of(samples, shape, &cases[i]);
        cr_expect(error <= 0.6, "%zu: %g", i, error);
    }
    free(samples);
}
