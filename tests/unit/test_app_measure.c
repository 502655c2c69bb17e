/* Tests of the sample counts of pictures, by channel: their totals and percentiles. Also tests the
 * input lists of commands. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/files/inputs.h"
#include "app/stats/picture_counts.h"
#include "app/stats/stats.h"
#include "app/stats/tables.h"

static ImgError err;

/* --- Percentiles ------------------------------------------------------------------------------ */

Test(percentiles, valid_percentile_lists_are_read)
{
    Percentiles list;
    cr_assert_eq(percentiles_parse("1,5,95,99.9", &list, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(list.count, 4);
    cr_expect_eq(list.at[0], 1 * IMG_PERCENT);
    cr_expect_eq(list.at[3], 99900000);
    cr_assert_eq(percentiles_parse("0,0.000001,100.000000", &list, &err), IMG_OK);
    cr_expect_eq(list.at[0], 0);
    cr_expect_eq(list.at[1], 1);
    cr_expect_eq(list.at[2], 100 * IMG_PERCENT);
    cr_assert_eq(percentiles_parse("2.5e1,0.1234564999,0.1234565", &list, &err), IMG_OK);
    cr_expect(list.count == 3 && list.at[0] == 25000000 && list.at[1] == 123456 &&
              list.at[2] == 123457);
    cr_assert_eq(percentiles_parse(NULL, &list, &err), IMG_OK);
    cr_expect_eq(list.count, 0);
}

Test(percentiles, invalid_percentile_lists_are_rejected)
{
    static const char *const bad[] = {
        "101", "100.000001", "-1", "",      ",",   "1,",  "1,,2", "x",  "1 ,2",       "1.", ".5",
        "1e3", "0x1",        "1%", "1.5.2", "1;2", "nan", "1e",   "+1", "4294967297", " 1", "1.5 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Percentiles list;
        ImgError failure = {IMG_OK, ""};
        cr_expect_eq(percentiles_parse(bad[i], &list, &failure), IMG_E_USAGE, "'%s'", bad[i]);
        cr_expect(strstr(failure.message, "0 to 100") != NULL, "%s", failure.message);
    }
    /* A list "11,12,13..." with one percentile more than a list may have. */
    char many[4 * (PERCENTILES_MAX + 1)];
    size_t length = 0;
    for (int i = 0; i <= PERCENTILES_MAX; i++)
        length +=
            (size_t)snprintf(many + length, sizeof many - length, "%s%d", i ? "," : "", 11 + i);
    Percentiles list;
    cr_expect_eq(percentiles_parse(many, &list, &err), IMG_E_USAGE);
    cr_expect_eq(percentiles_parse(many + 3, &list, NULL), IMG_OK);
    cr_expect_eq(list.count, PERCENTILES_MAX);
}

Test(percentiles, equal_percentiles_count_once)
{
    Percentiles list;
    cr_assert_eq(percentiles_parse("5,95,05,5.0,0.5", &list, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(list.count, 3);
    cr_expect_eq(list.at[0], 5 * IMG_PERCENT);
    cr_expect_eq(list.at[1], 95 * IMG_PERCENT);
    cr_expect_eq(list.at[2], IMG_PERCENT / 2);
}

Test(percentiles, percentiles_are_printed_as_they_are_read)
{
    char text[PERCENTILE_TEXT];
    cr_expect_str_eq(percentile_text(0, text), "0");
    cr_expect_str_eq(percentile_text(100 * IMG_PERCENT, text), "100");
    cr_expect_str_eq(percentile_text(99900000, text), "99.9");
    cr_expect_str_eq(percentile_text(1, text), "0.000001");
}

/* --- Totals ----------------------------------------------------------------------------------- */

enum { GRAY = 1U << CHANNEL_GRAY, ALPHA = 1U << CHANNEL_ALPHA, LUMA = 1U << CHANNEL_LUMA };
enum { RGB = 1U << CHANNEL_RED | 1U << CHANNEL_GREEN | 1U << CHANNEL_BLUE };

/* Returns tables of counts for a picture in which all `pixels` pixels have the samples `value`. */
static Tables uniform(int bits, unsigned channels, uint32_t value, uint64_t pixels)
{
    Tables tables;
    cr_assert_eq(tables_alloc(bits, channels, &tables, &err), IMG_OK);
    tables.pixels = pixels;
    for (size_t c = 0; c < CHANNEL_COUNT; c++)
        if (tables.of[c] != NULL)
            tables.of[c][value] = pixels;
    return tables;
}

static void add(Total *total, Tables tables)
{
    cr_assert_eq(total_add(total, &tables, &err), IMG_OK);
    tables_free(&tables);
}

Test(total, gray_pictures_give_a_gray_total)
{
    Total total = TOTAL_NONE;
    add(&total, uniform(8, GRAY, 7, 3));
    add(&total, uniform(8, GRAY, 9, 5));
    Tables sums = total_tables(&total);
    cr_assert_not_null(sums.of[CHANNEL_GRAY]);
    cr_expect_null(sums.of[CHANNEL_RED]);
    cr_expect_null(sums.of[CHANNEL_LUMA]);
    cr_expect_null(sums.of[CHANNEL_ALPHA]);
    cr_expect_eq(sums.pixels, 8);
    cr_expect_eq(sums.of[CHANNEL_GRAY][7], 3);
    cr_expect_eq(sums.of[CHANNEL_GRAY][9], 5);
    cr_expect_not(total.mixed);
    total_free(&total);
}

/* The files have 1, 4, 16 and 8 bits, so the total of all files uses 16 bits. Sample 1 of 1 bit
 * counts as 65535. Sample 2 of 4 bits and sample 34 of 8 bits both count as 8738. */
Test(total, a_total_has_the_largest_bit_depth)
{
    Total total = TOTAL_NONE;
    add(&total, uniform(1, GRAY, 1, 1));
    add(&total, uniform(4, GRAY, 2, 10));
    cr_expect_eq(total_tables(&total).bits, 4);
    add(&total, uniform(16, GRAY, 8738, 100));
    add(&total, uniform(8, GRAY, 34, 1000));
    Tables sums = total_tables(&total);
    cr_expect_eq(sums.bits, 16);
    cr_expect(total.mixed);
    cr_expect_eq(sums.of[CHANNEL_GRAY][65535], 1);
    cr_expect_eq(sums.of[CHANNEL_GRAY][8738], 1110);
    cr_expect_eq(sums.pixels, 1111);
    cr_expect_eq(total.files, 4);
    total_free(&total);
}

Test(total, gray_counts_as_each_colour_and_missing_alpha_as_opaque)
{
    Total total = TOTAL_NONE;
    add(&total, uniform(8, GRAY, 50, 2));
    add(&total, uniform(8, RGB | LUMA | ALPHA, 60, 3));
    add(&total, uniform(8, GRAY | ALPHA, 70, 4));
    Tables sums = total_tables(&total);
    cr_expect_null(sums.of[CHANNEL_GRAY]);
    static const Channel colors[] = {CHANNEL_RED, CHANNEL_GREEN, CHANNEL_BLUE, CHANNEL_LUMA};
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        cr_expect_eq(sums.of[colors[i]][50], 2);
        cr_expect_eq(sums.of[colors[i]][60], 3);
        cr_expect_eq(sums.of[colors[i]][70], 4);
    }
    cr_expect_eq(sums.of[CHANNEL_ALPHA][255], 2);
    cr_expect_eq(sums.of[CHANNEL_ALPHA][60], 3);
    cr_expect_eq(sums.of[CHANNEL_ALPHA][70], 4);
    total_free(&total);
}

Test(total, luma_is_left_out_if_one_picture_has_none)
{
    Total total = TOTAL_NONE;
    add(&total, uniform(8, GRAY, 50, 2));
    add(&total, uniform(8, RGB, 60, 3));
    Tables sums = total_tables(&total);
    cr_expect_null(sums.of[CHANNEL_LUMA]);
    cr_expect_null(sums.of[CHANNEL_GRAY]);
    cr_expect_eq(sums.of[CHANNEL_BLUE][50], 2);
    total_free(&total);
}

/* --- Palettes and transparent colours --------------------------------------------------------- */

static const ImgHistogramParams counting = {IMG_LUMA_709, IMG_TRANSPARENT_COUNT};
static const ImgHistogramParams skipping = {IMG_LUMA_709, IMG_TRANSPARENT_SKIP};

/* Returns the counts of a picture. They are made with the reference implementation, as the commands
 * do. */
static Tables counts_of(ImgView *picture, const ImgMetadata *metadata, ImgHistogramParams how,
                        uint64_t *unknown, bool *transparent)
{
    ImgShape shape;
    ImgImage rows;
    Tables tables;
    PictureCounts counts = picture_counts_begin(picture->format, metadata, &how);
    picture_counts_of_pixels(&counts, picture);
    cr_assert_eq(img_measure_histogram.shape(img_view_shape(picture), &how, &shape, &err), IMG_OK);
    cr_assert_eq(img_image_alloc(shape, &rows, &err), IMG_OK);
    ImgCall call = {.op = &img_measure_histogram,
                    .src = *picture,
                    .dst = rows.view,
                    .params = &how,
                    .threads = 1};
    cr_assert_eq(img_measure_histogram.impls[0].run(&call, &err), IMG_OK);
    cr_assert_eq(picture_counts_finish(&counts, &rows.view, &tables, unknown, &err), IMG_OK);
    *transparent = picture_counts_transparent(&counts, &tables);
    img_image_free(&rows);
    return tables;
}

/* Palette indices of two opaque red pixels, one half transparent green pixel, three transparent
 * blue pixels, and one index that the palette lacks. */
static uint8_t indices[7] = {0, 2, 2, 1, 0, 2, 3};

static ImgMetadata palette(void)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    static const uint8_t colors[3][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}};
    memcpy(metadata.palette, colors, sizeof colors);
    metadata.palette_size = 3;
    cr_assert_eq(img_metadata_add(&metadata, "tRNS", IMG_BEFORE_IDAT,
                                  (const uint8_t[]){255, 128, 0}, 3, &err),
                 IMG_OK);
    return metadata;
}

/* By BT.709 the luma of pure red, green and blue is 54.2, 182.4 and 18.4 of 255. */
Test(picture_counts, palette_indices_count_as_their_colours)
{
    ImgMetadata metadata = palette();
    ImgView picture = img_view_make(indices, 7, (ImgShape){7, 1, {IMG_COLOR_PALETTE, 2}});
    uint64_t unknown;
    bool transparent;
    Tables tables = counts_of(&picture, &metadata, counting, &unknown, &transparent);
    cr_expect_eq(tables.bits, 8);
    cr_expect_eq(tables.pixels, 7);
    cr_expect_eq(tables.of[CHANNEL_RED][255], 2);
    cr_expect_eq(tables.of[CHANNEL_RED][0], 5);
    cr_expect_eq(tables.of[CHANNEL_GREEN][255], 1);
    cr_expect_eq(tables.of[CHANNEL_BLUE][255], 3);
    cr_expect_eq(tables.of[CHANNEL_LUMA][54], 2);
    cr_expect_eq(tables.of[CHANNEL_LUMA][182], 1);
    cr_expect_eq(tables.of[CHANNEL_LUMA][18], 3);
    cr_expect_eq(tables.of[CHANNEL_LUMA][0], 1);
    cr_expect_eq(tables.of[CHANNEL_ALPHA][255], 3);
    cr_expect_eq(tables.of[CHANNEL_ALPHA][128], 1);
    cr_expect_eq(tables.of[CHANNEL_ALPHA][0], 3);
    cr_expect_eq(unknown, 1);
    cr_expect_not(transparent);
    tables_free(&tables);

    tables = counts_of(&picture, &metadata, skipping, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 4);
    cr_expect_eq(tables.of[CHANNEL_BLUE][255], 0);
    cr_expect_eq(tables.of[CHANNEL_ALPHA][0], 0);
    cr_expect_not(transparent);
    tables_free(&tables);

    picture.width = 2;
    picture.data = indices + 1;
    tables = counts_of(&picture, &metadata, counting, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 2);
    cr_expect(transparent);
    tables_free(&tables);
    tables = counts_of(&picture, &metadata, skipping, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 0);
    cr_expect(transparent);
    tables_free(&tables);
    img_metadata_free(&metadata);
}

/* In a picture of 2 bits only the lower 2 bits of the transparent gray in tRNS count. */
Test(picture_counts, the_transparent_gray_uses_only_the_bits_of_the_samples)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    img_metadata_add(&metadata, "tRNS", IMG_BEFORE_IDAT, (const uint8_t[]){0xFF, 0xFE}, 2, &err);
    ImgView picture = img_view_make(indices, 7, (ImgShape){7, 1, {IMG_COLOR_GRAY, 2}});
    uint64_t unknown;
    bool transparent;
    Tables tables = counts_of(&picture, &metadata, counting, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 7);
    cr_expect_eq(tables.of[CHANNEL_GRAY][2], 3);
    cr_expect_null(tables.of[CHANNEL_ALPHA]);
    tables_free(&tables);
    tables = counts_of(&picture, &metadata, skipping, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 4);
    cr_expect_eq(tables.of[CHANNEL_GRAY][2], 0);
    cr_expect_eq(tables.of[CHANNEL_GRAY][0], 2);
    cr_expect_not(transparent);
    tables_free(&tables);
    picture.width = 2;
    picture.data = indices + 1;
    tables = counts_of(&picture, &metadata, counting, &unknown, &transparent);
    cr_expect(transparent);
    tables_free(&tables);
    img_metadata_free(&metadata);
}

/* The left pixel of each row has the transparent colour. Of the right pixels, the upper one shares
 * only red and green with it, and the lower one only blue. */
Test(picture_counts, the_transparent_colour_needs_all_three_channels)
{
    uint16_t pixels[2][9] = {{1000, 2000, 3000, 1000, 2000, 9}, {1000, 2000, 3000, 5, 6, 3000}};
    static const uint8_t key[] = {1000 >> 8,  1000 & 255, 2000 >> 8,
                                  2000 & 255, 3000 >> 8,  3000 & 255};
    ImgMetadata metadata = IMG_METADATA_NONE;
    img_metadata_add(&metadata, "tRNS", IMG_BEFORE_IDAT, key, 6, &err);
    ImgView picture =
        img_view_make(pixels, sizeof pixels[0], (ImgShape){2, 2, {IMG_COLOR_RGB, 16}});
    uint64_t unknown;
    bool transparent;
    Tables tables = counts_of(&picture, &metadata, skipping, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 2);
    cr_expect_eq(tables.of[CHANNEL_RED][1000], 1);
    cr_expect_eq(tables.of[CHANNEL_RED][5], 1);
    cr_expect_eq(tables.of[CHANNEL_GREEN][2000], 1);
    cr_expect_eq(tables.of[CHANNEL_BLUE][3000], 1);
    cr_expect_eq(tables.of[CHANNEL_BLUE][9], 1);
    uint32_t luma = img_luma(img_luma_weights(IMG_LUMA_709), 1000, 2000, 3000);
    cr_expect_eq(tables.of[CHANNEL_LUMA][luma], 0);
    cr_expect_not(transparent);
    tables_free(&tables);
    picture.width = 1;
    tables = counts_of(&picture, &metadata, counting, &unknown, &transparent);
    cr_expect_eq(tables.pixels, 2);
    cr_expect_eq(tables.of[CHANNEL_LUMA][luma], 2);
    cr_expect(transparent);
    tables_free(&tables);
    img_metadata_free(&metadata);
}

/* --- Files and directories -------------------------------------------------------------------- */

static char home[] = "/tmp/imgtool-inputs.XXXXXX";

static void touch(const char *name)
{
    FILE *file = fopen(name, "w");
    cr_assert_not_null(file);
    fclose(file);
}

static void enter_directory(void)
{
    cr_assert_not_null(mkdtemp(home));
    cr_assert_eq(chdir(home), 0);
}

static void leave_directory(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", home);
    cr_assert_eq(system(command), 0);
}

TestSuite(inputs, .init = enter_directory, .fini = leave_directory);

/* Returns the paths of the inputs, separated by spaces. */
static const char *listed(const Inputs *inputs)
{
    static char text[512];
    text[0] = '\0';
    for (size_t i = 0; i < inputs->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? " " : "", inputs->paths[i]);
    }
    return text;
}

Test(inputs, a_directory_stands_for_its_png_files)
{
    Inputs inputs = INPUTS_NONE;
    mkdir("d", 0700);
    mkdir("d/c", 0700);
    mkdir("d/e.png", 0700);
    touch("d/b.png");
    touch("d/Z.PNG");
    touch("d/a.png");
    touch("d/.hidden.png");
    touch("d/photo.jpg");
    touch("d/png");
    touch("d/c/x.png");
    touch("d/e.png/y.png");
    inputs_add(&inputs, "other.txt", false);
    inputs_add(&inputs, "d/", false);
    inputs_add(&inputs, "-", false);
    cr_expect_str_eq(listed(&inputs), "other.txt d/Z.PNG d/a.png d/b.png -");
    inputs_free(&inputs);
    inputs_add(&inputs, "d", true);
    cr_expect_str_eq(listed(&inputs), "d/Z.PNG d/a.png d/b.png d/c/x.png d/e.png/y.png");
    cr_expect_eq(inputs.failures, 0);
    inputs_free(&inputs);
}

Test(inputs, link_loops_end)
{
    Inputs inputs = INPUTS_NONE;
    mkdir("d", 0700);
    touch("d/a.png");
    touch("elsewhere");
    cr_assert_eq(symlink(".", "d/loop"), 0);
    cr_assert_eq(symlink("..", "d/up"), 0);
    cr_assert_eq(symlink("../elsewhere", "d/link.png"), 0);
    cr_assert_eq(symlink("self.png", "d/self.png"), 0);
    cr_assert_eq(symlink("d", "named"), 0);
    cr_assert_eq(mkfifo("d/pipe.png", 0600), 0);
    inputs_add(&inputs, "named", true);
    cr_expect_str_eq(listed(&inputs), "named/a.png named/link.png named/self.png",
                     "links to files, broken ones too, whose error is then reported");
    inputs_free(&inputs);
}

Test(inputs, a_directory_without_png_files_fails)
{
    Inputs inputs = INPUTS_NONE;
    mkdir("d", 0700);
    mkdir("d/e", 0700);
    inputs_add(&inputs, "d", false);
    inputs_add(&inputs, "d/e", true);
    cr_expect_eq(inputs.failures, 2);
    cr_expect_eq(inputs.failure_code, 3);
    touch("d/e/f.png");
    inputs_add(&inputs, "d", true);
    cr_expect_eq(inputs.failures, 2);
    cr_expect_str_eq(listed(&inputs), "d/e/f.png");
    inputs_free(&inputs);
}

static void as_ordinary_user(void)
{
    if (geteuid() == 0 && (setegid(65534) != 0 || seteuid(65534) != 0))
        cr_skip_test("cannot become an ordinary user");
}

/* A directory may be readable but not searchable. Then its entries have names but no types. Files
 * named *.png are reported when they are opened, directories when they are listed. */
Test(inputs, directories_that_cannot_be_searched_are_reported)
{
    Inputs inputs = INPUTS_NONE;
    mkdir("d", 0755);
    mkdir("d/closed", 0755);
    mkdir("d/closed/below", 0755);
    touch("d/a.png");
    touch("d/closed/b.png");
    touch("d/closed/notes.txt");
    touch("d/closed/below/c.png");
    cr_assert_eq(chmod(home, 0755), 0);
    /* now even the owner cannot open files in the directory */
    cr_assert_eq(chmod("d/closed", 0444), 0);
    as_ordinary_user();
    inputs_add(&inputs, "d", true);
    cr_expect_str_eq(listed(&inputs), "d/a.png d/closed/b.png");
    cr_expect_eq(inputs.failures, 1);
    inputs_free(&inputs);
    inputs_add(&inputs, "d", false);
    cr_expect_eq(inputs.failures, 0, "nothing below was asked for");
    inputs_free(&inputs);
    (void)!seteuid(0);
    (void)!setegid(0);
    cr_assert_eq(chmod("d/closed", 0755), 0);
}

Test(inputs, a_tree_deeper_than_a_path_is_reported)
{
    enum { LEVELS = 20, NAME = 240 };
    char name[NAME + 1];
    Inputs inputs = INPUTS_NONE;
    memset(name, 'n', NAME);
    name[NAME] = '\0';
    for (int i = 0; i < LEVELS; i++)
        cr_assert(mkdir(name, 0700) == 0 && chdir(name) == 0);
    touch("deep.png");
    cr_assert_eq(chdir(home), 0);
    touch("a.png");
    inputs_add(&inputs, ".", true);
    cr_expect_eq(inputs.count, 1);
    cr_expect_eq(inputs.failures, 1);
    inputs_free(&inputs);
}
