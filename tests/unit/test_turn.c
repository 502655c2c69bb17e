/* Tests of the family of turns: the references compared with values worked out by hand, and the
 * identities of the symmetry group of the square. checkkernels compares the other implementations
 * with the references. */
#include <criterion/criterion.h>
#include <string.h>

#include "kernels/core/params.h"
#include "kernels/registry.h"

/* The picture of all cases. It is 3 pixels wide and 2 high, with the rows 1 2 3 and 4 5 6. */
static const uint8_t PICTURE[] = {1, 2, 3, 4, 5, 6};

typedef struct Picture {
    ImgShape shape;
    uint8_t bytes[64];
} Picture;

static Picture the_picture(void)
{
    Picture picture = {.shape = {3, 2, {IMG_COLOR_GRAY, 8}}};
    memcpy(picture.bytes, PICTURE, sizeof PICTURE);
    return picture;
}

static Picture apply(const Picture *src, const char *name, const char *param, const char *value)
{
    const ImgOp *op = NULL;
    ImgParams params;
    ImgError err = {IMG_OK, ""};
    Picture dst = {.bytes = {0}};
    img_op_find(name, &op, &err);
    img_params_init(op, &params);
    if (param != NULL)
        img_params_set(op, &params, param, value, &err);
    op->shape(src->shape, params.bytes, &dst.shape, &err);
    cr_assert_eq(err.status, IMG_OK, "%s", err.message);
    size_t size = img_format_pixel_size(src->shape.format);
    ImgCall call = {
        .op = op,
        .src = img_view_make((uint8_t *)src->bytes, (size_t)src->shape.width * size, src->shape),
        .dst = img_view_make(dst.bytes, (size_t)dst.shape.width * size, dst.shape),
        .params = params.bytes,
        .threads = 1,
    };
    cr_assert_eq(op->impls[0].run(&call, &err), IMG_OK, "%s", err.message);
    return dst;
}

static bool same(const Picture *a, const Picture *b)
{
    return a->shape.width == b->shape.width && a->shape.height == b->shape.height &&
           memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

static void expect_picture(const Picture *got, int32_t width, int32_t height, const char *digits)
{
    cr_expect_eq(got->shape.width, width);
    cr_expect_eq(got->shape.height, height);
    for (size_t i = 0; digits[i] != '\0'; i++)
        cr_expect_eq(got->bytes[i], digits[i] - '0', "pixel %zu is %d, should be %c", i,
                     got->bytes[i], digits[i]);
}

Test(turn, results_match_values_worked_out_by_hand)
{
    static const struct {
        const char *op, *param, *value;
        int32_t width, height;
        const char *digits;
    } cases[] = {
        {"rotate", "angle", "90", 2, 3, "415263"},
        {"rotate", "angle", "180", 3, 2, "654321"},
        {"rotate", "angle", "270", 2, 3, "362514"},
        {"flip", "axis", "vertical", 3, 2, "456123"},
        {"flip", "axis", "horizontal", 3, 2, "321654"},
        {"transpose", NULL, NULL, 2, 3, "142536"},
        {"transverse", NULL, NULL, 2, 3, "635241"},
    };
    Picture picture = the_picture();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Picture got = apply(&picture, cases[i].op, cases[i].param, cases[i].value);
        expect_picture(&got, cases[i].width, cases[i].height, cases[i].digits);
    }
}

/* The value of the orientation tag states at which edges of the picture row 0 and column 0 lie
 * (EXIF 2.32, 4.6.4, tag 274). */
Test(turn, autorotate_matches_values_worked_out_by_hand)
{
    static const struct {
        const char *orientation;
        int32_t width, height;
        const char *digits;
    } cases[] = {
        {"1", 3, 2, "123456"}, {"2", 3, 2, "321654"}, {"3", 3, 2, "654321"}, {"4", 3, 2, "456123"},
        {"5", 2, 3, "142536"}, {"6", 2, 3, "415263"}, {"7", 2, 3, "635241"}, {"8", 2, 3, "362514"},
    };
    Picture picture = the_picture();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Picture got = apply(&picture, "autorotate", "orientation", cases[i].orientation);
        expect_picture(&got, cases[i].width, cases[i].height, cases[i].digits);
    }
}

Test(turn, pixels_stay_whole)
{
    Picture picture = {.shape = {2, 1, {IMG_COLOR_RGB, 16}}, .bytes = "abcdefGHIJKL"};
    Picture got = apply(&picture, "rotate", "angle", "90");
    cr_expect_eq(got.shape.width, 1);
    cr_expect_eq(memcmp(got.bytes, "abcdefGHIJKL", 12), 0);
    got = apply(&picture, "flip", "axis", "horizontal");
    cr_expect_eq(memcmp(got.bytes, "GHIJKLabcdef", 12), 0);
}

Test(turn, four_quarter_turns_change_nothing)
{
    Picture start = the_picture(), now = start;
    for (int i = 0; i < 4; i++)
        now = apply(&now, "rotate", "angle", "90");
    cr_expect(same(&start, &now));
}

Test(turn, identities_hold)
{
    Picture start = the_picture();
    Picture half = apply(&start, "rotate", "angle", "180");
    Picture a = apply(&half, "transpose", NULL, NULL);
    Picture b = apply(&start, "transverse", NULL, NULL);
    cr_expect(same(&a, &b), "transverse is the transpose of a half turn");

    a = apply(&start, "flip", "axis", "vertical");
    a = apply(&a, "flip", "axis", "horizontal");
    cr_expect(same(&a, &half), "two flips are a half turn");

    a = apply(&start, "transpose", NULL, NULL);
    a = apply(&a, "flip", "axis", "horizontal");
    b = apply(&start, "rotate", "angle", "90");
    cr_expect(same(&a, &b), "a quarter turn is a transpose and a flip");

    a = apply(&start, "rotate", "angle", "90");
    a = apply(&a, "rotate", "angle", "270");
    cr_expect(same(&a, &start), "a turn and its inverse are nothing");
}

/* Compares img_turn_then with two turns in sequence, for all 64 pairs of turns. The turns are named
 * by their EXIF orientations. */
Test(turn, a_composition_equals_both_turns)
{
    Picture start = the_picture();
    for (int first = 1; first <= 8; first++) {
        for (int second = 1; second <= 8; second++) {
            char one[2] = {(char)('0' + first), '\0'}, two[2] = {(char)('0' + second), '\0'};
            Picture both = apply(&start, "autorotate", "orientation", one);
            both = apply(&both, "autorotate", "orientation", two);
            ImgTurn turn =
                img_turn_then(img_turn_from_orientation(first), img_turn_from_orientation(second));
            int single = 1;
            while (img_turn_from_orientation(single) != turn)
                single++;
            char name[2] = {(char)('0' + single), '\0'};
            Picture direct = apply(&start, "autorotate", "orientation", name);
            cr_expect(same(&both, &direct), "%d then %d", first, second);
        }
    }
}

Test(turn, invalid_orientations_do_nothing)
{
    cr_expect_eq(img_turn_from_orientation(0), IMG_TURN_NONE);
    cr_expect_eq(img_turn_from_orientation(9), IMG_TURN_NONE);
    cr_expect_eq(img_turn_from_orientation(-1), IMG_TURN_NONE);
}

Test(turn, traffic_is_one_read_and_one_write_per_pixel)
{
    const ImgOp *op = NULL;
    ImgParams params;
    img_op_find("rotate", &op, NULL);
    img_params_init(op, &params);
    cr_expect_eq(op->cost.traffic((ImgShape){4001, 3001, {IMG_COLOR_RGB, 8}}, params.bytes),
                 2ULL * 4001 * 3001 * 3);
}
