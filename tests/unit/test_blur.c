/* Tests of the Gaussian filters and boxblur: weights worked out by hand, identities, and the error
 * against the exact result. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/blur/gaussian.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGB_8 = {IMG_COLOR_RGB, 8}, RGBA_8 = {IMG_COLOR_RGBA, 8};
static const ImgFormat RGBA_16 = {IMG_COLOR_RGBA, 16}, GRAY_1 = {IMG_COLOR_GRAY, 1};

/* --- Weights ---------------------------------------------------------------------------------- */

static ImgGaussian gaussian_of(int32_t sigma)
{
    const ImgBorderParams border = {.border = IMG_BORDER_REPLICATE, .background = {0, 0, 0, 0}};
    ImgGaussian gaussian;
    img_gaussian_make(sigma, GRAY_8, &border, &gaussian);
    return gaussian;
}

static int32_t sum_of(const int16_t *weights, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += weights[i];
    return sum;
}

/* The weights are proportional to e^0, e^-1/2, e^-2, e^-9/2 and e^-8, which are 1, 0.60653,
 * 0.13534, 0.01111 and 0.00034. With both sides the sum is 2.50663. */
Test(blur, weights_of_sigma_one_match)
{
    const int16_t expected[] = {4, 145, 1769, 7929, 13074, 7929, 1769, 145, 4, 0};
    const ImgGaussian gaussian = gaussian_of(1000);
    cr_assert_eq(gaussian.factor, 1);
    cr_assert_eq(gaussian.radius, 4);
    for (int i = 0; i < 10; i++)
        cr_expect_eq(gaussian.weights[i], expected[i], "%d: %d", i, gaussian.weights[i]);
}

Test(blur, weights_sum_to_one)
{
    for (int32_t sigma = 100; sigma <= 200000; sigma += sigma / 50 + 1) {
        const ImgGaussian gaussian = gaussian_of(sigma);
        cr_assert(gaussian.radius <= IMG_GAUSSIAN_RADIUS, "%d", sigma);
        cr_assert(gaussian.radius == 0 ||
                  sum_of(gaussian.weights, 2 * gaussian.radius + 1) == 32768);
        cr_assert_eq(gaussian.weights[2 * gaussian.radius + 1], 0);
        if (gaussian.factor == 1)
            continue;
        cr_assert_eq(sum_of(gaussian.shrink, 4 * gaussian.factor), 32768);
        for (int32_t i = 0; i < gaussian.factor; i++)
            cr_assert_eq(sum_of(gaussian.enlarge[i], 4), 32768);
    }
}

/* The cubic spline has the values 0.6120, 0.3151, 0.0703 and 0.0026 at 1/4, 3/4, 5/4 and 7/4. The
 * weights are half of these values. */
Test(blur, spline_weights_match)
{
    const int16_t shrink[] = {43, 1152, 5163, 10026, 10026, 5163, 1152, 43};
    const int16_t enlarge[2][4] = {{85, 10325, 20053, 2304}, {2304, 20053, 10325, 85}};
    const ImgGaussian gaussian = gaussian_of(4000);
    cr_assert_eq(gaussian.factor, 2);
    for (int i = 0; i < 8; i++)
        cr_expect(abs(gaussian.shrink[i] - shrink[i]) <= 1, "%d: %d", i, gaussian.shrink[i]);
    for (int i = 0; i < 8; i++)
        cr_expect(abs(gaussian.enlarge[i / 4][i % 4] - enlarge[i / 4][i % 4]) <= 1, "%d: %d", i,
                  gaussian.enlarge[i / 4][i % 4]);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* A point of 255 blurred with sigma 1 becomes 255 times the products of two weights. In the middle
 * that is 0.39899^2 * 255 = 40.59, beside it 0.24197 * 0.39899 * 255 = 24.62, and at the corner
 * 14.93. */
Test(blur, a_blurred_point_matches)
{
    const ImgShape shape = {9, 9, GRAY_8};
    ImgShape result;
    uint8_t samples[81] = {0};
    samples[40] = 255;
    uint8_t *blurred = run_op("blur", "sigma=1", shape, samples, &result);
    cr_expect_eq(blurred[40], 41);
    cr_expect_eq(blurred[41], 25);
    cr_expect_eq(blurred[49], 25);
    cr_expect_eq(blurred[50], 15);
    cr_expect_eq(blurred[0], 0);
    free(blurred);
}

Test(blur, a_constant_is_kept)
{
    static const char *const options[] = {"sigma=0.4", "sigma=2.9", "sigma=3 border=wrap",
                                          "sigma=17 border=reflect", "sigma=200"};
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGB, 8}};
    for (size_t f = 0; f < 3; f++)
        for (size_t i = 0; i < 5; i++) {
            const ImgShape shape = {13, 7, formats[f]};
            ImgShape result;
            uint8_t samples[13 * 7 * 6];
            memset(samples, 0xb7, sizeof samples);
            uint8_t *blurred = run_op("blur", options[i], shape, samples, &result);
            cr_expect_eq(farthest(samples, blurred, shape), 0, "%s", options[i]);
            free(blurred);
        }
}

/* With this sigma only the pixel itself is within 3.5 sigma. */
Test(blur, a_tiny_sigma_changes_nothing)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8}, {IMG_COLOR_RGB, 16}};
    for (size_t f = 0; f < 2; f++) {
        const ImgShape shape = {31, 5, formats[f]};
        ImgShape result;
        void *samples = random_picture(shape, 3),
             *same = run_op("blur", "sigma=0.1", shape, samples, &result);
        cr_expect_eq(farthest(samples, same, shape), 0);
        free(samples);
        free(same);
    }
}

Test(blur, few_bits_become_8_bits)
{
    const ImgShape shape = {3, 1, GRAY_1};
    const uint8_t samples[] = {0, 1, 0};
    ImgShape result;
    uint8_t *blurred = run_op("blur", "sigma=0.5", shape, samples, &result);
    cr_assert_eq(result.format.bits, 8);
    /* The middle weight is 1 / (1 + 2 e^-2 + 2 e^-8) = 0.7866, which gives 200.6. */
    cr_expect_eq(blurred[1], 201);
    cr_expect_eq(blurred[0], 27); /* The weight 0.1065 gives 27.2. */
    free(blurred);
}

/* Opaque blue stands beside transparent red. No red may become visible, and blue must keep its full
 * value. */
Test(blur, transparent_colours_make_no_fringes)
{
    static const char *const options[] = {"sigma=1", "sigma=5"};
    for (int i = 0; i < 2; i++) {
        const ImgShape shape = {4, 1, RGBA_8};
        const uint8_t samples[] = {0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0};
        ImgShape result;
        uint8_t *blurred = run_op("blur", options[i], shape, samples, &result);
        for (int x = 0; x < 4; x++) {
            cr_expect_eq(blurred[4 * x], 0);
            cr_expect(blurred[4 * x + 2] >= 254, "%s: %d", options[i], blurred[4 * x + 2]);
        }
        cr_expect(blurred[3] > blurred[7] && blurred[7] > blurred[11] && blurred[11] > 0);
        free(blurred);
    }
}

/* --- Compared with the exact result ----------------------------------------------------------- */

static double exact_at(const double *row, int32_t size, int32_t at, double sigma, int32_t border)
{
    const int32_t reach = (int32_t)(6 * sigma) + 2;
    double sum = 0, weights = 0;
    for (int32_t i = -reach; i <= reach; i++) {
        const int32_t place = img_border_place(at + i, size, border);
        const double weight = exp(-(double)i * i / (2 * sigma * sigma));
        sum += place < 0 ? 0 : weight * row[place];
        weights += weight;
    }
    return sum / weights;
}

/* Returns one channel of a picture without alpha, blurred in double precision. */
static double *exact_blur(const void *samples, ImgShape shape, int c, double sigma, int32_t border)
{
    const int32_t width = shape.width, height = shape.height;
    const size_t count = (size_t)width * (size_t)height;
    double *picture = malloc(count * sizeof *picture), *result = malloc(count * sizeof *result);
    double *column = malloc((size_t)height * sizeof *column);
    for (int32_t x = 0; x < width; x++) {
        for (int32_t y = 0; y < height; y++)
            column[y] = sample_of(samples, shape, x, y, c);
        for (int32_t y = 0; y < height; y++)
            picture[y * width + x] = exact_at(column, height, y, sigma, border);
    }
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            result[y * width + x] = exact_at(picture + y * width, width, x, sigma, border);
    free(picture);
    free(column);
    return result;
}

static double error_of(ImgShape shape, const void *samples, double sigma, int32_t border)
{
    char options[64];
    double most = 0;
    ImgShape result;
    snprintf(options, sizeof options, "sigma=%g border=%s", sigma, border_names[border]);
    void *blurred = run_op("blur", options, shape, samples, &result);
    for (int c = 0; c < img_format_channels(shape.format); c++) {
        double *exact = exact_blur(samples, shape, c, sigma, border);
        for (int32_t y = 0; y < shape.height; y++)
            for (int32_t x = 0; x < shape.width; x++)
                most = fmax(most,
                            fabs(exact[y * shape.width + x] - sample_of(blurred, result, x, y, c)));
        free(exact);
    }
    free(blurred);
    return most;
}

/* This test uses noise. The next test uses bars of every second pixel, the worst case for a blur
 * that works on a reduced picture. */
Test(blur, errors_for_noise_are_small)
{
    static const double sigmas[] = {0.3, 0.5, 1, 2, 2.9, 3, 5, 7.9, 8, 20, 64, 200};
    const ImgShape shapes[] = {{37, 29, RGB_8}, {5, 3, GRAY_8}, {37, 29, GRAY_16}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        void *noise = random_picture(shapes[s], 11);
        const double bound = shapes[s].format.bits == 8 ? 0.8 : 132;
        for (size_t i = 0; i < sizeof sigmas / sizeof sigmas[0]; i++)
            for (int32_t border = 0; border < 4; border++) {
                const double error = error_of(shapes[s], noise, sigmas[i], border);
                cr_expect(error <= bound, "%d bits, sigma %g, border %d: %g", shapes[s].format.bits,
                          sigmas[i], border, error);
            }
        free(noise);
    }
}

Test(blur, errors_for_bars_are_small)
{
    const ImgShape shape = {60, 50, GRAY_8};
    uint8_t bars[60 * 50];
    for (int period = 2; period <= 16; period *= 2) {
        for (int i = 0; i < 60 * 50; i++)
            bars[i] = (i % 60 + i / 60) % period < period / 2 ? 255 : 0;
        cr_expect(error_of(shape, bars, 3, IMG_BORDER_REFLECT) <= 0.8);
        cr_expect(error_of(shape, bars, 8, IMG_BORDER_REFLECT) <= 0.8);
    }
}

/* --- sharpen ---------------------------------------------------------------------------------- */

/* At the edge between 100 and 200, a blur of sigma 0.5 takes the fraction 0.1067 from the other
 * side: e^-2 and e^-8, divided by the sum of all weights. The blurred values are 110.67 and 189.33.
 * Sharpening adds twice the differences, -10.67 and 10.67. */
Test(blur, a_sharpened_edge_matches)
{
    const ImgShape shape = {6, 1, GRAY_8};
    const uint8_t samples[] = {100, 100, 100, 200, 200, 200};
    const uint8_t expected[] = {100, 100, 79, 221, 200, 200};
    ImgShape result;
    uint8_t *sharp = run_op("sharpen", "sigma=0.5 amount=2", shape, samples, &result);
    for (int i = 0; i < 6; i++)
        cr_expect_eq(sharp[i], expected[i], "%d: %d", i, sharp[i]);
    free(sharp);
    sharp = run_op("sharpen", "sigma=0.5 amount=2 threshold=11", shape, samples, &result);
    cr_expect_eq(farthest(samples, sharp, shape), 0);
    free(sharp);
}

Test(blur, sharpening_by_nothing_changes_nothing)
{
    static const ImgFormat formats[] = {{IMG_COLOR_RGB, 8}, {IMG_COLOR_GRAY, 16}};
    for (size_t f = 0; f < 2; f++) {
        const ImgShape shape = {17, 9, formats[f]};
        ImgShape result;
        void *samples = random_picture(shape, 5);
        void *same = run_op("sharpen", "sigma=4 amount=0", shape, samples, &result);
        cr_expect_eq(farthest(samples, same, shape), 0);
        free(samples);
        free(same);
    }
}

/* Alpha is sharpened too, and no sample leaves its range. */
Test(blur, sharpening_with_alpha_stays_in_range)
{
    const ImgShape shape = {33, 20, RGBA_16};
    ImgShape result;
    void *samples = random_picture(shape, 7);
    void *sharp = run_op("sharpen", "sigma=1 amount=20", shape, samples, &result);
    cr_expect_eq(result.format.bits, 16);
    cr_expect(farthest(samples, sharp, shape) > 1000);
    free(samples);
    free(sharp);
}

/* --- boxblur ---------------------------------------------------------------------------------- */

/* Each result is the mean of a square of 3 x 3 pixels in a picture of 1 ... 6 with repeated
 * edges. */
Test(blur, box_means_match_values_worked_out_by_hand)
{
    const ImgShape shape = {3, 2, GRAY_8};
    const uint8_t samples[] = {1, 2, 3, 4, 5, 6};
    ImgShape result;
    uint8_t *mean = run_op("boxblur", "", shape, samples, &result);
    cr_expect_eq(mean[0], 2); /* 2 * (1 + 1 + 2) + 4 + 4 + 5 = 21, and 21 / 9 = 2.33 */
    cr_expect_eq(mean[1], 3); /* 2 * (1 + 2 + 3) + 4 + 5 + 6 = 27, and 27 / 9 = 3 */
    cr_expect_eq(mean[5], 5); /* 2 * (5 + 6 + 6) + 2 + 3 + 3 = 42, and 42 / 9 = 4.67 */
    free(mean);
    mean = run_op("boxblur", "border=constant background=white", shape, samples, &result);
    cr_expect_eq(mean[0], 143); /* 5 * 255 + 1 + 2 + 4 + 5 = 1287, and 1287 / 9 = 143 */
    cr_expect_eq(mean[4], 87);  /* 3 * 255 + 21 = 786, and 786 / 9 = 87.33 */
    free(mean);
}

/* Returns the sum of all samples of channel `c` in a square around (`x`, `y`), one by one. */
static uint64_t square_sum(const void *samples, ImgShape shape, int32_t x, int32_t y, int c,
                           int32_t radius, int32_t border)
{
    uint64_t sum = 0;
    for (int32_t v = y - radius; v <= y + radius; v++)
        for (int32_t u = x - radius; u <= x + radius; u++)
            sum += (uint64_t)sample_beyond(samples, shape, u, v, c, border);
    return sum;
}

/* The means must be exact and rounded to the nearest, for any radius. Some sums need more than 32
 * bits. */
Test(blur, box_means_match_the_definition)
{
    static const int32_t radii[] = {1, 2, 10, 90, 131};
    const ImgShape shapes[] = {{7, 5, RGB_8}, {1, 1, GRAY_8}, {6, 4, GRAY_16}};
    for (size_t i = 0; i < 60; i++) {
        const ImgShape shape = shapes[i / 20];
        const int32_t radius = radii[i / 4 % 5], border = (int32_t)i % 4;
        const uint64_t area = (uint64_t)(2 * radius + 1) * (uint64_t)(2 * radius + 1);
        char options[64];
        ImgShape result;
        snprintf(options, sizeof options, "radius=%d border=%s", radius, border_names[border]);
        void *samples = random_picture(shape, 21);
        void *mean = run_op("boxblur", options, shape, samples, &result);
        for (int32_t p = 0; p < shape.width * shape.height; p++)
            for (int c = 0; c < img_format_channels(shape.format); c++) {
                const int32_t x = p % shape.width, y = p / shape.width;
                const uint64_t sum = square_sum(samples, shape, x, y, c, radius, border);
                cr_expect_eq(sample_of(mean, shape, x, y, c), (2 * sum + area) / (2 * area),
                             "%s at %d, %d", options, x, y);
            }
        free(samples);
        free(mean);
    }
}

/* A white picture gives the largest possible sum. */
Test(blur, a_white_picture_stays_white)
{
    static const char *const options[] = {"radius=1", "radius=37", "radius=127", "radius=1000"};
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_GRAY, 16}, {IMG_COLOR_RGBA, 8}, {IMG_COLOR_GRAY_ALPHA, 16}};
    for (size_t i = 0; i < 16; i++) {
        const ImgShape shape = {3, 2, formats[i / 4]};
        uint8_t white[3 * 2 * 4];
        ImgShape result;
        memset(white, 255, sizeof white);
        void *mean = run_op("boxblur", options[i % 4], shape, white, &result);
        cr_expect_eq(farthest(white, mean, shape), 0, "%s", options[i % 4]);
        free(mean);
    }
}
