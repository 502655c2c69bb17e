/* Tests of resize in linear light: values worked out by hand, identities, and the error against
 * sums in floating point. In each case run_op compares all implementations. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/sample.h"
#include "kernels/registry.h"
#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

static const ImgFormat FORMATS[] = {
    {IMG_COLOR_GRAY, 8},  {IMG_COLOR_GRAY_ALPHA, 8},  {IMG_COLOR_RGB, 8},  {IMG_COLOR_RGBA, 8},
    {IMG_COLOR_GRAY, 16}, {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGB, 16}, {IMG_COLOR_RGBA, 16}};
enum { FORMAT_COUNT = 8 };

static size_t bytes_of(ImgShape shape)
{
    return (size_t)shape.width * (size_t)shape.height * img_format_pixel_size(shape.format);
}

/* --- Values worked out by hand ---------------------------------------------------------------- */

static void expect_pixel(ImgFormat format, const char *options, int32_t width, const void *samples,
                         const uint32_t *expected)
{
    const ImgShape shape = {width, 1, format};
    ImgShape result;
    void *got = run_op("resize", options, shape, samples, &result);
    for (int c = 0; c < img_format_channels(format); c++)
        cr_expect_eq(sample_of(got, result, 0, 0, c), expected[c], "%s, channel %d: %u, not %u",
                     img_color_name(format.color), c, sample_of(got, result, 0, 0, c), expected[c]);
    free(got);
}

#define MEAN "size=1x1 fit=fill filter=box linear=yes"

/* Half the light of white has the sRGB value 0.73536, and a quarter has the sRGB value 0.53710. */
Test(resize_linear, means_are_means_of_light)
{
    static const uint8_t two[] = {0, 255}, four[] = {0, 255, 0, 0};
    static const uint8_t rgb[] = {0, 255, 10, 255, 0, 10};
    static const uint16_t wide[] = {0, 65535}, wide_four[] = {65535, 0, 0, 0};
    expect_pixel(FORMATS[0], MEAN, 2, two, (const uint32_t[]){188});
    expect_pixel(FORMATS[0], MEAN, 4, four, (const uint32_t[]){137});
    expect_pixel(FORMATS[2], MEAN, 2, rgb, (const uint32_t[]){188, 188, 10});
    expect_pixel(FORMATS[4], MEAN, 2, wide, (const uint32_t[]){48192});
    expect_pixel(FORMATS[4], MEAN, 4, wide_four, (const uint32_t[]){35199});
}

Test(resize_linear, few_bits_match)
{
    static const uint8_t two[] = {0, 1};
    expect_pixel((ImgFormat){IMG_COLOR_GRAY, 1}, MEAN, 2, two, (const uint32_t[]){188});
}

/* The light of a pixel is weighted by its alpha. Alpha itself is averaged linearly. */
Test(resize_linear, alpha_weights_the_light)
{
    static const uint8_t gray[] = {0, 255, 255, 255}, clear[] = {99, 255, 7, 0};
    static const uint8_t rgba[] = {0, 255, 0, 51, 255, 255, 0, 51};
    /* White with alpha 85 has a quarter of the total weight, so the mean has a quarter of the
     * light. */
    static const uint8_t uneven[] = {0, 255, 255, 85};
    static const uint16_t wide[] = {0, 65535, 65535, 65535};
    expect_pixel(FORMATS[1], MEAN, 2, gray, (const uint32_t[]){188, 255});
    expect_pixel(FORMATS[1], MEAN, 2, clear, (const uint32_t[]){99, 128});
    expect_pixel(FORMATS[3], MEAN, 2, rgba, (const uint32_t[]){188, 255, 0, 51});
    expect_pixel(FORMATS[1], MEAN, 2, uneven, (const uint32_t[]){137, 170});
    expect_pixel(FORMATS[5], MEAN, 2, wide, (const uint32_t[]){48192, 65535});
}

/* The mean of two samples under a given transfer function. The constants are made once and used for
 * all samples. */
typedef struct Mean {
    const ImgOp *op;
    ImgParams params;
    ImgShape src, result;
    ImgConstants constants; /* freed by end_mean */
} Mean;

static Mean begin_mean(ImgFormat format, int32_t light)
{
    Mean mean = {.src = {2, 1, format}};
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("resize", &mean.op, &err), IMG_OK);
    img_params_init(mean.op, &mean.params);
    cr_assert_eq(img_params_set(mean.op, &mean.params, "size", "1x1", &err), IMG_OK);
    cr_assert_eq(img_params_set(mean.op, &mean.params, "filter", "box", &err), IMG_OK);
    cr_assert(img_params_set_flag(mean.op, &mean.params, "linear"));
    mean.op->facts.bind_light(mean.params.bytes, light);
    cr_assert_eq(mean.op->shape(mean.src, mean.params.bytes, &mean.result, &err), IMG_OK);
    cr_assert_eq(img_op_prepare(mean.op, mean.src, mean.params.bytes, &mean.constants, &err),
                 IMG_OK);
    return mean;
}

static uint32_t mean_of(const Mean *mean, uint32_t left, uint32_t right)
{
    ImgError err = {IMG_OK, ""};
    uint16_t samples[2], result[1] = {0};
    img_sample_set((uint8_t *)samples, 0, mean->src.format.bits, left);
    img_sample_set((uint8_t *)samples, 1, mean->src.format.bits, right);
    const ImgCall call = {.op = mean->op,
                          .src = img_view_make((uint8_t *)samples, sizeof samples, mean->src),
                          .dst = img_view_make((uint8_t *)result, sizeof result, mean->result),
                          .params = mean->params.bytes,
                          .constants = mean->constants,
                          .threads = 1};
    cr_assert_eq(mean->op->impls[0].run(&call, &err), IMG_OK);
    return sample_of(result, mean->result, 0, 0, 0);
}

static void end_mean(Mean *mean)
{
    img_constants_free(&mean->constants);
}

/* Returns the mean of black and white in `format` under the transfer function `light`. */
static uint32_t mean_with(ImgFormat format, int32_t light)
{
    Mean mean = begin_mean(format, light);
    const uint32_t result = mean_of(&mean, 0, img_format_maximum(format));
    end_mean(&mean);
    return result;
}

Test(resize_linear, the_transfer_function_of_the_file_is_used)
{
    cr_expect_eq(mean_with(FORMATS[0], IMG_LIGHT_SRGB), 188);
    cr_expect_eq(mean_with(FORMATS[0], IMG_LIGHT_LINEAR), 128);
    cr_expect_eq(mean_with(FORMATS[4], IMG_LIGHT_LINEAR), 32768);
    cr_expect_eq(mean_with(FORMATS[0], 50000), 180);   /* 255 * sqrt(1/2) */
    cr_expect_eq(mean_with(FORMATS[4], 50000), 46340); /* 65535 * sqrt(1/2) */
    cr_expect_eq(mean_with(FORMATS[0], 25000), 214);   /* 255 * (1/2)^(1/4) */
}

/* --- Pictures that must stay unchanged -------------------------------------------------------- */

/* A power curve gives the darkest samples so little light that some of them become equal. Black and
 * white stay unchanged. */
Test(resize_linear, constants_under_power_curves_stay_nearly_constant)
{
    static const struct {
        int32_t light;
        /* maximum change of a sample of a constant picture, with 8 and with 16 bits */
        uint32_t bytes, wide;
    } cases[] = {{55556, 1, 14}, {50000, 1, 23}, {45454, 1, 47}, {45000, 1, 50}, {33333, 5, 322}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int f = 0; f <= 4; f += 4) {
            const uint32_t maximum = img_format_maximum(FORMATS[f]);
            uint32_t most = 0;
            Mean mean = begin_mean(FORMATS[f], cases[i].light);
            for (uint32_t v = 0; v <= maximum; v += f == 0 || v < 700 ? 1 : 649) {
                const uint32_t got = mean_of(&mean, v, v);
                cr_expect(v > 0 || got == 0, "gAMA %d: black became %u", cases[i].light, got);
                most = got > v && got - v > most   ? got - v
                       : v > got && v - got > most ? v - got
                                                   : most;
            }
            cr_expect_eq(mean_of(&mean, maximum, maximum), maximum);
            end_mean(&mean);
            cr_expect_leq(most, f == 0 ? cases[i].bytes : cases[i].wide, "gAMA %d, %d bits: %u",
                          cases[i].light, FORMATS[f].bits, most);
        }
}

static void expect_constant(ImgFormat format, uint32_t value, const char *size)
{
    const ImgShape shape = {13, 9, format};
    const size_t count = bytes_of(shape) / (format.bits == 16 ? 2 : 1);
    char options[64];
    ImgShape result;
    void *samples = malloc(bytes_of(shape));
    for (size_t i = 0; i < count; i++)
        img_sample_set(samples, i, format.bits, value);
    snprintf(options, sizeof options, "size=%s fit=fill linear=yes", size);
    uint8_t *got = run_op("resize", options, shape, samples, &result);
    for (size_t i = 0; i < bytes_of(result) / (format.bits == 16 ? 2 : 1); i++)
        cr_assert_eq(img_sample(got, i, format.bits), value, "%s of %u", options, value);
    free(got);
    free(samples);
}

Test(resize_linear, constants_stay_constant)
{
    static const char *const sizes[] = {"1x1", "5x30", "40x4"};
    for (uint32_t value = 0; value < 256; value += EVERY(4))
        for (int f = 0; f < 3; f += 2)
            expect_constant(FORMATS[f], value, sizes[value % 3]);
    for (uint32_t value = 0; value < 65536; value += EVERY(4) * (value < 300 ? 1 : 251))
        expect_constant(FORMATS[4], value, sizes[value % 3]);
    /* FORMATS[3] has alpha, which has the value `value` like the colours. */
    for (uint32_t value = 1; value < 256; value += 2 * EVERY(4))
        expect_constant(FORMATS[3], value, sizes[value % 3]);
}

Test(resize_linear, the_same_size_gives_the_same_bytes)
{
    for (int f = 0; f < FORMAT_COUNT; f++) {
        const ImgShape shape = {37, 23, FORMATS[f]};
        ImgShape result;
        uint8_t *samples = random_picture(shape, 3);
        uint8_t *got = run_op("resize", "size=100% linear=yes", shape, samples, &result);
        cr_expect_eq(memcmp(got, samples, bytes_of(shape)), 0, "%d", f);
        free(got);
        free(samples);
    }
}

/* --- Errors against sums in floating point ---------------------------------------------------- */

static double light_of(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double sample_of_light(double light)
{
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

/* Returns value `i` of a line of `count` values that is resized to `wanted` values. The weights are
 * a triangle whose radius is the scale, but at least 1. */
static double weigh(const double *from, size_t step, int32_t count, int32_t wanted, int32_t i)
{
    const double ratio = (double)count / wanted, scale = ratio > 1 ? ratio : 1;
    const double at = (i + 0.5) * ratio - 0.5;
    double sum = 0, weights = 0;
    for (int32_t k = (int32_t)floor(at - scale); k <= at + scale + 1; k++) {
        const double w = fmax(0, 1 - fabs(k - at) / scale);
        sum += w * from[(size_t)(k < 0 ? 0 : k >= count ? count - 1 : k) * step];
        weights += w;
    }
    return sum / weights;
}

/* Returns the light of channel `c` for all pixels, multiplied by alpha if there is alpha. For the
 * alpha channel returns alpha. */
static double *lights_of(const void *samples, ImgShape shape, int c)
{
    const int channels = img_format_channels(shape.format);
    const double maximum = img_format_maximum(shape.format);
    const bool has_alpha = img_format_has_alpha(shape.format);
    double *values = malloc((size_t)shape.width * (size_t)shape.height * sizeof *values);
    for (int32_t i = 0; i < shape.width * shape.height; i++) {
        const int32_t x = i % shape.width, y = i / shape.width;
        const double alpha =
            has_alpha ? sample_of(samples, shape, x, y, channels - 1) / maximum : 1;
        values[i] = has_alpha && c + 1 == channels
                        ? alpha
                        : alpha * light_of(sample_of(samples, shape, x, y, c) / maximum);
    }
    return values;
}

static double *exact(const double *values, ImgShape src, ImgShape dst)
{
    double *middle = malloc((size_t)src.width * (size_t)dst.height * sizeof *middle);
    double *result = malloc((size_t)dst.width * (size_t)dst.height * sizeof *result);
    for (int32_t y = 0; y < dst.height; y++)
        for (int32_t x = 0; x < src.width; x++)
            middle[y * src.width + x] =
                weigh(values + x, (size_t)src.width, src.height, dst.height, y);
    for (int32_t y = 0; y < dst.height; y++)
        for (int32_t x = 0; x < dst.width; x++)
            result[y * dst.width + x] =
                weigh(middle + (size_t)y * (size_t)src.width, 1, src.width, dst.width, x);
    free(middle);
    return result;
}

static double error_of(ImgFormat format, const char *size)
{
    const ImgShape shape = {60, 45, format};
    const int channels = img_format_channels(format);
    const double maximum = img_format_maximum(format);
    char options[64];
    ImgShape result;
    double most = 0;
    void *samples = random_picture(shape, 9);
    snprintf(options, sizeof options, "size=%s fit=fill filter=bilinear linear=yes", size);
    void *got = run_op("resize", options, shape, samples, &result);
    for (int c = 0; c < channels; c++) {
        const bool color = !img_format_has_alpha(format) || c + 1 < channels;
        double *values = lights_of(samples, shape, c);
        double *alphas = lights_of(samples, shape, channels - 1);
        double *right = exact(values, shape, result), *alpha = exact(alphas, shape, result);
        for (int32_t i = 0; i < result.width * result.height; i++) {
            const double share = img_format_has_alpha(format) ? alpha[i] : 1;
            const double value = color ? sample_of_light(right[i] / share) : right[i];
            const double sample = sample_of(got, result, i % result.width, i / result.width, c);
            if (share >= 0.25)
                most = fmax(most, fabs(sample - maximum * value));
        }
        free(values);
        free(alphas);
        free(right);
        free(alpha);
    }
    free(got);
    free(samples);
    return most;
}

Test(resize_linear, errors_are_bounded)
{
    static const char *const sizes[] = {"19x23", "60x60", "131x90", "10x200"};
    static const double most[FORMAT_COUNT] = {0.62, 0.58, 0.62, 0.58, 0.75, 0.75, 0.75, 0.75};
    for (int f = 0; f < FORMAT_COUNT; f++)
        for (int i = 0; i < 4; i++) {
            const double error = error_of(FORMATS[f], sizes[i]);
            cr_expect_leq(error, most[f], "%s of %d bits to %s: %g",
                          img_color_name(FORMATS[f].color), FORMATS[f].bits, sizes[i], error);
        }
}
