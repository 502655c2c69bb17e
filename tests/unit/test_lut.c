/* Tests of lut: valid and invalid .cube files, and tables compared with values worked out by hand
 * and with doubles. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/fixed/decimal.h"
#include "kernels/core/params.h"
#include "kernels/core/select.h"
#include "kernels/point/cube.h"
#include "kernels/registry.h"
#include "tests/unit/damaged_texts.h"

static const ImgFormat GRAY_2 = {IMG_COLOR_GRAY, 2}, GRAY_ALPHA_8 = {IMG_COLOR_GRAY_ALPHA, 8};
static const ImgFormat RGB_8 = {IMG_COLOR_RGB, 8}, RGBA_8 = {IMG_COLOR_RGBA, 8};
static const ImgFormat RGB_16 = {IMG_COLOR_RGB, 16};

/* Applies the table `text` to a row of pixels with every CPU implementation, and expects equal
 * results. Returns the format of the result. */
static ImgFormat run_lut(const char *text, ImgFormat format, const void *in, int32_t width,
                         void *out)
{
    const ImgOp *op;
    ImgParams params;
    ImgConstants content, constants;
    ImgShape src = {width, 1, format}, dst;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("lut", &op, &err), IMG_OK);
    cr_assert_eq(op->file.read(text, strlen(text), &content, &err), IMG_OK, "%s", err.message);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "file", "made.cube", NULL), IMG_OK);
    img_params_set_content(op->params, &params, content.bytes);
    cr_assert_eq(op->shape(src, params.bytes, &dst, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_op_prepare(op, (ImgShape){1, 1, format}, params.bytes, &constants, &err),
                 IMG_OK, "%s", err.message);
    const size_t bytes = (size_t)width * img_format_pixel_size(dst.format);
    uint8_t *got = malloc(bytes);
    for (const ImgImpl *impl = op->impls; impl->name != NULL; impl++) {
        if (impl->backend != IMG_BACKEND_CPU || !img_impl_usable(impl))
            continue;
        ImgCall call = {.op = op,
                        .src = img_view_make((uint8_t *)in, 0, src),
                        .dst = img_view_make(impl == op->impls ? out : got, 0, dst),
                        .constants = constants,
                        .threads = 1};
        cr_assert_eq(impl->run(&call, NULL), IMG_OK);
        if (impl != op->impls)
            cr_expect_eq(memcmp(out, got, bytes), 0, "%s", impl->name);
    }
    free(got);
    img_constants_free(&constants);
    img_constants_free(&content);
    return dst.format;
}

/* --- Files ------------------------------------------------------------------------------------ */

static void expect_bad(const char *text, const char *part)
{
    ImgConstants content = {NULL, 0};
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_cube_read(text, strlen(text), &content, &err), IMG_E_FORMAT, "'%s'", text);
    cr_expect_null(content.bytes);
    cr_expect_not_null(strstr(err.message, part), "'%s' is not in '%s'", part, err.message);
}

Test(lut, invalid_files_are_rejected_by_line)
{
    expect_bad("", "no LUT_1D_SIZE");
    expect_bad("LUT_1D_SIZE 2\n0 0 0\n", "line 2: the table ends after 1 lines of 2");
    expect_bad("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1", "line 4: the table has more than the 2 lines");
    expect_bad("LUT_1D_SIZE 2\n0 0\n", "line 2: a line of the table needs 3 numbers");
    expect_bad("LUT_1D_SIZE 2\n0 0 0 9", "line 2: '9' is one too many");
    expect_bad("LUT_1D_SIZE 2\n0 0 0,5", "line 2: '0,5' is not a number");
    expect_bad("LUT_1D_SIZE 2\n0 0 1e", "line 2: '1e' is not a number");
    expect_bad("LUT_1D_SIZE 2\n0 0 .", "line 2: '.' is not a number");
    expect_bad("LUT_1D_SIZE 2\n\xC3 0 0", "line 2: '?' is not a keyword");
    expect_bad("LUT_1D_SIZE 2\nnan 0 0", "line 2: 'nan' is not a keyword");
    expect_bad("0 0 0\nLUT_1D_SIZE 2", "line 1: a line with LUT_1D_SIZE or LUT_3D_SIZE must stand");
    expect_bad("LUT_1D_SIZE 65537", "LUT_1D_SIZE must be a whole number of 2..65536");
    expect_bad("LUT_3D_SIZE 130", "LUT_3D_SIZE must be a whole number of 2..129");
    expect_bad("LUT_3D_SIZE 1", "2..129");
    expect_bad("LUT_3D_SIZE 2.5", "2..129");
    expect_bad("LUT_3D_SIZE -3", "2..129");
    expect_bad("LUT_3D_SIZE", "line 1: LUT_3D_SIZE needs 1 number");
    expect_bad("LUT_1D_SIZE 2\nLUT_3D_SIZE 2", "line 2: a second table");
    expect_bad("LUT_1D_SIZE 2\nDOMAIN_MIN 0 1 0\n0 0 0\n1 1 1", "its domain is empty");
    expect_bad("DOMAIN_MAX 1 1 1001", "line 1: DOMAIN_MAX is not within -1000..1000");
    expect_bad("LUT_IN_VIDEO_RANGE", "'LUT_IN_VIDEO_RANGE' is not a keyword");
    expect_bad("TITLES", "'TITLES' is not a keyword");
}

/* The text is in an allocation of exactly its size, without a NUL at the end, so that checkers of
 * memory find reads past its end. */
Test(lut, text_is_read_by_its_size)
{
    static const char text[] = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n\0 9";
    ImgConstants content;
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(img_cube_read(text, sizeof text - 1, &content, &err), IMG_E_FORMAT);
    cr_expect_eq(img_cube_read(text, 26, &content, NULL), IMG_OK);
    img_constants_free(&content);
}

Test(lut, optional_parts_of_files_are_accepted)
{
    static const char text[] = "\xEF\xBB\xBF# comment\r\n\r\nTITLE \"any \xC3\xA9\"\r\n"
                               "  LUT_1D_INPUT_RANGE -0.5 2.25\r\n\tLUT_1D_SIZE\t2 \r\n"
                               "-1 .5 +1.\r\n#\r\n 1e-1\t5E-1  7e9";
    ImgConstants content;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_cube_read(text, sizeof text - 1, &content, &err), IMG_OK, "%s", err.message);
    const ImgCube *cube = content.bytes;
    cr_expect_eq(cube->dimensions, 1);
    cr_expect_eq(cube->size, 2);
    for (int c = 0; c < 3; c++) {
        cr_expect_eq(cube->least[c], -500000);
        cr_expect_eq(cube->most[c], 2250000);
    }
    /* 7e9 is clamped to 8. Entries from -1 to 8 are stored as 0 to 65535. Before rounding, the
     * entries 0.5, 1 and 0.1 become 10922.5, 14563.3 and 8009.8. */
    const uint16_t wanted[] = {0, 10923, 14563, 0, 8010, 10923, 65535, 0};
    cr_expect_eq(cube->low, -1000000);
    cr_expect_eq(cube->high, 8000000);
    cr_expect_eq(memcmp(cube->entries, wanted, sizeof wanted), 0);
    img_constants_free(&content);
}

static void expect_number(const char *text, int64_t wanted)
{
    int64_t number = 12345;
    const char *at = text;
    cr_expect(img_decimal_read(&at, text + strlen(text), &number), "%s", text);
    cr_expect_eq(number, wanted, "%s: %lld", text, (long long)number);
    cr_expect_eq(*at, '\0');
}

Test(lut, numbers_are_parsed_exactly)
{
    const int64_t most = (int64_t)IMG_DECIMAL_UNIT * 1000000000;
    expect_number("0.123456789", 123456789);
    expect_number("-0.1234567894999", -123456789);
    expect_number("0.1234567895", 123456790);
    expect_number("0.00000000049999", 0);
    expect_number("0000000000000000000000000000001", IMG_DECIMAL_UNIT);
    expect_number("0.33333333333333333333333333333333333", 333333333);
    expect_number("9.99e-05", 99900);
    expect_number("1e-99999999999", 0);
    expect_number("-1e99999999999", -most);
    expect_number("0e99999999999", 0);
    expect_number("123456789012345678901234567890", most);
    expect_number("12345678901234567890e-20", 123456789);
    expect_number("5e-10", 1);
    expect_number("4.9e-10", 0);
}

static void expect_whole(const ImgConstants *content)
{
    const ImgCube *cube = content->bytes;
    const size_t edge = (size_t)cube->size;
    const size_t entries = cube->dimensions == 1 ? edge : edge * edge * edge;
    cr_expect_eq(content->size, sizeof *cube + entries * sizeof(uint16_t[4]));
}

/* A file with changed bytes must give either a table of the stated size or an error message. */
Test(lut, damaged_files_give_an_error_or_a_table)
{
    cr_expect_gt(
        read_damaged_texts("TITLE \"t\"\nDOMAIN_MIN -.5 0 0.25\nLUT_3D_SIZE 2\n0 0 0\n.1 1e-1 0\n"
                           "0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n",
                           "0123456789.-+eE#\n\r\t LUT_DSIZE", img_cube_read, expect_whole),
        100);
}

/* --- Curves ----------------------------------------------------------------------------------- */

Test(lut, curves_are_linear_between_their_entries)
{
    uint8_t out[12] = {0};
    /* The entries of red are 0, 1, 0. Green is reversed, and blue is constant. */
    static const char text[] = "LUT_1D_SIZE 3\n0 1 0.25\n1 0.5 0.25\n0 0 0.25\n";
    const uint8_t in[] = {0, 0, 0, 255, 255, 255, 51, 51, 51, 128, 200, 9};
    run_lut(text, RGB_8, in, 4, out);
    /* Red rises to the maximum over the lower half of the range and falls over the upper half. So
     * 51 becomes 2 * 51, and 128 becomes 2 * (255 - 128). Blue is 0.25 * 255 = 63.75. */
    const uint8_t wanted[] = {0, 255, 64, 0, 0, 64, 102, 204, 64, 254, 55, 64};
    cr_expect_eq(memcmp(out, wanted, sizeof wanted), 0);
}

Test(lut, gray_becomes_rgb_and_alpha_stays)
{
    static const char text[] = "LUT_1D_SIZE 2\n0 1 0.5\n1 0 0.5\n";
    uint8_t out[8] = {0};
    /* The 2-bit samples 3 and 1 are 255 and 85 in 8 bits. */
    ImgFormat format = run_lut(text, GRAY_2, (uint8_t[]){3, 1}, 2, out);
    cr_expect_eq(format.color, IMG_COLOR_RGB);
    cr_expect_eq(format.bits, 8);
    cr_expect_eq(memcmp(out, (uint8_t[]){255, 0, 128, 85, 170, 128}, 6), 0);
    format = run_lut(text, GRAY_ALPHA_8, (uint8_t[]){255, 7, 0, 9}, 2, out);
    cr_expect_eq(format.color, IMG_COLOR_RGBA);
    cr_expect_eq(memcmp(out, (uint8_t[]){255, 0, 128, 7, 0, 255, 128, 9}, 8), 0);
}

/* lut makes RGB of a gray picture. Metadata that is only valid for gray must not be kept. */
Test(lut, the_effect_includes_the_change_to_rgb)
{
    static const char text[] = "LUT_1D_SIZE 2\n0 1 0.5\n1 0 0.5\n";
    const ImgFormat formats[] = {GRAY_2, GRAY_ALPHA_8, {IMG_COLOR_RGB, 8}};
    const ImgOp *op;
    ImgParams params;
    ImgConstants content;
    cr_assert_eq(img_op_find("lut", &op, NULL), IMG_OK);
    cr_assert_eq(op->file.read(text, strlen(text), &content, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_assert_eq(img_params_set(op, &params, "file", "made.cube", NULL), IMG_OK);
    img_params_set_content(op->params, &params, content.bytes);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(img_op_effect(op, (ImgShape){1, 1, formats[i]}, params.bytes).to_color, i < 2);
    img_constants_free(&content);
}

Test(lut, samples_outside_the_domain_are_clamped)
{
    uint8_t out[12] = {0};
    static const char curve[] = "LUT_1D_SIZE 2\nDOMAIN_MIN 0.2 0 0\nDOMAIN_MAX 0.6 1 2\n"
                                "0 0 0\n1 1 1\n";
    static const char cube[] = "LUT_3D_SIZE 2\nDOMAIN_MIN 0.2 0 0\nDOMAIN_MAX 0.6 1 2\n"
                               "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n";
    const uint8_t in[] = {51, 51, 51, 0, 0, 0, 102, 102, 102, 200, 255, 255};
    const uint8_t wanted[] = {0, 51, 26, 0, 0, 0, 128, 102, 51, 255, 255, 128};
    run_lut(curve, RGB_8, in, 4, out);
    cr_expect_eq(memcmp(out, wanted, sizeof wanted), 0);
    run_lut(cube, RGB_8, in, 4, out);
    cr_expect_eq(memcmp(out, wanted, sizeof wanted), 0);
}

/* Applies a table to every 8-bit sample of each colour, and compares the results with `wanted`. */
static void expect_function(const char *text, int (*wanted)(int sample))
{
    uint8_t in[3 * 256], out[3 * 256];
    for (int i = 0; i < 3 * 256; i++)
        in[i] = (uint8_t)(i / 3);
    run_lut(text, RGB_8, in, 256, out);
    for (int i = 0; i < 3 * 256; i++)
        cr_expect_eq(out[i], wanted(in[i]), "%d: %d, not %d", in[i], out[i], wanted(in[i]));
}

static int itself(int sample)
{
    return sample;
}

static int times_1_3(int sample)
{
    return sample * 13 < 2550 ? (sample * 13 + 5) / 10 : 255;
}

static int from_minus_1(int sample)
{
    return 2 * sample > 255 ? 2 * sample - 255 : 0;
}

/* Entries outside 0 to 1 are interpolated as they are. Only the result is clamped. */
Test(lut, values_outside_0_to_1_are_clamped_after_interpolation)
{
    expect_function("LUT_3D_SIZE 2\nDOMAIN_MAX 2 2 2\n0 0 0\n2 0 0\n0 2 0\n2 2 0\n0 0 2\n2 0 2\n"
                    "0 2 2\n2 2 2\n",
                    itself);
    expect_function("LUT_3D_SIZE 2\n0 0 0\n1.3 0 0\n0 1.3 0\n1.3 1.3 0\n0 0 1.3\n1.3 0 1.3\n"
                    "0 1.3 1.3\n1.3 1.3 1.3\n",
                    times_1_3);
    expect_function("LUT_1D_SIZE 2\nDOMAIN_MAX 2 2 2\n0 0 0\n2 2 2\n", itself);
    expect_function("LUT_1D_SIZE 2\n0 0 0\n1.3 1.3 1.3\n", times_1_3);
    expect_function("LUT_1D_SIZE 2\n-1 -1 -1\n1 1 1\n", from_minus_1);
    expect_function("LUT_1D_SIZE 2\nDOMAIN_MIN -1 -1 -1\n-1 -1 -1\n1 1 1\n", itself);
}

/* Entries from 0 to 2 are stored with half the precision of entries from 0 to 1. */
Test(lut, an_identity_up_to_2_is_off_by_1_of_16_bits)
{
    static const char text[] =
        "LUT_3D_SIZE 2\nDOMAIN_MAX 2 2 2\n0 0 0\n2 0 0\n0 2 0\n2 2 0\n0 0 2\n"
        "2 0 2\n0 2 2\n2 2 2\n";
    static uint16_t in[3 * 4096], out[3 * 4096];
    for (int i = 0; i < 3 * 4096; i++)
        in[i] = (uint16_t)(i * 65535 / (3 * 4096 - 1));
    run_lut(text, RGB_16, in, 4096, out);
    for (int i = 0; i < 3 * 4096; i++)
        cr_expect_leq(abs(in[i] - out[i]), 1, "%d: %d", in[i], out[i]);
}

/* --- Cubes ------------------------------------------------------------------------------------ */

/* A cube of 2 x 2 x 2 nodes: black, red, green, yellow, blue, magenta, cyan and white. The output
 * of each node has a different amount of red, so that a result shows which nodes contribute. */
static const char CORNERS[] = "LUT_3D_SIZE 2\n0 0 0\n.1 0 0\n.2 0 0\n.4 0 0\n.3 0 0\n.6 0 0\n"
                              ".7 0 0\n1 1 1\n";

/* The four nodes of a tetrahedron lead from black to white along the axes, first along the axis
 * with the largest fraction. The samples 153, 102 and 51 are the fractions 0.6, 0.4 and 0.2 of 255.
 * For these the weights of the nodes are 0.4 for black, whose output is 0, and 0.2 for each other
 * node. */
Test(lut, six_tetrahedra_give_the_weights_worked_out_by_hand)
{
    static const struct {
        uint8_t in[3], red;
    } cases[] = {
        {{153, 102, 51}, 77},  /* red, yellow, white: 0.2 * (0.1 + 0.4 + 1) * 255 = 76.5 */
        {{153, 51, 102}, 87},  /* red, magenta, white: 0.2 * (0.1 + 0.6 + 1) * 255 = 86.7 */
        {{102, 153, 51}, 82},  /* green, yellow, white: 0.2 * (0.2 + 0.4 + 1) * 255 = 81.6 */
        {{51, 153, 102}, 97},  /* green, cyan, white: 0.2 * (0.2 + 0.7 + 1) * 255 = 96.9 */
        {{102, 51, 153}, 97},  /* blue, magenta, white: 0.2 * (0.3 + 0.6 + 1) * 255 = 96.9 */
        {{51, 102, 153}, 102}, /* blue, cyan, white: 0.2 * (0.3 + 0.7 + 1) * 255 = 102 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[3] = {0};
        run_lut(CORNERS, RGB_8, cases[i].in, 1, out);
        cr_expect_eq(out[0], cases[i].red, "%zu: %d", i, out[0]);
        cr_expect_eq(out[1], 51, "%zu: white alone is green, 0.2", i);
    }
}

Test(lut, corners_and_edges_of_a_cube_match)
{
    const uint8_t in[] = {0, 0, 0, 9,   255, 255, 255, 8,  255, 0,
                          0, 7, 0, 255, 255, 6,   51,  51, 51,  5};
    const uint8_t wanted[] = {0, 0, 0,   9, 255, 255, 255, 8,  26, 0,
                              0, 7, 179, 0, 0,   6,   51,  51, 51, 5};
    uint8_t out[20] = {0};
    run_lut(CORNERS, RGBA_8, in, 5, out);
    for (int i = 0; i < 20; i++)
        /* Before rounding, 26 and 179 are 25.5 and 178.5. */
        cr_expect_eq(out[i], wanted[i], "%d: %d", i, out[i]);
}

/* Returns the text of a cube of `size` nodes per axis, with random entries or the identity. Stores
 * the random entries in `entries`. */
static char *make_cube(int size, bool random, double *entries)
{
    const int count = size * size * size;
    const size_t room = 64 + (size_t)count * 64;
    char *text = malloc(room);
    size_t used = (size_t)snprintf(text, room, "LUT_3D_SIZE %d\n", size);
    srand(7);
    for (int i = 0; i < count; i++) {
        const int at[3] = {i % size, i / size % size, i / size / size};
        for (int c = 0; c < 3; c++) {
            double value = random ? (rand() % 1000001) * 1e-6 : at[c] / (double)(size - 1);
            if (entries != NULL)
                entries[3 * i + c] = value;
            used += (size_t)snprintf(text + used, room - used, "%.6f ", value);
        }
        text[used - 1] = '\n';
    }
    return text;
}

enum { PIXELS = 30000 };

Test(lut, an_identity_cube_changes_nothing)
{
    static uint8_t in[3 * PIXELS], out[3 * PIXELS];
    static const int sizes[] = {2, 3, 17, 33, 64};
    srand(1);
    for (int i = 0; i < 3 * PIXELS; i++)
        in[i] = (uint8_t)(i < 768 ? i / 3 : rand());
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        char *text = make_cube(sizes[s], false, NULL);
        run_lut(text, RGB_8, in, PIXELS, out);
        cr_expect_eq(memcmp(in, out, sizeof in), 0, "%d", sizes[s]);
        free(text);
    }
}

/* Computes the colour at `place` in double precision, as lut.h defines it. Interpolation starts at
 * the darkest node of a cell and follows the axes, first the axis with the largest fraction. */
static void interpolate(const double *entries, int size, const double place[3], double color[3])
{
    int at[3], order[3] = {0, 1, 2};
    double fraction[3];
    for (int c = 0; c < 3; c++) {
        at[c] = (int)fmin(floor(place[c] * (size - 1)), size - 2);
        fraction[c] = place[c] * (size - 1) - at[c];
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (fraction[order[k]] < fraction[order[k + 1]]) {
                int other = order[k];
                order[k] = order[k + 1];
                order[k + 1] = other;
            }
    double left = 1;
    memset(color, 0, 3 * sizeof *color);
    for (int step = 0; step <= 3; step++) {
        const double weight = left - (step < 3 ? fraction[order[step]] : 0);
        for (int c = 0; c < 3; c++)
            color[c] += weight * entries[3 * (at[0] + size * (at[1] + size * at[2])) + c];
        if (step < 3) {
            left = fraction[order[step]];
            at[order[step]]++;
        }
    }
}

static double largest_error(const double *entries, int size, const char *text, ImgFormat format)
{
    static uint16_t in[3 * PIXELS], out[3 * PIXELS];
    const bool wide = format.bits == 16;
    const double maximum = img_format_maximum(format);
    double worst = 0;
    srand(3);
    for (int i = 0; i < 3 * PIXELS; i++)
        wide ? (in[i] = (uint16_t)rand()) : (((uint8_t *)in)[i] = (uint8_t)rand());
    run_lut(text, format, in, PIXELS, out);
    for (int i = 0; i < PIXELS; i++) {
        double place[3], color[3];
        for (int c = 0; c < 3; c++)
            place[c] = (wide ? in[3 * i + c] : ((uint8_t *)in)[3 * i + c]) / maximum;
        interpolate(entries, size, place, color);
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(color[c] * maximum -
                                     (wide ? out[3 * i + c] : ((uint8_t *)out)[3 * i + c])));
    }
    return worst;
}

Test(lut, errors_against_doubles_are_small)
{
    enum { SIZE = 9 };
    static double entries[3 * SIZE * SIZE * SIZE];
    char *text = make_cube(SIZE, true, entries);
    const double narrow = largest_error(entries, SIZE, text, RGB_8);
    const double wide = largest_error(entries, SIZE, text, RGB_16);
    cr_expect_lt(narrow, 0.503, "%f", narrow);
    cr_expect_lt(wide, 1.0, "%f", wide);
    /* Rounding to 8 bits alone causes errors of almost 0.5. If the largest measured error were much
     * smaller, the test would not measure errors correctly. */
    cr_expect_gt(narrow, 0.4);
    free(text);
}

Test(lut, without_its_file_lut_is_rejected)
{
    const ImgOp *op;
    ImgParams params;
    ImgShape shape = {1, 1, RGB_8}, dst;
    ImgConstants constants;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_op_find("lut", &op, NULL), IMG_OK);
    img_params_init(op, &params);
    cr_expect_eq(op->shape(shape, params.bytes, &dst, &err), IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "name a .cube file"));
    cr_assert_eq(img_params_set(op, &params, "file", "a.cube", NULL), IMG_OK);
    img_error_clear(&err);
    cr_expect_eq(img_op_prepare(op, (ImgShape){1, 1, RGB_8}, params.bytes, &constants, &err),
                 IMG_E_USAGE);
    cr_expect_not_null(strstr(err.message, "a.cube has not been loaded"));
}
