/* Tests of filtering strips: by sums, as filter.h describes, and by the cost of the filtered
 * bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/encode/level.h"
#include "io/png/encode/rows.h"
#include "io/png/encode/strip_filter.h"
#include "io/png/filter/filter.h"

enum { ALL = (1 << IMG_FILTERS) - 1, WIDTH = 37, HEIGHT = 20 };

static uint64_t random_state = 1;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

/* Five byte values make up a half, a quarter, an eighth and twice a sixteenth of the data. They
 * cost 1, 2, 3, 4 and 4 bits; the costs are in units of 1/16 bit. */
Test(png_strip, costs_match_values_worked_out_by_hand)
{
    uint8_t data[160];
    ImgByteCosts costs;
    for (int i = 0; i < 160; i++)
        data[i] = i < 80 ? 7 : i < 120 ? 0 : i < 140 ? 255 : i < 150 ? 3 : 4;
    img_byte_costs(data, sizeof data, &costs);
    cr_expect_eq(costs.of[7], 16);
    cr_expect_eq(costs.of[0], 32);
    cr_expect_eq(costs.of[255], 48);
    cr_expect_eq(costs.of[3], 64);
    cr_expect_eq(costs.of[4], 64);
    cr_expect_eq(costs.of[1], 117, "16 times the logarithm of 160, 117.1");
}

Test(png_strip, costs_of_one_and_of_many_values_match)
{
    ImgByteCosts costs;
    uint8_t one = 9, *many = calloc(1000003, 1);
    img_byte_costs(&one, 1, &costs);
    cr_expect_eq(costs.of[9], 0);
    many[5] = 1;
    img_byte_costs(many, 1000003, &costs);
    cr_expect_eq(costs.of[0], 0);
    cr_expect_eq(costs.of[1], 318, "16 times the logarithm of a million, 318.9");
    free(many);
}

static ImgImage make_image(ImgFormat format)
{
    ImgImage image = IMG_IMAGE_NONE;
    cr_assert_eq(img_image_alloc((ImgShape){WIDTH, HEIGHT, format}, &image, NULL), IMG_OK);
    for (int y = 0; y < HEIGHT; y++)
        for (size_t i = 0; i < WIDTH * img_format_pixel_size(format); i++)
            image.view.data[(size_t)y * image.view.stride + i] =
                (uint8_t)(y % 3 * 50 + (int)i * (y % 5) + (int)(random_number() % 8));
    return image;
}

static uint64_t cost_of(const ImgByteCosts *costs, const uint8_t *bytes, size_t size)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < size; i++)
        cost += costs->of[bytes[i]];
    return cost;
}

/* Each row must have the smallest cost of all filters. Of filters with equal cost the first is
 * used. */
Test(png_strip, rows_have_the_smallest_cost)
{
    ImgImage image = make_image((ImgFormat){IMG_COLOR_RGB, 8});
    ImgStripFilter filter;
    cr_assert(img_strip_filter_init(&filter, &image.view));
    enum { ROW = WIDTH * 3 };
    uint8_t *out = malloc((1 + ROW) * HEIGHT), tried[1 + ROW];
    ImgByteCosts costs;
    cr_assert_eq(img_strip_filter(&filter, 0, HEIGHT, ALL, NULL, out), (1 + ROW) * HEIGHT);
    img_byte_costs(out, (1 + ROW) * HEIGHT, &costs);
    int first = 2, others = 0;
    size_t written = img_strip_filter(&filter, first, HEIGHT, ALL, &costs, out);
    cr_assert_eq(written, (1 + ROW) * (HEIGHT - (size_t)first));
    for (int y = first; y < HEIGHT; y++) {
        const uint8_t *row = image.view.data + (size_t)y * image.view.stride;
        const uint8_t *above = y > first ? row - image.view.stride : NULL;
        const uint8_t *made = out + (size_t)(y - first) * (1 + ROW);
        uint64_t least = cost_of(&costs, made + 1, ROW);
        for (ImgFilter type = 0; type < (above != NULL ? IMG_FILTERS : IMG_FILTER_UP); type++) {
            img_png_filter_row_reference(type, 3, ROW, row, above, tried);
            uint64_t cost = cost_of(&costs, tried + 1, ROW);
            cr_assert(type < made[0] ? cost > least : cost >= least, "row %d, filter %d", y, type);
            if (type == made[0])
                cr_assert_arr_eq(made, tried, 1 + ROW);
        }
        others += made[0] != out[0];
    }
    cr_expect_gt(others, 0, "more than one filter is tested");
    img_strip_filter_free(&filter);
    free(out);
    img_image_free(&image);
}

Test(png_strip, the_first_row_of_a_strip_refers_to_no_other)
{
    static const struct {
        unsigned filters;
        uint8_t expected;
    } cases[] = {{1 << IMG_FILTER_NONE, IMG_FILTER_NONE},
                 {1 << IMG_FILTER_PAETH, IMG_FILTER_SUB},
                 {1 << IMG_FILTER_UP | 1 << IMG_FILTER_AVERAGE, IMG_FILTER_SUB},
                 {1 << IMG_FILTER_SUB | 1 << IMG_FILTER_UP, IMG_FILTER_SUB}};
    ImgImage image = make_image((ImgFormat){IMG_COLOR_GRAY, 16});
    ImgStripFilter filter;
    cr_assert(img_strip_filter_init(&filter, &image.view));
    uint8_t out[(1 + 2 * WIDTH) * HEIGHT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        img_strip_filter(&filter, 3, 7, cases[i].filters, NULL, out);
        cr_expect_eq(out[0], cases[i].expected);
        for (size_t row = 1; row < 4; row++)
            cr_expect(cases[i].filters >> out[row * (1 + 2 * WIDTH)] & 1, "not one of the allowed");
    }
    img_strip_filter_free(&filter);
    img_image_free(&image);
}

/* PNG packs samples from the high bit down, and fills the last byte with zeros. */
Test(png_strip, samples_of_few_bits_are_packed)
{
    uint8_t samples[11] = {1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1}, buffer[6];
    ImgView view = img_view_make(samples, 11, (ImgShape){11, 1, {IMG_COLOR_GRAY, 1}});
    cr_expect_arr_eq(img_png_row(&view, 0, buffer), ((uint8_t[]){0xB1, 0xA0}), 2);
    uint8_t pairs[5] = {3, 0, 2, 1, 2}, nibbles[3] = {15, 1, 9};
    view = img_view_make(pairs, 5, (ImgShape){5, 1, {IMG_COLOR_PALETTE, 2}});
    cr_expect_arr_eq(img_png_row(&view, 0, buffer), ((uint8_t[]){0xC9, 0x80}), 2);
    view = img_view_make(nibbles, 3, (ImgShape){3, 1, {IMG_COLOR_GRAY, 4}});
    cr_expect_arr_eq(img_png_row(&view, 0, buffer), ((uint8_t[]){0xF1, 0x90}), 2);
    uint16_t wide[2] = {0x1234, 0xABCD};
    view = img_view_make(wide, 4, (ImgShape){1, 1, {IMG_COLOR_GRAY_ALPHA, 16}});
    cr_expect_arr_eq(img_png_row(&view, 0, buffer), ((uint8_t[]){0x12, 0x34, 0xAB, 0xCD}), 4);
    view = img_view_make(samples, 11, (ImgShape){11, 1, {IMG_COLOR_GRAY, 8}});
    cr_expect_eq(img_png_row(&view, 0, buffer), samples, "the image's own memory");
}

/* The difference of two palette indices, or of bytes that several pixels share, predicts nothing.
 * So their rows are not filtered, except if the encoder has tried it and found a smaller result. */
Test(png_strip, palettes_are_not_filtered)
{
    for (int level = 0; level <= 8; level++) {
        cr_expect_eq(img_png_level(level, (ImgFormat){IMG_COLOR_PALETTE, 8}).filters, 1);
        cr_expect_eq(img_png_level(level, (ImgFormat){IMG_COLOR_GRAY, 4}).filters, 1);
        cr_expect_eq(img_png_level(level, (ImgFormat){IMG_COLOR_GRAY, 8}).filters > 1, level > 0);
    }
}
