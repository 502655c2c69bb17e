/* Tests of rotation by any angle: the reference compared with values worked out by hand and with
 * the definition, and properties of any picture. In each case run_op compares all
 * implementations. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/model/model.h"
#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "kernels/warp/warp.h"
#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

static const ImgFormat GRAY8 = {IMG_COLOR_GRAY, 8}, GRAY16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGB8 = {IMG_COLOR_RGB, 8}, RGBA8 = {IMG_COLOR_RGBA, 8};
static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos4"};

enum { FILTERS = sizeof filters / sizeof *filters };

static const ImgOp *rotate_op(void)
{
    const ImgOp *op = NULL;
    cr_assert_eq(img_op_find("rotate", &op, NULL), IMG_OK);
    return op;
}

static ImgParams params_of(const char *angle, const char *size, const char *background)
{
    ImgParams params;
    img_params_init(rotate_op(), &params);
    cr_assert_eq(img_params_set(rotate_op(), &params, "angle", angle, NULL), IMG_OK);
    cr_assert_eq(img_params_set(rotate_op(), &params, "size", size, NULL), IMG_OK);
    cr_assert_eq(img_params_set(rotate_op(), &params, "background", background, NULL), IMG_OK);
    return params;
}

/* --- Weights ---------------------------------------------------------------------------------- */

Test(warp, weights_of_each_phase_sum_to_one_and_are_symmetric)
{
    for (int filter = IMG_WARP_BILINEAR; filter <= IMG_WARP_LANCZOS4; filter++)
        for (int32_t phase = 0; phase < IMG_WARP_PHASES; phase++) {
            int16_t weights[IMG_WARP_STRIDE], mirrored[IMG_WARP_STRIDE];
            int32_t sum = 0;
            img_warp_weigh((ImgWarpFilter)filter, phase, weights);
            img_warp_weigh((ImgWarpFilter)filter, IMG_WARP_PHASES - phase, mirrored);
            for (int i = 0; i < IMG_WARP_STRIDE; i++)
                sum += weights[i];
            cr_expect_eq(sum, 1 << IMG_WARP_WEIGHT_PLACES, "filter %d, phase %d", filter, phase);
            for (int i = 0; i < 2 * filter && phase > 0; i++)
                cr_expect_eq(weights[i], mirrored[2 * filter - 1 - i], "filter %d, phase %d",
                             filter, phase);
            for (int i = 2 * filter; i < IMG_WARP_STRIDE; i++)
                cr_expect_eq(weights[i], 0);
        }
}

Test(warp, weights_match_values_worked_out_by_hand)
{
    int16_t weights[IMG_WARP_STRIDE];
    img_warp_weigh(IMG_WARP_BILINEAR, 256, weights);
    cr_expect_eq(memcmp(weights, (int16_t[8]){12288, 4096}, sizeof weights), 0);
    img_warp_weigh(IMG_WARP_BICUBIC, 512, weights); /* the weights -1/16 and 9/16 */
    cr_expect_eq(memcmp(weights, (int16_t[8]){-1024, 9216, 9216, -1024}, sizeof weights), 0);
    img_warp_weigh(IMG_WARP_LANCZOS3, 0, weights);
    cr_expect_eq(memcmp(weights, (int16_t[8]){0, 0, 16384}, sizeof weights), 0);
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static void expect_size(const char *angle, const char *size, int32_t width, int32_t height,
                        int32_t expected_width, int32_t expected_height)
{
    const ImgParams params = params_of(angle, size, "black");
    ImgShape dst, src = {width, height, GRAY8};
    cr_assert_eq(rotate_op()->shape(src, params.bytes, &dst, NULL), IMG_OK);
    cr_expect(dst.width == expected_width && dst.height == expected_height,
              "%d x %d by %s: %d x %d", width, height, angle, dst.width, dst.height);
}

Test(warp, sizes_match_values_worked_out_by_hand)
{
    expect_size("30", "expand", 100, 50, 112, 94); /* 86.60 + 25 by 50 + 43.30 */
    expect_size("-30", "expand", 100, 50, 112, 94);
    expect_size("150", "expand", 100, 50, 112, 94);
    expect_size("30", "expand", 2, 4, 4, 5); /* 1.73 + 2 by 1 + 3.46 */
    expect_size("60", "expand", 0x40000000, 2, 0x20000002, 929887698);
    expect_size("45", "expand", 1, 1, 2, 2);
    expect_size("0.001", "expand", 100, 100, 101, 101);
    expect_size("30", "keep", 100, 50, 100, 50);
    /* A quarter turn only moves pixels, so it always exchanges the sides. */
    expect_size("90", "keep", 100, 50, 50, 100);
    expect_size("360", "expand", 100, 50, 100, 50);
    expect_size("0", "expand", 100, 50, 100, 50);
}

/* Inside 4000 x 3000 turned by 2 degrees the ideal width is (4000 cos 2 - 3000 sin 2) / cos 4 =
 * 3902.4, and the ideal height is 2865.6. In other cases one side may be one pixel longer than its
 * ideal length rounded down, if the rectangle still fits. */
Test(warp, sizes_inside_match_values_worked_out_by_hand)
{
    expect_size("2", "inside", 4000, 3000, 3902, 2865);
    expect_size("-2", "inside", 4000, 3000, 3902, 2865);
    expect_size("182", "inside", 4000, 3000, 3902, 2865);
    expect_size("88", "inside", 4000, 3000, 2865, 3902);
    expect_size("45", "inside", 100, 100, 71, 70); /* The ideal sides are 70.7 and 70.7. */
    /* The ideal sides are 50 and 28.9. The rectangle of 51 x 28 fits: turned by 30 degrees it is 51
     * sin 30 + 28 cos 30 = 25.5 + 24.2 pixels high, which is less than 50. */
    expect_size("30", "inside", 100, 50, 51, 28);
    /* Compared with the case above, the sides of the picture are exchanged, so the sides of the
     * result are exchanged too. */
    expect_size("30", "inside", 50, 100, 28, 51);
    expect_size("30", "inside", 1000, 1, 1, 1);
    expect_size("45", "inside", 1, 1, 1, 1);
    /* A quarter turn only moves pixels, so it always exchanges the sides. */
    expect_size("90", "inside", 100, 50, 50, 100);
}

/* The corners of the result must lie inside the source, and the corners of a larger result must
 * not. */
Test(warp, the_size_inside_is_the_largest_that_fits)
{
    static const int32_t sides[] = {7, 64, 1000, 30000, 2000000000};
    for (int32_t angle = 1; angle < 360000; angle += 7919)
        for (int i = 0; i < 25; i++) {
            char text[16];
            const double radians = angle / 180000.0 * acos(-1);
            const double c = fabs(cos(radians)), s = fabs(sin(radians));
            const ImgShape src = {sides[i % 5], sides[i / 5], GRAY8};
            snprintf(text, sizeof text, "%d.%03d", angle / 1000, angle % 1000);
            const ImgParams params = params_of(text, "inside", "black");
            ImgShape dst;
            cr_assert_eq(rotate_op()->shape(src, params.bytes, &dst, NULL), IMG_OK);
            const double across = dst.width * c + dst.height * s;
            const double down = dst.width * s + dst.height * c;
            const double slack = 1 + 1e-8 * fmax(src.width, src.height);
            if (dst.width > 1 && dst.height > 1)
                cr_expect(across < src.width + slack && down < src.height + slack, "%d x %d by %s",
                          src.width, src.height, text);
            cr_expect(across + fmax(c, s) > src.width - slack ||
                          down + fmax(c, s) > src.height - slack,
                      "%d x %d by %s: %d x %d", src.width, src.height, text, dst.width, dst.height);
        }
}

Test(warp, a_result_that_is_too_large_is_rejected)
{
    const ImgParams params = params_of("45", "expand", "black");
    ImgError err = {IMG_OK, ""};
    ImgShape dst, src = {INT32_MAX, INT32_MAX, GRAY8};
    cr_expect_eq(rotate_op()->shape(src, params.bytes, &dst, &err), IMG_E_LIMIT);
    cr_expect_str_eq(err.message,
                     "rotate: the result of 3037000499 x 3037000499 pixels is too large; use "
                     "size=keep, or a smaller picture");
}

Test(warp, formats_of_results_match)
{
    static const struct {
        ImgFormat from;
        const char *angle, *background;
        ImgFormat to;
    } cases[] = {
        {{IMG_COLOR_GRAY, 1}, "90", "transparent", {IMG_COLOR_GRAY, 1}},
        {{IMG_COLOR_PALETTE, 4}, "-180", "red", {IMG_COLOR_PALETTE, 4}},
        {{IMG_COLOR_GRAY, 1}, "9", "black", {IMG_COLOR_GRAY, 8}},
        {{IMG_COLOR_GRAY, 2}, "9", "transparent", {IMG_COLOR_GRAY_ALPHA, 8}},
        {{IMG_COLOR_RGB, 16}, "9", "#12345678", {IMG_COLOR_RGBA, 16}},
        {{IMG_COLOR_RGB, 16}, "9", "#123456", {IMG_COLOR_RGB, 16}},
        {{IMG_COLOR_RGBA, 8}, "9", "black", {IMG_COLOR_RGBA, 8}},
        {{IMG_COLOR_GRAY, 1}, "9", "red", {IMG_COLOR_RGB, 8}},
        {{IMG_COLOR_GRAY, 16}, "9", "#12345678", {IMG_COLOR_RGBA, 16}},
        {{IMG_COLOR_GRAY_ALPHA, 8}, "9", "red", {IMG_COLOR_RGBA, 8}},
        {{IMG_COLOR_GRAY, 1}, "90", "red", {IMG_COLOR_GRAY, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ImgParams params = params_of(cases[i].angle, "expand", cases[i].background);
        ImgShape dst, src = {5, 4, cases[i].from};
        cr_assert_eq(rotate_op()->shape(src, params.bytes, &dst, NULL), IMG_OK);
        cr_expect(dst.format.color == cases[i].to.color && dst.format.bits == cases[i].to.bits,
                  "case %zu", i);
    }
    const ImgParams params = params_of("9", "keep", "black");
    ImgShape dst, src = {5, 4, {IMG_COLOR_PALETTE, 8}};
    cr_expect_eq(rotate_op()->shape(src, params.bytes, &dst, NULL), IMG_E_UNSUPPORTED);
    cr_expect(img_op_needs_channels(rotate_op(), params.bytes));
    const ImgParams quarter = params_of("450", "keep", "black");
    cr_expect_not(img_op_needs_channels(rotate_op(), quarter.bytes));
}

Test(warp, effects_describe_the_picture)
{
    const ImgShape src = {5, 4, {IMG_COLOR_GRAY, 4}};
    const ImgParams quarter = params_of("-90", "keep", "black"),
                    any = params_of("9", "keep", "red");
    ImgEffect effect = img_op_effect(rotate_op(), src, quarter.bytes);
    cr_expect(effect.turn == IMG_TURN_270 && !effect.cropped && !effect.values_changed);
    effect = img_op_effect(rotate_op(), src, any.bytes);
    cr_expect(effect.turn == IMG_TURN_NONE && effect.cropped && effect.values_changed);
    cr_expect(effect.depth_changed && !effect.upright);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* The centres of the four result pixels are sqrt(1/2) pixel to the left, to the right, above and
 * below the centre of the source. In units of 1/1024 of a pixel that is 724. So 1024 - 724 = 300 of
 * 1024 parts of a result pixel show the picture, and the rest the background. */
Test(warp, one_pixel_turned_by_45_degrees_matches)
{
    const uint8_t pixel = 200;
    ImgShape result;
    for (int f = 1; f < FILTERS; f++) {
        char options[80];
        snprintf(options, sizeof options, "angle=45 filter=%s background=black", filters[f]);
        uint8_t *got = run_op("rotate", options, (ImgShape){1, 1, GRAY8}, &pixel, &result);
        cr_expect_eq(memcmp(got, (uint8_t[]){59, 59, 59, 59}, 4), 0, "%s: %d", options, got[0]);
        free(got);
        snprintf(options, sizeof options, "angle=45 filter=%s", filters[f]);
        got = run_op("rotate", options, (ImgShape){1, 1, GRAY8}, &pixel, &result);
        cr_expect_eq(memcmp(got, (uint8_t[]){200, 75, 200, 75, 200, 75, 200, 75}, 8), 0, "%s",
                     options);
        free(got);
    }
    uint8_t *got = run_op("rotate", "angle=45 filter=nearest background=#070707",
                          (ImgShape){1, 1, GRAY8}, &pixel, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){7, 7, 7, 7}, 4), 0);
    free(got);
}

/* The part 300/1024 = 0.293 of a pixel shows the picture, so red is
 * 200 * 0.293 + 255 * 0.707 = 238.9. */
Test(warp, gray_with_a_coloured_background_becomes_rgb)
{
    const uint8_t pixel = 200, bits = 1;
    ImgShape result;
    uint8_t *got = run_op("rotate", "angle=45 filter=bilinear background=red",
                          (ImgShape){1, 1, GRAY8}, &pixel, &result);
    cr_assert_eq(result.format.color, IMG_COLOR_RGB);
    for (int i = 0; i < 4; i++)
        cr_expect_arr_eq(got + 3 * i, ((const uint8_t[]){239, 59, 59}), 3);
    free(got);
    got = run_op("rotate", "angle=45 filter=nearest background=red",
                 (ImgShape){1, 1, {IMG_COLOR_GRAY, 1}}, &bits, &result);
    cr_assert_eq(result.format.color, IMG_COLOR_RGB);
    for (int i = 0; i < 4; i++)
        cr_expect_arr_eq(got + 3 * i, ((const uint8_t[]){255, 0, 0}), 3);
    free(got);
}

/* Runs an operation on a gray picture and on an RGB picture with the same samples. Expects equal
 * results. */
static void expect_as_rgb(const char *op, const char *options, ImgFormat gray)
{
    const ImgShape src = {23, 17, gray};
    const bool has_alpha = img_format_has_alpha(gray);
    const ImgShape rgb = {
        23, 17, {has_alpha ? IMG_COLOR_RGBA : IMG_COLOR_RGB, gray.bits < 8 ? 8 : gray.bits}};
    const uint32_t scale = img_format_maximum(rgb.format) / img_format_maximum(gray);
    const int channels = img_format_channels(rgb.format);
    void *samples = random_picture(src, 3), *colors = random_picture(rgb, 3);
    ImgShape result, wanted_result;
    for (int32_t i = 0; i < 23 * 17 * channels; i++) {
        const int32_t pixel = i / channels, c = i % channels;
        img_sample_set(colors, (size_t)i, rgb.format.bits,
                       scale * sample_of(samples, src, pixel % 23, pixel / 23, c == 3 ? 1 : 0));
    }
    void *got = run_op(op, options, src, samples, &result);
    void *wanted = run_op(op, options, rgb, colors, &wanted_result);
    cr_assert_eq(result.format.color, wanted_result.format.color);
    cr_expect_eq(
        memcmp(got, wanted,
               (size_t)result.width * (size_t)result.height * img_format_pixel_size(result.format)),
        0, "%s %s, %d bits", op, options, gray.bits);
    free(samples);
    free(colors);
    free(got);
    free(wanted);
}

Test(warp, gray_with_a_coloured_background_gives_the_result_of_rgb)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 1},
                                        {IMG_COLOR_GRAY, 8},
                                        {IMG_COLOR_GRAY, 16},
                                        {IMG_COLOR_GRAY_ALPHA, 8},
                                        {IMG_COLOR_GRAY_ALPHA, 16}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        expect_as_rgb("rotate", "angle=12.3 background=#123456", formats[i]);
        expect_as_rgb("rotate", "angle=12.3 background=#12345678 filter=nearest", formats[i]);
        expect_as_rgb("affine", "matrix=0.5,0.2,3,0,0.7,1 background=#12345678", formats[i]);
        expect_as_rgb("perspective", "corners=-2,1,20,3,19,18,1,12 background=lime", formats[i]);
    }
}

Test(warp, positive_angles_turn_clockwise)
{
    uint8_t picture[9 * 9] = {0};
    picture[4] = 255; /* the pixel in the middle of the top row */
    ImgShape result;
    uint8_t *got = run_op("rotate", "angle=45 size=keep filter=nearest background=black",
                          (ImgShape){9, 9, GRAY8}, picture, &result);
    cr_expect_eq(got[1 * 9 + 7], 255, "to the right");
    free(got);
    got = run_op("rotate", "angle=-45 size=keep filter=nearest background=black",
                 (ImgShape){9, 9, GRAY8}, picture, &result);
    cr_expect_eq(got[1 * 9 + 1], 255, "to the left");
    free(got);
}

Test(warp, multiples_of_90_degrees_move_pixels)
{
    static const char *const same[][2] = {{"90", "-270"}, {"180", "-180"}, {"270", "-90"},
                                          {"360", "0"},   {"-360", "0"},   {"450", "90.000"}};
    const ImgShape shape = {7, 5, {IMG_COLOR_RGBA, 16}};
    void *picture = random_picture(shape, 1);
    ImgShape result;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char one[64], two[64];
        snprintf(one, sizeof one, "angle=%s", same[i][0]);
        snprintf(two, sizeof two, "angle=%s filter=lanczos3 size=keep", same[i][1]);
        void *a = run_op("rotate", one, shape, picture, &result);
        void *b = run_op("rotate", two, shape, picture, &result);
        cr_expect_eq(memcmp(a, b, (size_t)7 * 5 * 8), 0, "%s", one);
        free(a);
        free(b);
    }
    void *still = run_op("rotate", "angle=0", shape, picture, &result);
    cr_expect_eq(memcmp(still, picture, (size_t)7 * 5 * 8), 0);
    free(still);
    free(picture);
}

/* A constant picture must stay constant with any filter. Outside the picture the result must be
 * constant too if the background has the same colour. */
Test(warp, a_constant_picture_stays_constant)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8},  {IMG_COLOR_RGB, 8},
                                        {IMG_COLOR_RGBA, 8},  {IMG_COLOR_GRAY_ALPHA, 8},
                                        {IMG_COLOR_GRAY, 16}, {IMG_COLOR_RGB, 16}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int f = 0; f < FILTERS; f++) {
            const ImgShape shape = {150, 40, formats[i]};
            const size_t bytes = (size_t)150 * 40 * img_format_pixel_size(formats[i]);
            uint8_t *picture = malloc(bytes);
            memset(picture, img_format_has_alpha(formats[i]) ? 255 : 0x35, bytes);
            char options[96];
            ImgShape result;
            snprintf(options, sizeof options, "angle=33.5 filter=%s background=%s", filters[f],
                     img_format_has_alpha(formats[i]) ? "white" : "#353535");
            uint8_t *got = run_op("rotate", options, shape, picture, &result);
            for (size_t at = 0; at < (size_t)result.width * (size_t)result.height *
                                         img_format_pixel_size(result.format);
                 at++)
                cr_assert_eq(got[at], picture[0], "%s, format %zu", options, i);
            free(got);
            free(picture);
        }
}

/* All filters reproduce a plane exactly, so the only errors come from rounded positions and
 * weights. */
Test(warp, a_plane_keeps_its_place)
{
    const ImgShape shape = {201, 141, GRAY16};
    uint16_t *picture = calloc((size_t)201 * 141, sizeof *picture);
    const double angle = 25.125 * 3.14159265358979324 / 180, c = cos(angle), s = sin(angle);
    for (int y = 0; y < 141; y++)
        for (int x = 0; x < 201; x++)
            picture[y * 201 + x] = (uint16_t)(9000 + 200 * x + 90 * y);
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result;
        double farthest = 0;
        snprintf(options, sizeof options, "angle=25.125 filter=%s background=black", filters[f]);
        uint16_t *got = run_op("rotate", options, shape, picture, &result);
        for (int y = 0; y < result.height; y++)
            for (int x = 0; x < result.width; x++) {
                const double right = x - (result.width - 1) / 2.0;
                const double below = y - (result.height - 1) / 2.0;
                const double from_x = 100 + c * right + s * below;
                const double from_y = 70 - s * right + c * below;
                if (from_x < 3 || from_y < 3 || from_x > 197 || from_y > 137)
                    continue;
                const double difference =
                    fabs(got[y * result.width + x] - (9000 + 200 * from_x + 90 * from_y));
                farthest = difference > farthest ? difference : farthest;
            }
        /* Positions are rounded to 1/1024 of a pixel, so each is off by at most half of that. The
         * plane has the slopes 200 and 90. lanczos3 has additional ripples on a plane. */
        cr_expect_lt(farthest, f >= IMG_WARP_LANCZOS3 ? 8 : 2, "%s: %f", filters[f], farthest);
        cr_expect_gt(farthest, 0);
        free(got);
    }
    free(picture);
}

/* Two white pixels lie one above the other. The result pixel half a pixel to the right and below is
 * 9/16 of 18/16 of white. The sum over the column, 18/16 of white, exceeds the range of samples and
 * must not be clamped. */
Test(warp, a_column_sum_beyond_the_range_is_kept_for_the_row)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_GRAY, 16}, {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_RGBA, 16}};
    const double expected = 9 / 16.0 * 18 / 16;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int turned = 0; turned < 2; turned++) {
            const ImgShape shape = {4, 4, formats[f]};
            const int channels = img_format_channels(formats[f]);
            const double most = formats[f].bits == 16 ? 65535 : 255;
            uint8_t picture[4 * 4 * 8] = {0};
            for (int i = 0; i < 4 * 4 * channels; i++) {
                const int x = i / channels % 4, y = i / channels / 4;
                const bool is_alpha =
                    img_format_has_alpha(formats[f]) && i % channels == channels - 1;
                const bool is_white =
                    turned ? y == 1 && (x == 1 || x == 2) : x == 1 && (y == 1 || y == 2);
                if (is_alpha || is_white)
                    memset(picture + (ptrdiff_t)i * formats[f].bits / 8, 255, formats[f].bits / 8);
            }
            ImgShape result;
            void *got = run_op("affine", "matrix=1,0,0.5,0,1,0.5 border=replicate", shape, picture,
                               &result);
            const double value = sample_of(got, result, 2, 2, 0);
            cr_expect_lt(fabs(value - most * expected), formats[f].bits == 16 ? 3 : 0.51,
                         "%d channels of %d bits: %g", channels, formats[f].bits, value);
            free(got);
        }
}

/* Black and white pixels are the hardest case: sums of columns exceed the range by up to half of
 * it. */
Test(warp, black_and_white_are_equal_at_any_depth_and_with_alpha)
{
    enum { SIDE = 9, PIXELS = SIDE * SIDE };
    uint8_t *noise = random_picture((ImgShape){SIDE, SIDE, GRAY8}, 5), alpha[2 * PIXELS];
    uint16_t deep[PIXELS];
    for (int i = 0; i < PIXELS; i++) {
        noise[i] = noise[i] < 128 ? 0 : 255;
        deep[i] = (uint16_t)(257 * noise[i]);
        alpha[2 * i] = noise[i];
        alpha[2 * i + 1] = 255;
    }
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result, other;
        snprintf(options, sizeof options,
                 "matrix=2,0,0.75,0,2,0.75 size=18x18 border=replicate filter=%s", filters[f]);
        uint8_t *plain = run_op("affine", options, (ImgShape){SIDE, SIDE, GRAY8}, noise, &result);
        void *of_16 = run_op("affine", options, (ImgShape){SIDE, SIDE, GRAY16}, deep, &other);
        void *with_alpha = run_op("affine", options,
                                  (ImgShape){SIDE, SIDE, {IMG_COLOR_GRAY_ALPHA, 8}}, alpha, &other);
        for (int32_t i = 0; i < result.width * result.height; i++) {
            const int32_t x = i % result.width, y = i / result.width;
            const ImgShape wide = {result.width, result.height, GRAY16};
            cr_assert_lt(fabs(sample_of(of_16, wide, x, y, 0) / 257.0 - plain[i]), 0.6, "%s",
                         options);
            cr_assert_leq(abs((int)sample_of(with_alpha, other, x, y, 0) - plain[i]), 1, "%s",
                          options);
        }
        free(plain);
        free(of_16);
        free(with_alpha);
    }
    free(noise);
}

/* Hidden green stands beside red, and must not become visible. */
Test(warp, hidden_colours_make_no_fringes)
{
    const ImgShape shape = {40, 40, RGBA8};
    uint8_t picture[40 * 40 * 4];
    for (int i = 0; i < 40 * 40; i++) {
        const bool shown = i % 40 < 20;
        memcpy(picture + (ptrdiff_t)4 * i,
               shown ? (uint8_t[]){255, 0, 0, 255} : (uint8_t[]){0, 255, 0, 0}, 4);
    }
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result;
        int blended = 0;
        snprintf(options, sizeof options, "angle=17 filter=%s", filters[f]);
        uint8_t *got = run_op("rotate", options, shape, picture, &result);
        for (int i = 0; i < result.width * result.height; i++) {
            const uint8_t *pixel = got + (ptrdiff_t)4 * i;
            blended += pixel[3] > 0 && pixel[3] < 255;
            cr_assert(pixel[0] == 255 || pixel[3] == 0, "%s", options);
            cr_assert(pixel[1] == 0 && pixel[2] == 0, "%s", options);
        }
        cr_expect_gt(blended, 20);
        free(got);
    }
}

Test(warp, a_picture_symmetric_under_a_half_turn_stays_so)
{
    enum { SIDE = 61 };
    const ImgShape shape = {SIDE, SIDE, RGB8};
    uint8_t *picture = random_picture(shape, 3);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        memcpy(picture + 3 * i, picture + 3 * ((size_t)SIDE * SIDE - 1 - i), 3);
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result, turned;
        snprintf(options, sizeof options, "angle=12.3 filter=%s background=#204060", filters[f]);
        uint8_t *got = run_op("rotate", options, shape, picture, &result);
        uint8_t *half = run_op("rotate", "angle=180", result, got, &turned);
        cr_expect_leq(farthest(got, half, result), 3, "%s", filters[f]);
        free(got);
        free(half);
    }
    free(picture);
}

/* Twelve turns by 30 degrees make a full circle, after which a smooth picture must be nearly
 * unchanged. */
Test(warp, twelve_turns_by_30_degrees_restore_the_picture)
{
    enum { SIDE = 101 };
    const ImgShape shape = {SIDE, SIDE, GRAY16};
    uint16_t *picture = calloc((size_t)SIDE * SIDE, sizeof *picture);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            picture[y * SIDE + x] = (uint16_t)(32768 + 20000 * sin(x * 0.3) * cos(y * 0.2));
    static const int bounds[FILTERS] = {65535, 4000, 400, 400, 400};
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result = shape;
        int most = 0;
        uint16_t *now = malloc((size_t)SIDE * SIDE * 2);
        memcpy(now, picture, (size_t)SIDE * SIDE * 2);
        snprintf(options, sizeof options, "angle=30 size=keep filter=%s background=black",
                 filters[f]);
        for (int i = 0; i < 12; i++) {
            uint16_t *next = run_op("rotate", options, shape, now, &result);
            free(now);
            now = next;
        }
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                const int difference = abs(now[y * SIDE + x] - picture[y * SIDE + x]);
                const bool inside = (x - 50) * (x - 50) + (y - 50) * (y - 50) < 38 * 38;
                most = inside && difference > most ? difference : most;
            }
        cr_expect_lt(most, bounds[f], "%s: %d", filters[f], most);
        free(now);
    }
    free(picture);
}

/* The pictures are larger than the tiles of the fast implementations, in every format. run_op
 * compares the implementations. */
Test(warp, implementations_agree_across_tiles)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 2},       {IMG_COLOR_GRAY, 16},
                                        {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_GRAY_ALPHA, 16},
                                        {IMG_COLOR_RGB, 8},        {IMG_COLOR_RGB, 16},
                                        {IMG_COLOR_RGBA, 8},       {IMG_COLOR_RGBA, 16}};
    static const char *const backgrounds[] = {"#123456", "transparent", "#12345678"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int f = (int)i % EVERY(3); f < FILTERS; f += EVERY(3)) {
            const ImgShape shape = {291, 270, formats[i]};
            void *picture = random_picture(shape, (uint32_t)i);
            char options[96];
            ImgShape result;
            snprintf(options, sizeof options, "angle=%d.5 filter=%s background=%s",
                     (int)i * 50 - 170, filters[f], backgrounds[(i / 2 + (size_t)f) % 3]);
            free(run_op("rotate", options, shape, picture, &result));
            free(picture);
        }
}

static void expect_of_model(const char *name, const char *impl, const ImgParams *params,
                            ImgShape shape)
{
    const ImgOp *op = NULL;
    ImgShape result;
    ImgImage got, wanted;
    ImgLaunchCounts counts;
    ImgError err = {IMG_OK, ""};
    void *picture = random_picture(shape, 5);
    const size_t stride = (size_t)shape.width * img_format_pixel_size(shape.format);
    cr_assert_eq(img_op_find(name, &op, NULL), IMG_OK);
    cr_assert_eq(op->shape(shape, params->bytes, &result, NULL), IMG_OK);
    cr_assert_eq(img_image_alloc(result, &got, &err), IMG_OK);
    cr_assert_eq(img_image_alloc(result, &wanted, &err), IMG_OK);
    ImgCall call = {.op = op,
                    .src = img_view_make(picture, stride, shape),
                    .dst = wanted.view,
                    .params = params->bytes,
                    .threads = 1};
    cr_assert_eq(img_op_prepare(op, shape, params->bytes, &call.constants, &err), IMG_OK);
    cr_assert_eq(op->impls[0].run(&call, &err), IMG_OK);
    cr_assert_eq(img_model_op(name, impl, params->bytes, &call.src, &got.view, &counts, &err),
                 IMG_OK, "%s", err.message);
    for (int32_t y = 0; y < result.height; y++)
        cr_expect_arr_eq(got.view.data + (size_t)y * got.view.stride,
                         wanted.view.data + (size_t)y * wanted.view.stride,
                         (size_t)result.width * img_format_pixel_size(result.format), "%s, row %d",
                         name, y);
    img_constants_free(&call.constants);
    img_image_free(&got);
    img_image_free(&wanted);
    free(picture);
}

Test(warp, the_gpu_model_gives_the_same_result)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8}, {IMG_COLOR_RGB, 8}, {IMG_COLOR_RGBA, 16}, {IMG_COLOR_GRAY_ALPHA, 8}};
    const ImgOp *affine = NULL;
    if (!img_model_in_build())
        cr_skip_test("no model of a GPU in this build");
    cr_assert_eq(img_op_find("affine", &affine, NULL), IMG_OK);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int f = (int)(i % 2); f < FILTERS; f += 2) {
            ImgParams params = params_of("-33.3", "expand", f % 2 != 0 ? "transparent" : "#336699");
            cr_assert_eq(img_params_set(rotate_op(), &params, "filter", filters[f], NULL), IMG_OK);
            expect_of_model("rotate", "cuda-warp-naive", &params, (ImgShape){37, 21, formats[i]});
            img_params_init(affine, &params);
            cr_assert_eq(img_params_set(affine, &params, "filter", filters[f], NULL), IMG_OK);
            cr_assert_eq(img_params_set(affine, &params, "matrix", "0.4,0.2,3,-0.1,0.3,9", NULL),
                         IMG_OK);
            cr_assert_eq(
                img_params_set(affine, &params, "border", img_border_choices[f % 4].name, NULL),
                IMG_OK);
            expect_of_model("affine", "cuda-naive", &params, (ImgShape){37, 21, formats[i]});
        }
}
