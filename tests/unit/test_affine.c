/* Tests of affine: cases worked out by hand, comparison with other operations, and the matrices
 * that the operation accepts. In each case run_op compares all implementations. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"
#include "kernels/warp/warp_maps.h"
#include "tests/unit/run_op.h"

static const ImgFormat GRAY8 = {IMG_COLOR_GRAY, 8}, GRAY16 = {IMG_COLOR_GRAY, 16};
static const ImgFormat RGBA16 = {IMG_COLOR_RGBA, 16};
static const char *const filters[] = {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos4"};

enum { FILTERS = sizeof filters / sizeof *filters };

static ImgStatus shape_of(const char *matrix, const char *size, ImgShape src, ImgShape *dst,
                          ImgError *err)
{
    const ImgOp *op = NULL;
    ImgParams params;
    cr_assert_eq(img_op_find("affine", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "matrix", matrix, NULL), IMG_OK);
    if (size != NULL)
        cr_assert_eq(img_params_set(op, &params, "size", size, NULL), IMG_OK);
    return op->shape(src, params.bytes, dst, err);
}

/* --- Moves by whole pixels -------------------------------------------------------------------- */

Test(affine, the_identity_keeps_every_pixel)
{
    const ImgShape shape = {31, 17, RGBA16};
    void *picture = random_picture(shape, 1);
    for (int f = 0; f < FILTERS; f++) {
        char options[64];
        ImgShape result;
        snprintf(options, sizeof options, "filter=%s", filters[f]);
        void *got = run_op("affine", options, shape, picture, &result);
        cr_expect_eq(memcmp(got, picture, (size_t)31 * 17 * 8), 0, "%s", options);
        free(got);
    }
    free(picture);
}

Test(affine, shifts_by_whole_pixels_move_samples_unchanged)
{
    static const uint8_t picture[] = {1, 2, 3, 4, 5, 6};
    ImgShape result;
    for (int f = 0; f < FILTERS; f++) {
        char options[96];
        snprintf(options, sizeof options, "matrix=1,0,1,0,1,-1 filter=%s background=#090909",
                 filters[f]);
        uint8_t *got = run_op("affine", options, (ImgShape){3, 2, GRAY8}, picture, &result);
        cr_expect_eq(memcmp(got, (uint8_t[]){9, 4, 5, 9, 9, 9}, 6), 0, "%s", options);
        free(got);
        snprintf(options, sizeof options, "matrix=1,0,1,0,1,-1 filter=%s border=wrap", filters[f]);
        got = run_op("affine", options, (ImgShape){3, 2, GRAY8}, picture, &result);
        cr_expect_eq(memcmp(got, (uint8_t[]){6, 4, 5, 3, 1, 2}, 6), 0, "%s", options);
        free(got);
    }
}

Test(affine, quarter_turns_give_the_bytes_of_rotate)
{
    static const struct {
        const char *matrix, *angle;
    } cases[] = {{"matrix=0,-1,21,1,0,0 size=21x40", "angle=90"},
                 {"matrix=-1,0,40,0,-1,21", "angle=180"},
                 {"matrix=0,1,0,-1,0,40 size=21x40", "angle=270"}};
    const ImgShape shape = {40, 21, RGBA16};
    void *picture = random_picture(shape, 2);
    for (size_t i = 0; i < 3; i++)
        for (int f = 0; f < FILTERS; f++) {
            char options[96];
            ImgShape result, wanted;
            snprintf(options, sizeof options, "%s filter=%s", cases[i].matrix, filters[f]);
            void *got = run_op("affine", options, shape, picture, &result);
            void *turned = run_op("rotate", cases[i].angle, shape, picture, &wanted);
            cr_expect(result.width == wanted.width && result.height == wanted.height);
            cr_expect_eq(memcmp(got, turned, (size_t)40 * 21 * 8), 0, "%s", options);
            free(got);
            free(turned);
        }
    free(picture);
}

/* --- Positions between pixels ----------------------------------------------------------------- */

/* The corners of the result lie on the corners of the source. The centres of the result pixels
 * therefore lie at 1/4 and 3/4 of a source pixel. */
Test(affine, doubling_the_width_gives_the_samples_worked_out_by_hand)
{
    static const uint8_t picture[] = {0, 100};
    ImgShape result;
    uint8_t *got = run_op("affine", "matrix=2,0,0,0,1,0 size=4x1 filter=nearest border=replicate",
                          (ImgShape){2, 1, GRAY8}, picture, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){0, 0, 100, 100}, 4), 0);
    free(got);
    got = run_op("affine", "matrix=2,0,0,0,1,0 size=4x1 filter=bilinear border=replicate",
                 (ImgShape){2, 1, GRAY8}, picture, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){0, 25, 75, 100}, 4), 0);
    free(got);
    got = run_op("affine", "matrix=2,0,0,0,1,0 size=4x1 filter=bilinear border=wrap",
                 (ImgShape){2, 1, GRAY8}, picture, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){25, 25, 75, 75}, 4), 0);
    free(got);
    got = run_op("affine", "matrix=2,0,0,0,1,0 size=6x1 filter=bilinear background=white",
                 (ImgShape){2, 1, GRAY8}, picture, &result);
    cr_expect_eq(memcmp(got, (uint8_t[]){64, 25, 75, 139, 216, 255}, 5), 0, "%d %d %d %d %d %d",
                 got[0], got[1], got[2], got[3], got[4], got[5]);
    free(got);
}

/* The matrix moves the picture 1.25 pixels to the left. The centres of the result pixels lie at
 * columns 1.75, 2.75 and 3.75 of the source. Wrapping turns 3.75 into 0.75. */
Test(affine, nearest_keeps_palette_indices)
{
    static const uint8_t three[] = {3, 15, 9};
    const ImgShape src = {3, 1, {IMG_COLOR_PALETTE, 4}};
    ImgShape dst;
    uint8_t *got =
        run_op("affine", "matrix=1,0,-1.25,0,1,0 filter=nearest border=wrap", src, three, &dst);
    cr_expect(dst.format.color == IMG_COLOR_PALETTE && dst.format.bits == 4);
    cr_expect_arr_eq(got, ((const uint8_t[]){15, 9, 3}), 3);
    free(got);
}

/* Shrinking averages all source pixels, so details that are too fine for the result still
 * contribute. */
Test(affine, shrinking_averages_all_pixels)
{
    enum { SIDE = 160 };
    uint16_t *picture = malloc(sizeof *picture * SIDE * SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        picture[i] = (i + i / SIDE) % 2 != 0 ? 50000 : 10000;
    for (int f = 1; f < FILTERS; f++) {
        char options[96];
        ImgShape result;
        snprintf(options, sizeof options,
                 "matrix=0.1,0,0,0,0.15,0 size=16x24 filter=%s "
                 "border=reflect",
                 filters[f]);
        uint16_t *got = run_op("affine", options, (ImgShape){SIDE, SIDE, GRAY16}, picture, &result);
        for (int i = 0; i < 16 * 24; i++)
            cr_assert(got[i] > 28500 && got[i] < 31500, "%s: %d is %d", options, i, got[i]);
        free(got);
    }
    free(picture);
}

Test(affine, shrinking_keeps_the_position)
{
    enum { SIDE = 96 };
    uint16_t *picture = calloc((size_t)SIDE * SIDE, sizeof *picture);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            picture[y * SIDE + x] = (uint16_t)(100 * x + 300 * y);
    ImgShape result;
    uint16_t *got = run_op("affine", "matrix=0.25,0,0,0,0.125,0 size=24x12 filter=bilinear",
                           (ImgShape){SIDE, SIDE, GRAY16}, picture, &result);
    for (int y = 1; y < 11; y++)
        for (int x = 1; x < 23; x++) {
            const uint32_t value = sample_of(got, result, x, y, 0);
            cr_assert_leq(abs((int)value - (100 * (4 * x) + 150 + 300 * (8 * y) + 1050)), 1);
            cr_assert_eq(sample_of(got, result, x, y, 1), 65535);
        }
    free(got);
    free(picture);
}

Test(affine, the_grid_of_samples_follows_the_scale)
{
    static const struct {
        int64_t a, e;
        int32_t width, height;
    } cases[] = {{1000000, 1000000, 1, 1},
                 {2000000, 100, 1, 0},
                 {950000, 900000, 1, 2},
                 {500000, 334000, 2, 3},
                 {250000, 100000, 4, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t matrix[] = {cases[i].a, 0, 0, 0, cases[i].e, 0};
        ImgWarpMap map;
        const ImgStatus status =
            img_warp_affine(matrix, IMG_WARP_BICUBIC, (ImgShape){9, 9, GRAY8}, &map, NULL);
        cr_assert_eq(status, cases[i].height > 0 ? IMG_OK : IMG_E_UNSUPPORTED);
        if (status == IMG_OK)
            cr_expect(map.grid_width == cases[i].width && map.grid_height == cases[i].height,
                      "case %zu: %d x %d", i, map.grid_width, map.grid_height);
        cr_expect_eq(img_warp_affine(matrix, IMG_WARP_NEAREST, (ImgShape){9, 9, GRAY8}, &map, NULL),
                     IMG_OK);
        cr_expect(map.grid_width == 1 && map.grid_height == 1);
    }
}

/* --- Accepted matrices ------------------------------------------------------------------------ */

Test(affine, the_size_option_gives_the_size_of_the_result)
{
    static const struct {
        const char *size;
        int32_t width, height;
    } cases[] = {{NULL, 50, 30}, {"20x10", 20, 10}, {"20", 20, 30},
                 {"x7", 50, 7},  {"50%", 25, 15},   {"0.001%", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgShape dst;
        cr_assert_eq(shape_of("1,0,0,0,1,0", cases[i].size, (ImgShape){50, 30, GRAY8}, &dst, NULL),
                     IMG_OK);
        cr_expect(dst.width == cases[i].width && dst.height == cases[i].height, "case %zu", i);
        cr_expect_eq(dst.format.color, IMG_COLOR_GRAY_ALPHA);
    }
}

Test(affine, invalid_matrices_and_sizes_are_rejected_with_a_reason)
{
    static const struct {
        const char *matrix, *size;
        ImgStatus status;
        const char *says;
    } cases[] = {
        {"1,2,0,0.5,1,0", NULL, IMG_E_USAGE, "are not multiples of each other"},
        {"0,0,0,0,0,0", NULL, IMG_E_USAGE, "maps the picture to a line or a point"},
        {"1,0,0,0,1", NULL, IMG_E_USAGE, "the matrix has 5 numbers; give six, a,b,c,d,e,f"},
        {"0.0001,0,0,0,1,0", NULL, IMG_E_UNSUPPORTED, "shrinks by more than 1024; resize"},
        {"1,0,0,0,0.00001,0", "20000x20000", IMG_E_UNSUPPORTED, "2^30 pixels or more outside"},
        {"0.000001,0,1000000,0,1,0", NULL, IMG_E_UNSUPPORTED, "use a smaller size or offset"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgShape dst;
        ImgError err = {IMG_OK, ""};
        const ImgShape src = {50, 30, GRAY8};
        cr_expect_eq(shape_of(cases[i].matrix, cases[i].size, src, &dst, &err), cases[i].status,
                     "case %zu: %s", i, err.message);
        cr_expect_not_null(strstr(err.message, cases[i].says), "case %zu: %s", i, err.message);
    }
    ImgShape dst;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(shape_of("1,0,0,0,1,0", "100000%", (ImgShape){INT32_MAX, 1, GRAY8}, &dst, &err),
                 IMG_E_LIMIT);
    cr_expect_str_eq(
        err.message,
        "affine: the result of 2147483647000 x 1000 pixels is too large; use a smaller size");
}
