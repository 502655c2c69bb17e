/* Tests of convolve: kernels from options and files, values worked out by hand, and every sample
 * compared with the definition in double precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/convolve/convolve.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "tests/unit/damaged_texts.h"
#include "tests/unit/run_op.h"

#define SHARPEN "kernel=0,-1,0,-1,5,-1,0,-1,0"
#define EDGES   "kernel=0,1,0,1,-4,1,0,1,0"
#define BOX     "kernel=1,1,1,1,1,1,1,1,1"
#define ONE     "kernel=0,0,0,0,1,0,0,0,0"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGB_8 = {IMG_COLOR_RGB, 8}, RGBA_8 = {IMG_COLOR_RGBA, 8};
static const ImgFormat RGBA_16 = {IMG_COLOR_RGBA, 16}, GRAY_2 = {IMG_COLOR_GRAY, 2};

/* --- Values worked out by hand ---------------------------------------------------------------- */

static const uint8_t dot[] = {
    10, 10, 10, //
    10, 50, 20, //
    10, 10, 10, //
};

/* The middle pixel has the colour 255, and alpha would be 3 * 255 - 255 = 510. It is clamped to
 * 255. */
Test(convolve, alpha_above_opaque_is_clamped)
{
    static const uint8_t picture[] = {0, 0, 100, 255, 45, 255};
    ImgShape result;
    uint8_t *got = run_op("convolve", "kernel=0,0,0,-1,3,-1,0,0,0",
                          (ImgShape){3, 1, {IMG_COLOR_GRAY_ALPHA, 8}}, picture, &result);
    cr_expect_eq(got[2], 255, "%d", got[2]);
    cr_expect_eq(got[3], 255);
    free(got);
}

/* The middle pixel becomes 5 * 50 - 10 - 10 - 10 - 20 = 200. The pixel to its right, at the edge,
 * becomes 5 * 20 - 10 - 50 - 20 - 10 = 10. A corner becomes 5 * 10 - 40 = 10. */
Test(convolve, results_match_values_worked_out_by_hand)
{
    const ImgShape shape = {3, 3, GRAY_8};
    ImgShape result;
    uint8_t *sharp = run_op("convolve", SHARPEN, shape, dot, &result);
    uint8_t *dark = run_op("convolve", SHARPEN " border=constant background=black divisor=2", shape,
                           dot, &result);
    cr_expect_eq(sharp[4], 200);
    cr_expect_eq(sharp[5], 10);
    cr_expect_eq(sharp[0], 10);
    cr_expect_eq(dark[4], 100);
    cr_expect_eq(dark[0], 15);
    free(sharp);
    free(dark);
}

/* A kernel with only a 1 at the top left moves each sample down and to the right. A mirrored kernel
 * would move it up and to the left. */
Test(convolve, the_kernel_is_not_mirrored)
{
    const ImgShape shape = {3, 3, GRAY_8};
    const uint8_t samples[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    ImgShape result;
    uint8_t *moved =
        run_op("convolve", "kernel=1,0,0,0,0,0,0,0,0 border=wrap", shape, samples, &result);
    cr_expect_eq(memcmp(moved, (uint8_t[]){9, 7, 8, 3, 1, 2, 6, 4, 5}, 9), 0);
    free(moved);
}

/* Without a divisor, results are divided by the sum of the weights, or by 1 if the sum is 0. The
 * sum of `negative` is -1, so the middle pixel becomes 5 * 50 - 10 - 10 - 10 - 20 = 200. */
Test(convolve, the_default_divisor_is_the_sum)
{
    const ImgShape shape = {3, 3, GRAY_8};
    ImgShape result;
    uint8_t *edges = run_op("convolve", "kernel=0,-1,0,-1,4,-1,0,-1,0", shape, dot, &result);
    uint8_t *negative = run_op("convolve", "kernel=0,1,0,1,-5,1,0,1,0", shape, dot, &result);
    uint8_t *box = run_op("convolve", BOX, shape, dot, &result);
    uint8_t *half = run_op("convolve", ONE " divisor=2 bias=0.1", shape, dot, &result);
    cr_expect_eq(edges[4], 150);
    cr_expect_eq(negative[4], 200);
    cr_expect_eq(box[4], 16); /* 140 / 9 = 15.6 */
    cr_expect_eq(half[4], 51, "25 + 25.5, ties up");
    free(edges);
    free(negative);
    free(box);
    free(half);
}

/* Sums far outside 16 bits must still give black or white. */
Test(convolve, large_sums_are_clamped)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8}, {IMG_COLOR_GRAY, 16}};
    for (int f = 0; f < 2; f++) {
        const ImgShape shape = {2, 1, formats[f]};
        const uint16_t wide[] = {0, 65535};
        const uint8_t narrow[] = {0, 255};
        const uint32_t white = img_format_maximum(formats[f]);
        const void *samples = f == 0 ? (const void *)narrow : wide;
        ImgShape result;
        void *up = run_op("convolve", "kernel=0,0,0,-200,0,200,0,0,0", shape, samples, &result);
        void *down = run_op("convolve", "kernel=0,0,0,200,0,-200,0,0,0", shape, samples, &result);
        for (int x = 0; x < 2; x++) {
            cr_expect_eq(sample_of(up, result, x, 0, 0), white);
            cr_expect_eq(sample_of(down, result, x, 0, 0), 0);
        }
        free(up);
        free(down);
    }
}

Test(convolve, a_kernel_with_a_single_one_changes_nothing)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGBA, 8}, {IMG_COLOR_RGBA, 16}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const ImgShape shape = {23, 9, formats[f]};
        ImgShape result;
        void *samples = random_picture(shape, 3);
        void *same = run_op("convolve", ONE, shape, samples, &result);
        void *scaled = run_op("convolve", "kernel=3", shape, samples, &result);
        cr_expect_eq(farthest(samples, same, shape), 0);
        cr_expect_eq(farthest(samples, scaled, shape), 0, "divided by its sum");
        free(samples);
        free(same);
        free(scaled);
    }
}

Test(convolve, few_bits_become_8_bits)
{
    const ImgShape shape = {3, 1, GRAY_2};
    ImgShape result;
    uint8_t *mean =
        run_op("convolve", "kernel=0,0,0,1,1,1,0,0,0", shape, (uint8_t[]){0, 3, 3}, &result);
    cr_expect_eq(result.format.bits, 8);
    cr_expect_eq(memcmp(mean, (uint8_t[]){85, 170, 255}, 3), 0);
    free(mean);
}

/* --- Alpha ------------------------------------------------------------------------------------ */

/* The transparent pixels have different colours, which must not become visible. The result has only
 * the colour of the opaque frame. */
Test(convolve, transparent_colours_make_no_fringes)
{
    const ImgShape shape = {8, 5, RGBA_8};
    uint8_t samples[8 * 5 * 4];
    ImgShape result;
    for (int i = 0; i < 40; i++) {
        const bool is_seen = i % 8 >= 4;
        const uint8_t pixel[] = {is_seen ? 90 : (uint8_t)(i * 91), is_seen ? 30 : 255,
                                 is_seen ? 200 : (uint8_t)(i * 37), is_seen ? 255 : 0};
        memcpy(samples + 4 * i, pixel, 4);
    }
    uint8_t *mean = run_op("convolve", BOX, shape, samples, &result);
    for (int i = 0; i < 40; i++) {
        const int x = i % 8;
        const uint8_t *pixel = mean + 4 * i;
        cr_expect_eq(pixel[3], x < 3 ? 0 : x == 3 ? 85 : x == 4 ? 170 : 255, "%d", pixel[3]);
        if (x >= 3)
            cr_expect(abs(pixel[0] - 90) <= 1 && abs(pixel[1] - 30) <= 1 &&
                      abs(pixel[2] - 200) <= 1);
    }
    free(mean);
}

/* The weights sum to 0. Alpha stays unchanged, and transparent colours make no edges. */
Test(convolve, edge_kernels_keep_alpha)
{
    const ImgShape shape = {3, 1, RGBA_8};
    const uint8_t samples[] = {255, 0, 10, 0, 255, 200, 100, 255, 255, 100, 100, 51};
    ImgShape result;
    uint8_t *edges = run_op("convolve", "kernel=0,0,0,-1,2,-1,0,0,0", shape, samples, &result);
    uint8_t *with_bias =
        run_op("convolve", "kernel=0,0,0,-1,2,-1,0,0,0 bias=0.2", shape, samples, &result);
    /* The red of the middle pixel becomes 2 * 200 - 20 = 380, which is clamped to 255; blue becomes
     * 2 * 100 - 20 = 180. The right pixel becomes 2 * 51 - 255 - 51 < 0. */
    const uint8_t wanted[] = {0, 0, 0, 0, 255, 255, 180, 255, 0, 0, 0, 51};
    for (int i = 0; i < 12; i++)
        cr_expect_eq(edges[i], wanted[i], "%d: %d", i, edges[i]);
    cr_expect_eq(with_bias[6], 231);
    cr_expect_eq(with_bias[3], 0);
    cr_expect_eq(with_bias[0], 0, "0 - 255 + 51");
    free(edges);
    free(with_bias);
}

/* For any divisor and bias, an opaque picture gives nearly the same result with and without an
 * alpha channel. With alpha the weights have fewer fractional bits. */
Test(convolve, opaque_pictures_give_nearly_the_result_without_alpha)
{
    static const char *const exact[] = {SHARPEN, SHARPEN " bias=-0.5", EDGES " bias=0.5",
                                        SHARPEN " divisor=2 bias=0.25", EDGES " divisor=0.5"};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        expect_opaque_alike("convolve", exact[i], 8, 1);
        expect_opaque_alike("convolve", exact[i], 16, 1);
    }
    expect_opaque_alike("convolve", BOX " divisor=7", 8, 1);
    expect_opaque_alike("convolve", BOX " bias=0.3", 16, 12);
}

/* --- Compared with the definition ------------------------------------------------------------- */

static double defined_at(const void *samples, ImgShape shape, const ImgKernel *kernel, double scale,
                         int32_t x, int32_t y, int c, int32_t border)
{
    double sum = 0;
    for (int32_t i = 0; i < kernel->width * kernel->height; i++) {
        const int32_t column = x + i % kernel->width - kernel->width / 2;
        const int32_t line = y + i / kernel->width - kernel->height / 2;
        sum += (double)kernel->weights[i] * 1e-9 *
               sample_beyond(samples, shape, column, line, c, border);
    }
    return sum * scale;
}

/* Returns the largest error of img_convolve_cpu against the definition, in units of a sample. */
static double worst(const ImgKernel *kernel, int32_t divisor, ImgShape shape)
{
    const ImgOp *op;
    double most = 0, sum = 0;
    void *samples = random_picture(shape, 9), *out = random_picture(shape, 1);
    cr_assert_eq(img_op_find("convolve", &op, NULL), IMG_OK);
    for (int32_t i = 0; i < kernel->width * kernel->height; i++)
        sum += (double)kernel->weights[i] * 1e-9;
    const double scale = divisor != 0 ? 1000.0 / divisor : 1 / sum;
    const size_t stride = (size_t)shape.width * img_format_pixel_size(shape.format);
    for (int32_t border = 0; border < 4; border++) {
        ImgParams params;
        char text[16];
        ImgCall call = {.op = op,
                        .src = img_view_make(samples, stride, shape),
                        .dst = img_view_make(out, stride, shape),
                        .threads = 3};
        snprintf(text, sizeof text, "%d.%03d", divisor / 1000, divisor % 1000);
        img_params_init(op, &params);
        cr_assert_eq(img_params_set(op, &params, "border", border_names[border], NULL), IMG_OK);
        if (divisor != 0)
            cr_assert_eq(img_params_set(op, &params, "divisor", text, NULL), IMG_OK);
        cr_assert_eq(img_params_set(op, &params, "file", "made", NULL), IMG_OK);
        img_params_set_content(img_param_find(op, "file"), &params, kernel);
        cr_assert_eq(img_op_prepare(op, shape, params.bytes, &call.constants, NULL), IMG_OK);
        cr_assert_eq(img_convolve_cpu(&call, NULL), IMG_OK);
        img_constants_free(&call.constants);
        for (int32_t y = 0; y < shape.height; y++)
            for (int32_t x = 0; x < shape.width; x++)
                for (int c = 0; c < img_format_channels(shape.format); c++) {
                    const double exact = defined_at(samples, shape, kernel, scale, x, y, c, border);
                    const double clamped = fmax(0, fmin(exact, img_format_maximum(shape.format)));
                    most = fmax(most, fabs(clamped - sample_of(out, shape, x, y, c)));
                }
    }
    free(samples);
    free(out);
    return most;
}

static ImgKernel random_kernel(int32_t width, int32_t height, bool has_negative)
{
    ImgKernel kernel = {.width = width, .height = height};
    srand(17);
    for (int32_t i = 0; i < width * height; i++)
        kernel.weights[i] = (int64_t)rand() % 2000000000 - (has_negative ? 500000000 : 0);
    return kernel;
}

/* The bounds are from convolve.h. The sum of n weights with p fractional bits is off by at most n /
 * 2^p, and a result by half of that times the range. Rounding the result adds half a unit. At 8
 * bits, sums are first rounded to 1/64, which adds half of that. */
Test(convolve, results_are_near_the_definition)
{
    static const int32_t sides[][2] = {{3, 3}, {1, 5}, {7, 1}, {5, 5}, {31, 31}};
    static const ImgShape shapes[] = {{1, 1, {IMG_COLOR_GRAY, 8}},
                                      {33, 7, {IMG_COLOR_RGB, 8}},
                                      {70, 5, {IMG_COLOR_GRAY, 16}},
                                      {9, 21, {IMG_COLOR_RGB, 16}}};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int negative = 0; negative < 2; negative++) {
                const int32_t count = sides[k][0] * sides[k][1];
                const bool is_narrow = shapes[s].format.bits == 8;
                const ImgKernel kernel = random_kernel(sides[k][0], sides[k][1], negative);
                /* After the division by their sum, the absolute weights sum to less than 4 = 2^2.
                 * So the weights have 13 fractional bits, two fewer than the usual 15. */
                const double share = is_narrow ? 0x1p-16 : 0x1p-13;
                const double bound =
                    0.508 + count * share / 2 * img_format_maximum(shapes[s].format);
                const double error = worst(&kernel, 0, shapes[s]);
                cr_expect_leq(error, bound, "%d x %d, %d bits: %g, at most %g", sides[k][0],
                              sides[k][1], shapes[s].format.bits, error, bound);
            }
}

/* If all weights and their sum are powers of two, there is no rounding error. */
Test(convolve, weights_that_are_powers_of_two_are_exact)
{
    const ImgShape shape = {41, 13, GRAY_16};
    ImgKernel kernel = {.width = 3, .height = 3};
    static const int whole[] = {-1, -2, -1, 0, 16, 0, 1, 2, 1};
    for (int i = 0; i < 9; i++)
        kernel.weights[i] = whole[i] * INT64_C(1000000000);
    cr_expect_leq(worst(&kernel, 0, shape), 0.5);
    cr_expect_leq(worst(&kernel, 8000, shape), 0.5);
    cr_expect_gt(worst(&kernel, 3000, shape), 0.5);
}

/* Any kernel must leave a constant picture unchanged. */
Test(convolve, a_constant_is_kept)
{
    const ImgKernel kernel = random_kernel(31, 31, true);
    const ImgConvolveScale scale = {0, 0};
    const ImgBorderParams border = {.border = IMG_BORDER_REPLICATE, .background = {0, 0, 0, 0}};
    static ImgConvolve own;
    const ImgFormat formats[] = {RGB_8, GRAY_16, RGBA_8, RGBA_16};
    for (int f = 0; f < 4; f++) {
        int32_t sum = 0;
        img_convolve_make(&kernel, &scale, formats[f], &border, &own);
        for (int32_t k = 0; k < own.taps; k++)
            sum += own.color.weights[k];
        const int32_t kept = own.is_bytes ? IMG_LIFT_PLACES : 0;
        cr_expect_eq(sum, 1 << (own.color.shift + kept));
    }
}

/* --- Files and options ------------------------------------------------------------------------ */

Test(convolve, optional_parts_of_files_are_accepted)
{
    static const char text[] = "\xEF\xBB\xBF# a comment\r\n\r\n 1 -2.5\t3e-1 # the first\n\n"
                               "4 5 6\n+7 .5 1000000";
    static const int64_t wanted[] = {1000000000, -2500000000, 300000000,
                                     4000000000, 5000000000,  6000000000,
                                     7000000000, 500000000,   1000000000000000};
    ImgConstants content;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_kernel_read(text, sizeof text - 1, &content, &err), IMG_OK, "%s", err.message);
    const ImgKernel *kernel = content.bytes;
    cr_expect_eq(kernel->width, 3);
    cr_expect_eq(kernel->height, 3);
    cr_expect_eq(memcmp(kernel->weights, wanted, sizeof wanted), 0);
    img_constants_free(&content);
}

static void expect_bad(const char *text, const char *part)
{
    ImgConstants content = {NULL, 0};
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_kernel_read(text, strlen(text), &content, &err), IMG_E_FORMAT, "'%s'", text);
    cr_expect_null(content.bytes);
    cr_expect_not_null(strstr(err.message, part), "'%s' is not in '%s'", part, err.message);
}

Test(convolve, invalid_files_are_rejected_by_line)
{
    char many[300] = "";
    for (int i = 0; i < 32; i++)
        strcat(many, "1 ");
    expect_bad("", "has no numbers");
    expect_bad("# only\n\n", "has no numbers");
    expect_bad("1 2 3\n1 2", "line 2: 2 numbers, and 3 in rows before");
    expect_bad("1 2 3\n1 2 3", "the kernel is 3 x 2 and has no centre");
    expect_bad("1 2", "the kernel is 2 x 1");
    expect_bad("1 x 3", "line 1: 'x' is not a number");
    expect_bad("1,2,3", "line 1: '1,2,3' is not a number");
    expect_bad("1\n\xC3", "line 2: '?' is not a number");
    expect_bad("1000001", "line 1: '1000001' is not a number up to a million");
    expect_bad("nan", "'nan' is not a number");
    expect_bad(many, "line 1: more numbers than 31");
    for (int i = 0; i < 64; i++)
        many[i] = i % 2 == 0 ? '1' : '\n';
    expect_bad(many, "line 32: more rows than 31");
}

static void expect_middle(const ImgConstants *content)
{
    const ImgKernel *kernel = content->bytes;
    cr_expect(kernel->width % 2 == 1 && kernel->height % 2 == 1);
}

/* A file with changed bytes must give either a valid kernel or an error message. */
Test(convolve, damaged_files_give_an_error_or_a_kernel)
{
    cr_expect_gt(read_damaged_texts("# sharpen\n0 -1 0\n-1 5.5 -1 # middle\n0 -1e0 0\n",
                                    "0123456789.-+eE#\n\r\t 1 2", img_kernel_read, expect_middle),
                 100);
}

static void expect_refused(const char *kernel, const char *file, const char *divisor,
                           const char *part)
{
    const ImgOp *op;
    ImgParams params;
    const ImgShape shape = {1, 1, GRAY_8};
    ImgShape result;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("convolve", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "divisor", divisor, NULL), IMG_OK);
    if (kernel != NULL)
        cr_assert_eq(img_params_set(op, &params, "kernel", kernel, NULL), IMG_OK);
    if (file != NULL)
        cr_assert_eq(img_params_set(op, &params, "file", file, NULL), IMG_OK);
    cr_expect_eq(op->shape(shape, params.bytes, &result, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, part), "'%s' is not in '%s'", part, err.message);
}

Test(convolve, options_that_do_not_fit_are_rejected)
{
    expect_refused(NULL, NULL, "1", "the kernel is missing; give its weights");
    expect_refused("1", "a.txt", "1", "exclude each other");
    expect_refused("1,2,3", NULL, "1", "the kernel has 3 numbers; give 9 (3 x 3) or 25");
    expect_refused("1,2,3,4", NULL, "1", "the kernel has 4 numbers");
    expect_refused("256", NULL, "1", "too large for the divisor, which is given");
    expect_refused("0.256", NULL, "0.001", "too large");
    expect_refused("1,-1,0.001,0,0,0,0,0,0", NULL, "sum", "which is their sum");
    expect_refused("300,-300,0,0,0,0,0,0,0", NULL, "sum", "which is 1 where they sum to 0");
}
