/* Tests of chunks whose contents depend on the colour type: how they are read and written. */
#include <criterion/criterion.h>
#include <string.h>

#include "io/png/optimize/colours.h"

static void add(ImgMetadata *metadata, const char *type, ImgChunkPlace place, const char *data,
                uint32_t size)
{
    cr_assert_eq(img_metadata_add(metadata, type, place, (const uint8_t *)data, size, NULL),
                 IMG_OK);
}

static void expect_chunk(const ImgMetadata *metadata, const char *type, const char *data,
                         uint32_t size)
{
    const ImgChunk *chunk = img_metadata_find(metadata, type);
    cr_assert_not_null(chunk, "%s", type);
    cr_assert_eq(chunk->size, size, "%s has %u bytes", type, chunk->size);
    cr_expect_eq(memcmp(chunk->data, data, size), 0, "%s", type);
}

static const ImgFormat rgb = {IMG_COLOR_RGB, 8}, indices = {IMG_COLOR_PALETTE, 8},
                       gray = {IMG_COLOR_GRAY, 4}, rgba16 = {IMG_COLOR_RGBA, 16};

/* All chunks come back as they were, beside chunks that do not matter here. */
Test(png_colours, chunks_of_a_palette_are_read_and_written)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    memcpy(metadata.palette, "abcdefghi", 9);
    metadata.palette_size = 3;
    add(&metadata, "sBIT", IMG_BEFORE_PLTE, "\5\6\7", 3);
    add(&metadata, "tEXt", IMG_BEFORE_IDAT, "k", 1);
    add(&metadata, "tRNS", IMG_BEFORE_IDAT, "\x10\xFF", 2);
    add(&metadata, "bKGD", IMG_BEFORE_IDAT, "\2", 1);
    add(&metadata, "hIST", IMG_BEFORE_IDAT, "\0\1\0\2\1\0", 6);
    ImgColours colours = img_colours_read(&metadata, indices);
    cr_expect_eq(colours.entries, 3);
    cr_expect_eq(colours.palette[0][3], 0x10);
    cr_expect_eq(colours.palette[2][3], 255);
    cr_expect_eq(colours.background[0], 2);
    cr_expect_eq(colours.histogram[2], 256);
    cr_expect(colours.allows_gray && colours.allows_rgb, "there is no profile");
    cr_assert_eq(img_colours_write(&colours, indices, &metadata, NULL), IMG_OK);
    expect_chunk(&metadata, "sBIT", "\5\6\7", 3);
    expect_chunk(&metadata, "tRNS", "\x10", 1);
    expect_chunk(&metadata, "bKGD", "\2", 1);
    expect_chunk(&metadata, "hIST", "\0\1\0\2\1\0", 6);
    cr_expect_eq(metadata.palette_size, 3);
    cr_expect_eq(metadata.count, 5);
    cr_expect_eq(img_colours_bytes(&colours, indices), 12 + 9 + 12 + 3 + 12 + 1 + 12 + 1);
    img_metadata_free(&metadata);
}

/* The new chunks follow PLTE, which the old picture did not have. */
Test(png_colours, chunks_that_refer_to_a_palette_follow_it)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    add(&metadata, "bKGD", IMG_BEFORE_PLTE, "\0\1\0\2\0\3", 6);
    add(&metadata, "tRNS", IMG_BEFORE_PLTE, "\0\4\0\5\1\6", 6);
    ImgColours colours = img_colours_read(&metadata, rgb);
    cr_expect(colours.has_key && colours.has_background);
    cr_expect_eq(colours.key[2], 6, "bits above the depth are ignored");
    colours.has_key = false;
    colours.entries = 1;
    memcpy(colours.palette[0], "\1\2\3\0", 4);
    colours.background[0] = 0;
    cr_assert_eq(img_colours_write(&colours, indices, &metadata, NULL), IMG_OK);
    expect_chunk(&metadata, "bKGD", "\0", 1);
    expect_chunk(&metadata, "tRNS", "\0", 1);
    cr_expect_eq(img_metadata_find(&metadata, "bKGD")->place, IMG_BEFORE_IDAT);
    cr_expect_eq(img_metadata_find(&metadata, "tRNS")->place, IMG_BEFORE_IDAT);
    cr_expect_eq(metadata.palette_size, 1);
    img_metadata_free(&metadata);
}

Test(png_colours, chunks_of_a_wrong_size_or_value_are_ignored)
{
    static const struct {
        const char *type, *data;
        uint32_t size;
    } wrong[] = {{"bKGD", "\0\x10", 2}, {"bKGD", "\0", 1},   {"sBIT", "\5", 1},
                 {"sBIT", "\0", 1},     {"hIST", "\0\1", 2}, {"tRNS", "\0", 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        add(&metadata, wrong[i].type, IMG_BEFORE_IDAT, wrong[i].data, wrong[i].size);
        const ImgColours colours = img_colours_read(&metadata, gray);
        cr_expect_not(colours.has_background || colours.has_significant || colours.has_histogram ||
                          colours.has_key,
                      "%s of %u bytes", wrong[i].type, wrong[i].size);
        cr_assert_eq(img_colours_write(&colours, gray, &metadata, NULL), IMG_OK);
        cr_expect_eq(metadata.count, 0);
        img_metadata_free(&metadata);
    }
}

/* A second chunk of the same type does not count. A longer chunk takes the place of a shorter. */
Test(png_colours, repeated_chunks_become_one)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    add(&metadata, "sBIT", IMG_BEFORE_PLTE, "\7", 1);
    add(&metadata, "sBIT", IMG_BEFORE_PLTE, "\7\7\7\7", 4);
    add(&metadata, "sBIT", IMG_BEFORE_PLTE, "\7\7\7\7", 4);
    ImgColours colours = img_colours_read(&metadata, rgba16);
    cr_expect_not(colours.has_significant, "only the first chunk counts");
    colours.has_significant = true;
    memcpy(colours.significant, "\7\6\5\4", 4);
    cr_assert_eq(img_colours_write(&colours, rgba16, &metadata, NULL), IMG_OK);
    cr_assert_eq(metadata.count, 1);
    expect_chunk(&metadata, "sBIT", "\7\6\5\4", 4);
    img_metadata_free(&metadata);
}

Test(png_colours, a_palette_may_need_a_trns_of_opaque_entries)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    ImgColours colours = {.entries = 1, .palette = {{1, 2, 3, 255}}, .writes_alpha = true};
    cr_assert_eq(img_colours_write(&colours, indices, &metadata, NULL), IMG_OK);
    expect_chunk(&metadata, "tRNS", "\xFF", 1);
    img_metadata_free(&metadata);
}

/* A profile begins with its name and the compression method; this one is stored deflate data of a
 * header of 128 bytes whose bytes 16 to 19 are the colour space. */
static void add_profile(ImgMetadata *metadata, const char *space)
{
    uint8_t data[2 + 1 + 2 + 5 + 128] = {'p', 0, 0, 0x78, 1, 1, 128, 0, 127, 255};
    memcpy(data + 10 + 16, space, 4);
    cr_assert_eq(img_metadata_add(metadata, "iCCP", IMG_BEFORE_PLTE, data, sizeof data, NULL),
                 IMG_OK);
}

Test(png_colours, a_profile_allows_the_types_of_its_colour_space)
{
    for (int i = 0; i < 2; i++) {
        ImgMetadata metadata = IMG_METADATA_NONE;
        add_profile(&metadata, i == 0 ? "RGB " : "GRAY");
        const ImgColours colours = img_colours_read(&metadata, rgb);
        cr_expect_eq(colours.allows_rgb, i == 0);
        cr_expect_eq(colours.allows_gray, i == 1);
        img_metadata_free(&metadata);
    }
}

Test(png_colours, chunks_about_the_old_encoding_are_dropped)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    static const char *const stale[] = {"iDOT", "caBX", "maRK", "blKS", "mARK"};
    add(&metadata, "eXIf", IMG_BEFORE_IDAT, "x", 1);
    for (size_t i = 0; i < sizeof stale / sizeof *stale; i++)
        add(&metadata, stale[i], IMG_BEFORE_IDAT, "x", 1);
    img_drop_stale_chunks(&metadata);
    cr_expect_eq(metadata.count, 1);
    cr_expect_not_null(img_metadata_find(&metadata, "eXIf"));
    img_metadata_free(&metadata);
}
