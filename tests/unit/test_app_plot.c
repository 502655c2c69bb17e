/* Tests of plots: ticks at round numbers, columns and the end of their scale, cleaned text, and
 * files that are written completely or not at all. */
#include <math.h>

#include "app/helper/plot_file.h"
#include "app/plot/histogram/curves.h"
#include "app/plot/histogram/histogram.h"
#include "app/plot/page.h"
#include "app/plot/plot.h"
#include "app/plot/ticks.h"
#include "test_io_png.h"

/* --- Ticks and numbers ------------------------------------------------------------------------ */

Test(app_plot, ticks_are_1_2_or_5_times_a_power_of_ten)
{
    cr_expect_eq(plot_step(100, 5, 1), 20);
    cr_expect_eq(plot_step(101, 5, 1), 50, "20 would go in six times");
    cr_expect_eq(plot_step(6, 6, 1), 1);
    cr_expect_eq(plot_step(7, 6, 1), 2);
    cr_expect_eq(plot_step(1, 6, 1), 1, "never finer than a bin");
    cr_expect_float_eq(plot_step(1, 6, 0), 0.2, 1e-12);
    cr_expect_float_eq(plot_step(0.03, 6, 0), 0.005, 1e-15);
    cr_expect_eq(plot_step(12006001, 6, 1), 5000000, "2,000,000 would go in six times");
    cr_expect_eq(plot_step(1e18, 4, 1), 5e17);
}

static void expect_samples(uint32_t maximum, int count, const uint32_t *expected)
{
    uint32_t values[PLOT_SAMPLE_TICKS];
    cr_expect_eq(plot_sample_ticks(maximum, values), count, "of %u", maximum);
    for (int i = 0; i < count; i++)
        cr_expect_eq(values[i], expected[i], "of %u: number %d is %u", maximum, i, values[i]);
}

Test(app_plot, sample_ticks_are_quarters_or_every_value)
{
    expect_samples(1, 2, (uint32_t[]){0, 1});
    expect_samples(3, 4, (uint32_t[]){0, 1, 2, 3});
    expect_samples(15, 16, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    expect_samples(255, 5, (uint32_t[]){0, 64, 128, 192, 255});
    expect_samples(65535, 5, (uint32_t[]){0, 16384, 32768, 49152, 65535});
    expect_samples(UINT32_MAX, 5, (uint32_t[]){0, 1U << 30, 2U << 30, 3U << 30, UINT32_MAX});
    expect_samples(100, 6, (uint32_t[]){0, 20, 40, 60, 80, 100});
    /* There is no tick at 100, because its label would touch the label at 104. */
    expect_samples(104, 3, (uint32_t[]){0, 50, 104});
}

static void expect_number(double value, const char *expected)
{
    char text[PLOT_NUMBER_SIZE];
    cr_expect_str_eq(plot_number_text(value, text), expected);
}

Test(app_plot, large_numbers_get_a_prefix)
{
    expect_number(0, "0");
    expect_number(0.2, "0.2");
    expect_number(999, "999");
    expect_number(1000, "1 k");
    expect_number(2500, "2.5 k");
    expect_number(150000, "150 k");
    expect_number(12500000, "12.5 M");
    expect_number(18446744073709551615.0, "18.45 E");
}

static void expect_exact(uint64_t value, const char *expected)
{
    char text[PLOT_NUMBER_SIZE];
    cr_expect_str_eq(plot_exact_text(value, text), expected);
}

Test(app_plot, digits_are_grouped_in_threes)
{
    expect_exact(0, "0");
    expect_exact(999, "999");
    expect_exact(1000, "1,000");
    expect_exact(123456, "123,456");
    expect_exact(UINT64_MAX, "18,446,744,073,709,551,615");
}

static void expect_share(uint64_t part, uint64_t whole, const char *expected)
{
    char text[PLOT_NUMBER_SIZE];
    cr_expect_str_eq(plot_share_text(part, whole, text), expected);
}

Test(app_plot, percentages_round_to_0_and_100_only_when_exact)
{
    expect_share(0, 0, "0 %");
    expect_share(0, 7, "0 %");
    expect_share(7, 7, "100 %");
    expect_share(1, 1000000000, "< 0.01 %");
    expect_share(999999999, 1000000000, "> 99.9 %");
    expect_share(1, 4, "25.0 %");
    expect_share(341, 10000, "3.41 %");
    expect_share(9996, 100000, "10.0 %");
    expect_share(1, 10000, "0.01 %");
}

/* --- Columns ---------------------------------------------------------------------------------- */

static void expect_columns(int bins, int group, int count)
{
    PlotColumns columns = plot_columns(bins);
    cr_expect_eq(columns.group, group, "%d bins: %d per column", bins, columns.group);
    cr_expect_eq(columns.count, count, "%d bins: %d columns", bins, columns.count);
}

Test(app_plot, many_bins_are_merged_into_fewer_columns)
{
    expect_columns(1, 1, 1);
    expect_columns(256, 1, 256);
    expect_columns(768, 1, 768);
    expect_columns(769, 2, 385);
    expect_columns(1000, 2, 500);
    expect_columns(1024, 4, 256);
    expect_columns(65536, 256, 256);
    expect_columns(65535, 86, 763);
}

Test(app_plot, a_column_is_the_sum_of_its_bins)
{
    static uint64_t counts[65536];
    static double sums[PLOT_COLUMNS_MAX];
    for (int bin = 0; bin < 65536; bin++)
        counts[bin] = (uint64_t)bin / 256;
    plot_columns_sum(plot_columns(65536), counts, sums);
    for (int c = 0; c < 256; c++)
        cr_expect_eq(sums[c], 256.0 * c);
    for (int bin = 0; bin < 769; bin++)
        counts[bin] = 3;
    plot_columns_sum(plot_columns(769), counts, sums);
    cr_expect_eq(sums[383], 6);
    cr_expect_eq(sums[384], 6, "one bin, drawn at half the width");
}

static double limit_of(const uint64_t *counts, int bins)
{
    static double sums[PLOT_COLUMNS_MAX];
    PlotColumns columns = plot_columns(bins);
    plot_columns_sum(columns, counts, sums);
    return plot_columns_limit(columns, sums);
}

Test(app_plot, the_scale_ignores_a_few_high_columns)
{
    uint64_t counts[256];
    for (int bin = 0; bin < 256; bin++)
        counts[bin] = 100;
    cr_expect_eq(limit_of(counts, 256), 100);
    counts[0] = 1000000; /* The scale ignores the first and the last column. */
    counts[255] = 2000000;
    cr_expect_eq(limit_of(counts, 256), 100);
    counts[100] = 300; /* three times the ordinary height, which the scale still includes */
    cr_expect_eq(limit_of(counts, 256), 300);
    counts[100] = 301;
    cr_expect_eq(limit_of(counts, 256), 100);
    /* 14 of the 254 inner columns are equally high. That is slightly more than 5 %, so they are not
     * exceptions and the scale includes them. */
    for (int bin = 10; bin < 24; bin++)
        counts[bin] = 5000;
    cr_expect_eq(limit_of(counts, 256), 5000);
}

Test(app_plot, a_few_columns_are_drawn_unmerged)
{
    uint64_t counts[256] = {0};
    cr_expect_eq(limit_of(counts, 256), 0, "nothing");
    counts[255] = 7;
    cr_expect_eq(limit_of(counts, 256), 7, "all at the end");
    counts[77] = 10000;
    cr_expect_eq(limit_of(counts, 256), 10000);
    counts[0] = 20000;
    cr_expect_eq(limit_of(counts, 256), 20000);
    cr_expect_eq(limit_of((uint64_t[]){5}, 1), 5);
    cr_expect_eq(limit_of((uint64_t[]){5, 9}, 2), 9);
}

Test(app_plot, heights_are_linear_or_logarithmic)
{
    PlotFrame frame = {NULL, 0, 0, 100, 300};
    PlotScale linear = {150, false}, logarithmic = {500, true};
    cr_expect_float_eq(plot_scale_height(&frame, linear, 75), 150, 1e-9);
    cr_expect_float_eq(plot_scale_height(&frame, linear, 300), 600, 1e-9, "above the frame");
    cr_expect_eq(plot_scale_height(&frame, logarithmic, 0), 0);
    cr_expect_float_eq(plot_scale_height(&frame, logarithmic, 500), 300, 1e-9);
    cr_expect_float_eq(plot_scale_height(&frame, logarithmic, 5), 100, 1e-9, "from 1/2: 3 decades");
    cr_expect_gt(plot_scale_height(&frame, logarithmic, 1), 20, "one is seen");
}

/* --- Text ------------------------------------------------------------------------------------- */

static void expect_clean(const char *text, const char *expected)
{
    char *clean = plot_clean_text(text);
    cr_expect_str_eq(clean, expected);
    free(clean);
}

Test(app_plot, text_is_cleaned)
{
    expect_clean("photo.png", "photo.png");
    expect_clean("gr\xC3\xBC\xC3\x9F.png", "gr\xC3\xBC\xC3\x9F.png");
    expect_clean("a\nb\tc\x1B[31m\x7F", "a?b?c?[31m?");
    expect_clean("a\xC2\x85z", "a?z"); /* U+0085, NEXT LINE */
    expect_clean((const char[]){'a', '\xE2', '\x80', '\xAE', 'z', 0},
                 "a?z");                                  /* U+202E, RIGHT-TO-LEFT OVERRIDE */
    expect_clean("a\xD8\x9Cz", "a?z");                    /* U+061C, ARABIC LETTER MARK */
    expect_clean("a\xE2\x80\xA9z", "a?z");                /* U+2029, PARAGRAPH SEPARATOR */
    expect_clean("\xFF\xC3", "\xEF\xBF\xBD\xEF\xBF\xBD"); /* bytes that are not UTF-8 */
    expect_clean("\xEF\xBF\xBF", "\xEF\xBF\xBD");         /* U+FFFF, not a character */
    expect_clean("\xEF\xB7\x90z", "\xEF\xBF\xBDz");       /* U+FDD0, not a character */
    expect_clean("\xF0\x9F\xBF\xBEz", "\xEF\xBF\xBDz");   /* U+1FFFE, not a character */
    expect_clean("\xF0\x9F\x93\xB7", "\xF0\x9F\x93\xB7");
}

/* --- Files ------------------------------------------------------------------------------------ */

static char directory[64];

static void enter_directory(void)
{
    strcpy(directory, "/tmp/imgtool-plot-XXXXXX");
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static void leave_directory(void)
{
    static const char *const names[] = {"a.png", "b.png", "a.svg", "b.svg", "full.png", "full.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(names[i]);
    cr_assert_eq(chdir("/"), 0);
    /* rmdir fails if a temporary file is still in the directory. */
    cr_expect_eq(rmdir(directory), 0, "something was left in %s", directory);
}

TestSuite(app_plot_file, .init = enter_directory, .fini = leave_directory);

static uint64_t counts[5][65536];

/* Returns a histogram with a peak in each channel, and with many samples of the largest value in
 * red and alpha. */
static PlotHistogram example(int bins, int series_count)
{
    static const PlotSeries series[] = {{"red", counts[0]},
                                        {"green", counts[1]},
                                        {"blue", counts[2]},
                                        {"luma", counts[3]},
                                        {"alpha", counts[4]}};
    for (int s = 0; s < 5; s++)
        for (int bin = 0; bin < bins; bin++) {
            double at = (double)bin / bins - 0.2 - 0.1 * s;
            counts[s][bin] = (uint64_t)(1000 * exp(-50 * at * at));
        }
    counts[0][bins - 1] = 1000000;
    counts[4][bins - 1] += 2000000;
    return (PlotHistogram){.title = "a photo \x1B \xFF \xEF\xBF\xBF",
                           .series = series,
                           .series_count = (size_t)series_count,
                           .bins = bins,
                           .maximum = (uint32_t)bins - 1,
                           .pixels = 2000000};
}

static ImgStatus try_plot(const PlotHistogram *what, const char *path, ImgError *err)
{
    PlotBytes picture = PLOT_BYTES_NONE;
    ImgStatus status = plot_file_check(path, err);
    if (status == IMG_OK)
        status = plot_histogram(what, plot_file_is_svg(path), &picture, err);
    if (status == IMG_OK)
        status = plot_file_write(path, &picture, err);
    free(picture.data);
    return status;
}

static void plot(const PlotHistogram *what, const char *path)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(try_plot(what, path, &err), IMG_OK, "%s: %s", path, err.message);
}

static uint32_t be32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Returns the decoded picture of a PNG file. The decoder in io/ checks every chunk. */
static ImgImage decoded(const char *path)
{
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    ImgImage image = IMG_IMAGE_NONE;
    cr_assert_eq(img_source_open(path, &WIDE_LIMITS, &source, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_source_load(source, &err), IMG_OK, "%s", err.message);
    cr_assert_eq(img_source_decode(source, NULL, &image, NULL, &err), IMG_OK, "%s", err.message);
    img_source_close(source);
    return image;
}

static const uint8_t *pixel(const ImgImage *image, int x, int y)
{
    return image->view.data + (size_t)y * image->view.stride + (size_t)x * 3;
}

Test(app_plot_file, a_png_shows_curves_on_white)
{
    PlotHistogram what = example(256, 5);
    plot(&what, "a.png");
    Bytes bytes = read_all("a.png");
    cr_assert_geq(bytes.size, 33);
    cr_expect_eq(be32(bytes.data + 16), 1080 * PLOT_PNG_SCALE);
    cr_expect_eq(be32(bytes.data + 20), 560 * PLOT_PNG_SCALE);
    free(bytes.data);
    ImgImage image = decoded("a.png");
    const uint8_t *corner = pixel(&image, 0, 0);
    cr_expect(corner[0] == 255 && corner[1] == 255 && corner[2] == 255);
    /* The plot is 768 x 380 units large, and its upper left corner is at (76, 84). A unit is 2
     * pixels. At 1/10 of its width and 60 units above its lower edge only the red curve covers the
     * pixel. At 6/10 and 40 units only the blue curve does. */
    const uint8_t *red = pixel(&image, (76 + 768 / 10) * 2, (84 + 380 - 60) * 2);
    cr_expect(red[0] > red[1] && red[0] > red[2], "%d %d %d", red[0], red[1], red[2]);
    const uint8_t *blue = pixel(&image, (76 + 768 * 6 / 10) * 2, (84 + 380 - 40) * 2);
    cr_expect(blue[2] > blue[0] && blue[2] > blue[1], "%d %d %d", blue[0], blue[1], blue[2]);
    img_image_free(&image);
}

static int count_of(const Bytes *bytes, const char *word)
{
    int count = 0;
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= bytes->size; i++)
        count += memcmp(bytes->data + i, word, length) == 0;
    return count;
}

/* Returns true if the SVG closes every element that it opens, in the right order. This check
 * replaces a full XML parser. */
static bool tags_match(const Bytes *svg)
{
    const char *open[64] = {NULL};
    size_t depth = 0;
    const char *at = (const char *)svg->data, *end = at + svg->size;
    while ((at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        const char *close = memchr(at, '>', (size_t)(end - at));
        if (close == NULL || memchr(at + 1, '<', (size_t)(close - at - 1)) != NULL)
            return false;
        size_t name = strcspn(at + 1, " />\n");
        if (at[1] == '/') {
            name = strcspn(at + 2, ">");
            if (depth == 0 || strncmp(open[--depth], at + 2, name) != 0)
                return false;
        } else if (at[1] != '?' && close[-1] != '/') {
            if (depth == sizeof open / sizeof *open || name == 0)
                return false;
            open[depth++] = at + 1;
        }
        at = close;
    }
    return depth == 0;
}

Test(app_plot_file, an_svg_is_well_formed_and_has_only_vectors)
{
    PlotHistogram what = example(256, 5);
    plot(&what, "a.svg");
    Bytes bytes = read_all("a.svg");
    cr_expect_eq(memcmp(bytes.data, "<?xml", 5), 0);
    cr_expect(tags_match(&bytes));
    cr_expect_eq(count_of(&bytes, "</svg>"), 1);
    cr_expect_eq(count_of(&bytes, "<image"), 0, "a bitmap in it");
    cr_expect_gt(count_of(&bytes, "<path"), 20);
    free(bytes.data);
}

static void expect_same(const char *a, const char *b)
{
    Bytes first = read_all(a), second = read_all(b);
    cr_expect_eq(first.size, second.size);
    cr_expect_eq(memcmp(first.data, second.data, first.size), 0, "%s and %s", a, b);
    free(first.data);
    free(second.data);
}

Test(app_plot_file, equal_data_give_equal_bytes)
{
    PlotHistogram what = example(65536, 4);
    plot(&what, "a.png");
    plot(&what, "b.png");
    expect_same("a.png", "b.png");
    what.log_scale = true;
    plot(&what, "b.png");
    Bytes linear = read_all("a.png"), logarithmic = read_all("b.png");
    cr_expect(linear.size != logarithmic.size ||
              memcmp(linear.data, logarithmic.data, linear.size) != 0);
    free(linear.data);
    free(logarithmic.data);
}

Test(app_plot_file, extremes_can_be_drawn)
{
    PlotHistogram what = example(256, 5);
    memset(counts, 0, sizeof counts);
    what.pixels = 0;
    plot(&what, "a.png");
    what.log_scale = true;
    plot(&what, "a.png");
    counts[0][3] = UINT64_MAX;
    what.pixels = UINT64_MAX;
    plot(&what, "a.png");
    what.bins = 1;
    what.series_count = 1;
    plot(&what, "a.png");
    what.log_scale = false;
    what.maximum = 1;
    what.bins = 2;
    plot(&what, "a.svg");
}

static void expect_failure(const PlotHistogram *what, const char *path, ImgStatus expected,
                           const char *words)
{
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(try_plot(what, path, &err), expected, "%s: %s", path, err.message);
    cr_expect_not_null(strstr(err.message, words), "\"%s\" lacks \"%s\"", err.message, words);
}

Test(app_plot_file, invalid_names_and_places_are_rejected)
{
    PlotHistogram what = example(256, 3);
    expect_failure(&what, "a.jpg", IMG_E_USAGE, ".png or .svg");
    expect_failure(&what, "png", IMG_E_USAGE, ".png or .svg");
    expect_failure(&what, ".svg", IMG_E_USAGE, ".png or .svg");
    expect_failure(&what, "missing/a.png", IMG_E_IO, "directory does not exist");
    expect_failure(&what, "missing/a.svg", IMG_E_IO, "directory does not exist");
    what.series_count = 0;
    expect_failure(&what, "a.png", IMG_E_USAGE, "series");
    what.series_count = PLOT_SERIES_MAX + 1;
    expect_failure(&what, "a.png", IMG_E_USAGE, "series");
    what.series_count = 1;
    what.bins = 0;
    expect_failure(&what, "a.png", IMG_E_USAGE, "bin");
    cr_expect_eq(access("a.png", F_OK), -1);
    ImgError err = {IMG_OK, ""};
    cr_expect_eq(plot_file_check("A.PNG", &err), IMG_OK);
    cr_expect_eq(plot_file_check("-", &err), IMG_OK);
}

Test(app_plot_file, a_full_disk_is_reported)
{
    PlotHistogram what = example(256, 3);
    cr_assert_eq(symlink("/dev/full", "full.png"), 0);
    cr_assert_eq(symlink("/dev/full", "full.svg"), 0);
    expect_failure(&what, "full.png", IMG_E_TEMPORARY, "no space left");
    expect_failure(&what, "full.svg", IMG_E_TEMPORARY, "no space left");
}
