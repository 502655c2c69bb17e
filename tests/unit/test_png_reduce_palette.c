/* Tests of reductions to palettes and of palettes, on pictures made by hand. */
#include "test_png_reduce.h"

static void expect_entry(const ImgReduced *picture, int index, const uint16_t rgba[4])
{
    for (int i = 0; i < 4; i++)
        cr_expect_eq(picture->colours.palette[index][i], rgba[i], "entry %d, channel %d", index, i);
}

/* --- To a palette ----------------------------------------------------------------------------- */

Test(png_reduce_palette, colours_become_entries_in_the_order_in_which_they_occur)
{
    ImgReduced picture =
        make_row(IMG_COLOR_RGBA, 8, 3, ROW(9, 8, 7, 255, 1, 2, 3, 0, 9, 8, 7, 255));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_significant = true;
    memcpy(picture.colours.significant, (const uint8_t[]){5, 6, 4, 3}, 4);
    cr_assert_eq(img_reduce_to_palette(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_PALETTE, 1);
    cr_assert_eq(reduced.colours.entries, 2);
    expect_entry(&reduced, 0, ROW(9, 8, 7, 255));
    expect_entry(&reduced, 1, ROW(1, 2, 3, 0));
    expect_samples(&reduced, ROW(0, 1, 0));
    cr_expect_eq(reduced.colours.significant[1], 6);
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

/* The key is one colour, so its entry is transparent and no other has it. */
Test(png_reduce_palette, a_key_becomes_alpha_of_an_entry)
{
    ImgReduced picture = make_row(IMG_COLOR_GRAY, 4, 3, ROW(0, 15, 3));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_key = picture.colours.has_background = true;
    picture.colours.key[0] = 15;
    picture.colours.background[0] = 2;
    cr_assert_eq(img_reduce_to_palette(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_PALETTE, 2);
    cr_assert_eq(reduced.colours.entries, 4, "three colours and the background");
    expect_entry(&reduced, 1, ROW(255, 255, 255, 0));
    expect_entry(&reduced, 2, ROW(51, 51, 51, 255));
    expect_entry(&reduced, 3, ROW(34, 34, 34, 255));
    cr_expect_eq(reduced.colours.background[0], 3);
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

static ImgReduced make_ramp(int32_t width)
{
    uint16_t samples[257 * 3] = {0};
    for (int i = 0; i < width; i++) {
        samples[3 * i] = (uint16_t)(i & 255);
        samples[3 * i + 1] = (uint16_t)(i >> 8);
    }
    return make_row(IMG_COLOR_RGB, 8, width, samples);
}

Test(png_reduce_palette, a_palette_has_at_most_256_entries_with_the_background)
{
    for (int32_t width = 256; width <= 257; width++) {
        ImgReduced picture = make_ramp(width);
        ImgReduced reduced = IMG_REDUCED_NONE;
        cr_assert_eq(img_reduce_to_palette(&picture, &reduced, NULL), IMG_OK);
        cr_expect_eq(reduced.view.data != NULL, width == 256);
        cr_expect(width == 257 || img_reduced_equal(&picture, &reduced, false));
        img_reduced_free(&reduced);
        picture.colours.has_background = true;
        picture.colours.background[2] = 1;
        cr_assert_eq(img_reduce_to_palette(&picture, &reduced, NULL), IMG_OK);
        expect_nothing(&reduced);
        img_reduced_free(&picture);
    }
}

Test(png_reduce_palette, a_gray_profile_prevents_a_palette)
{
    ImgReduced picture = make_row(IMG_COLOR_GRAY, 8, 1, ROW(3));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.allows_rgb = false;
    cr_assert_eq(img_reduce_to_palette(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

/* --- Fewer entries ---------------------------------------------------------------------------- */

/* Entries: 0 used, 1 unused, 2 equal to 0, 3 the background alone, 4 used. */
static ImgReduced make_palette(void)
{
    ImgReduced picture = make_row(IMG_COLOR_PALETTE, 8, 4, ROW(4, 0, 2, 4));
    add_entry(&picture, 1, 1, 1, 255);
    add_entry(&picture, 2, 2, 2, 255);
    add_entry(&picture, 1, 1, 1, 255);
    add_entry(&picture, 3, 3, 3, 255);
    add_entry(&picture, 1, 1, 1, 7);
    picture.colours.has_background = picture.colours.has_histogram = true;
    picture.colours.background[0] = 3;
    memcpy(picture.colours.histogram, ROW(100, 0, 65500, 0, 2), 5 * sizeof(uint16_t));
    return picture;
}

Test(png_reduce_palette, unused_and_equal_entries_are_removed)
{
    ImgReduced picture = make_palette(), reduced = IMG_REDUCED_NONE;
    cr_assert_eq(img_reduce_entries(&picture, true, true, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_PALETTE, 2);
    cr_assert_eq(reduced.colours.entries, 3);
    expect_samples(&reduced, ROW(2, 0, 0, 2));
    expect_entry(&reduced, 1, ROW(3, 3, 3, 255));
    expect_entry(&reduced, 2, ROW(1, 1, 1, 7));
    cr_expect_eq(reduced.colours.background[0], 1, "the entry of the background stays");
    cr_expect_eq(reduced.colours.histogram[0], 65535, "a sum that 16 bits cannot hold");
    cr_expect_eq(reduced.colours.histogram[2], 2);
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce_palette, equal_entries_and_bits_may_stay)
{
    ImgReduced picture = make_palette(), reduced = IMG_REDUCED_NONE;
    cr_assert_eq(img_reduce_entries(&picture, false, false, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_PALETTE, 8);
    cr_assert_eq(reduced.colours.entries, 4);
    expect_samples(&reduced, ROW(3, 0, 1, 3));
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce_palette, indices_without_an_entry_are_left_alone)
{
    ImgReduced picture = make_row(IMG_COLOR_PALETTE, 8, 1, ROW(1));
    ImgReduced reduced = IMG_REDUCED_NONE;
    add_entry(&picture, 1, 1, 1, 255);
    cr_assert_eq(img_reduce_entries(&picture, true, true, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    cr_assert_eq(img_reduce_expand(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    cr_assert_eq(img_reduce_order(&picture, IMG_ORDER_LUMA, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

/* --- From a palette --------------------------------------------------------------------------- */

Test(png_reduce_palette, a_gray_palette_becomes_gray_in_steps)
{
    ImgReduced picture = make_row(IMG_COLOR_PALETTE, 1, 2, ROW(1, 0));
    ImgReduced rgb = IMG_REDUCED_NONE, gray = IMG_REDUCED_NONE, bit = IMG_REDUCED_NONE;
    add_entry(&picture, 255, 255, 255, 255);
    add_entry(&picture, 0, 0, 0, 255);
    picture.colours.has_background = true;
    picture.colours.background[0] = 0;
    cr_expect(img_palette_is_gray(&picture));
    cr_assert_eq(img_reduce_expand(&picture, &rgb, NULL), IMG_OK);
    expect_format(&rgb, IMG_COLOR_RGB, 8);
    cr_expect_eq(rgb.colours.background[2], 255);
    cr_assert_eq(img_reduce_to_gray(&rgb, &gray, NULL), IMG_OK);
    cr_assert_eq(img_reduce_gray_bits(&gray, &bit, NULL), IMG_OK);
    expect_format(&bit, IMG_COLOR_GRAY, 1);
    expect_samples(&bit, ROW(0, 1));
    cr_expect_eq(bit.colours.background[0], 1);
    cr_expect(img_reduced_equal(&picture, &bit, false));
    img_reduced_free(&bit);
    img_reduced_free(&gray);
    img_reduced_free(&rgb);
    img_reduced_free(&picture);
}

Test(png_reduce_palette, a_translucent_entry_needs_an_alpha_channel)
{
    ImgReduced picture = make_row(IMG_COLOR_PALETTE, 1, 2, ROW(1, 0));
    ImgReduced reduced = IMG_REDUCED_NONE;
    add_entry(&picture, 1, 2, 3, 255);
    add_entry(&picture, 4, 5, 6, 7);
    cr_expect_not(img_palette_is_gray(&picture));
    cr_assert_eq(img_reduce_expand(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_RGBA, 8);
    expect_samples(&reduced, ROW(4, 5, 6, 7, 1, 2, 3, 255));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

/* --- Orders ----------------------------------------------------------------------------------- */

/* Entry 0 is bright and frequent, 1 dark, 2 of medium brightness, 3 transparent. Pixels: 2 1 2 0 0
 * 0 3; beside 0, the most frequent one, lies 2 and as often 3, beside 2 lies 1. */
Test(png_reduce_palette, entries_are_sorted_and_those_not_opaque_come_first)
{
    static const uint16_t sorted[IMG_ORDERS][7] = {
        [IMG_ORDER_FIRST_SEEN] = {1, 2, 1, 3, 3, 3, 0},
        [IMG_ORDER_FREQUENCY] = {2, 3, 2, 1, 1, 1, 0},
        [IMG_ORDER_LUMA] = {2, 1, 2, 3, 3, 3, 0},
        [IMG_ORDER_NEIGHBOURS] = {2, 3, 2, 1, 1, 1, 0},
    };
    for (int order = 0; order < IMG_ORDERS; order++) {
        ImgReduced picture = make_row(IMG_COLOR_PALETTE, 2, 7, ROW(2, 1, 2, 0, 0, 0, 3));
        ImgReduced reduced = IMG_REDUCED_NONE, again = IMG_REDUCED_NONE;
        add_entry(&picture, 250, 250, 250, 255);
        add_entry(&picture, 10, 0, 0, 255);
        add_entry(&picture, 0, 100, 0, 255);
        add_entry(&picture, 255, 255, 255, 0);
        picture.colours.has_histogram = picture.colours.has_background = true;
        picture.colours.background[0] = 3;
        memcpy(picture.colours.histogram, ROW(3, 1, 2, 4), 4 * sizeof(uint16_t));
        cr_assert_eq(img_reduce_order(&picture, (ImgPaletteOrder)order, &reduced, NULL), IMG_OK);
        expect_format(&reduced, IMG_COLOR_PALETTE, 2);
        expect_samples(&reduced, sorted[order]);
        expect_entry(&reduced, 0, ROW(255, 255, 255, 0));
        cr_expect_eq(reduced.colours.background[0], 0);
        cr_expect_eq(reduced.colours.histogram[0], 4);
        cr_expect(img_reduced_equal(&picture, &reduced, false));
        cr_assert_eq(img_reduce_order(&reduced, (ImgPaletteOrder)order, &again, NULL), IMG_OK);
        expect_nothing(&again);
        img_reduced_free(&reduced);
        img_reduced_free(&picture);
    }
}

/* The difference of alphas that are not 0 counts even if hidden colours do not. */
Test(png_reduce_palette, comparison_finds_a_changed_pixel)
{
    ImgReduced a = make_row(IMG_COLOR_GRAY_ALPHA, 8, 2, ROW(1, 0, 2, 3));
    ImgReduced b = make_row(IMG_COLOR_GRAY_ALPHA, 8, 2, ROW(9, 0, 2, 3));
    ImgReduced c = make_row(IMG_COLOR_GRAY_ALPHA, 8, 2, ROW(1, 0, 2, 4));
    cr_expect_not(img_reduced_equal(&a, &b, false));
    cr_expect(img_reduced_equal(&a, &b, true));
    cr_expect_not(img_reduced_equal(&a, &c, true));
    img_reduced_free(&a);
    img_reduced_free(&b);
    img_reduced_free(&c);
}
