/* Tests of canny: cases worked out by hand, turned pictures, pictures in other formats, and every
 * pixel compared with the definition in double precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/core/sample.h"
#include "kernels/registry.h"
#include "kernels/window/border.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY_8 = {IMG_COLOR_GRAY, 8}, GRAY_16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGB_8 = {IMG_COLOR_RGB, 8}, RGBA_8 = {IMG_COLOR_RGBA, 8};

static uint8_t *canny(const char *options, ImgShape shape, const void *samples)
{
    ImgShape result;
    uint8_t *edges = run_op("canny", options, shape, samples, &result);
    cr_expect(result.format.color == IMG_COLOR_GRAY && result.format.bits == 8);
    return edges;
}

static size_t pixels_of(ImgShape shape)
{
    return (size_t)shape.width * (size_t)shape.height;
}

static size_t count_white(const uint8_t *edges, ImgShape shape)
{
    size_t count = 0;
    for (size_t i = 0; i < pixels_of(shape); i++) {
        cr_expect(edges[i] == 0 || edges[i] == 255);
        count += edges[i] == 255;
    }
    return count;
}

static size_t white_of(const char *options, ImgShape shape, const void *samples)
{
    uint8_t *edges = canny(options, shape, samples);
    const size_t count = count_white(edges, shape);
    free(edges);
    return count;
}

/* --- Values worked out by hand ---------------------------------------------------------------- */

/* Both pixels at a step have the same gradient. Only the brighter one is an edge. */
Test(canny, a_step_is_a_line_one_pixel_wide)
{
    const ImgShape shape = {8, 5, GRAY_8};
    uint8_t samples[40];
    for (int i = 0; i < 40; i++)
        samples[i] = i % 8 < 4 ? 50 : 200;
    uint8_t *sharp = canny("sigma=0", shape, samples), *smooth = canny("sigma=1", shape, samples);
    for (int i = 0; i < 40; i++) {
        cr_expect_eq(sharp[i], i % 8 == 4 ? 255 : 0, "%d", i);
        cr_expect_eq(smooth[i], i % 8 == 4 ? 255 : 0, "%d", i);
    }
    free(sharp);
    free(smooth);
}

/* White is 8191 in the 13 bits of the operation. A step of 51 of 255 becomes 1638, slightly less
 * than 20 % of white. */
Test(canny, thresholds_are_percentages_of_a_full_step)
{
    const ImgShape shape = {6, 1, GRAY_8};
    const uint8_t fifth[] = {0, 0, 0, 51, 51, 51}, more[] = {0, 0, 0, 52, 52, 52};
    const uint8_t whole[] = {0, 0, 0, 255, 255, 255};
    cr_expect_eq(white_of("sigma=0 low=20 high=20", shape, fifth), 0);
    cr_expect_eq(white_of("sigma=0 low=19.99 high=19.99", shape, fifth), 1);
    cr_expect_eq(white_of("sigma=0 low=20 high=20", shape, more), 1);
    cr_expect_eq(white_of("sigma=0 low=0 high=99.999", shape, whole), 1);
    cr_expect_eq(white_of("sigma=0 low=0 high=100", shape, whole), 0);
}

/* On a ramp of 32 per column the neighbours of a pixel differ by 64, and at the ends by 32.
 * Gradients beyond the edges of the picture count as 0. Only the brightest of the pixels with equal
 * gradients is an edge. */
Test(canny, of_equal_gradients_on_a_ramp_the_brightest_stays)
{
    const ImgShape shape = {8, 3, GRAY_8};
    uint8_t samples[24];
    for (int i = 0; i < 24; i++)
        samples[i] = (uint8_t)(32 * (i % 8));
    uint8_t *edges = canny("sigma=0 low=0 high=0", shape, samples);
    for (int i = 0; i < 24; i++)
        cr_expect_eq(edges[i], i % 8 == 6 ? 255 : 0, "%d", i);
    free(edges);
}

Test(canny, a_constant_picture_has_no_edges)
{
    const ImgShape shape = {37, 21, RGBA_8};
    uint8_t samples[37 * 21 * 4];
    memset(samples, 77, sizeof samples);
    for (size_t i = 0; i < 3; i++) { /* every border mode except constant */
        char options[64];
        snprintf(options, sizeof options, "low=0 high=0 sigma=2 border=%s", border_names[i]);
        cr_expect_eq(white_of(options, shape, samples), 0, "%s", options);
    }
    cr_expect_gt(white_of("border=constant background=white", shape, samples), 0);
}

Test(canny, single_pixels_and_lines_match)
{
    uint8_t samples[40] = {200};
    cr_expect_eq(white_of("low=0 high=0", (ImgShape){1, 1, GRAY_8}, samples), 0);
    for (int i = 0; i < 40; i++)
        samples[i] = i < 17 ? 200 : 10;
    for (int down = 0; down < 2; down++) {
        const ImgShape shape = {down ? 1 : 40, down ? 40 : 1, GRAY_8};
        uint8_t *edges = canny("sigma=1.4", shape, samples);
        for (int i = 0; i < 40; i++)
            cr_expect_eq(edges[i], i == 16 ? 255 : 0, "%d", i);
        free(edges);
    }
}

/* The two colours have equal luma by BT.709 and different luma by BT.601. */
Test(canny, edges_are_those_of_luma)
{
    const ImgShape shape = {6, 1, RGB_8};
    const uint8_t samples[] = {100, 0, 0, 100, 0, 0, 100, 0, 0, 0, 30, 0, 0, 30, 0, 0, 30, 0};
    cr_expect_eq(white_of("sigma=0 low=0 high=0", shape, samples), 0);
    cr_expect_eq(white_of("sigma=0 low=0 high=4 luma=601", shape, samples), 1);
}

Test(canny, a_low_threshold_above_the_high_one_is_rejected)
{
    const ImgOp *op;
    ImgParams params;
    ImgShape result;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("canny", &op, &err), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "low", "20.5", &err), IMG_OK);
    cr_expect_eq(op->shape((ImgShape){3, 3, GRAY_8}, params.bytes, &result, &err), IMG_E_USAGE);
    cr_expect_str_eq(err.message, "canny: low 20.5 is above high 10; use a low threshold of "
                                  "at most the high one");
}

/* --- Turned and differently stored pictures --------------------------------------------------- */

Test(canny, turned_pictures_have_turned_edges)
{
    enum { WIDTH = 53, HEIGHT = 38 };
    const ImgShape shape = {WIDTH, HEIGHT, GRAY_8}, turned_shape = {HEIGHT, WIDTH, GRAY_8};
    uint8_t *samples = random_picture(shape, 3);
    uint8_t turned[WIDTH * HEIGHT], back[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        samples[i] /= 32; /* leaves 8 values, so that many neighbours are equal */
        turned[i % WIDTH * HEIGHT + i / WIDTH] = samples[i];
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        back[i] = samples[WIDTH * HEIGHT - 1 - i];
    uint8_t *edges = canny("sigma=0 low=0.5 high=2", shape, samples);
    uint8_t *of_turned = canny("sigma=0 low=0.5 high=2", turned_shape, turned);
    uint8_t *of_back = canny("sigma=0 low=0.5 high=2", shape, back);
    cr_expect_gt(count_white(edges, shape), 100);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        cr_expect_eq(edges[i], of_turned[i % WIDTH * HEIGHT + i / WIDTH], "%d", i);
        cr_expect_eq(edges[i], of_back[WIDTH * HEIGHT - 1 - i], "%d", i);
    }
    free(samples);
    free(edges);
    free(of_turned);
    free(of_back);
}

/* A picture with 16 bits or with an opaque alpha channel has the same edges as the same picture
 * with 8 bits and without alpha. */
Test(canny, equal_pictures_in_other_formats_have_equal_edges)
{
    const ImgShape gray = {61, 47, GRAY_8}, deep = {61, 47, GRAY_16}, color = {61, 47, RGBA_8};
    uint8_t *samples = random_picture(gray, 4), *wide = malloc(61 * 47 * 2),
            *four = malloc(61 * 47 * 4);
    for (size_t i = 0; i < 61 * 47; i++) {
        img_sample_set(wide, i, 16, samples[i] * 257U);
        memset(four + 4 * i, samples[i], 3);
        four[4 * i + 3] = 255;
    }
    uint8_t *edges = canny("", gray, samples), *of_deep = canny("", deep, wide);
    uint8_t *of_color = canny("", color, four);
    cr_expect_gt(count_white(edges, gray), 100);
    cr_expect_eq(memcmp(edges, of_deep, 61 * 47), 0);
    cr_expect_eq(memcmp(edges, of_color, 61 * 47), 0);
    free(samples);
    free(wide);
    free(four);
    free(edges);
    free(of_deep);
    free(of_color);
}

/* Transparent colours make no edges, but the outline of the visible part is an edge. */
Test(canny, transparent_colours_make_no_edges)
{
    const ImgShape shape = {24, 9, RGBA_8};
    uint8_t *samples = random_picture(shape, 5);
    for (int i = 0; i < 24 * 9; i++) {
        samples[4 * i + 3] = i % 24 < 12 ? 0 : 255;
        if (i % 24 >= 12)
            memset(samples + 4 * i, 200, 3);
    }
    uint8_t *edges = canny("low=0 high=10", shape, samples);
    for (int i = 0; i < 24 * 9; i++)
        cr_expect_eq(edges[i], i % 24 == 12 ? 255 : 0, "%d", i);
    free(samples);
    free(edges);
}

/* --- Hysteresis ------------------------------------------------------------------------------- */

enum { SIDE = 301, ARM = 8, BAND = 4 };

static void draw_square(uint8_t *samples, int x, int y, int level)
{
    for (int k = 0; k < BAND * BAND; k++)
        samples[(y + k / BAND) * SIDE + x + k % BAND] = (uint8_t)level;
}

/* Draws a spiral band whose edges are weak. Along the last arm of the spiral, each pixel is
 * brighter than the one before by `rise`. */
static void draw_spiral(uint8_t *samples, int rise)
{
    int x = 6, y = 6, dx = 1, dy = 0;
    memset(samples, 0, SIDE * SIDE);
    for (int turn = 0, left = SIDE - 16; left > 0; turn++) {
        const int after = turn > 0 && turn % 2 == 0 ? left - 2 * ARM : left, old = dx;
        for (int i = 0; i < left; i++, x += dx, y += dy)
            draw_square(samples, x, y, after > 0 ? 40 : 40 + i * rise);
        dx = -dy;
        dy = old;
        left = after;
    }
}

Test(canny, a_strong_end_keeps_a_long_spiral)
{
    const ImgShape shape = {SIDE, SIDE, GRAY_8};
    uint8_t *samples = malloc(SIDE * SIDE);
    draw_spiral(samples, 0);
    const size_t all = white_of("sigma=0.8 low=5 high=5", shape, samples);
    cr_expect_gt(all, 5000, "%zu", all);
    cr_expect_eq(white_of("sigma=0.8 low=5 high=30", shape, samples), 0);
    draw_spiral(samples, 10);
    const size_t kept = white_of("sigma=0.8 low=5 high=30", shape, samples);
    cr_expect_eq(kept, white_of("sigma=0.8 low=5 high=5", shape, samples));
    cr_expect_gt(kept, 5000);
    free(samples);
}

/* Marks every pixel that is not 0 in `over` and touches a marked pixel. Repeats this until nothing
 * changes. */
static void spread(const uint8_t *over, uint8_t *marks, ImgShape shape)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < shape.width * shape.height; i++) {
            const int32_t x = i % shape.width, y = i / shape.width;
            for (int32_t k = 0; k < 9 && over[i] != 0 && marks[i] == 0; k++) {
                const int32_t column = x + k % 3 - 1, line = y + k / 3 - 1;
                if (column >= 0 && line >= 0 && column < shape.width && line < shape.height &&
                    marks[line * shape.width + column] != 0) {
                    marks[i] = 255;
                    changed = true;
                }
            }
        }
    }
}

/* Weak edges are kept only if they are connected to strong edges. */
Test(canny, weak_edges_connected_to_strong_ones_are_kept)
{
    static const ImgShape shapes[] = {{97, 61, {IMG_COLOR_GRAY, 8}},
                                      {200, 3, {IMG_COLOR_RGB, 8}},
                                      {33, 130, {IMG_COLOR_RGBA, 16}},
                                      {1000, 600, {IMG_COLOR_GRAY, 8}}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        void *samples = random_picture(shapes[s], 11);
        uint8_t *weak = canny("sigma=0.7 low=10 high=10", shapes[s], samples);
        uint8_t *strong = canny("sigma=0.7 low=22 high=22", shapes[s], samples);
        uint8_t *edges = canny("sigma=0.7 low=10 high=22", shapes[s], samples);
        const size_t seeds = count_white(strong, shapes[s]);
        spread(weak, strong, shapes[s]);
        cr_expect_gt(count_white(strong, shapes[s]), seeds);
        cr_expect_lt(count_white(strong, shapes[s]), count_white(weak, shapes[s]));
        cr_expect_eq(memcmp(edges, strong, pixels_of(shapes[s])), 0);
        free(samples);
        free(weak);
        free(strong);
        free(edges);
    }
}

/* --- Compared with the definition ------------------------------------------------------------- */

/* Size of the pictures in double precision. A margin on each side holds the samples beyond the
 * edges. */
enum { MARGIN = 24, DOUBLE_SIDE = 96 + 2 * MARGIN };

static double plane[DOUBLE_SIDE][DOUBLE_SIDE], smooth[DOUBLE_SIDE][DOUBLE_SIDE],
    lengths[DOUBLE_SIDE][DOUBLE_SIDE], angles[DOUBLE_SIDE][DOUBLE_SIDE];

static void smooth_exactly(double sigma)
{
    const int radius = (int)ceil(3.5 * sigma);
    double sum = 0;
    for (int k = -radius; k <= radius; k++)
        sum += exp(-k * k / (2 * sigma * sigma));
    for (int y = radius; y < DOUBLE_SIDE - radius; y++)
        for (int x = radius; x < DOUBLE_SIDE - radius; x++) {
            smooth[y][x] = 0;
            for (int i = -radius; i <= radius; i++)
                for (int k = -radius; k <= radius; k++)
                    smooth[y][x] += plane[y + i][x + k] *
                                    exp(-(i * i + k * k) / (2 * sigma * sigma)) / (sum * sum);
        }
}

/* Computes the length of each gradient, in units of a step from black to white, and its angle in
 * eighths of a turn. */
static void measure_exactly(ImgShape shape)
{
    memset(lengths, 0, sizeof lengths);
    for (int y = MARGIN; y < MARGIN + shape.height; y++)
        for (int x = MARGIN; x < MARGIN + shape.width; x++) {
            double across = 0, down = 0;
            for (int k = -1; k <= 1; k++) {
                across += (2 - abs(k)) * (smooth[y + k][x + 1] - smooth[y + k][x - 1]);
                down += (2 - abs(k)) * (smooth[y + 1][x + k] - smooth[y - 1][x + k]);
            }
            lengths[y][x] = hypot(across, down) / 4;
            angles[y][x] = atan2(down, across) / M_PI * 4;
        }
}

/* Returns 1 if the pixel is an edge above the threshold, and 0 if it is not. Returns -1 if rounding
 * may decide. */
static int exact_class(int x, int y, double threshold)
{
    enum { TOO_NEAR = -1 };
    static const int steps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                    {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const double near = 0.0004, turn = angles[y][x], own = lengths[y][x];
    const int *step = steps[((int)lround(turn) + 8) % 8];
    const double one = lengths[y + step[1]][x + step[0]], other = lengths[y - step[1]][x - step[0]];
    if (own < threshold - near || own < one - near || own < other - near)
        return fabs(turn - floor(turn) - 0.5) < 0.05 && own >= threshold - near ? TOO_NEAR : 0;
    if (fabs(turn - floor(turn) - 0.5) < 0.05 || own < threshold + near || own < one + near ||
        own < other + near)
        return TOO_NEAR;
    return 1;
}

static void expect_exact(double sigma, double threshold, const char *border, int32_t mode)
{
    const ImgShape shape = {96, 71, GRAY_16};
    uint16_t *samples = random_picture(shape, 21);
    char options[96];
    size_t decided = 0, edges_found = 0;
    for (int y = 0; y < DOUBLE_SIDE; y++)
        for (int x = 0; x < DOUBLE_SIDE; x++) {
            const int32_t column = img_border_place(x - MARGIN, shape.width, mode);
            const int32_t line = img_border_place(y - MARGIN, shape.height, mode);
            plane[y][x] =
                column < 0 || line < 0 ? 0 : samples[line * shape.width + column] / 65535.0;
        }
    smooth_exactly(sigma);
    measure_exactly(shape);
    snprintf(options, sizeof options, "sigma=%g low=%g high=%g border=%s", sigma, 100 * threshold,
             100 * threshold, border);
    uint8_t *edges = canny(options, shape, samples);
    for (int y = 0; y < shape.height; y++)
        for (int x = 0; x < shape.width; x++) {
            const int exact = exact_class(x + MARGIN, y + MARGIN, threshold);
            decided += exact >= 0;
            edges_found += exact == 1;
            if (exact >= 0)
                cr_expect_eq(edges[y * shape.width + x], 255 * exact, "%s: %d, %d", options, x, y);
        }
    cr_expect_gt(decided, pixels_of(shape) / 2, "%zu", decided);
    cr_expect_gt(edges_found, 100, "%zu", edges_found);
    free(edges);
    free(samples);
}

Test(canny, edges_match_the_definition)
{
    for (int32_t mode = 0; mode < 4; mode++) {
        expect_exact(0.7, 0.2, border_names[mode], mode);
        expect_exact(1.4, 0.05, border_names[mode], mode);
        expect_exact(3, 0.01, border_names[mode], mode);
    }
}
