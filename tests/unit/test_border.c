/* Tests of the border modes, which choose the samples beyond the edges. The expected cases are
 * written by hand. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "kernels/window/border.h"

/* Checks a row of `size` samples "abcd..." and its surroundings against `drawn`, in the notation of
 * border.h. '.' stands for the background. */
static void expect(int32_t border, int32_t size, const char *drawn)
{
    const int32_t before = ((int32_t)strlen(drawn) - size) / 2;
    for (int32_t i = 0; drawn[i] != 0; i++) {
        const int32_t place = img_border_place(i - before, size, border);
        cr_assert(eq(chr, place < 0 ? '.' : (char)('a' + place), drawn[i]), "at %d of %s", i,
                  drawn);
    }
}

Test(border, rows_continue_as_drawn)
{
    expect(IMG_BORDER_REPLICATE, 4, "aaaabcdddd");
    expect(IMG_BORDER_REFLECT, 4, "dcbabcdcba");
    expect(IMG_BORDER_WRAP, 4, "bcdabcdabc");
    expect(IMG_BORDER_CONSTANT, 4, "...abcd...");
}

Test(border, windows_may_be_larger_than_the_picture)
{
    expect(IMG_BORDER_REPLICATE, 2, "aaaaaabbbbbb");
    expect(IMG_BORDER_REFLECT, 2, "babababababa");
    expect(IMG_BORDER_REFLECT, 3, "bcbabcbabcbabcbab");
    expect(IMG_BORDER_WRAP, 3, "abcabcabcabcabc");
    expect(IMG_BORDER_REFLECT, 1, "aaaaa");
    expect(IMG_BORDER_WRAP, 1, "aaaaa");
    expect(IMG_BORDER_CONSTANT, 1, "..a..");
}

Test(border, distant_places_are_reduced)
{
    const int64_t far = (int64_t)1 << 40;
    cr_assert(eq(i32, img_border_place(far, 7, IMG_BORDER_REPLICATE), 6));
    /* 2^40 modulo 7 is 2, so the position is 7 - 2 = 5. */
    cr_assert(eq(i32, img_border_place(-far, 7, IMG_BORDER_WRAP), 5));
    cr_assert(eq(i32, img_border_place(12 * far + 8, 7, IMG_BORDER_REFLECT), 4));
}

Test(border, backgrounds_are_converted)
{
    const ImgBorderParams orange = {.border = IMG_BORDER_CONSTANT,
                                    .background = {65535, 32768, 0, 257}};
    uint16_t samples[4];
    img_border_samples((ImgFormat){IMG_COLOR_RGBA, 8}, &orange, samples);
    cr_assert(eq(u16, samples[0], 255));
    cr_assert(eq(u16, samples[1], 128));
    cr_assert(eq(u16, samples[2], 0));
    cr_assert(eq(u16, samples[3], 1));
    img_border_samples((ImgFormat){IMG_COLOR_RGB, 16}, &orange, samples);
    cr_assert(eq(u16, samples[1], 32768));
    cr_assert(eq(u16, samples[3], 0));
    /* Luma is 0.2126 * 65535 + 0.7152 * 32768 = 37368.4. */
    img_border_samples((ImgFormat){IMG_COLOR_GRAY_ALPHA, 16}, &orange, samples);
    cr_assert(eq(u16, samples[0], 37368));
    cr_assert(eq(u16, samples[1], 257));
    img_border_samples((ImgFormat){IMG_COLOR_GRAY, 1}, &orange, samples);
    cr_assert(eq(u16, samples[0], 1));
}

Test(border, formats_with_a_background_match)
{
    static const ImgRgba clear = {0, 0, 0, 0}, silver = {49344, 49344, 49344, 65535};
    static const ImgRgba red = {65535, 0, 0, 65535}, glass = {65535, 0, 0, 32896};
    static const ImgRgba smoke = {257, 257, 257, 1}, hidden = {65535, 0, 0, 0};
    static const struct {
        ImgFormat from;
        const ImgRgba *background;
        ImgFormat to;
    } cases[] = {
        {{IMG_COLOR_RGB, 8}, &clear, {IMG_COLOR_RGBA, 8}},
        {{IMG_COLOR_RGB, 16}, &glass, {IMG_COLOR_RGBA, 16}},
        {{IMG_COLOR_RGB, 8}, &red, {IMG_COLOR_RGB, 8}},
        {{IMG_COLOR_RGBA, 8}, &red, {IMG_COLOR_RGBA, 8}},
        {{IMG_COLOR_GRAY, 1}, &silver, {IMG_COLOR_GRAY, 1}},
        {{IMG_COLOR_GRAY, 2}, &clear, {IMG_COLOR_GRAY_ALPHA, 8}},
        {{IMG_COLOR_GRAY, 4}, &red, {IMG_COLOR_RGB, 8}},
        {{IMG_COLOR_GRAY, 16}, &smoke, {IMG_COLOR_GRAY_ALPHA, 16}},
        {{IMG_COLOR_GRAY, 16}, &red, {IMG_COLOR_RGB, 16}},
        {{IMG_COLOR_GRAY, 8}, &glass, {IMG_COLOR_RGBA, 8}},
        {{IMG_COLOR_GRAY, 8}, &hidden, {IMG_COLOR_GRAY_ALPHA, 8}},
        {{IMG_COLOR_GRAY_ALPHA, 8}, &silver, {IMG_COLOR_GRAY_ALPHA, 8}},
        {{IMG_COLOR_GRAY_ALPHA, 16}, &red, {IMG_COLOR_RGBA, 16}},
        {{IMG_COLOR_PALETTE, 4}, &red, {IMG_COLOR_PALETTE, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgBorderParams border = {.border = IMG_BORDER_CONSTANT,
                                  .background = *cases[i].background};
        ImgFormat format = img_border_format(cases[i].from, &border);
        cr_expect(format.color == cases[i].to.color && format.bits == cases[i].to.bits, "case %zu",
                  i);
        border.border = IMG_BORDER_WRAP;
        format = img_border_format(cases[i].from, &border);
        cr_expect(format.color == cases[i].from.color && format.bits == cases[i].from.bits);
    }
}
