/* Tests of the comparison of two pictures: values worked out by hand, identities, and the fast
 * implementation compared with the reference. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/compare/compare.h"
#include "kernels/compare/ssim.h"

static ImgComparison compared(const ImgView *a, const ImgView *b, int threads)
{
    ImgComparison result;
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(img_compare(a, b, NULL, threads, &result, &err), IMG_OK, "%s", err.message);
    return result;
}

static ImgView view_of(void *data, int32_t width, int32_t height, ImgColor color, int bits)
{
    ImgShape shape = {width, height, {color, bits}};
    return img_view_make(data, (size_t)width * img_format_pixel_size(shape.format), shape);
}

/* Returns the next number of the generator SplitMix64 by Steele et al., "Fast splittable
 * pseudorandom number generators" (2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* --- Values worked out by hand ---------------------------------------------------------------- */

Test(compare, four_gray_pixels_match)
{
    uint8_t first[] = {0, 10, 20, 30}, second[] = {0, 13, 20, 26};
    ImgView a = view_of(first, 2, 2, IMG_COLOR_GRAY, 8),
            b = view_of(second, 2, 2, IMG_COLOR_GRAY, 8);
    ImgComparison result = compared(&a, &b, 1);
    cr_expect_eq(result.planes, 1);
    cr_expect_not(result.has_luma);
    cr_expect_eq(result.pixels, 4);
    cr_expect_eq(result.differing, 2);
    cr_expect_eq(result.largest, 4);
    cr_expect(result.x == 1 && result.y == 1);
    cr_expect_eq((uint64_t)result.plane[0].squares, 9 + 16);
    cr_expect_eq(img_compare_mse(&result), 6.25);
    cr_expect_eq(img_compare_plane_mse(&result, 0), 6.25);
    /* 255 * 255 / 6.25 = 10404, and 10 log10(10404) = 40.172. */
    cr_expect_float_eq(img_compare_psnr(&result, 6.25), 40.17200344, 1e-8);
    cr_expect_eq(result.windows, 1, "less than a window: one");
}

Test(compare, colour_pixels_match)
{
    uint8_t first[] = {10, 20, 30, 200, 100, 0}, second[] = {10, 25, 30, 197, 100, 6};
    ImgView a = view_of(first, 2, 1, IMG_COLOR_RGB, 8), b = view_of(second, 2, 1, IMG_COLOR_RGB, 8);
    ImgComparison result = compared(&a, &b, 1);
    cr_expect_eq(result.planes, 4);
    cr_expect(result.has_luma);
    cr_expect_eq(img_compare_plane_mse(&result, 0), 4.5);
    cr_expect_eq(img_compare_plane_mse(&result, 1), 12.5);
    cr_expect_eq(img_compare_plane_mse(&result, 2), 18);
    cr_expect_eq(img_compare_mse(&result), (9 + 25 + 36) / 6.0);
    cr_expect_eq(result.differing, 2);
    cr_expect_eq(result.largest, 6);
    cr_expect(result.x == 1 && result.y == 0);
    /* By BT.601, the luma of the left pixel is 18.15 in the first picture and 21.085 in the second,
     * a difference of 3. The luma of the right pixel is 118.5 and 118.287. The integer weight of
     * red slightly exceeds 0.299, so the computed luma is slightly more than 118.5 and is rounded
     * to 119. */
    cr_expect_eq(result.plane[3].largest, 3);
    cr_expect_eq(img_compare_main_plane(&result), 3);
}

Test(compare, the_first_largest_difference_by_rows_is_reported)
{
    uint8_t first[300 * 40] = {0}, second[300 * 40] = {0};
    ImgView a = view_of(first, 300, 40, IMG_COLOR_GRAY, 8);
    ImgView b = view_of(second, 300, 40, IMG_COLOR_GRAY, 8);
    second[5 * 300 + 250] = 8;
    second[17 * 300 + 2] = 9;
    second[17 * 300 + 3] = 9;
    second[18 * 300] = 9;
    for (int threads = 1; threads <= 41; threads += 5) {
        ImgComparison result = compared(&a, &b, threads);
        cr_expect_eq(result.largest, 9);
        cr_expect(result.x == 2 && result.y == 17, "%d, %d", result.x, result.y);
        cr_expect_eq(result.differing, 4);
    }
}

Test(compare, transparent_colours_are_equal)
{
    /* The three pixels are transparent in both pictures, in the first picture only, and in neither
     * picture. */
    uint8_t first[] = {1, 2, 3, 0, 50, 50, 50, 0, 9, 9, 9, 7};
    uint8_t second[] = {200, 100, 0, 0, 50, 50, 50, 1, 9, 9, 9, 7};
    ImgView a = view_of(first, 3, 1, IMG_COLOR_RGBA, 8),
            b = view_of(second, 3, 1, IMG_COLOR_RGBA, 8);
    ImgComparison result = compared(&a, &b, 1);
    cr_expect_eq(result.transparent, 1);
    cr_expect_eq(result.differing, 1);
    cr_expect_eq(result.largest, 1);
    cr_expect_eq(result.plane[0].differing, 0);
    cr_expect_eq(result.plane[3].differing, 1, "alpha");
    cr_expect_eq(result.plane[4].differing, 0, "luma");
    uint16_t gray[] = {1, 0, 65535, 1}, other[] = {9, 0, 65535, 1};
    a = view_of(gray, 2, 1, IMG_COLOR_GRAY_ALPHA, 16);
    b = view_of(other, 2, 1, IMG_COLOR_GRAY_ALPHA, 16);
    cr_expect_eq(compared(&a, &b, 1).differing, 0);
}

Test(compare, sums_of_the_largest_samples_are_exact)
{
    enum { WIDTH = 1003, HEIGHT = 77 };
    static uint16_t first[WIDTH * HEIGHT * 3], second[WIDTH * HEIGHT * 3];
    memset(second, 0xFF, sizeof second);
    ImgView a = view_of(first, WIDTH, HEIGHT, IMG_COLOR_RGB, 16);
    ImgView b = view_of(second, WIDTH, HEIGHT, IMG_COLOR_RGB, 16);
    ImgComparison result = compared(&a, &b, 2);
    for (int p = 0; p < 4; p++)
        cr_expect(result.plane[p].squares == (ImgWide)65535 * 65535 * WIDTH * HEIGHT);
    cr_expect_eq(img_compare_mse(&result), 65535.0 * 65535.0);
    cr_expect_eq(img_compare_psnr(&result, img_compare_mse(&result)), 0);
    /* One picture is black and the other white, so the result is c1 / (65535^2 + c1) = 0.0001 /
     * 1.0001. */
    cr_expect_float_eq(img_compare_ssim(&result, 3), 0.0001 / 1.0001, 2e-9);
}

/* --- SSIM ------------------------------------------------------------------------------------- */

Test(compare, ssim_of_flat_pictures_matches)
{
    static uint8_t first[40 * 30], second[40 * 30];
    memset(first, 100, sizeof first);
    memset(second, 120, sizeof second);
    ImgView a = view_of(first, 40, 30, IMG_COLOR_GRAY, 8),
            b = view_of(second, 40, 30, IMG_COLOR_GRAY, 8);
    ImgComparison result = compared(&a, &b, 1);
    cr_expect_eq(result.windows, 30 * 20);
    /* Without variance only luminance counts: (2 * 100 * 120 + c1) / (100^2 + 120^2 + c1). */
    cr_expect_float_eq(img_compare_ssim(&result, 0), 24006.5025 / 24406.5025, 2e-9);
}

Test(compare, ssim_of_a_negative_is_negative)
{
    static uint8_t first[64 * 64], second[64 * 64];
    for (int i = 0; i < 64 * 64; i++) {
        first[i] = (i / 64 + i) % 2 == 0 ? 100 : 155;
        second[i] = (uint8_t)(255 - first[i]);
    }
    ImgView a = view_of(first, 64, 64, IMG_COLOR_GRAY, 8),
            b = view_of(second, 64, 64, IMG_COLOR_GRAY, 8);
    ImgComparison result = compared(&a, &b, 1);
    /* The means are equal, both variances are 27.5^2 = 756.25, and the covariance is -756.25. The
     * result is (-1512.5 + 58.5225) / (1512.5 + 58.5225). */
    cr_expect_float_eq(img_compare_ssim(&result, 0), -1453.9775 / 1571.0225, 1e-5);
}

Test(compare, ssim_of_a_step_follows_the_weights)
{
    /* The pictures consist of one window. The second is brighter by 1 at the centre only. The
     * centre has the weight 69734 in each direction, in units of 2^-18. Its weight w in the window
     * is (69734 / 2^18)^2. */
    uint8_t first[121], second[121];
    memset(first, 10, sizeof first);
    memset(second, 10, sizeof second);
    second[60] = 11;
    ImgView a = view_of(first, 11, 11, IMG_COLOR_GRAY, 8),
            b = view_of(second, 11, 11, IMG_COLOR_GRAY, 8);
    ImgComparison result = compared(&a, &b, 1);
    double w = 69734.0 / 262144 * (69734.0 / 262144), mean = 10 + w, variance = w - w * w;
    double expected =
        (2 * 10 * mean + 6.5025) / (100 + mean * mean + 6.5025) * 58.5225 / (variance + 58.5225);
    cr_expect_float_eq(img_compare_ssim(&result, 0), expected, 2e-9);
    cr_expect_lt(expected, 0.9995, "the test can tell the difference");
}

Test(compare, a_tiny_picture_repeats_its_edges)
{
    /* `small` are two pictures of 3 x 2. `wide` are the same pictures with their edges repeated by
     * hand: by 4 columns on each side, 4 rows above and 5 rows below. */
    const uint8_t small[2][6] = {{10, 50, 90, 200, 150, 100}, {15, 40, 99, 180, 150, 120}};
    uint8_t wide[2][121];
    for (int i = 0; i < 121; i++)
        for (int k = 0; k < 2; k++) {
            int x = i % 11 < 4 ? 0 : i % 11 == 5 ? 1 : i % 11 == 4 ? 0 : 2, y = i / 11 <= 4 ? 0 : 1;
            wide[k][i] = small[k][y * 3 + x];
        }
    uint8_t copy[2][6];
    memcpy(copy, small, sizeof copy);
    ImgView a = view_of(copy[0], 3, 2, IMG_COLOR_GRAY, 8),
            b = view_of(copy[1], 3, 2, IMG_COLOR_GRAY, 8);
    ImgView c = view_of(wide[0], 11, 11, IMG_COLOR_GRAY, 8),
            d = view_of(wide[1], 11, 11, IMG_COLOR_GRAY, 8);
    ImgComparison tiny = compared(&a, &b, 1), full = compared(&c, &d, 1);
    cr_expect(tiny.plane[0].similarity == full.plane[0].similarity);
    cr_expect_lt(img_compare_ssim(&tiny, 0), 0.999);
}

Test(compare, weights_sum_to_one)
{
    static const int weights[] = IMG_SSIM_WEIGHTS;
    int sum = weights[0];
    double all = 1;
    for (int d = 1; d <= IMG_SSIM_REACH; d++) {
        sum += 2 * weights[d];
        all += 2 * exp(-d * d / 4.5);
    }
    cr_expect_eq(sum, 262144);
    for (int d = 0; d <= IMG_SSIM_REACH; d++)
        cr_expect_lt(fabs(weights[d] - 262144 * exp(-d * d / 4.5) / all), 1, "distance %d", d);
}

/* --- Identities ------------------------------------------------------------------------------- */

static void fill_random(ImgImage *image, uint64_t seed)
{
    for (size_t i = 0; i < image->size; i++)
        image->view.data[i] = (uint8_t)(next_random(&seed) >> 56);
}

/* Makes a second picture. It differs from the first in some pixels, and some pixels are transparent
 * in one or both pictures. */
static void disturb(const ImgImage *from, ImgImage *to, uint64_t seed)
{
    size_t pixel = img_format_pixel_size(from->view.format);
    memcpy(to->view.data, from->view.data, from->size);
    for (size_t i = 0; pixel > 0 && i + pixel <= from->size; i += pixel) {
        uint64_t random = next_random(&seed);
        if (random % 3 == 0)
            to->view.data[i + random / 8 % pixel] ^= (uint8_t)(random >> 40 & 0x1F);
        if (random % 5 == 0 && img_format_has_alpha(from->view.format)) {
            size_t bytes = from->view.format.bits == 16 ? 2 : 1;
            memset(from->view.data + i + pixel - bytes, 0, bytes);
            memset(to->view.data + i + pixel - bytes, 0, random % 2 == 0 ? bytes : 0);
        }
    }
}

static void expect_equal(const ImgComparison *a, const ImgComparison *b, const char *what)
{
    cr_expect(a->pixels == b->pixels && a->windows == b->windows, "%s", what);
    cr_expect_eq(a->differing, b->differing, "%s", what);
    cr_expect_eq(a->transparent, b->transparent, "%s", what);
    cr_expect(a->largest == b->largest && a->x == b->x && a->y == b->y, "%s", what);
    for (int p = 0; p < a->planes; p++) {
        cr_expect(a->plane[p].squares == b->plane[p].squares, "%s, plane %d", what, p);
        cr_expect_eq(a->plane[p].differing, b->plane[p].differing, "%s, plane %d", what, p);
        cr_expect_eq(a->plane[p].largest, b->plane[p].largest, "%s, plane %d", what, p);
        cr_expect(a->plane[p].similarity == b->plane[p].similarity, "%s, plane %d: %g, %g", what, p,
                  img_compare_ssim(a, p), img_compare_ssim(b, p));
    }
}

/* Copies `count` rows from row `first` on, so that sanitizers report an access to other rows. */
static ImgImage copy_rows(const ImgView *from, int32_t first, int32_t count)
{
    ImgImage copy;
    ImgShape shape = img_view_shape(from);
    shape.height = count;
    cr_assert_eq(img_image_alloc(shape, &copy, NULL), IMG_OK);
    const ImgView rows = img_view_crop(from, 0, first, from->width, count);
    img_view_copy(&rows, &copy.view);
    return copy;
}

/* Compares two pictures in bands of `height` rows. */
static ImgComparison compared_in_bands(const ImgView *a, const ImgView *b, int32_t height,
                                       int threads)
{
    ImgComparer *comparer;
    cr_assert_eq(img_comparer_create(img_view_shape(a), NULL, threads, &comparer, NULL), IMG_OK);
    for (int32_t end = 0; end < a->height;) {
        const int32_t first = img_comparer_first_row(comparer);
        end = a->height - end < height ? a->height : end + height;
        ImgImage bands[2] = {copy_rows(a, first, end - first), copy_rows(b, first, end - first)};
        img_comparer_add(comparer, &bands[0].view, &bands[1].view);
        img_image_free(&bands[0]);
        img_image_free(&bands[1]);
    }
    const ImgComparison result = img_comparer_result(comparer);
    img_comparer_free(comparer);
    return result;
}

static void check_bands(const ImgView *a, const ImgView *b, const ImgComparison *reference,
                        const char *what)
{
    static const int32_t heights[] = {1, 2, 7, 10, 11, 13, 31, 1000};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            char text[128];
            snprintf(text, sizeof text, "%s, bands of %d rows", what, heights[i]);
            const ImgComparison result = compared_in_bands(a, b, heights[i], threads);
            expect_equal(&result, reference, text);
        }
}

static void check_shape(ImgShape shape)
{
    char what[64];
    snprintf(what, sizeof what, "%d x %d, %s, %d bits", shape.width, shape.height,
             img_color_name(shape.format.color), shape.format.bits);
    ImgImage a, b;
    cr_assert_eq(img_image_alloc(shape, &a, NULL), IMG_OK);
    cr_assert_eq(img_image_alloc(shape, &b, NULL), IMG_OK);
    fill_random(&a, 1);
    disturb(&a, &b, 2);
    ImgComparison reference;
    img_compare_reference(&a.view, &b.view, &reference);
    cr_expect_gt(reference.pixels == 1 ? 1 : reference.differing, 0, "%s", what);
    static const int threads[] = {1, 2, 3, 16};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        ImgComparison result = compared(&a.view, &b.view, threads[i]);
        expect_equal(&result, &reference, what);
    }
    check_bands(&a.view, &b.view, &reference, what);
    ImgComparison swapped = compared(&b.view, &a.view, 2), same = compared(&a.view, &a.view, 2);
    expect_equal(&swapped, &reference, what);
    cr_expect_eq(same.differing, 0);
    cr_expect_eq(img_compare_psnr(&same, img_compare_mse(&same)), INFINITY);
    for (int p = 0; p < same.planes; p++)
        cr_expect_eq(img_compare_ssim(&same, p), 1);
    img_image_free(&a);
    img_image_free(&b);
}

Test(compare, any_number_of_threads_gives_the_result_of_the_reference)
{
    static const ImgFormat formats[] = {{IMG_COLOR_GRAY, 8},       {IMG_COLOR_GRAY, 16},
                                        {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_GRAY_ALPHA, 16},
                                        {IMG_COLOR_RGB, 8},        {IMG_COLOR_RGB, 16},
                                        {IMG_COLOR_RGBA, 8},       {IMG_COLOR_RGBA, 16}};
    static const int32_t sizes[][2] = {{1, 1},   {1, 37},  {37, 1},  {10, 11},
                                       {11, 10}, {11, 11}, {53, 31}, {IMG_SSIM_STRIP + 11, 12}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            check_shape((ImgShape){sizes[s][0], sizes[s][1], formats[f]});
    /* so high that it is compared in several bands */
    check_shape((ImgShape){13, 600, {IMG_COLOR_GRAY, 16}});
    /* so large that several threads compare it */
    check_shape((ImgShape){200, 150, {IMG_COLOR_RGB, 8}});
}

Test(compare, planes_without_difference_match_the_reference)
{
    static uint16_t first[50 * 40 * 3], second[50 * 40 * 3];
    uint64_t seed = 3;
    for (int i = 0; i < 50 * 40 * 3; i++)
        first[i] = second[i] = (uint16_t)next_random(&seed);
    second[51] ^= 0x4000; /* changes one red sample */
    ImgView a = view_of(first, 50, 40, IMG_COLOR_RGB, 16),
            b = view_of(second, 50, 40, IMG_COLOR_RGB, 16);
    ImgComparison reference, result = compared(&a, &b, 1);
    img_compare_reference(&a, &b, &reference);
    expect_equal(&result, &reference, "one sample");
    check_bands(&a, &b, &reference, "one sample");
    cr_expect_eq(img_compare_ssim(&result, 1), 1);
    cr_expect_lt(img_compare_ssim(&result, 0), 1);
}

/* Only some rows differ, so that bands are equal in no, some or all planes. */
Test(compare, bands_without_difference_match_the_reference)
{
    enum { WIDTH = 30, HEIGHT = 120 };
    static uint8_t first[WIDTH * HEIGHT * 4], second[WIDTH * HEIGHT * 4];
    static const int32_t rows[] = {0, 17, 18, 60, 85, HEIGHT - 1};
    uint64_t seed = 9;
    for (size_t i = 0; i < sizeof first; i++)
        first[i] = second[i] = (uint8_t)next_random(&seed) | 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        second[(size_t)rows[i] * WIDTH * 4 + i * 9] ^= 0x10;
    const ImgView a = view_of(first, WIDTH, HEIGHT, IMG_COLOR_RGBA, 8),
                  b = view_of(second, WIDTH, HEIGHT, IMG_COLOR_RGBA, 8);
    ImgComparison reference;
    img_compare_reference(&a, &b, &reference);
    check_bands(&a, &b, &reference, "some rows");
}

Test(compare, padding_between_rows_is_ignored)
{
    enum { WIDTH = 37, HEIGHT = 23, STRIDE = WIDTH * 3 + 5 };
    static uint8_t first[STRIDE * HEIGHT], second[STRIDE * HEIGHT];
    memset(second, 0xEE, sizeof second);
    for (int y = 0; y < HEIGHT; y++)
        memset(second + y * STRIDE, 0, WIDTH * 3);
    ImgShape shape = {WIDTH, HEIGHT, {IMG_COLOR_RGB, 8}};
    ImgView a = img_view_make(first, STRIDE, shape), b = img_view_make(second, STRIDE, shape);
    cr_expect_eq(compared(&a, &b, 2).differing, 0);
    second[STRIDE + WIDTH * 3 - 1] = 1;
    ImgComparison reference, result = compared(&a, &b, 2);
    cr_expect_eq(result.differing, 1);
    img_compare_reference(&a, &b, &reference);
    expect_equal(&result, &reference, "padded rows");
}

#ifdef IMGTOOL_X86
#include "kernels/core/parallel/cpu.h"

static void check_loops(const ImgSsimLoops *loops, uint32_t mask)
{
    enum { COUNT = 509 };
    uint16_t a[COUNT + 10], b[COUNT + 10];
    static ImgSsimRow plain[IMG_SSIM_WINDOW], fast[IMG_SSIM_WINDOW];
    const ImgSsimRow *plain_rows[IMG_SSIM_WINDOW], *fast_rows[IMG_SSIM_WINDOW];
    uint64_t seed = mask;
    for (int y = 0; y < IMG_SSIM_WINDOW; y++) {
        for (int x = 0; x < COUNT + 10; x++) {
            a[x] = (uint16_t)(next_random(&seed) & mask);
            b[x] = (uint16_t)(a[x] ^ (next_random(&seed) & mask & 0xF1F));
        }
        img_ssim_portable.sum_rows(a, b, COUNT, &plain[y]);
        loops->sum_rows(a, b, COUNT, &fast[y]);
        for (int s = 0; s < IMG_SSIM_SUMS; s++)
            cr_expect_eq(memcmp(plain[y][s], fast[y][s], COUNT * sizeof(double)), 0);
        plain_rows[y] = &plain[y];
        fast_rows[y] = &fast[y];
    }
    ImgSsimConstants constants = img_ssim_constants(mask);
    uint64_t expected = img_ssim_portable.add_up(plain_rows, COUNT, constants);
    cr_expect_eq(loops->add_up(fast_rows, COUNT, constants), expected);
}

Test(compare, every_instruction_level_gives_the_same_result)
{
    if (img_cpu_level() >= IMG_CPU_AVX2) {
        check_loops(&img_ssim_avx2, 255);
        check_loops(&img_ssim_avx2, 65535);
    }
    if (img_cpu_level() >= IMG_CPU_AVX512) {
        check_loops(&img_ssim_avx512, 255);
        check_loops(&img_ssim_avx512, 65535);
    }
}
#endif

/* --- Formats ---------------------------------------------------------------------------------- */

static void expect_format(ImgFormat a, ImgFormat b, ImgColor color, int bits)
{
    ImgFormat common = img_compare_format(a, b), swapped = img_compare_format(b, a);
    cr_expect(common.color == color && common.bits == bits);
    cr_expect(swapped.color == color && swapped.bits == bits);
}

Test(compare, the_common_format_holds_both)
{
    ImgFormat gray1 = {IMG_COLOR_GRAY, 1}, gray4 = {IMG_COLOR_GRAY, 4},
              gray16 = {IMG_COLOR_GRAY, 16};
    ImgFormat rgb = {IMG_COLOR_RGB, 8}, rgba = {IMG_COLOR_RGBA, 8};
    ImgFormat gray_alpha = {IMG_COLOR_GRAY_ALPHA, 8};
    expect_format(gray1, gray4, IMG_COLOR_GRAY, 8);
    expect_format(gray4, gray16, IMG_COLOR_GRAY, 16);
    expect_format(gray1, rgb, IMG_COLOR_RGB, 8);
    expect_format(gray16, rgb, IMG_COLOR_RGB, 16);
    expect_format(gray_alpha, rgb, IMG_COLOR_RGBA, 8);
    expect_format(gray_alpha, gray16, IMG_COLOR_GRAY_ALPHA, 16);
    expect_format(rgba, rgb, IMG_COLOR_RGBA, 8);
}

Test(compare, conversion_is_exact)
{
    uint8_t gray4[] = {0, 1, 15, 7}, out8[4 * 4];
    ImgView src = view_of(gray4, 4, 1, IMG_COLOR_GRAY, 4),
            dst = view_of(out8, 4, 1, IMG_COLOR_RGBA, 8);
    img_compare_convert(&src, &dst, NULL, 1);
    const uint8_t expected8[] = {0,   0,   0,   255, 17,  17,  17,  255,
                                 255, 255, 255, 255, 119, 119, 119, 255};
    cr_expect_eq(memcmp(out8, expected8, sizeof out8), 0);

    uint8_t rgb[] = {0, 1, 255, 128, 2, 3};
    uint16_t out16[2 * 4];
    src = view_of(rgb, 2, 1, IMG_COLOR_RGB, 8);
    dst = view_of(out16, 2, 1, IMG_COLOR_RGBA, 16);
    img_compare_convert(&src, &dst, NULL, 2);
    const uint16_t expected16[] = {0, 257, 65535, 65535, 128 * 257, 514, 771, 65535};
    cr_expect_eq(memcmp(out16, expected16, sizeof out16), 0);

    uint8_t gray_alpha[] = {5, 6};
    src = view_of(gray_alpha, 1, 1, IMG_COLOR_GRAY_ALPHA, 8);
    dst = view_of(out8, 1, 1, IMG_COLOR_RGBA, 8);
    img_compare_convert(&src, &dst, NULL, 1);
    cr_expect_eq(memcmp(out8, (uint8_t[]){5, 5, 5, 6}, 4), 0);

    uint8_t gray1[] = {0, 1};
    uint16_t wide[2];
    src = view_of(gray1, 2, 1, IMG_COLOR_GRAY, 1);
    dst = view_of(wide, 2, 1, IMG_COLOR_GRAY, 16);
    img_compare_convert(&src, &dst, NULL, 1);
    cr_expect(wide[0] == 0 && wide[1] == 65535);
}

Test(compare, the_difference_picture_shows_every_difference)
{
    uint8_t first[] = {10, 20, 30, 255, 9, 9, 9, 0, 1, 2, 3, 40};
    uint8_t second[] = {13, 20, 10, 255, 1, 1, 1, 0, 1, 2, 3, 35}, out[9];
    ImgView a = view_of(first, 3, 1, IMG_COLOR_RGBA, 8),
            b = view_of(second, 3, 1, IMG_COLOR_RGBA, 8);
    ImgView dst = view_of(out, 3, 1, IMG_COLOR_RGB, 8);
    cr_expect_eq(img_compare_picture_format(a.format).color, IMG_COLOR_RGB);
    img_compare_picture(&a, &b, 1, &dst, NULL, 1);
    /* The second pixel is transparent in both pictures. The third differs only in alpha. */
    cr_expect_eq(memcmp(out, (uint8_t[]){3, 0, 20, 0, 0, 0, 5, 5, 5}, 9), 0);
    img_compare_picture(&a, &b, 20, &dst, NULL, 1);
    cr_expect_eq(memcmp(out, (uint8_t[]){60, 0, 255, 0, 0, 0, 100, 100, 100}, 9), 0);

    uint16_t gray[] = {1000, 0}, other[] = {0, 40000}, wide[2];
    a = view_of(gray, 2, 1, IMG_COLOR_GRAY, 16);
    b = view_of(other, 2, 1, IMG_COLOR_GRAY, 16);
    dst = view_of(wide, 2, 1, IMG_COLOR_GRAY, 16);
    img_compare_picture(&a, &b, 65535, &dst, NULL, 1);
    cr_expect(wide[0] == 65535 && wide[1] == 65535);
    img_compare_picture(&a, &b, 2, &dst, NULL, 2);
    cr_expect(wide[0] == 2000 && wide[1] == 65535);
}
