/* Tests of the edge filters: cases worked out by hand, and every sample compared with the
 * definition in double precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/window/border.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_2 = {IMG_COLOR_GRAY, 2};
static const ImgFormat RGBA_8 = {IMG_COLOR_RGBA, 8};

static const uint8_t corner[] = {
    0,  0,  0,  0, //
    0,  0,  0,  0, //
    10, 10, 10, 0, //
    10, 10, 10, 0, //
};

/* At (1, 1) the vertical gradient is 4 * 10, and the horizontal gradient is 0. At (2, 2) they are
 * -(10 + 2 * 10) and 10 + 2 * 10, which gives sqrt(1800) = 42.4. */
Test(edge, sobel_matches_values_worked_out_by_hand)
{
    const ImgShape shape = {4, 4, GRAY_8};
    ImgShape result;
    uint8_t *both = run_op("sobel", "", shape, corner, &result);
    uint8_t *across = run_op("sobel", "direction=x", shape, corner, &result);
    uint8_t *down = run_op("sobel", "direction=y scale=2", shape, corner, &result);
    cr_expect_eq(both[5], 40);
    cr_expect_eq(both[10], 42);
    cr_expect_eq(across[5], 0);
    cr_expect_eq(across[10], 30);
    cr_expect_eq(down[5], 80);
    cr_expect_eq(down[10], 60);
    free(both);
    free(across);
    free(down);
}

/* At (2, 2) the four neighbours are 0, 10, 0 and 10, so the sum is 40 - 20 = 20. The corners 0, 0,
 * 10 and 0 add 4 * 10 - 10 = 30. */
Test(edge, laplacian_matches_values_worked_out_by_hand)
{
    const ImgShape shape = {4, 4, GRAY_8};
    ImgShape result;
    uint8_t *four = run_op("laplacian", "", shape, corner, &result);
    uint8_t *eight = run_op("laplacian", "neighbours=8 scale=0.5", shape, corner, &result);
    cr_expect_eq(four[10], 20);
    cr_expect_eq(eight[10], 25);
    cr_expect_eq(four[12], 0);
    free(four);
    free(eight);
}

/* A step from black to white gives 4 * 255, which is clamped to white. With a scale of 1/4 the
 * result is exactly white. */
Test(edge, a_step_from_black_to_white_gives_white)
{
    const ImgShape shape = {4, 1, GRAY_2};
    const uint8_t samples[] = {0, 0, 3, 3};
    ImgShape result;
    uint8_t *edges = run_op("sobel", "scale=0.25", shape, samples, &result);
    cr_expect_eq(result.format.bits, 8);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(edges[i], i == 1 || i == 2 ? 255 : 0, "%d", edges[i]);
    free(edges);
}

/* Transparent pixels of different colours lie inside an opaque frame of one colour. Only the edge
 * of the frame is found, and alpha stays unchanged. */
Test(edge, hidden_colours_make_no_edges)
{
    const ImgShape shape = {6, 5, RGBA_8};
    uint8_t samples[6 * 5 * 4];
    ImgShape result;
    for (int i = 0; i < 30; i++) {
        const bool inside = i % 6 < 4;
        const uint8_t pixel[] = {(uint8_t)(i * 37), (uint8_t)(i * 91), (uint8_t)(i * 53),
                                 inside ? 0 : 200};
        memcpy(samples + 4 * i, pixel, 4);
    }
    uint8_t *edges = run_op("sobel", "", shape, samples, &result);
    for (int i = 0; i < 30; i++) {
        cr_expect_eq(edges[4 * i + 3], samples[4 * i + 3]);
        if (i % 6 < 3)
            cr_expect(edges[4 * i] == 0 && edges[4 * i + 1] == 0 && edges[4 * i + 2] == 0);
    }
    free(edges);
}

/* --- Compared with the definitions ------------------------------------------------------------ */

static const double sobel_across[] = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
static const double sobel_down[] = {-1, -2, -1, 0, 0, 0, 1, 2, 1};
static const double laplacian_4[] = {0, 1, 0, 1, -4, 1, 0, 1, 0};
static const double laplacian_8[] = {1, 1, 1, 1, -8, 1, 1, 1, 1};

static double sum_of(const void *samples, ImgShape shape, const double *weights, int32_t x,
                     int32_t y, int c, int32_t border)
{
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += weights[i] * sample_beyond(samples, shape, x + i % 3 - 1, y + i / 3 - 1, c, border);
    return sum;
}

static void expect_near(const char *name, const char *options, const double *a, const double *b,
                        double scale, ImgShape shape)
{
    void *samples = random_picture(shape, 9);
    const double maximum = img_format_maximum(shape.format);
    for (int32_t border = 0; border < 4; border++) {
        char all[96];
        ImgShape result;
        double most = 0;
        snprintf(all, sizeof all, "%s border=%s", options, border_names[border]);
        void *edges = run_op(name, all, shape, samples, &result);
        for (int32_t y = 0; y < shape.height; y++)
            for (int32_t x = 0; x < shape.width; x++)
                for (int c = 0; c < img_format_channels(shape.format); c++) {
                    const double first = sum_of(samples, shape, a, x, y, c, border);
                    const double second =
                        b == NULL ? 0 : sum_of(samples, shape, b, x, y, c, border);
                    const double exact =
                        fmin(scale * sqrt(first * first + second * second), maximum);
                    most = fmax(most, fabs(exact - sample_of(edges, result, x, y, c)));
                }
        cr_expect(most <= 0.51, "%s %s, %d x %d, %d bits: %g", name, all, shape.width, shape.height,
                  shape.format.bits, most);
        free(edges);
    }
    free(samples);
}

Test(edge, results_are_near_the_definition)
{
    static const ImgShape shapes[] = {{1, 1, {IMG_COLOR_GRAY, 8}},  {2, 3, {IMG_COLOR_RGB, 8}},
                                      {33, 7, {IMG_COLOR_RGB, 8}},  {70, 5, {IMG_COLOR_GRAY, 16}},
                                      {9, 21, {IMG_COLOR_RGB, 16}}, {64, 3, {IMG_COLOR_GRAY, 8}}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        expect_near("sobel", "scale=0.25", sobel_across, sobel_down, 0.25, shapes[s]);
        expect_near("sobel", "direction=x", sobel_across, NULL, 1, shapes[s]);
        expect_near("sobel", "direction=y", sobel_down, NULL, 1, shapes[s]);
        expect_near("laplacian", "scale=0.3", laplacian_4, NULL, 0.3, shapes[s]);
        expect_near("laplacian", "neighbours=8", laplacian_8, NULL, 1, shapes[s]);
    }
}

Test(edge, opaque_pictures_give_the_result_without_alpha)
{
    expect_opaque_alike("sobel", "", 8, 0);
    expect_opaque_alike("sobel", "", 16, 0);
    expect_opaque_alike("laplacian", "", 16, 0);
}
