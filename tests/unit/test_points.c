/* Tests of point operations: stages worked out by hand, tables that are combined, and several
 * operations in one pass. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kernels/core/exec/exec.h"
#include "kernels/core/params.h"
#include "kernels/point/points.h"
#include "kernels/registry.h"

enum { MOST = 64 };

/* Runs the prepared stages on one row of `width` pixels with every CPU implementation, and expects
 * equal results. `out` gets the result. */
static void run_points(ImgPoints *points, const void *in, int32_t width, void *out)
{
    ImgConstants constants;
    ImgShape src = {width, 1, points->from}, dst = {width, 1, points->format};
    size_t bytes = (size_t)width * img_format_pixel_size(dst.format);
    bool first = true;
    cr_assert_eq(img_points_compose(points, NULL), IMG_OK);
    cr_assert_eq(img_points_pack(points, &constants, NULL), IMG_OK);
    for (const ImgImpl *impl = img_point_impls; impl->name != NULL; impl++) {
        uint8_t got[MOST * 8];
        if (impl->backend != IMG_BACKEND_CPU || impl->run == NULL ||
            impl->cpu_level > img_cpu_level())
            continue;
        ImgCall call = {.op = &img_op_points,
                        .src = img_view_make((uint8_t *)in, MOST * 8, src),
                        .dst = img_view_make(got, MOST * 8, dst),
                        .constants = constants,
                        .threads = 1};
        cr_assert_eq(impl->run(&call, NULL), IMG_OK);
        if (first)
            memcpy(out, got, bytes);
        else
            cr_expect_eq(memcmp(out, got, bytes), 0, "%s", impl->name);
        first = false;
    }
    img_constants_free(&constants);
    img_points_free(points);
}

static ImgPoints points_of(ImgColor color, int bits)
{
    return img_points_start((ImgFormat){color, bits});
}

/* Runs an operation with one option on one row. Returns the format of the result. */
static ImgFormat run_op(const char *name, const char *option, const char *value, ImgFormat format,
                        const void *in, int32_t width, void *out)
{
    const ImgOp *op;
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find(name, &op, &err), IMG_OK, "%s", err.message);
    img_params_init(op, &params);
    if (option != NULL)
        cr_assert_eq(img_params_set(op, &params, option, value, &err), IMG_OK, "%s", err.message);
    ImgPoints points = img_points_start(format);
    ImgShape shape;
    cr_assert_eq(op->shape((ImgShape){width, 1, format}, params.bytes, &shape, &err), IMG_OK, "%s",
                 err.message);
    if (!img_op_is_points(op, params.bytes))
        return shape.format;
    cr_assert_eq(op->points.stages(params.bytes, &points, &err), IMG_OK, "%s", err.message);
    cr_expect_eq(points.format.color, shape.format.color);
    cr_expect_eq(points.format.bits, shape.format.bits);
    ImgFormat result = points.format;
    run_points(&points, in, width, out);
    return result;
}

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, RGB_8 = {IMG_COLOR_RGB, 8};
static const ImgFormat RGBA_8 = {IMG_COLOR_RGBA, 8}, RGB_16 = {IMG_COLOR_RGB, 16};

/* --- Operations ------------------------------------------------------------------------------- */

Test(points, invert_matches_values_worked_out_by_hand)
{
    uint8_t out[8] = {0}, four[2] = {0};
    uint16_t wide[3] = {0};
    run_op("invert", NULL, NULL, RGBA_8, (uint8_t[]){0, 1, 255, 7, 128, 127, 2, 255}, 2, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){255, 254, 0, 7, 127, 128, 253, 255}, 8), 0);
    run_op("invert", NULL, NULL, (ImgFormat){IMG_COLOR_GRAY, 4}, (uint8_t[]){0, 11}, 2, four);
    cr_expect_eq(memcmp(four, (uint8_t[]){15, 4}, 2), 0);
    run_op("invert", NULL, NULL, RGB_16, (uint16_t[]){0, 1000, 65535}, 1, wide);
    cr_expect_eq(memcmp(wide, (uint16_t[]){65535, 64535, 0}, 6), 0);
}

Test(points, grayscale_matches_values_worked_out_by_hand)
{
    uint8_t out[4] = {0};
    uint16_t wide[1] = {0};
    /* By BT.709, (10, 20, 30) has the luma 0.2126 * 10 + 0.7152 * 20 + 0.0722 * 30 = 18.596. By
     * BT.601, red has the luma 0.299 * 255 = 76.2. */
    ImgFormat format =
        run_op("grayscale", NULL, NULL, RGB_8, (uint8_t[]){10, 20, 30, 255, 255, 255}, 2, out);
    cr_expect_eq(format.color, IMG_COLOR_GRAY);
    cr_expect_eq(memcmp(out, (uint8_t[]){19, 255}, 2), 0);
    format = run_op("grayscale", "luma", "601", RGBA_8, (uint8_t[]){255, 0, 0, 9}, 1, out);
    cr_expect_eq(format.color, IMG_COLOR_GRAY_ALPHA);
    cr_expect_eq(memcmp(out, (uint8_t[]){76, 9}, 2), 0);
    /* Pure green has the luma 0.7152 * 65535 = 46870.6. */
    run_op("grayscale", NULL, NULL, RGB_16, (uint16_t[]){0, 65535, 0}, 1, wide);
    cr_expect_eq(wide[0], 46871);
    run_op("grayscale", NULL, NULL, GRAY_8, (uint8_t[]){3, 200}, 2, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){3, 200}, 2), 0);
}

/* Runs an operation with one option on four 8-bit gray samples, and expects the samples
 * `wanted`. */
static void expect_gray(const char *name, const char *option, const char *value, const uint8_t *in,
                        const uint8_t *wanted)
{
    uint8_t out[4] = {0};
    run_op(name, option, value, GRAY_8, in, 4, out);
    for (int i = 0; i < 4; i++)
        cr_expect_eq(out[i], wanted[i], "%s %s=%s: %d becomes %d, not %d", name, option, value,
                     in[i], out[i], wanted[i]);
}

Test(points, curves_of_gray_match)
{
    const uint8_t in[] = {0, 64, 128, 255};
    /* The option adds 10 % of 255, which is 25.5. */
    expect_gray("brightness", "value", "10", in, (uint8_t[]){26, 90, 154, 255});
    /* The option subtracts 50 % of 255, which is 127.5. */
    expect_gray("brightness", "value", "-50", in, (uint8_t[]){0, 0, 1, 128});
    /* The second and third results are 0.5 and 128.5 before rounding. */
    expect_gray("contrast", "factor", "2", in, (uint8_t[]){0, 1, 129, 255});
    expect_gray("contrast", "factor", "0", in, (uint8_t[]){128, 128, 128, 128}); /* 127.5 */
    expect_gray("gamma", "value", "2", in, (uint8_t[]){0, 128, 181, 255}); /* 255 * sqrt(v / 255) */
    expect_gray("levels", "black", "50", in, (uint8_t[]){0, 0, 1, 255});   /* (v - 127.5) * 2 */
    expect_gray("levels", "out-black", "100", in, (uint8_t[]){255, 255, 255, 255});
    expect_gray("levels", "gamma", "2", in, (uint8_t[]){0, 128, 181, 255});
    expect_gray("linear", "multiply", "0.5", in, (uint8_t[]){0, 32, 64, 128}); /* 127.5 */
    /* The option subtracts 63.75. */
    expect_gray("linear", "add", "-0.25", in, (uint8_t[]){0, 0, 64, 191});
    expect_gray("posterize", "levels", "2", in, (uint8_t[]){0, 0, 255, 255});
    expect_gray("posterize", "levels", "3", in, (uint8_t[]){0, 128, 128, 255}); /* 127.5 */
}

Test(points, saturation_hue_and_linear_mix_colours)
{
    uint8_t out[4] = {0};
    const uint8_t red[] = {200, 100, 50};
    /* The luma is 117.65. A saturation of 0.5 halves the distance of each sample from the luma. */
    run_op("saturation", "factor", "0.5", RGB_8, red, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){159, 109, 84}, 3), 0);
    /* With the weights 0.213, 0.715 and 0.072, the gray is 117.7. The cosine of 180 degrees is -1,
     * so each result is 2 * 117.7 minus the sample. */
    run_op("hue", "angle", "180", RGB_8, red, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){35, 135, 185}, 3), 0);
    run_op("hue", "angle", "-360", RGB_8, red, 1, out);
    cr_expect_eq(memcmp(out, red, 3), 0);
    run_op("colormatrix", "matrix", "0,0,1,0.1,0,1,0,0,0.5,0,0,0", RGB_8, red, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){76, 100, 100}, 3), 0); /* red is 50 + 25.5 = 75.5 */
    /* A picture without an alpha channel has alpha 1. Here the matrix multiplies it by 0.2 and
     * stores it as a fourth channel. */
    ImgFormat made =
        run_op("colormatrix", "matrix", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0.2", RGB_8, red, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_RGBA);
    cr_expect_eq(memcmp(out, (uint8_t[]){200, 100, 50, 51}, 4), 0);
}

Test(points, channels_are_copied)
{
    uint8_t out[4] = {0};
    const uint8_t pixel[] = {1, 2, 3, 4};
    ImgFormat made = run_op("channels", "extract", "alpha", RGBA_8, pixel, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_GRAY);
    cr_expect_eq(out[0], 4);
    run_op("channels", "red", "blue", RGBA_8, pixel, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){3, 2, 3, 4}, 4), 0);
    made = run_op("channels", "alpha", "drop", RGBA_8, pixel, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_RGB);
    cr_expect_eq(memcmp(out, pixel, 3), 0);
    made = run_op("channels", "alpha", "opaque", GRAY_8, pixel, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_GRAY_ALPHA);
    cr_expect_eq(memcmp(out, (uint8_t[]){1, 255}, 2), 0);
}

/* In a gray picture red, green and blue are equal. If only one of them changes, the picture becomes
 * RGB. */
Test(points, channels_of_gray_can_become_rgb)
{
    const ImgFormat gray_alpha = {IMG_COLOR_GRAY_ALPHA, 8};
    uint8_t out[4] = {0};
    ImgFormat made = run_op("channels", "blue", "alpha", gray_alpha, (uint8_t[]){10, 7}, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_RGBA);
    cr_expect_eq(memcmp(out, (uint8_t[]){10, 10, 7, 7}, 4), 0);
    made = run_op("channels", "red", "blue", gray_alpha, (uint8_t[]){10, 7}, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_GRAY_ALPHA);
    cr_expect_eq(memcmp(out, (uint8_t[]){10, 7}, 2), 0);
    made = run_op("channels", "green", "0", GRAY_8, (uint8_t[]){10}, 1, out);
    cr_expect_eq(made.color, IMG_COLOR_RGB);
    cr_expect_eq(memcmp(out, (uint8_t[]){10, 0, 10}, 3), 0);
}

Test(points, background_and_depth_match)
{
    uint8_t out[4] = {0};
    uint16_t wide[3] = {0};
    run_op("flatten", "background", "#00ff80", RGBA_8, (uint8_t[]){200, 10, 128, 51}, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){40, 206, 128}, 3), 0);
    run_op("depth", "bits", "16", (ImgFormat){IMG_COLOR_GRAY, 4}, (uint8_t[]){0, 1, 15}, 3, wide);
    cr_expect_eq(memcmp(wide, (uint16_t[]){0, 4369, 65535}, 6), 0);
    run_op("depth", "bits", "8", (ImgFormat){IMG_COLOR_GRAY, 16}, (uint16_t[]){128, 129, 65535}, 3,
           out);
    /* Before rounding, the first two results are 128 / 257 = 0.498 and 129 / 257 = 0.502. */
    cr_expect_eq(memcmp(out, (uint8_t[]){0, 1, 255}, 3), 0);
}

Test(points, few_bits_are_the_nearest_value)
{
    static const struct {
        int from, to;
        uint16_t before[4];
        uint8_t after[4];
    } cases[] = {
        /* 127 / 255 is 0.498, and 128 / 255 is 0.502. */
        {8, 1, {0, 127, 128, 255}, {0, 0, 1, 1}},
        /* 42 * 3 / 255 is 0.49, 43 * 3 / 255 is 0.51, and 213 * 3 / 255 is 2.51. */
        {8, 2, {42, 43, 212, 213}, {0, 1, 2, 3}},
        /* 2184 * 15 / 65535 is 0.4999, and 2185 * 15 / 65535 is 0.5001. */
        {16, 4, {2184, 2185, 65535, 4369}, {0, 1, 15, 1}},
        {4, 1, {0, 7, 8, 15}, {0, 0, 1, 1}},
        {1, 4, {0, 1, 1, 0}, {0, 15, 15, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bits[4];
        uint8_t narrow[4], out[4];
        for (int k = 0; k < 4; k++)
            narrow[k] = (uint8_t)cases[i].before[k];
        const void *samples = cases[i].from == 16 ? (const void *)cases[i].before : narrow;
        snprintf(bits, sizeof bits, "%d", cases[i].to);
        const ImgFormat made = run_op("depth", "bits", bits,
                                      (ImgFormat){IMG_COLOR_GRAY, cases[i].from}, samples, 4, out);
        cr_expect(img_format_equals(made, (ImgFormat){IMG_COLOR_GRAY, cases[i].to}));
        cr_expect_eq(memcmp(out, cases[i].after, 4), 0, "case %zu", i);
    }
}

/* Returns true if PNG has this format (PNG specification, third edition, 11.2.1, table 11.1).
 * Palettes do not count. */
static bool is_png(ImgFormat format)
{
    return format.bits == 8 || format.bits == 16 ||
           (format.color == IMG_COLOR_GRAY && format.bits < 8);
}

/* Tries each choice of each parameter, one parameter at a time. */
Test(points, results_are_formats_that_png_has)
{
    for (size_t i = 0; img_ops[i] != NULL; i++) {
        const ImgOp *op = img_ops[i];
        for (const ImgParam *param = op->params; op->points.stages != NULL && param->name != NULL;
             param++)
            for (int k = 0; param->type == IMG_PARAM_CHOICE && param->choices[k].name != NULL; k++)
                for (int bits = 1; bits <= 16; bits *= 2) {
                    const ImgFormat format = {IMG_COLOR_GRAY, bits};
                    uint16_t in[4] = {0, 1, 0, 0}, out[16];
                    ImgFormat made =
                        run_op(op->name, param->name, param->choices[k].name, format, in, 1, out);
                    cr_expect(is_png(made), "%s %s=%s: %d bits", op->name, param->name,
                              param->choices[k].name, bits);
                }
    }
}

static void expect_refused(const char *name, const char *option, const char *value,
                           ImgFormat format, const char *why)
{
    const ImgOp *op;
    ImgParams params;
    ImgShape shape;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find(name, &op, &err), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, option, value, &err), IMG_OK, "%s", err.message);
    cr_expect_neq(op->shape((ImgShape){3, 1, format}, params.bytes, &shape, &err), IMG_OK);
    cr_expect_not_null(strstr(err.message, why), "%s", err.message);
}

Test(points, invalid_values_are_rejected)
{
    expect_refused("levels", "white", "0", GRAY_8, "black must be less than white");
    expect_refused("linear", "multiply", "1,2", RGB_8, "2 numbers for a picture with 3");
    expect_refused("colormatrix", "matrix", "1,2", RGB_8, "give 9 (3 x 3)");
    expect_refused("colormatrix", "matrix", "1,0,0,0,1,0,0,0,1", GRAY_8, "no colours to mix");
    expect_refused("flatten", "background", "#11223344", RGBA_8, "opaque");
}

/* --- Stages ----------------------------------------------------------------------------------- */

Test(points, a_matrix_rounds_and_clamps)
{
    uint8_t out[3] = {0};
    ImgPoints points = points_of(IMG_COLOR_RGB, 8);
    /* The rows of the matrix give a quarter of the sum of both channels, twice the first channel,
     * and half of full scale minus the second channel. */
    const ImgPointRow rows[3] = {{{IMG_POINT_ONE / 4, IMG_POINT_ONE / 4, 0}, 0},
                                 {{2 * (int64_t)IMG_POINT_ONE, 0, 0}, 0},
                                 {{0, -(int64_t)IMG_POINT_ONE, 0}, IMG_POINT_ONE / 2}};
    cr_assert_eq(img_points_matrix(&points, IMG_COLOR_RGB, rows, NULL), IMG_OK);
    run_points(&points, (uint8_t[]){200, 130, 9}, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){83, 255, 0}, 3), 0); /* before rounding: 82.5, 400, -2.5 */
}

Test(points, alpha_of_8_bits_is_blended_and_premultiplied)
{
    uint8_t out[4] = {0};
    ImgPoints points = points_of(IMG_COLOR_RGBA, 8);
    const uint16_t background[3] = {0, 65535, 32896}; /* 0, 255 and 128 in 8 bits */
    cr_assert_eq(img_points_alpha(&points, IMG_POINT_OVER, background, NULL), IMG_OK);
    cr_expect_eq(points.format.color, IMG_COLOR_RGB);
    /* Alpha 51 is a fifth of 255. */
    run_points(&points, (uint8_t[]){200, 10, 128, 51}, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){40, 206, 128}, 3), 0);
    points = points_of(IMG_COLOR_RGBA, 8);
    cr_assert_eq(img_points_alpha(&points, IMG_POINT_PREMULTIPLY, NULL, NULL), IMG_OK);
    /* The results are 100, 50.2 and 0.39 before rounding. */
    run_points(&points, (uint8_t[]){255, 128, 1, 100}, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){100, 50, 0, 100}, 4), 0);
    points = points_of(IMG_COLOR_RGBA, 8);
    cr_assert_eq(img_points_alpha(&points, IMG_POINT_UNPREMULTIPLY, NULL, NULL), IMG_OK);
    /* The results are 255, 127.5 and 510 before rounding and clamping. */
    run_points(&points, (uint8_t[]){100, 50, 200, 100}, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){255, 128, 255, 100}, 4), 0);
}

Test(points, alpha_of_16_bits_is_blended_and_premultiplied)
{
    uint16_t out[4] = {0};
    ImgPoints points = points_of(IMG_COLOR_GRAY_ALPHA, 16);
    cr_assert_eq(img_points_alpha(&points, IMG_POINT_OVER, (uint16_t[]){65535}, NULL), IMG_OK);
    run_points(&points, (uint16_t[]){65535, 0, 0, 32768}, 2, out);
    cr_expect_eq(out[0], 65535);
    cr_expect_eq(out[1], 32767);
    points = points_of(IMG_COLOR_GRAY_ALPHA, 16);
    cr_assert_eq(img_points_alpha(&points, IMG_POINT_UNPREMULTIPLY, NULL, NULL), IMG_OK);
    run_points(&points, (uint16_t[]){65535, 0, 65535, 65535}, 2, out);
    cr_expect_eq(memcmp(out, (uint16_t[]){0, 0, 65535, 65535}, 8), 0);
}

/* --- Tables ----------------------------------------------------------------------------------- */

Test(points, tables_are_combined)
{
    uint8_t out[4] = {0};
    ImgPoints points = points_of(IMG_COLOR_RGBA, 8);
    uint16_t *table = img_points_table(&points, IMG_POINT_COLORS, 8, NULL);
    for (int v = 0; v < 256; v++)
        table[v] = (uint16_t)(v / 2);
    table = img_points_table(&points, IMG_POINT_EACH, 8, NULL);
    for (int v = 0; v < 256; v++) {
        table[v] = (uint16_t)(255 - v);
        table[256 + v] = (uint16_t)v;
        table[512 + v] = 7;
    }
    cr_assert_eq(img_points_compose(&points, NULL), IMG_OK);
    cr_expect_eq(points.count, 1);
    run_points(&points, (uint8_t[]){101, 101, 101, 101}, 1, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){205, 50, 7, 101}, 4), 0);
}

/* Channels with equal tables share one copy of the table. */
Test(points, equal_tables_are_stored_once)
{
    ImgConstants constants;
    ImgPoints points = points_of(IMG_COLOR_RGB, 8);
    uint16_t *table = img_points_table(&points, IMG_POINT_EACH, 8, NULL);
    for (int v = 0; v < 256; v++) {
        table[v] = table[512 + v] = (uint16_t)(255 - v);
        table[256 + v] = (uint16_t)v;
    }
    cr_assert_eq(img_points_pack(&points, &constants, NULL), IMG_OK);
    const ImgPointProgram *program = constants.bytes;
    const int32_t *at = program->stages[0].table;
    cr_expect_eq(at[0], at[2]);
    cr_expect_neq(at[0], at[1]);
    cr_expect_eq(constants.size, (size_t)program->tables_at + 2 * 256 * sizeof(uint16_t));
    img_constants_free(&constants);
    img_points_free(&points);
}

Test(points, a_table_may_change_the_depth)
{
    uint16_t out[2] = {0};
    ImgPoints points = points_of(IMG_COLOR_GRAY_ALPHA, 8);
    uint16_t *table = img_points_table(&points, IMG_POINT_ALL, 16, NULL);
    for (int v = 0; v < 256; v++)
        table[v] = (uint16_t)(v * 257);
    cr_expect_eq(points.format.bits, 16);
    table = img_points_table(&points, IMG_POINT_COLORS, 16, NULL);
    for (int v = 0; v < 65536; v++)
        table[v] = (uint16_t)(65535 - v);
    run_points(&points, (uint8_t[]){1, 255}, 1, out);
    cr_expect_eq(out[0], 65535 - 257);
    cr_expect_eq(out[1], 65535);
}

Test(points, too_many_stages_are_rejected)
{
    ImgPoints points = points_of(IMG_COLOR_RGBA, 8);
    ImgError err = {IMG_OK, ""};
    for (int i = 0; i < IMG_POINT_STAGES_MAX; i++)
        cr_assert_eq(img_points_alpha(&points, IMG_POINT_PREMULTIPLY, NULL, &err), IMG_OK);
    cr_expect_eq(img_points_alpha(&points, IMG_POINT_PREMULTIPLY, NULL, &err), IMG_E_LIMIT);
    img_points_free(&points);
}

/* --- Several operations in one pass ----------------------------------------------------------- */

static ImgStep step_of(const char *name)
{
    ImgStep step;
    cr_assert_eq(img_op_find(name, &step.op, NULL), IMG_OK);
    img_params_init(step.op, &step.params);
    return step;
}

static ImgImage picture(void)
{
    ImgImage image;
    cr_assert_eq(img_image_alloc((ImgShape){1031, 3, RGBA_8}, &image, NULL), IMG_OK);
    for (size_t i = 0; i < image.size; i++)
        image.view.data[i] = (uint8_t)(i * i % 251 + i);
    return image;
}

static void run_steps(ImgStep *steps, size_t count, ImgImage *image, ImgRunReport *report)
{
    ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2};
    ImgExec *exec;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_exec_create(&config, &exec, &err), IMG_OK);
    cr_assert_eq(img_exec_run(exec, steps, count, image, report, &err), IMG_OK, "%s", err.message);
    img_exec_destroy(exec);
}

Test(points, neighbouring_operations_share_a_pass)
{
    ImgStep steps[] = {step_of("invert"), step_of("grayscale"), step_of("invert"), step_of("flip"),
                       step_of("invert")};
    ImgImage together = picture(), alone = picture();
    ImgRunReport report;
    run_steps(steps, 5, &together, &report);
    cr_expect_eq(report.count, 3);
    cr_expect_eq(report.passes[0].steps, 3);
    cr_expect_eq(report.passes[1].first, 3);
    cr_expect_eq(report.passes[2].first, 4);
    for (int i = 0; i < 5; i++)
        run_steps(steps + i, 1, &alone, &report);
    cr_expect_eq(together.view.format.color, IMG_COLOR_GRAY_ALPHA);
    cr_expect_eq(memcmp(&together.view.format, &alone.view.format, sizeof(ImgFormat)), 0);
    for (int32_t y = 0; y < 3; y++)
        cr_expect_eq(memcmp(together.view.data + (size_t)y * together.view.stride,
                            alone.view.data + (size_t)y * alone.view.stride, 1031 * 2),
                     0);
    img_image_free(&together);
    img_image_free(&alone);
}

/* Without a given value threshold counts the samples first, so it needs a pass of its own. With a
 * given value it can share a pass. */
Test(points, an_operation_that_counts_has_its_own_pass)
{
    ImgStep steps[] = {step_of("invert"), step_of("threshold"), step_of("invert")};
    ImgImage image = picture();
    ImgRunReport report;
    run_steps(steps, 3, &image, &report);
    cr_expect_eq(report.count, 3);
    img_image_free(&image);
    image = picture();
    cr_assert_eq(img_params_set(steps[1].op, &steps[1].params, "value", "9", NULL), IMG_OK);
    run_steps(steps, 3, &image, &report);
    cr_expect_eq(report.count, 1);
    img_image_free(&image);
}

/* The pipeline has more operations than a pass can hold separately, so they must be combined. */
Test(points, a_long_pipeline_is_one_pass)
{
    ImgStep steps[IMG_STEPS_MAX];
    ImgImage image = picture(), before = picture();
    ImgRunReport report;
    for (int i = 0; i < IMG_STEPS_MAX; i++)
        steps[i] = step_of("invert");
    run_steps(steps, IMG_STEPS_MAX, &image, &report);
    cr_expect_eq(report.count, 1);
    for (int32_t y = 0; y < 3; y++)
        cr_expect_eq(memcmp(image.view.data + (size_t)y * image.view.stride,
                            before.view.data + (size_t)y * before.view.stride, 1031 * 4),
                     0);
    img_image_free(&image);
    img_image_free(&before);
}

Test(points, only_gray_without_alpha_has_few_bits)
{
    const ImgFormat refused[] = {
        {IMG_COLOR_RGB, 8}, {IMG_COLOR_RGBA, 16}, {IMG_COLOR_GRAY_ALPHA, 8}};
    ImgStep step = step_of("depth");
    ImgShape result;
    cr_assert_eq(img_params_set(step.op, &step.params, "bits", "2", NULL), IMG_OK);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ImgError err = {IMG_OK, ""};
        const ImgShape shape = {3, 3, refused[i]};
        cr_expect_eq(step.op->shape(shape, step.params.bytes, &result, &err), IMG_E_UNSUPPORTED);
        cr_expect(strstr(err.message, "before this step"), "%s", err.message);
    }
}

/* --- Dithering -------------------------------------------------------------------------------- */

static ImgStep dither_step(void)
{
    ImgStep step = step_of("depth");
    cr_assert_eq(img_params_set(step.op, &step.params, "dither", "ordered", NULL), IMG_OK);
    return step;
}

/* Returns a picture of samples `value` after dithering to `bits` bits with one implementation. */
static ImgImage dithered_to(int bits, ImgFormat format, uint16_t value, const char *impl)
{
    char text[4];
    const size_t size = format.bits == 16 ? 2 : 1;
    const uint8_t narrow = (uint8_t)value;
    ImgImage image;
    ImgExec *exec;
    ImgExecConfig config = {.backend = IMG_BACKEND_CPU, .threads = 2, .impl = impl};
    ImgStep step = dither_step();
    snprintf(text, sizeof text, "%d", bits);
    cr_assert_eq(img_params_set(step.op, &step.params, "bits", text, NULL), IMG_OK);
    cr_assert_eq(img_image_alloc((ImgShape){24, 16, format}, &image, NULL), IMG_OK);
    for (size_t i = 0; i < image.size / size; i++)
        memcpy(image.view.data + i * size, size == 2 ? (const void *)&value : &narrow, size);
    cr_assert_eq(img_exec_create(&config, &exec, NULL), IMG_OK);
    cr_assert_eq(img_exec_run(exec, &step, 1, &image, NULL, NULL), IMG_OK);
    img_exec_destroy(exec);
    return image;
}

static ImgImage dithered(ImgFormat format, uint16_t value, const char *impl)
{
    return dithered_to(8, format, value, impl);
}

/* Returns the sum of channel `c` over the 8 x 8 pixels whose top left corner is at (x, y). */
static int sum_over(const ImgImage *image, int32_t x, int32_t y, int c)
{
    const ImgView *view = &image->view;
    const int channels = img_format_channels(view->format);
    int sum = 0;
    for (int32_t i = 0; i < 64; i++)
        sum +=
            view->data[(size_t)(y + i / 8) * view->stride + (size_t)((x + i % 8) * channels + c)];
    return sum;
}

Test(points, dithering_keeps_the_mean)
{
    static const uint16_t values[] = {0,   65535, 257,   100 * 257, 1,    2,
                                      256, 1000,  25764, 51237,     65534};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        ImgImage image = dithered((ImgFormat){IMG_COLOR_GRAY, 16}, values[i], "reference");
        const double wanted = values[i] * 64 / 257.0;
        for (int32_t x = 0; x <= 16; x += 5) {
            const int sum = sum_over(&image, x, x / 2, 0);
            cr_expect(sum - wanted <= 1 && sum - wanted >= -1, "%d: %d", values[i], sum);
            if (values[i] % 257 == 0)
                cr_expect_eq(sum, values[i] / 257 * 64);
        }
        img_image_free(&image);
    }
}

Test(points, dithering_to_few_bits_keeps_the_mean)
{
    static const int depths[][2] = {{8, 1},  {8, 2}, {8, 4}, {16, 1},
                                    {16, 4}, {4, 1}, {4, 2}, {2, 1}};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        const int from = depths[i][0], to = depths[i][1];
        const double maximum = (1 << from) - 1, steps = (1 << to) - 1;
        for (int eighth = 0; eighth <= 8; eighth++) {
            const uint16_t value = (uint16_t)(maximum * eighth / 8);
            ImgImage image = dithered_to(to, (ImgFormat){IMG_COLOR_GRAY, from}, value, NULL);
            const double wanted = value * 64 * steps / maximum, sum = sum_over(&image, 3, 5, 0);
            cr_expect_eq(image.view.format.bits, to);
            cr_expect(sum - wanted <= 1 && sum - wanted >= -1, "%d to %d: %d", from, to, value);
            img_image_free(&image);
        }
    }
}

/* Half a step gives a chessboard pattern. A quarter of a step raises every second pixel of every
 * second row. */
Test(points, dithering_matches_values_worked_out_by_hand)
{
    ImgImage image = dithered((ImgFormat){IMG_COLOR_GRAY, 16}, 7 * 257 + 128, "reference");
    for (int32_t y = 0; y < 16; y++)
        for (int32_t x = 0; x < 24; x++)
            cr_expect_eq(image.view.data[(size_t)y * image.view.stride + (size_t)x],
                         (x + y) % 2 == 1 ? 8 : 7);
    img_image_free(&image);
    image = dithered((ImgFormat){IMG_COLOR_GRAY, 16}, 64, "reference");
    for (int32_t y = 0; y < 16; y++)
        for (int32_t x = 0; x < 24; x++)
            cr_expect_eq(image.view.data[(size_t)y * image.view.stride + (size_t)x],
                         x % 2 == 0 && y % 2 == 1);
    img_image_free(&image);
}

Test(points, dithering_rounds_alpha)
{
    /* The 16-bit sample 25764 is 25764 / 257 = 100.25 in 8 bits. */
    ImgImage image = dithered((ImgFormat){IMG_COLOR_RGBA, 16}, 25764, NULL);
    cr_expect_eq(image.view.format.bits, 8);
    for (int c = 0; c < 3; c++)
        cr_expect_eq(sum_over(&image, 8, 0, c), 6416);
    cr_expect_eq(sum_over(&image, 8, 0, 3), 6400);
    img_image_free(&image);
}

/* Only a conversion to fewer bits dithers. The pattern depends on the position of the pixel in
 * the picture, also after other operations. */
Test(points, dithering_works_in_pipelines)
{
    uint8_t out[4] = {0};
    run_op("depth", "dither", "ordered", GRAY_8, (uint8_t[]){0, 7, 128, 255}, 4, out);
    cr_expect_eq(memcmp(out, (uint8_t[]){0, 7, 128, 255}, 4), 0);
    ImgStep wide = step_of("depth");
    cr_assert_eq(img_params_set(wide.op, &wide.params, "bits", "16", NULL), IMG_OK);
    ImgStep linear = step_of("linear");
    cr_assert_eq(img_params_set(linear.op, &linear.params, "multiply", "0.3", NULL), IMG_OK);
    ImgStep steps[] = {wide, linear, dither_step(), step_of("invert")};
    ImgImage together = picture(), alone = picture();
    ImgRunReport report;
    run_steps(steps, 4, &together, &report);
    cr_expect_eq(report.count, 1);
    for (int i = 0; i < 4; i++)
        run_steps(steps + i, 1, &alone, &report);
    for (int32_t y = 0; y < 3; y++)
        cr_expect_eq(memcmp(together.view.data + (size_t)y * together.view.stride,
                            alone.view.data + (size_t)y * alone.view.stride, 1031 * 4),
                     0);
    img_image_free(&together);
    img_image_free(&alone);
}
