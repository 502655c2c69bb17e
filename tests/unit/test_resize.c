/* Tests of resize: values worked out by hand, identities, symmetries, and the error against sums in
 * floating point. In each case run_op compares all implementations. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/sample.h"
#include "kernels/registry.h"
#include "kernels/resize/filter.h"
#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_16 = {IMG_COLOR_GRAY, 16},
                       RGB_8 = {IMG_COLOR_RGB, 8}, RGBA_8 = {IMG_COLOR_RGBA, 8};
static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 8},  {IMG_COLOR_GRAY_ALPHA, 8},  {IMG_COLOR_RGB, 8},  {IMG_COLOR_RGBA, 8},
    {IMG_COLOR_GRAY, 16}, {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 16}};
static const char *const FILTERS[] = {"nearest",  "box",      "bilinear", "bicubic",
                                      "mitchell", "lanczos2", "lanczos3"};
/* MOST_WEIGHTS is at least the number of weights of one result if a line of 7000 values becomes 9.
 * The widest filter, lanczos3, then spans 6 * 7000 / 9 values. */
enum { FORMAT_COUNT = 8, FILTER_COUNT = 7, MOST_WEIGHTS = 6 * 7000 / 9 + 3 };

static void expect_row(const char *options, const uint8_t *samples, int32_t count,
                       const uint8_t *expected, int32_t wanted)
{
    ImgShape result;
    uint8_t *got = run_op("resize", options, (ImgShape){count, 1, GRAY_8}, samples, &result);
    cr_assert_eq(result.width, wanted);
    for (int32_t i = 0; i < wanted; i++)
        cr_expect_eq(got[i], expected[i], "%s: sample %d is %d, not %d", options, i, got[i],
                     expected[i]);
    free(got);
}

#define EXPECT_ROW(options, samples, ...)                                                          \
    expect_row(options, samples, sizeof(samples), (const uint8_t[]){__VA_ARGS__},                  \
               sizeof((const uint8_t[]){__VA_ARGS__}))

/* --- Values worked out by hand ---------------------------------------------------------------- */

Test(resize, box_is_the_mean_of_the_covered_pixels)
{
    static const uint8_t two[] = {10, 21}, three[] = {30, 60, 90}, five[] = {0, 50, 100, 150, 200};
    /* the mean of 10 and 21 is 15.5, which is rounded up */
    EXPECT_ROW("size=1x1 fit=fill filter=box", two, 16);
    EXPECT_ROW("size=2x1 fit=fill filter=box", three, 40, 80);
    /* Each result covers 5/3 pixels. The first is (0 + 2/3 * 50) / (5/3) = 20. */
    EXPECT_ROW("size=3x1 fit=fill filter=box", five, 20, 100, 180);
    EXPECT_ROW("size=4x1 fit=fill filter=box", two, 10, 10, 21, 21);
}

Test(resize, bilinear_is_centred_on_pixels)
{
    static const uint8_t two[] = {0, 100}, one[] = {77}, four[] = {0, 80, 160, 240};
    EXPECT_ROW("size=4x1 fit=fill filter=bilinear", two, 0, 25, 75, 100);
    EXPECT_ROW("size=2x1 fit=fill filter=bilinear", one, 77, 77);
    /* Each triangle covers 4 pixels with the weights 3/8, 3/8, 1/8, and 1/8 beyond the edge. */
    EXPECT_ROW("size=2x1 fit=fill filter=bilinear", four, 50, 190);
}

Test(resize, nearest_takes_the_pixel_below)
{
    static const uint8_t three[] = {1, 2, 3}, four[] = {1, 2, 3, 4};
    EXPECT_ROW("size=2x1 fit=fill filter=nearest", three, 1, 3);
    EXPECT_ROW("size=2x1 fit=fill filter=nearest", four, 2, 4);
    EXPECT_ROW("size=5x1 fit=fill filter=nearest", three, 1, 1, 2, 3, 3);
}

/* The results lie 1/4 pixel from a source pixel. The weights of the four neighbours are 111/128,
 * 29/128, -9/128 and -3/128. Positions before the first pixel use the first pixel. */
Test(resize, bicubic_weights_match_values_worked_out_by_hand)
{
    static const uint8_t four[] = {0, 128, 128, 0};
    EXPECT_ROW("size=8x1 fit=fill filter=bicubic", four, 0, 26, 102, 140, 140, 102, 26, 0);
}

Test(resize, samples_of_few_bits_become_bytes)
{
    static const uint8_t two[] = {0, 15};
    ImgShape result;
    uint8_t *got = run_op("resize", "size=4x1 fit=fill filter=bilinear",
                          (ImgShape){2, 1, {IMG_COLOR_GRAY, 4}}, two, &result);
    cr_expect_eq(result.format.bits, 8);
    cr_expect_arr_eq(got, ((const uint8_t[]){0, 64, 191, 255}), 4);
    free(got);
}

/* The stretched result takes columns 0 and 2 of the picture, and rows 0, 1 and 1. With fit=cover
 * the middle of the picture is enlarged to twice its size. */
Test(resize, nearest_keeps_palette_indices_and_few_bits)
{
    static const uint8_t six[] = {3, 1, 2, 0, 15, 9};
    static const ImgFormat formats[] = {
        {IMG_COLOR_PALETTE, 4}, {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY, 4}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const ImgShape shape = {3, 2, formats[i]};
        ImgShape result;
        uint8_t *got = run_op("resize", "size=2x3 fit=fill filter=nearest", shape, six, &result);
        cr_expect(result.format.color == formats[i].color && result.format.bits == formats[i].bits);
        cr_expect_arr_eq(got, ((const uint8_t[]){3, 2, 0, 9, 0, 9}), 6);
        free(got);
        got = run_op("resize", "size=4x4 fit=cover filter=nearest linear=yes", shape, six, &result);
        cr_expect(result.format.color == formats[i].color && result.format.bits == formats[i].bits);
        cr_expect_arr_eq(
            got, ((const uint8_t[]){3, 1, 1, 2, 3, 1, 1, 2, 0, 15, 15, 9, 0, 15, 15, 9}), 16);
        free(got);
        got = run_op("resize", "size=3x2 filter=nearest", shape, six, &result);
        cr_expect_arr_eq(got, six, 6);
        free(got);
    }
}

Test(resize, palettes_are_rejected_if_new_colours_appear)
{
    static const char *const values[][2] = {
        {"filter", "nearest"}, {"fit", "contain"}, {"filter", "box"}, {"fit", "cover"}};
    const ImgOp *op;
    ImgParams params;
    ImgShape result;
    const ImgShape palette = {3, 2, {IMG_COLOR_PALETTE, 4}};
    cr_assert_eq(img_op_find("resize", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "size", "2x2", NULL), IMG_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        /* Only the filter nearest without a background keeps the format. */
        const bool keeps = i == 0;
        cr_assert_eq(img_params_set(op, &params, values[i][0], values[i][1], NULL), IMG_OK);
        cr_expect_eq(img_op_needs_channels(op, params.bytes), !keeps, "value %zu", i);
        cr_expect_eq(op->shape(palette, params.bytes, &result, NULL),
                     keeps ? IMG_OK : IMG_E_UNSUPPORTED);
    }
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static void expect_size(const char *options, int32_t width, int32_t height, int32_t new_width,
                        int32_t new_height)
{
    const ImgShape shape = {width, height, GRAY_8};
    ImgShape result;
    uint8_t *samples = random_picture(shape, 1);
    free(run_op("resize", options, shape, samples, &result));
    cr_expect(result.width == new_width && result.height == new_height, "%s: %d x %d", options,
              result.width, result.height);
    free(samples);
}

Test(resize, sizes_match_values_worked_out_by_hand)
{
    expect_size("size=60", 300, 201, 60, 40);
    expect_size("size=x40", 300, 201, 60, 40);
    expect_size("size=10", 300, 1, 10, 1);
    expect_size("size=50%", 301, 200, 151, 100);
    expect_size("size=0.1%", 300, 200, 1, 1);
    expect_size("size=100x100", 300, 200, 100, 67);
    expect_size("size=100x100", 200, 300, 67, 100);
    expect_size("size=100x100 fit=outside", 300, 200, 150, 100);
    expect_size("size=100x100 fit=outside", 200, 300, 100, 150);
    expect_size("size=100x100 fit=cover", 300, 200, 100, 100);
    expect_size("size=100x100 fit=contain", 300, 200, 100, 100);
    expect_size("size=100x90 fit=fill", 300, 200, 100, 90);
}

Test(resize, a_size_can_only_shrink_or_only_enlarge)
{
    expect_size("size=100x100 only=shrink", 30, 20, 30, 20);
    expect_size("size=100x100 only=shrink", 300, 200, 100, 67);
    expect_size("size=100x100 only=enlarge", 300, 200, 300, 200);
    expect_size("size=100x100 only=enlarge", 30, 20, 100, 67);
    expect_size("size=100x100 fit=fill only=shrink", 300, 20, 100, 20);
    expect_size("size=100x100 fit=fill only=enlarge", 300, 20, 300, 100);
    expect_size("size=100x100 fit=cover only=shrink", 300, 20, 100, 20);
    expect_size("size=100x100 fit=contain only=shrink", 30, 20, 100, 100);
    expect_size("size=100x100 fit=contain only=enlarge", 300, 20, 300, 100);
}

/* --- Pictures that must stay unchanged -------------------------------------------------------- */

static size_t bytes_of(ImgShape shape)
{
    return (size_t)shape.width * (size_t)shape.height * img_format_pixel_size(shape.format);
}

Test(resize, the_same_size_gives_the_same_bytes)
{
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int i = 0; i < FILTER_COUNT; i++) {
            const ImgShape shape = {37, 23, FORMATS[f]};
            char options[64];
            ImgShape result;
            uint8_t *samples = random_picture(shape, 3);
            snprintf(options, sizeof options, "size=100%% filter=%s", FILTERS[i]);
            uint8_t *got = run_op("resize", options, shape, samples, &result);
            cr_expect_eq(memcmp(got, samples, bytes_of(shape)), 0, "%s", options);
            free(got);
            free(samples);
        }
}

/* Returns true if all bytes equal `value`. An assertion for each byte would take longer than the
 * resizing. */
static bool all_are(const uint8_t *bytes, size_t count, uint8_t value)
{
    size_t i = 0;
    while (i < count && bytes[i] == value)
        i++;
    return i == count;
}

Test(resize, constants_stay_constant)
{
    static const char *const sizes[] = {"1x1", "2x3", "7x50", "41x29", "100x9", "133x160"};
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int i = f % EVERY(5); i < FILTER_COUNT * 6; i += EVERY(5)) {
            const ImgShape shape = {40, 30, FORMATS[f]};
            char options[64];
            ImgShape result;
            uint8_t *samples = malloc(bytes_of(shape));
            memset(samples, 0xC8 + i % 3, bytes_of(shape));
            snprintf(options, sizeof options, "size=%s fit=fill filter=%s", sizes[i % 6],
                     FILTERS[i / 6]);
            uint8_t *got = run_op("resize", options, shape, samples, &result);
            cr_assert(all_are(got, bytes_of(result), samples[0]), "%s", options);
            free(got);
            free(samples);
        }
}

/* White must stay white, also in a narrow picture with a wide filter. */
Test(resize, extreme_sizes_keep_white)
{
    static const struct {
        int32_t width, height;
        const char *size;
    } cases[] = {{1, 1, "300x400"}, {1, 9000, "1x200"}, {50000, 1, "200x1"}, {1, 33000, "1x1"},
                 {3, 2, "3000x2"},  {2000, 3, "2x300"}, {5000, 7, "5x70"},   {1, 200, "40000x2"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int f = 1; f < 5; f += 2 * EVERY(2)) {
            const ImgShape shape = {cases[i].width, cases[i].height, FORMATS[f]};
            char options[64];
            ImgShape result;
            uint8_t *samples = malloc(bytes_of(shape));
            memset(samples, 255, bytes_of(shape));
            snprintf(options, sizeof options, "size=%s fit=fill", cases[i].size);
            uint8_t *got = run_op("resize", options, shape, samples, &result);
            cr_assert(all_are(got, bytes_of(result), 255), "%s", options);
            free(got);
            free(samples);
        }
}

/* --- Symmetries ------------------------------------------------------------------------------- */

Test(resize, resizing_a_mirrored_picture_mirrors_the_result)
{
    static const char *const sizes[] = {"17x11", "100x51", "53x40", "21x400"};
    for (int i = 0; i < FILTER_COUNT * 4; i++) {
        /* Skipped: nearest chooses one of two equally near pixels, so it is not symmetric. */
        if (i < 4)
            continue;
        const ImgShape shape = {53, 40, FORMATS[i % FORMAT_COUNT]};
        ImgShape flipped, result;
        char options[64];
        uint8_t *samples = random_picture(shape, 5);
        snprintf(options, sizeof options, "size=%s fit=fill filter=%s", sizes[i % 4],
                 FILTERS[i / 4]);
        uint8_t *mirrored = run_op("rotate", "angle=180", shape, samples, &flipped);
        uint8_t *a = run_op("resize", options, flipped, mirrored, &result);
        uint8_t *b = run_op("resize", options, shape, samples, &result);
        uint8_t *c = run_op("rotate", "angle=180", result, b, &flipped);
        cr_expect_eq(memcmp(a, c, bytes_of(result)), 0, "%s", options);
        free(samples);
        free(mirrored);
        free(a);
        free(b);
        free(c);
    }
}

static double centroid(const void *samples, ImgShape shape, bool down)
{
    double sum = 0, weighed = 0;
    for (int32_t y = 0; y < shape.height; y++)
        for (int32_t x = 0; x < shape.width; x++) {
            const double sample = sample_of(samples, shape, x, y, 0);
            sum += sample;
            weighed += sample * ((down ? y : x) + 0.5);
        }
    return weighed / sum;
}

/* The picture is a soft spot. Its centroid, measured in source pixels, must not move. */
Test(resize, centroids_do_not_move)
{
    const ImgShape shape = {131, 97, GRAY_16};
    static const char *const sizes[] = {"50x33", "131x97", "200x150", "17x61", "523x40"};
    uint16_t *samples = malloc(bytes_of(shape));
    for (int32_t y = 0; y < shape.height; y++)
        for (int32_t x = 0; x < shape.width; x++)
            samples[y * shape.width + x] =
                (uint16_t)lround(60000 * exp(-(pow(x - 60.3, 2) + pow(y - 41.7, 2)) / (2 * 9 * 9)));
    for (int i = 5; i < FILTER_COUNT * 5; i++) {
        ImgShape result;
        char options[64];
        snprintf(options, sizeof options, "size=%s fit=fill filter=%s", sizes[i % 5],
                 FILTERS[i / 5]);
        void *got = run_op("resize", options, shape, samples, &result);
        cr_expect_float_eq(centroid(got, result, false) * shape.width / result.width,
                           centroid(samples, shape, false), 1.0 / 64, "%s", options);
        cr_expect_float_eq(centroid(got, result, true) * shape.height / result.height,
                           centroid(samples, shape, true), 1.0 / 64, "%s", options);
        free(got);
    }
    free(samples);
}

/* --- Errors against sums in floating point ---------------------------------------------------- */

static double weight(const char *filter, double x)
{
    const double pi = acos(-1), d = fabs(x);
    const double lobes = strcmp(filter, "lanczos3") == 0 ? 3 : 2;
    if (strcmp(filter, "bilinear") == 0)
        return d < 1 ? 1 - d : 0;
    if (strcmp(filter, "bicubic") == 0)
        return d >= 2 ? 0 : d < 1 ? (1.5 * d - 2.5) * d * d + 1 : ((2.5 - 0.5 * d) * d - 4) * d + 2;
    if (strcmp(filter, "mitchell") == 0)
        return d >= 2  ? 0
               : d < 1 ? (7 * d - 12) * d * d + 16.0 / 3
                       : ((12 - 7.0 / 3 * d) * d - 20) * d + 32.0 / 3;
    if (d == 0)
        return 1;
    return d < lobes ? lobes * sin(pi * d) * sin(pi * d / lobes) / (pi * pi * d * d) : 0;
}

/* The weights of one result of a line. They belong to the values from `first` to `first + count -
 * 1`, which may lie beyond both ends of the line. */
typedef struct Weights {
    int32_t first, count;
    double values[MOST_WEIGHTS];
} Weights;

/* Returns the weights of each of `wanted` results. The weights of one result sum to 1. The caller
 * frees them. */
static Weights *weights_of(const char *filter, int32_t count, int32_t wanted)
{
    const double ratio = (double)count / wanted, scale = ratio > 1 ? ratio : 1;
    Weights *all = malloc((size_t)wanted * sizeof *all);
    for (int32_t i = 0; i < wanted; i++) {
        const double at = (i + 0.5) * ratio - 0.5;
        double sum = 0;
        all[i].first = (int32_t)floor(at - 3 * scale);
        all[i].count = (int32_t)floor(at + 3 * scale + 1) - all[i].first + 1;
        cr_assert_leq(all[i].count, MOST_WEIGHTS);
        for (int32_t k = 0; k < all[i].count; k++)
            sum += all[i].values[k] = weight(filter, (all[i].first + k - at) / scale);
        for (int32_t k = 0; k < all[i].count; k++)
            all[i].values[k] /= sum;
    }
    return all;
}

/* Resizes a line of `count` values to `wanted` values in floating point. Values are `step` elements
 * apart. A line that keeps its length is copied. */
static void weigh_line(const Weights *weights, const double *from, double *to, int32_t count,
                       int32_t wanted, size_t step)
{
    for (int32_t i = 0; i < wanted; i++) {
        double sum = 0;
        for (int32_t k = 0; count != wanted && k < weights[i].count; k++) {
            const int32_t at = weights[i].first + k;
            const int32_t inside = at < 0 ? 0 : at >= count ? count - 1 : at;
            sum += weights[i].values[k] * from[(size_t)inside * step];
        }
        to[(size_t)i * step] = count == wanted ? from[(size_t)i * step] : sum;
    }
}

/* Returns one channel of a picture resized in floating point. The caller frees it. */
static double *exact(const char *filter, ImgShape src, const double *samples, ImgShape dst)
{
    double *middle = malloc((size_t)src.width * (size_t)dst.height * sizeof *middle);
    double *result = malloc((size_t)dst.width * (size_t)dst.height * sizeof *result);
    Weights *down = weights_of(filter, src.height, dst.height);
    Weights *across = weights_of(filter, src.width, dst.width);
    for (int32_t x = 0; x < src.width; x++)
        weigh_line(down, samples + x, middle + x, src.height, dst.height, (size_t)src.width);
    for (int32_t y = 0; y < dst.height; y++)
        weigh_line(across, middle + (size_t)y * (size_t)src.width,
                   result + (size_t)y * (size_t)dst.width, src.width, dst.width, 1);
    free(down);
    free(across);
    free(middle);
    return result;
}

static double *channel(ImgShape shape, const void *samples, int c, bool times_alpha)
{
    double *values = malloc((size_t)shape.width * (size_t)shape.height * sizeof *values);
    for (int32_t i = 0; i < shape.width * shape.height; i++) {
        const int32_t x = i % shape.width, y = i / shape.width;
        values[i] = sample_of(samples, shape, x, y, c);
        if (times_alpha)
            values[i] *= sample_of(samples, shape, x, y, img_format_channels(shape.format) - 1);
    }
    return values;
}

/* Returns the largest difference between the result and the exact result. The exact result is
 * clamped to the range of samples. */
static double error_of(const char *options, const char *filter, ImgShape shape, const void *samples)
{
    ImgShape result;
    void *got = run_op("resize", options, shape, samples, &result);
    const double maximum = img_format_maximum(shape.format);
    const int channels = img_format_channels(shape.format);
    double most = 0;
    for (int c = 0; c < channels; c++) {
        const bool color = img_format_has_alpha(shape.format) && c + 1 < channels;
        double *values = channel(shape, samples, c, color);
        double *alphas = color ? channel(shape, samples, channels - 1, false) : NULL;
        double *right = exact(filter, shape, values, result);
        double *alpha = color ? exact(filter, shape, alphas, result) : NULL;
        for (int32_t i = 0; i < result.width * result.height; i++) {
            if (color && alpha[i] < maximum / 4)
                continue;
            const double value = color ? right[i] / alpha[i] : right[i];
            const double bounded = fmin(fmax(value, 0), maximum);
            const double sample = sample_of(got, result, i % result.width, i / result.width, c);
            most = fmax(most, fabs(sample - bounded));
        }
        free(values);
        free(alphas);
        free(right);
        free(alpha);
    }
    free(got);
    return most;
}

/* Returns a picture of circles with growing frequency, up to the finest that pixels can show. */
static void *zone_plate(ImgShape shape)
{
    void *samples = malloc(bytes_of(shape));
    const double maximum = img_format_maximum(shape.format), pi = acos(-1);
    for (int32_t i = 0; i < shape.width * shape.height; i++) {
        const int32_t column = i % shape.width, row = i / shape.width;
        const double x = column, y = row;
        const double wave = cos(pi * (x * x + y * y) / (2 * shape.width));
        const int channels = img_format_channels(shape.format);
        for (int c = 0; c < channels; c++)
            img_sample_set(samples, (size_t)i * (size_t)channels + (size_t)c, shape.format.bits,
                           (uint32_t)lround(maximum * (0.5 + 0.5 * wave)));
    }
    return samples;
}

static void expect_error(ImgFormat format, double most)
{
    static const char *const sizes[] = {"19x23", "60x60", "131x90", "300x71", "10x400"};
    const ImgShape shape = {120, 90, format};
    void *pictures[2] = {random_picture(shape, 9), zone_plate(shape)};
    double worst = 0;
    for (int i = 2 * 5; i < FILTER_COUNT * 5; i += EVERY(3))
        for (int p = 0; p < 2; p++) {
            char options[64];
            snprintf(options, sizeof options, "size=%s fit=fill filter=%s", sizes[i % 5],
                     FILTERS[i / 5]);
            const double error = error_of(options, FILTERS[i / 5], shape, pictures[p]);
            cr_expect_leq(error, most, "%s, %d bits: %g", options, format.bits, error);
            worst = fmax(worst, error);
        }
    cr_log_info("%s, %d bits: at most %g\n", img_color_name(format.color), format.bits, worst);
    free(pictures[0]);
    free(pictures[1]);
}

Test(resize, errors_of_8_bits_are_bounded)
{
    expect_error(GRAY_8, 0.53);
    expect_error(RGB_8, 0.53);
}

Test(resize, errors_of_16_bits_are_bounded)
{
    expect_error(GRAY_16, 0.55);
}

/* The bounds hold for alpha. For colours they hold only where alpha is at least a quarter: error_of
 * ignores other pixels. */
Test(resize, errors_with_alpha_are_bounded)
{
    expect_error(RGBA_8, 0.55);
    expect_error((ImgFormat){IMG_COLOR_GRAY_ALPHA, 16}, 0.6);
}

/* With more than 1024 weights, 8-bit samples are summed with the method for 16-bit samples. */
Test(resize, errors_with_many_weights_are_bounded)
{
    const ImgShape shape = {7000, 3, GRAY_8};
    void *samples = random_picture(shape, 11);
    cr_expect_leq(error_of("size=9x2 fit=fill", "lanczos3", shape, samples), 0.51);
    const double error = error_of("size=43x5 fit=fill", "lanczos3", shape, samples);
    cr_expect_leq(error, 0.55, "%g", error);
    free(samples);
}

/* --- Alpha and the values of fit -------------------------------------------------------------- */

/* Transparent green stands beside opaque red, and must not become visible. */
Test(resize, transparent_colours_make_no_fringes)
{
    ImgShape result;
    static const uint8_t red[4] = {0xC8, 0x0A, 0x14, 0xFF}, hidden[4] = {0, 0xFF, 0, 0};
    uint8_t samples[8 * 4];
    for (int i = 0; i < 8; i++)
        memcpy(samples + (size_t)i * 4, i < 4 ? red : hidden, sizeof red);
    uint8_t *got =
        run_op("resize", "size=19x1 fit=fill", (ImgShape){8, 1, RGBA_8}, samples, &result);
    for (int32_t x = 0; x < 19; x++) {
        const uint8_t *pixel = got + (size_t)x * 4;
        const int most =
            /* In nearly transparent pixels colours are less precise. */
            pixel[3] > 0 ? 4 / pixel[3] : 255;
        cr_expect_leq(abs(pixel[0] - 0xC8), most);
        cr_expect_leq(abs(pixel[1] - 0x0A), most);
        cr_expect_leq(abs(pixel[2] - 0x14), most);
    }
    cr_expect(got[3] == 255 && got[18 * 4 + 3] == 0);
    free(got);
}

Test(resize, cover_is_a_part_of_outside)
{
    const ImgShape shape = {61, 40, RGB_8};
    ImgShape whole, part, kept;
    uint8_t *samples = random_picture(shape, 13);
    uint8_t *outside = run_op("resize", "size=30x30 fit=outside", shape, samples, &whole);
    uint8_t *cover = run_op("resize", "size=30x30 fit=cover gravity=east", shape, samples, &part);
    cr_assert_eq(whole.width, 46);
    uint8_t *cropped = run_op("crop", "x=16", whole, outside, &kept);
    cr_assert_eq(kept.width, part.width);
    cr_expect_eq(memcmp(cropped, cover, bytes_of(part)), 0);
    free(samples);
    free(outside);
    free(cover);
    free(cropped);
}

Test(resize, contain_is_inside_with_a_border)
{
    const ImgShape shape = {61, 40, RGB_8};
    ImgShape inner, outer, kept;
    uint8_t *samples = random_picture(shape, 15);
    uint8_t *inside = run_op("resize", "size=30x30", shape, samples, &inner);
    uint8_t *contain = run_op("resize", "size=30x30 fit=contain gravity=south background=#102030",
                              shape, samples, &outer);
    cr_assert_eq(inner.height, 20);
    uint8_t *cropped = run_op("crop", "y=10", outer, contain, &kept);
    cr_expect_eq(memcmp(cropped, inside, bytes_of(inner)), 0);
    for (size_t i = 0; i < 10 * 30; i++)
        cr_expect_eq(memcmp(contain + 3 * i, "\x10\x20\x30", 3), 0);
    free(samples);
    free(inside);
    free(contain);
    free(cropped);
}

/* Resizes a picture with fit=contain and a background. Expects that its inside equals the picture
 * resized without a background, and that its margins have the colour `pixel`. */
static void expect_beside(const char *background, ImgFormat from, ImgFormat to, const void *pixel)
{
    const ImgShape shape = {61, 40, from};
    char options[96];
    ImgShape inner, outer;
    void *samples = random_picture(shape, 15);
    void *inside = run_op("resize", "size=30x30", shape, samples, &inner);
    snprintf(options, sizeof options, "size=30x30 fit=contain background=%s", background);
    uint8_t *contain = run_op("resize", options, shape, samples, &outer);
    cr_assert(outer.format.color == to.color && outer.format.bits == to.bits, "%s", background);
    const int channels = img_format_channels(from), made = img_format_channels(to);
    const bool adds_alpha = img_format_has_alpha(to) && !img_format_has_alpha(from);
    const size_t size = img_format_pixel_size(to);
    for (int32_t i = 0; i < 30 * 30; i++) {
        const int32_t x = i % 30, y = i / 30;
        if (y < 5 || y >= 25)
            cr_expect_eq(memcmp(contain + (size_t)i * size, pixel, size), 0);
        for (int c = 0; y >= 5 && y < 25 && c < made; c++) {
            const bool is_alpha = img_format_has_alpha(to) && c == made - 1;
            const int own = is_alpha ? channels - 1 : channels < 3 ? 0 : c;
            const uint32_t wanted = is_alpha && adds_alpha
                                        ? img_format_maximum(to)
                                        : sample_of(inside, inner, x, y - 5, own);
            cr_expect_eq(sample_of(contain, outer, x, y, c), wanted, "%s", background);
        }
    }
    free(samples);
    free(inside);
    free(contain);
}

Test(resize, contain_adds_the_channels_its_margins_need)
{
    const ImgFormat rgba8 = {IMG_COLOR_RGBA, 8}, rgb16 = {IMG_COLOR_RGB, 16};
    expect_beside("transparent", RGB_8, rgba8, "\0\0\0\0");
    expect_beside("#10203040", RGB_8, rgba8, "\x10\x20\x30\x40");
    expect_beside("#ff000080", rgb16, (ImgFormat){IMG_COLOR_RGBA, 16},
                  (uint16_t[]){65535, 0, 0, 32896});
    expect_beside("transparent", GRAY_8, (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8}, "\0\0");
    expect_beside("red", (ImgFormat){IMG_COLOR_GRAY, 2}, RGB_8, "\xff\0\0");
    expect_beside("red", (ImgFormat){IMG_COLOR_GRAY, 16}, rgb16, (uint16_t[]){65535, 0, 0});
    expect_beside("lime", (ImgFormat){IMG_COLOR_GRAY_ALPHA, 8}, rgba8, "\0\xff\0\xff");
    expect_beside("gray", GRAY_8, GRAY_8, "\x80");
}

/* The result is as wide as the picture and twice as high. So the two source pixels are copied, and
 * there is one transparent pixel above and one below. */
Test(resize, contain_matches_values_worked_out_by_hand)
{
    ImgShape result;
    uint8_t *got = run_op("resize", "size=1x4 fit=contain filter=nearest",
                          (ImgShape){1, 2, {IMG_COLOR_GRAY, 4}}, "\x05\x0f", &result);
    cr_assert_eq(result.format.color, IMG_COLOR_GRAY_ALPHA);
    cr_expect_arr_eq(got, ((const uint8_t[]){0, 0, 85, 255, 255, 255, 0, 0}), 8);
    free(got);
    got = run_op("resize", "size=1x2 fit=contain", (ImgShape){1, 2, RGB_8}, "abcdef", &result);
    cr_assert_eq(result.format.color, IMG_COLOR_RGB); /* The picture fits without a margin. */
    cr_expect_arr_eq(got, "abcdef", 6);
    free(got);
}
