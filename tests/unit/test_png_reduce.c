/* Tests of reductions of depth, alpha and colour, on pictures made by hand. */
#include "test_png_reduce.h"

/* --- Depth ------------------------------------------------------------------------------------ */

Test(png_reduce, sixteen_bits_become_eight_if_both_bytes_are_equal)
{
    ImgReduced picture = make_row(IMG_COLOR_GRAY, 16, 3, ROW(0, 0x1212, 0xFFFF));
    picture.colours.has_significant = true;
    picture.colours.significant[0] = 12;
    ImgReduced reduced = IMG_REDUCED_NONE;
    cr_assert_eq(img_reduce_to_8(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_GRAY, 8);
    expect_samples(&reduced, ROW(0, 0x12, 0xFF));
    cr_expect_eq(reduced.colours.significant[0], 8, "no more significant bits than bits");
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_sample_set(picture.view.data, 1, 16, 0x1213);
    cr_assert_eq(img_reduce_to_8(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

/* No pixel has the key 0x1234, but after a mere shift the pixel 0x12 would be transparent. */
Test(png_reduce, a_key_of_sixteen_bits_is_scaled_or_dropped)
{
    static const struct {
        uint16_t key, reduced;
        bool stays;
    } cases[] = {{0x1212, 0x12, true}, {0x1234, 0, false}, {0xFFFF, 0xFF, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgReduced picture = make_row(IMG_COLOR_GRAY, 16, 2, ROW(0x1212, 0xFFFF));
        ImgReduced reduced = IMG_REDUCED_NONE;
        picture.colours.has_key = true;
        picture.colours.key[0] = cases[i].key;
        cr_assert_eq(img_reduce_to_8(&picture, &reduced, NULL), IMG_OK);
        cr_assert_not_null(reduced.view.data);
        cr_expect_eq(reduced.colours.has_key, cases[i].stays);
        cr_expect(!cases[i].stays || reduced.colours.key[0] == cases[i].reduced);
        cr_expect(img_reduced_equal(&picture, &reduced, false));
        img_reduced_free(&reduced);
        img_reduced_free(&picture);
    }
}

Test(png_reduce, a_background_that_needs_sixteen_bits_keeps_them)
{
    ImgReduced picture = make_row(IMG_COLOR_RGB, 16, 1, ROW(0, 0, 0));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_background = true;
    picture.colours.background[2] = 0x0102;
    cr_assert_eq(img_reduce_to_8(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    picture.colours.background[2] = 0x0303;
    cr_assert_eq(img_reduce_to_8(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_RGB, 8);
    cr_expect_eq(reduced.colours.background[2], 3);
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

/* 0x22 has equal halves, but 0x20 does not, and 0x54 is no multiple of 85. */
Test(png_reduce, gray_takes_the_fewest_bits_that_hold_all_values)
{
    static const struct {
        uint16_t values[2], reduced[2];
        int from, bits;
    } cases[] = {
        {{0, 255}, {0, 1}, 8, 1},     {{85, 255}, {1, 3}, 8, 2}, {{0x22, 0xFF}, {2, 15}, 8, 4},
        {{0x20, 0xFF}, {0, 0}, 8, 8}, {{0, 15}, {0, 1}, 4, 1},   {{5, 10}, {1, 2}, 4, 2},
        {{0x54, 0xFF}, {0, 0}, 8, 8}, {{0, 3}, {0, 1}, 2, 1},    {{1, 2}, {0, 0}, 2, 2},
        {{0, 1}, {0, 0}, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgReduced picture = make_row(IMG_COLOR_GRAY, cases[i].from, 2, cases[i].values);
        ImgReduced reduced = IMG_REDUCED_NONE;
        cr_assert_eq(img_reduce_gray_bits(&picture, &reduced, NULL), IMG_OK);
        if (cases[i].bits == cases[i].from) {
            expect_nothing(&reduced);
        } else {
            expect_format(&reduced, IMG_COLOR_GRAY, cases[i].bits);
            expect_samples(&reduced, cases[i].reduced);
            cr_expect(img_reduced_equal(&picture, &reduced, false));
        }
        img_reduced_free(&reduced);
        img_reduced_free(&picture);
    }
}

Test(png_reduce, white_stays_the_key_of_gray_with_one_bit)
{
    ImgReduced picture = make_row(IMG_COLOR_GRAY, 8, 2, ROW(0, 255));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_key = true;
    picture.colours.key[0] = 255;
    cr_assert_eq(img_reduce_gray_bits(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_GRAY, 1);
    cr_expect(reduced.colours.has_key);
    cr_expect_eq(reduced.colours.key[0], 1);
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    picture.colours.key[0] = 1;
    cr_assert_eq(img_reduce_gray_bits(&picture, &reduced, NULL), IMG_OK);
    cr_expect_not(reduced.colours.has_key, "one bit cannot hold 1 of 255");
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce, a_gray_background_limits_the_bits)
{
    ImgReduced picture = make_row(IMG_COLOR_GRAY, 8, 2, ROW(0, 255));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_background = true;
    picture.colours.background[0] = 17;
    cr_assert_eq(img_reduce_gray_bits(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_GRAY, 4);
    cr_expect_eq(reduced.colours.background[0], 1);
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

/* --- Alpha ------------------------------------------------------------------------------------ */

Test(png_reduce, an_opaque_alpha_channel_is_dropped)
{
    ImgReduced picture = make_row(IMG_COLOR_RGBA, 16, 2, ROW(1, 2, 3, 0xFFFF, 4, 5, 6, 0xFFFF));
    ImgReduced reduced = IMG_REDUCED_NONE;
    cr_assert_eq(img_reduce_opaque(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_RGB, 16);
    expect_samples(&reduced, ROW(1, 2, 3, 4, 5, 6));
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_sample_set(picture.view.data, 7, 16, 0xFFFE);
    cr_assert_eq(img_reduce_opaque(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce, a_key_that_no_pixel_has_is_dropped)
{
    ImgReduced picture = make_row(IMG_COLOR_RGB, 8, 2, ROW(1, 2, 3, 4, 5, 6));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_key = true;
    memcpy(picture.colours.key, ROW(1, 2, 4), sizeof picture.colours.key);
    cr_assert_eq(img_reduce_opaque(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_RGB, 8);
    cr_expect_not(reduced.colours.has_key);
    img_reduced_free(&reduced);
    picture.colours.key[2] = 3;
    cr_assert_eq(img_reduce_opaque(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce, alpha_becomes_a_key_if_one_hidden_colour_occurs_nowhere_else)
{
    static const struct {
        uint16_t samples[6]; /* three pixels of gray and alpha */
        bool applies;
        const char *why;
    } cases[] = {
        {{9, 0, 1, 255, 9, 0}, true, "one hidden colour"},
        {{9, 0, 9, 255, 1, 255}, false, "an opaque pixel has the colour"},
        {{9, 0, 8, 0, 1, 255}, false, "two hidden colours"},
        {{9, 0, 8, 254, 1, 255}, false, "a translucent pixel"},
        {{9, 255, 8, 255, 1, 255}, false, "nothing is transparent"},
        {{0, 0, 0, 0, 0, 0}, true, "all is transparent"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgReduced picture = make_row(IMG_COLOR_GRAY_ALPHA, 8, 3, cases[i].samples);
        ImgReduced reduced = IMG_REDUCED_NONE;
        cr_assert_eq(img_reduce_to_key(&picture, false, &reduced, NULL), IMG_OK);
        cr_expect_eq(reduced.view.data != NULL, cases[i].applies, "%s", cases[i].why);
        if (reduced.view.data != NULL) {
            expect_format(&reduced, IMG_COLOR_GRAY, 8);
            cr_expect(reduced.colours.has_key);
            cr_expect_eq(reduced.colours.key[0], cases[i].samples[0]);
            cr_expect(img_reduced_equal(&picture, &reduced, false));
        }
        img_reduced_free(&reduced);
        img_reduced_free(&picture);
    }
}

/* Black and white are taken, so of the multiples of 85 the first free one is the key. */
Test(png_reduce, a_chosen_key_needs_few_bits)
{
    ImgReduced picture = make_row(IMG_COLOR_GRAY_ALPHA, 8, 3, ROW(0, 255, 255, 255, 0, 0));
    ImgReduced reduced = IMG_REDUCED_NONE;
    cr_assert_eq(img_reduce_to_key(&picture, true, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_GRAY, 8);
    cr_expect_eq(reduced.colours.key[0], 85);
    expect_samples(&reduced, ROW(0, 255, 85));
    cr_expect(img_reduced_equal(&picture, &reduced, true));
    cr_expect_not(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce, a_key_becomes_alpha_and_a_key_again)
{
    ImgReduced picture = make_row(IMG_COLOR_RGB, 16, 2, ROW(1, 2, 3, 1, 2, 4));
    ImgReduced alpha = IMG_REDUCED_NONE, key = IMG_REDUCED_NONE;
    picture.colours.has_key = true;
    memcpy(picture.colours.key, ROW(1, 2, 4), sizeof picture.colours.key);
    cr_assert_eq(img_reduce_key_to_alpha(&picture, &alpha, NULL), IMG_OK);
    expect_format(&alpha, IMG_COLOR_RGBA, 16);
    expect_samples(&alpha, ROW(1, 2, 3, 65535, 1, 2, 4, 0));
    cr_expect_not(alpha.colours.has_key);
    cr_assert_eq(img_reduce_to_key(&alpha, false, &key, NULL), IMG_OK);
    expect_format(&key, IMG_COLOR_RGB, 16);
    cr_expect_eq(key.colours.key[2], 4);
    cr_expect(img_reduced_equal(&picture, &alpha, false));
    cr_expect(img_reduced_equal(&picture, &key, false));
    img_reduced_free(&key);
    img_reduced_free(&alpha);
    img_reduced_free(&picture);
}

Test(png_reduce, hidden_colours_are_cleared_only_by_name)
{
    ImgReduced picture = make_row(IMG_COLOR_RGBA, 8, 2, ROW(1, 2, 3, 0, 4, 5, 6, 1));
    ImgReduced reduced = IMG_REDUCED_NONE, again = IMG_REDUCED_NONE;
    cr_assert_eq(img_reduce_hidden(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_RGBA, 8);
    expect_samples(&reduced, ROW(0, 0, 0, 0, 4, 5, 6, 1));
    cr_assert_eq(img_reduce_hidden(&reduced, &again, NULL), IMG_OK);
    expect_nothing(&again);
    img_reduced_free(&reduced);
    img_reduced_free(&picture);
}

/* --- Gray ------------------------------------------------------------------------------------- */

Test(png_reduce, equal_channels_become_gray)
{
    ImgReduced picture = make_row(IMG_COLOR_RGBA, 8, 2, ROW(7, 7, 7, 1, 9, 9, 9, 255));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.has_significant = true;
    memcpy(picture.colours.significant, (const uint8_t[]){5, 6, 4, 3}, 4);
    add_entry(&picture, 1, 2, 3, 255);
    cr_assert_eq(img_reduce_to_gray(&picture, &reduced, NULL), IMG_OK);
    expect_format(&reduced, IMG_COLOR_GRAY_ALPHA, 8);
    expect_samples(&reduced, ROW(7, 1, 9, 255));
    cr_expect_eq(reduced.colours.significant[0], 6, "the largest of the three");
    cr_expect_eq(reduced.colours.significant[1], 3, "that of alpha");
    cr_expect_eq(reduced.colours.entries, 0, "gray has no suggested palette");
    cr_expect(img_reduced_equal(&picture, &reduced, false));
    img_reduced_free(&reduced);
    picture.view.data[1] = 8;
    cr_assert_eq(img_reduce_to_gray(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce, a_profile_or_a_background_of_colours_prevents_gray)
{
    ImgReduced picture = make_row(IMG_COLOR_RGB, 8, 1, ROW(7, 7, 7));
    ImgReduced reduced = IMG_REDUCED_NONE;
    picture.colours.allows_gray = false;
    cr_assert_eq(img_reduce_to_gray(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    picture.colours.allows_gray = true;
    picture.colours.has_background = true;
    picture.colours.background[0] = 1;
    cr_assert_eq(img_reduce_to_gray(&picture, &reduced, NULL), IMG_OK);
    expect_nothing(&reduced);
    img_reduced_free(&picture);
}

Test(png_reduce, a_key_stays_with_gray_only_if_it_is_gray)
{
    for (int gray = 0; gray < 2; gray++) {
        ImgReduced picture = make_row(IMG_COLOR_RGB, 8, 2, ROW(7, 7, 7, 8, 8, 8));
        ImgReduced reduced = IMG_REDUCED_NONE;
        picture.colours.has_key = true;
        memcpy(picture.colours.key, gray == 1 ? ROW(7, 7, 7) : ROW(7, 7, 8),
               sizeof picture.colours.key);
        cr_assert_eq(img_reduce_to_gray(&picture, &reduced, NULL), IMG_OK);
        expect_format(&reduced, IMG_COLOR_GRAY, 8);
        cr_expect_eq(reduced.colours.has_key, gray == 1);
        cr_expect(img_reduced_equal(&picture, &reduced, false));
        img_reduced_free(&reduced);
        img_reduced_free(&picture);
    }
}
