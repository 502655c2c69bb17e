/* Tests of perspective: values worked out by hand, comparison with other operations and with the
 * definition, and the corners that the operation accepts. In each case run_op compares all
 * implementations. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "kernels/warp/warp_maps.h"
#include "tests/unit/run_op.h"
#include "tests/unit/sanitizers.h"

static const ImgFormat GRAY8 = {IMG_COLOR_GRAY, 8}, GRAY16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGB8 = {IMG_COLOR_RGB, 8}, RGBA16 = {IMG_COLOR_RGBA, 16};
static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos4"};

enum { FILTERS = sizeof filters / sizeof *filters, PIXEL = 1000000 };

static ImgStatus shape_of(const char *corners, const char *size, ImgShape src, ImgShape *dst,
                          ImgError *err)
{
    const ImgOp *op = NULL;
    ImgParams params;
    cr_assert_eq(img_op_find("perspective", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    if (corners != NULL)
        cr_assert_eq(img_params_set(op, &params, "corners", corners, NULL), IMG_OK);
    if (size != NULL)
        cr_assert_eq(img_params_set(op, &params, "size", size, NULL), IMG_OK);
    return op->shape(src, params.bytes, dst, err);
}

/* --- Moves by whole pixels -------------------------------------------------------------------- */

static void expect_same(const char *corners, const char *op, const char *options)
{
    const ImgShape shape = {31, 17, RGBA16};
    void *picture = random_picture(shape, 1);
    for (int f = 0; f < FILTERS; f++) {
        char given[96];
        ImgShape result, other;
        snprintf(given, sizeof given, "%s filter=%s", corners, filters[f]);
        void *got = run_op("perspective", given, shape, picture, &result);
        void *wanted = run_op(op, options, shape, picture, &other);
        cr_assert(result.width == other.width && result.height == other.height, "%s: %d x %d",
                  given, result.width, result.height);
        cr_expect_eq(memcmp(got, wanted, (size_t)result.width * (size_t)result.height * 8), 0, "%s",
                     given);
        free(got);
        free(wanted);
    }
    free(picture);
}

Test(perspective, the_pictures_own_corners_change_nothing)
{
    expect_same("", "rotate", "angle=0");
    expect_same("corners=0,0,31,0,31,17,0,17", "rotate", "angle=0");
    expect_same("size=31x17", "rotate", "angle=0");
}

Test(perspective, corners_at_pixel_corners_move_whole_pixels)
{
    expect_same("corners=3,2,23,2,23,12,3,12", "crop", "x=3 y=2 width=20 height=10");
    expect_same("corners=31,0,0,0,0,17,31,17", "flip", "axis=horizontal");
    expect_same("corners=0,17,0,0,31,0,31,17", "rotate", "angle=90");
    expect_same("corners=31,17,0,17,0,0,31,0", "rotate", "angle=180");
    expect_same("corners=0,0,0,17,31,17,31,0", "transpose", "");
}

/* --- Positions between pixels ----------------------------------------------------------------- */

/* The inverses of these matrices have few decimals, so that the corners can be written exactly. */
Test(perspective, parallelograms_give_the_result_of_affine)
{
    static const char *const cases[][2] = {
        {"matrix=2,0,0,0,1,0 size=82x23", "corners=0,0,41,0,41,23,0,23 size=82x23"},
        {"matrix=0.8,0.6,0,-0.6,0.8,0 size=40x20", "corners=0,0,32,24,20,40,-12,16 size=40x20"},
        {"matrix=1,-0.5,0,0,1,0 size=30x20", "corners=0,0,30,0,40,20,10,20 size=30x20"},
        {"matrix=0.25,0,0,0,0.5,0 size=10x11", "corners=0,0,40,0,40,22,0,22 size=10x11"}};
    const ImgShape shape = {41, 23, RGBA16};
    void *picture = random_picture(shape, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int f = 0; f < FILTERS; f++) {
            char one[96], two[96];
            ImgShape result, other;
            snprintf(one, sizeof one, "%s border=reflect filter=%s", cases[i][0], filters[f]);
            snprintf(two, sizeof two, "%s border=reflect filter=%s", cases[i][1], filters[f]);
            void *wanted = run_op("affine", one, shape, picture, &other);
            void *got = run_op("perspective", two, shape, picture, &result);
            cr_expect_eq(farthest(got, wanted, result), 0, "%s", two);
            free(got);
            free(wanted);
        }
    free(picture);
}

/* The diagonals of the quadrilateral cross at (4, 8/3). This point becomes the middle of the
 * result. */
Test(perspective, the_middle_matches_the_value_worked_out_by_hand)
{
    static const int64_t corners[] = {0,         0,         8 * PIXEL, 0,
                                      6 * PIXEL, 4 * PIXEL, 2 * PIXEL, 4 * PIXEL};
    ImgWarpMap map;
    cr_assert_eq(
        img_warp_perspective(corners, IMG_WARP_NEAREST, (ImgShape){9, 5, GRAY8}, &map, NULL),
        IMG_OK);
    const ImgWarpPlace place = img_warp_place(&map, 4, 2, 0, 0);
    cr_expect_leq(llabs(place.x - 7 * IMG_WARP_ONE / 2), 1);
    cr_expect_leq(llabs(place.y - 13 * IMG_WARP_ONE / 6), 1);
}

/* The picture has two rows. In the result the upper row fills 3/4 of the height at the left end and
 * 1/2 at the right end. */
Test(perspective, pixels_match_values_worked_out_by_hand)
{
    static const uint8_t picture[] = {10, 10, 10, 10, 200, 200, 200, 200};
    ImgShape result;
    uint8_t *got = run_op("perspective", "corners=0,0.5,4,0,4,2,0,1.5 size=4x4 filter=nearest",
                          (ImgShape){4, 2, GRAY8}, picture, &result);
    cr_expect_eq(
        memcmp(got,
               (uint8_t[]){10, 10, 10, 10, 10, 10, 10, 10, 200, 200, 200, 200, 200, 200, 200, 200},
               16),
        0);
    free(got);
}

/* Computes the position (*x, *y) in the picture for the point (`u`, `v`) of the result, in double
 * precision. Solves the equations that map the corners of the result to `corner`. */
static void definition(const double corner[8], double u, double v, double *x, double *y)
{
    double rows[8][9];
    for (int i = 0; i < 4; i++) {
        const double s = i == 1 || i == 2, t = i >= 2, cx = corner[2 * i], cy = corner[2 * i + 1];
        const double across[9] = {s, t, 1, 0, 0, 0, -s * cx, -t * cx, cx};
        const double down[9] = {0, 0, 0, s, t, 1, -s * cy, -t * cy, cy};
        memcpy(rows[2 * i], across, sizeof across);
        memcpy(rows[2 * i + 1], down, sizeof down);
    }
    for (int i = 0; i < 8; i++) {
        int best = i;
        for (int k = i + 1; k < 8; k++)
            best = fabs(rows[k][i]) > fabs(rows[best][i]) ? k : best;
        for (int j = 0; j < 9; j++) {
            const double kept = rows[i][j];
            rows[i][j] = rows[best][j];
            rows[best][j] = kept;
        }
        for (int k = 0; k < 8; k++) {
            const double times = k == i ? 0 : rows[k][i] / rows[i][i];
            for (int j = i; j < 9; j++)
                rows[k][j] -= times * rows[i][j];
        }
    }
    double h[8];
    for (int i = 0; i < 8; i++)
        h[i] = rows[i][8] / rows[i][i];
    const double w = h[6] * u + h[7] * v + 1;
    *x = (h[0] * u + h[1] * v + h[2]) / w;
    *y = (h[3] * u + h[4] * v + h[5]) / w;
}

Test(perspective, places_match_the_definition)
{
    static const double cases[][8] = {{60, 40, 590, 70, 620, 440, 25, 400},
                                      {25, 400, 620, 440, 590, 70, 60, 40},
                                      {-1000, 3, 7000.5, -20.25, 6000, 4000, 10, 3900},
                                      {400, 400, 440, 400, 1500, 1000, -700, 1000},
                                      {0, 0, 99999, 1, 99998, 99997, 2, 99996},
                                      {0, 0, 1, 0, 0.999, 0.998, 0.001, 1.25}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int f = 0; f < 2; f++) {
            const ImgShape dst = {i < 4 ? 4000 : 1000, i < 4 ? 3000 : 1000, GRAY8};
            int64_t corners[8];
            double most = 0;
            ImgWarpMap map;
            for (int k = 0; k < 8; k++)
                corners[k] = llround(cases[i][k] * PIXEL);
            const ImgStatus status = img_warp_perspective(
                corners, f == 0 ? IMG_WARP_NEAREST : IMG_WARP_BICUBIC, dst, &map, NULL);
            cr_assert_eq(status, IMG_OK, "case %zu", i);
            for (int32_t at = 0; at < 11 * 11; at++) {
                const int32_t x = at % 11 * (dst.width - 1) / 10,
                              y = at / 11 * (dst.height - 1) / 10;
                const int32_t column = map.grid_width - 1;
                double right, below;
                const ImgWarpPlace place = img_warp_place(&map, x, y, column, 0);
                definition(cases[i], (x + (column + 0.5) / map.grid_width) / dst.width,
                           (y + 0.5 / map.grid_height) / dst.height, &right, &below);
                most = fmax(most, fabs((double)place.x / IMG_WARP_ONE + 0.5 - right));
                most = fmax(most, fabs((double)place.y / IMG_WARP_ONE + 0.5 - below));
            }
            cr_expect_lt(most, i == 4 ? 1.0 / 4096 : 1.0 / 65536, "case %zu: %g", i, most);
        }
}

Test(perspective, a_plane_keeps_its_place)
{
    static const double corners[8] = {12, 9, 187, 20, 180, 130, 22, 121};
    const ImgShape shape = {201, 141, GRAY16};
    uint16_t *picture = calloc((size_t)201 * 141, sizeof *picture);
    for (int y = 0; y < 141; y++)
        for (int x = 0; x < 201; x++)
            picture[y * 201 + x] = (uint16_t)(9000 + 200 * x + 90 * y);
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result;
        double off = 0;
        snprintf(options, sizeof options,
                 "corners=12,9,187,20,180,130,22,121 size=230x170 filter=%s", filters[f]);
        uint16_t *got = run_op("perspective", options, shape, picture, &result);
        for (int y = 0; y < result.height; y++)
            for (int x = 0; x < result.width; x++) {
                double right, below;
                definition(corners, (x + 0.5) / result.width, (y + 0.5) / result.height, &right,
                           &below);
                off = fmax(off, fabs(got[y * result.width + x] -
                                     (9000 + 200 * (right - 0.5) + 90 * (below - 0.5))));
            }
        /* Positions are rounded to 1/1024 of a pixel, so each is off by at most half of that. The
         * plane has the slopes 200 and 90. lanczos3 has additional ripples on a plane. */
        cr_expect_lt(off, f >= IMG_WARP_LANCZOS3 ? 8 : 2, "%s: %f", filters[f], off);
        cr_expect_gt(off, 0);
        free(got);
    }
    free(picture);
}

/* The picture shrinks at its far side. Details that are too fine for the result must become their
 * average. */
Test(perspective, shrinking_averages_all_pixels)
{
    enum { SIDE = 160 };
    uint16_t *picture = malloc(sizeof *picture * SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        picture[i] = (i + i / SIDE) % 2 != 0 ? 50000 : 10000;
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result;
        snprintf(options, sizeof options, "corners=10,0,150,0,160,160,0,160 size=16x20 filter=%s",
                 filters[f]);
        uint16_t *got =
            run_op("perspective", options, (ImgShape){SIDE, SIDE, GRAY16}, picture, &result);
        for (int i = 0; i < 16 * 20; i++)
            cr_assert(got[i] > 28500 && got[i] < 31500, "%s: %d is %d", options, i, got[i]);
        free(got);
    }
    free(picture);
}

/* At the top a result pixel covers 2 source pixels across and 1 down. At the bottom it covers 4
 * across and slightly less than 3 down. */
Test(perspective, the_steepest_corner_decides_on_the_grid)
{
    static const int64_t corners[] = {10 * PIXEL, 0,          30 * PIXEL, 0,
                                      40 * PIXEL, 10 * PIXEL, 0,          10 * PIXEL};
    ImgWarpMap map;
    const ImgShape dst = {10, 10, GRAY8};
    cr_assert_eq(img_warp_perspective(corners, IMG_WARP_BICUBIC, dst, &map, NULL), IMG_OK);
    cr_expect(map.grid_width == 4 && map.grid_height == 3, "%d x %d", map.grid_width,
              map.grid_height);
    cr_assert_eq(img_warp_perspective(corners, IMG_WARP_NEAREST, dst, &map, NULL), IMG_OK);
    cr_expect(map.grid_width == 1 && map.grid_height == 1);
}

/* The pictures are larger than the tiles of the fast implementations, in every format. The result
 * covers parts inside and outside the picture. run_op compares the implementations. */
Test(perspective, implementations_agree_across_tiles)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 2},       {IMG_COLOR_GRAY, 16},
                                        {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_GRAY_ALPHA, 16},
                                        {IMG_COLOR_RGB, 8},        {IMG_COLOR_RGB, 16},
                                        {IMG_COLOR_RGBA, 8},       {IMG_COLOR_RGBA, 16}};
    static const char *const corners[] = {
        "20,10,280,40,250,260,5,230", "-30,-9,330,20,250,390,9,210", "250,260,5,230,20,10,280,40"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (size_t f = i % EVERY(3); f < FILTERS; f += EVERY(3)) {
            const ImgShape shape = {291, 270, formats[i]};
            void *picture = random_picture(shape, (uint32_t)i);
            char options[128];
            ImgShape result;
            snprintf(options, sizeof options, "corners=%s size=%s filter=%s background=#123456%s",
                     corners[(i / 2 + f) % 3], i % 2 == 0 ? "170x140" : "40x30", filters[f],
                     i < 4 ? "78" : "");
            free(run_op("perspective", options, shape, picture, &result));
            free(picture);
        }
}

/* --- Accepted corners ------------------------------------------------------------------------- */

Test(perspective, sizes_match_values_worked_out_by_hand)
{
    static const struct {
        const char *corners, *size;
        int32_t width, height;
    } cases[] = {
        {NULL, NULL, 50, 30},
        {NULL, "50%", 25, 15},
        {NULL, "20x10", 20, 10},
        {NULL, "20", 20, 12},
        {NULL, "x1000", 1667, 1000},
        /* The sides have the lengths 50 and 28.28 across, 44.72 and 36.06 down. The size of the
         * result is the longer side of each pair, rounded. */
        {"0,0,30,40,0,60,-20,40", NULL, 50, 45},
        /* The sides have the lengths 30 and 68.48 across, 7 and 50 down. */
        {"0,0,30,0,60,40,0,7", NULL, 68, 50},
        {"0,0,0.1,0,0.1,0.1,0,0.1", NULL, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgShape dst;
        cr_assert_eq(
            shape_of(cases[i].corners, cases[i].size, (ImgShape){50, 30, GRAY8}, &dst, NULL),
            IMG_OK);
        cr_expect(dst.width == cases[i].width && dst.height == cases[i].height, "case %zu: %d x %d",
                  i, dst.width, dst.height);
    }
}

Test(perspective, alpha_is_added_if_the_background_is_visible)
{
    ImgShape dst;
    const ImgShape src = {50, 30, RGB8};
    cr_assert_eq(shape_of("0,0,50,0,45,30,5,30", NULL, src, &dst, NULL), IMG_OK);
    cr_expect_eq(dst.format.color, IMG_COLOR_RGB);
    cr_assert_eq(shape_of("0,0,50,0,45,30.000001,5,30", NULL, src, &dst, NULL), IMG_OK);
    cr_expect_eq(dst.format.color, IMG_COLOR_RGBA);
    cr_assert_eq(shape_of("-0.000001,0,50,0,45,30,5,30", NULL, src, &dst, NULL), IMG_OK);
    cr_expect_eq(dst.format.color, IMG_COLOR_RGBA);
}

Test(perspective, invalid_corners_and_sizes_are_rejected_with_a_reason)
{
    static const struct {
        const char *corners, *size;
        ImgStatus status;
        const char *says;
    } cases[] = {
        {"0,0,10,10,20,20,5,50", NULL, IMG_E_USAGE, "three of the corners lie on a line"},
        {"7,7,7,7,7,7,7,7", NULL, IMG_E_USAGE, "three of the corners lie on a line"},
        {"0,0,50,30,50,0,0,30", NULL, IMG_E_USAGE, "the sides of the quadrilateral cross; give"},
        {"0,0,50,0,10,10,0,50", NULL, IMG_E_USAGE, "must be convex"},
        {"0,0,50,0,10,10", NULL, IMG_E_USAGE, "the corners have 6 numbers; give eight, x and y"},
        {NULL, "0.001%", IMG_OK, ""},
        {"-1000000,0,50,0,45,30,5,30", "1x9", IMG_E_UNSUPPORTED, "shrinks by more than 1024"},
        {"0,0,9999,0,9999,99,0,99", "1x9", IMG_E_UNSUPPORTED, "picture shrinks by more than 1024"},
        {"0,0,0.000001,0,2000,2000,-2000,2000", "900", IMG_E_UNSUPPORTED, "further apart"},
        {"0,0,80,0,80,60,39.9,30.0", "80x60", IMG_E_UNSUPPORTED, "more than 256 per pixel"},
        {"0,0,80,0,80,60,39.9,30.0", "80x60", IMG_E_UNSUPPORTED, "apart or a larger size"},
        {"0,0,80,0,80,60,39.9,30.0", "3000x2250", IMG_OK, ""},
        {"0,0,80,0,80,60,20,45", "80x60", IMG_OK, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgShape dst;
        ImgError err = {IMG_OK, ""};
        cr_expect_eq(
            shape_of(cases[i].corners, cases[i].size, (ImgShape){50, 30, GRAY8}, &dst, &err),
            cases[i].status, "case %zu: %s", i, err.message);
        cr_expect_not_null(strstr(err.message, cases[i].says), "case %zu: %s", i, err.message);
    }
    const int64_t narrow[] = {0, 0, 1, 0, 2000 * PIXEL, 2000 * PIXEL, -2000 * PIXEL, 2000 * PIXEL};
    ImgWarpMap map;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(
        img_warp_perspective(narrow, IMG_WARP_NEAREST, (ImgShape){900, 900, GRAY8}, &map, &err),
        IMG_E_UNSUPPORTED);
    cr_expect_not_null(strstr(err.message, "a side of the quadrilateral is too narrow"), "%s",
                       err.message);
    ImgShape dst;
    err = (ImgError){IMG_OK, ""};
    cr_expect_eq(shape_of(NULL, "100000%", (ImgShape){INT32_MAX, 1, GRAY8}, &dst, &err),
                 IMG_E_LIMIT);
}
