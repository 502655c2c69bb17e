/* Tests of palette indices that operations copy, and of a background that has its own index. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/metadata/metadata.h"
#include "kernels/core/exec/exec.h"
#include "kernels/pipeline/pipeline.h"
#include "tests/unit/run_op.h"

static const ImgRgba RED = {65535, 0, 0, 65535}, CLEAR = {0, 0, 0, 0};

static ImgPalette two_colours(int32_t room)
{
    return (ImgPalette){.colors = {{0, 0, 0, 255}, {255, 0, 0, 255}}, .count = 2, .room = room};
}

Test(palette, a_colour_is_found_or_added)
{
    ImgPalette palette = two_colours(4);
    cr_expect_eq(img_palette_index(&palette, RED), 2);
    cr_expect_eq(palette.count, 2);
    /* Palette entries have 8 bits. 0x80ff of 16 bits becomes 0x80, because 0x80 is 0x8080 in 16
     * bits, and 0x81 is 0x8181. Values from 0x8101 on are nearer to 0x8181. */
    cr_expect_eq(img_palette_index(&palette, (ImgRgba){0x80ff, 0, 0, 65535}), 3);
    cr_expect_eq(palette.colors[2][0], 0x80);
    cr_expect_eq(img_palette_index(&palette, CLEAR), 4);
    cr_expect_eq(img_palette_index(&palette, (ImgRgba){1, 2, 3, 0}), 4, "hidden colours");
    cr_expect_eq(img_palette_index(&palette, (ImgRgba){65535, 65535, 65535, 65535}), 0, "full");
    cr_expect_eq(palette.count, 4);
}

/* The pictures have 4-bit indices and a palette of black (0) and red (1), see run_op.h. An
 * operation adds its background as index 2, unless it is black or red. */
Test(palette, backgrounds_get_an_index)
{
    static const struct {
        const char *op, *options;
        int32_t width, height;
        const char *indices, *expected;
        int32_t new_width, new_height;
    } cases[] = {
        {"pad", "left=1 background=red", 1, 1, "\0", "\1\0", 2, 1},
        {"pad", "left=1 bottom=1", 1, 1, "\1", "\2\1\2\2", 2, 2},
        {"pad", "left=1 border=replicate", 1, 1, "\5", "\5\5", 2, 1},
        {"resize", "size=2x3 fit=contain filter=nearest", 2, 1, "\1\0", "\2\2\1\0\2\2", 2, 3},
        {"resize", "size=3x1 fit=contain filter=nearest background=black", 1, 1, "\3", "\0\3\0", 3,
         1},
        /* The matrix moves the picture two pixels to the right. */
        {"affine", "matrix=1,0,2,0,1,0 border=constant filter=nearest background=white", 3, 1,
         "\0\1\1", "\2\2\0", 3, 1},
        /* The pixels next to the middle one come from positions 0.7 rows above and below the centre
         * of the only row. These positions lie outside the picture. */
        {"rotate", "angle=45 size=keep filter=nearest", 5, 1, "\1\1\1\1\1", "\2\2\1\2\2", 5, 1},
        /* The result has one more column on the left. */
        {"perspective", "corners=-1,0,2,0,2,1,-1,1 filter=nearest background=red", 2, 1, "\0\7",
         "\1\0\7", 3, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ImgShape src = {cases[i].width, cases[i].height, {IMG_COLOR_PALETTE, 4}};
        ImgShape dst;
        uint8_t *got = run_op(cases[i].op, cases[i].options, src, cases[i].indices, &dst);
        cr_assert(dst.width == cases[i].new_width && dst.height == cases[i].new_height, "case %zu",
                  i);
        cr_expect(dst.format.color == IMG_COLOR_PALETTE && dst.format.bits == 4, "case %zu", i);
        cr_expect_arr_eq(got, cases[i].expected, (size_t)(dst.width * dst.height), "case %zu", i);
        free(got);
    }
}

static bool bind(const char *text, ImgPalette *palette)
{
    ImgStep steps[IMG_STEPS_MAX];
    size_t count;
    cr_assert_eq(img_pipeline_parse(text, steps, &count, NULL, NULL), IMG_OK, "%s", text);
    const ImgShape src = {3, 3, {IMG_COLOR_PALETTE, 4}};
    const bool keeps = img_steps_bind_palette(steps, count, src, palette);
    cr_expect_eq(keeps || palette == NULL, !img_steps_need_channels(steps, count), "%s", text);
    return keeps;
}

Test(palette, a_pipeline_keeps_the_palette_only_if_all_steps_do)
{
    ImgPalette palette = two_colours(4);
    cr_expect(bind("pad left=1 | rotate angle=7 filter=nearest background=red", &palette));
    cr_expect_eq(palette.count, 3);
    palette = two_colours(2);
    cr_expect(bind("pad left=1 background=red | flip", &palette));
    cr_expect_not(bind("pad left=1 background=red | pad left=1", &palette), "no room");
    palette = two_colours(4);
    cr_expect_not(bind("pad left=1 | rotate angle=7", &palette), "pixels are interpolated");
    cr_expect_not(bind("pad left=1 | invert", &palette));
    cr_expect(
        bind("resize 3x3 filter=nearest | rotate angle=7 size=inside filter=nearest", &palette));
    cr_expect_eq(palette.count, 3, "no background is seen");
    palette = two_colours(2);
    cr_expect(bind("pad aspect=1:1 | resize 6x6 fit=contain filter=nearest", &palette), "none");
    cr_expect(bind("perspective corners=0,0,2,0,3,3,0,2 filter=nearest", &palette), "inside");
    cr_expect_eq(palette.count, 2);
    cr_expect_not(bind("crop width=2 | pad aspect=1:1", &palette), "there is a margin");
    cr_expect_not(bind("trim | pad aspect=1:1", &palette), "there may be one");
}

/* Added entries must be written to PLTE. tRNS must be written up to the last entry that is not
 * opaque. */
Test(palette, entries_are_read_from_and_written_to_chunks)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgPalette palette;
    memcpy(metadata.palette, ((const uint8_t[][3]){{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}), 9);
    metadata.palette_size = 3;
    const uint8_t alpha = 100;
    cr_assert_eq(img_metadata_add(&metadata, "tRNS", IMG_BEFORE_IDAT, &alpha, 1, NULL), IMG_OK);
    cr_assert_eq(
        img_metadata_add(&metadata, "hIST", IMG_BEFORE_IDAT, (const uint8_t *)"012345", 6, NULL),
        IMG_OK);
    img_metadata_palette(&metadata, 4, &palette);
    cr_expect(palette.count == 3 && palette.room == 16);
    cr_expect_arr_eq(palette.colors, ((const uint8_t[]){1, 2, 3, 100, 4, 5, 6, 255}), 8);
    cr_assert_eq(img_metadata_add_entries(&metadata, &palette, NULL), IMG_OK);
    cr_expect_not_null(img_metadata_find(&metadata, "hIST"), "nothing was added");
    cr_assert_eq(img_palette_index(&palette, RED), 4);
    cr_assert_eq(img_metadata_add_entries(&metadata, &palette, NULL), IMG_OK);
    cr_expect_null(img_metadata_find(&metadata, "hIST"));
    cr_expect_eq(img_metadata_find(&metadata, "tRNS")->size, 1);
    cr_assert_eq(img_palette_index(&palette, CLEAR), 5);
    cr_assert_eq(img_metadata_add_entries(&metadata, &palette, NULL), IMG_OK);
    const ImgChunk *trns = img_metadata_find(&metadata, "tRNS");
    cr_assert_eq(trns->size, 5);
    cr_expect_arr_eq(trns->data, ((const uint8_t[]){100, 255, 255, 255, 0}), 5);
    cr_expect_eq(metadata.palette_size, 5);
    /* Indices of 2 bits can refer to only four entries. Bytes of tRNS beyond PLTE belong to no
     * entry. */
    img_metadata_palette(&metadata, 2, &palette);
    cr_expect(palette.count == 4 && palette.room == 4);
    metadata.palette_size = 3;
    img_metadata_palette(&metadata, 4, &palette);
    cr_assert_eq(img_palette_index(&palette, RED), 4);
    cr_assert_eq(img_metadata_add_entries(&metadata, &palette, NULL), IMG_OK);
    trns = img_metadata_find(&metadata, "tRNS");
    cr_expect(trns->size == 1 && trns->data[0] == 100);
    metadata.palette_size = 5;
    cr_expect_arr_eq(metadata.palette[3], ((const uint8_t[]){255, 0, 0, 0, 0, 0}), 6);
    img_metadata_free(&metadata);
}

/* A new palette replaces PLTE and tRNS, and chunks that depend on the old ones go. */
Test(palette, a_new_palette_replaces_the_old_one)
{
    const ImgPalette palette = {
        .colors = {{0, 0, 0, 0}, {10, 20, 30, 100}, {255, 254, 0, 255}, {7, 7, 7, 255}},
        .count = 4,
        .room = 4};
    static const char *const old[] = {"bKGD", "tRNS", "hIST", "gAMA", "sPLT"};
    ImgMetadata metadata = IMG_METADATA_NONE;
    metadata.palette_size = 200;
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        cr_assert_eq(img_metadata_add(&metadata, old[i], IMG_BEFORE_IDAT, (const uint8_t *)"123456",
                                      6, NULL),
                     IMG_OK);
    cr_assert_eq(img_metadata_set_palette(&metadata, &palette, NULL), IMG_OK);
    cr_expect_eq(metadata.palette_size, 4);
    cr_expect_arr_eq(metadata.palette[2], ((const uint8_t[]){255, 254, 0, 7, 7, 7}), 6);
    const ImgChunk *trns = img_metadata_find(&metadata, "tRNS");
    cr_assert(trns != NULL && trns->size == 2);
    cr_expect_arr_eq(trns->data, ((const uint8_t[]){0, 100}), 2);
    cr_expect(metadata.count == 2 && img_metadata_find(&metadata, "gAMA") != NULL);
    img_metadata_free(&metadata);
}
