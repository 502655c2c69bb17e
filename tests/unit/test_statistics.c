/* Tests of statistics from counts: values worked out by hand, and sums that need wide integers. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/histogram/statistics.h"

static void expect_near(double value, double wanted)
{
    cr_expect(fabs(value - wanted) <= 1e-12 * fabs(wanted), "%.17g is not %.17g", value, wanted);
}

/* The eight samples have the mean 5 and the variance (9 + 1 + 1 + 1 + 0 + 0 + 4 + 16) / 8 = 4. */
Test(statistics, eight_pixels_match_values_worked_out_by_hand)
{
    uint64_t counts[16] = {[2] = 1, [4] = 3, [5] = 2, [7] = 1, [9] = 1};
    ImgStatistics all = img_statistics(counts, 16);
    cr_expect_eq(all.pixels, 8);
    cr_expect_eq(all.minimum, 2);
    cr_expect_eq(all.maximum, 9);
    cr_expect(all.sum == 40);
    cr_expect(all.sum_of_squares == 4 + 3 * 16 + 2 * 25 + 49 + 81);
    cr_expect_eq(all.mean, 5.0);
    cr_expect_eq(all.deviation, 2.0);
    cr_expect_eq(all.median, 4, "of 2 4 4 4 5 5 7 9 the fourth");
    /* Three values appear once; each takes 3 bits and has the weight 1/8. One value appears twice;
     * it takes 2 bits and has the weight 1/4. One value appears three times; it takes log2(8/3)
     * bits and has the weight 3/8. */
    expect_near(all.entropy, 3 * 3.0 / 8 + 2.0 / 4 + 3.0 / 8 * log2(8.0 / 3));
    cr_expect_eq(all.lowest, 0);
    cr_expect_eq(all.highest, 0);
}

Test(statistics, black_and_white_match)
{
    uint64_t counts[2] = {3, 1};
    ImgStatistics all = img_statistics(counts, 2);
    cr_expect_eq(all.mean, 0.25);
    expect_near(all.deviation, sqrt(3.0) / 4);
    cr_expect_eq(all.median, 0);
    cr_expect_eq(all.lowest, 3);
    cr_expect_eq(all.highest, 1);
    expect_near(all.entropy, 2 - 0.75 * log2(3));
}

Test(statistics, every_value_once_matches)
{
    uint64_t counts[256];
    for (int v = 0; v < 256; v++)
        counts[v] = 1000;
    ImgStatistics all = img_statistics(counts, 256);
    cr_expect_eq(all.mean, 127.5);
    expect_near(all.deviation, sqrt((256.0 * 256 - 1) / 12));
    cr_expect_eq(all.entropy, 8.0);
    cr_expect_eq(all.median, 127);
    cr_expect_eq(all.lowest, 1000);
    cr_expect_eq(all.highest, 1000);
}

Test(statistics, an_empty_table_has_no_statistics)
{
    uint64_t counts[4] = {0};
    ImgStatistics all = img_statistics(counts, 4);
    cr_expect_eq(all.pixels, 0);
    cr_expect_eq(all.mean, 0.0);
    cr_expect_eq(all.entropy, 0.0);
    cr_expect_eq(img_percentile(counts, 4, 50 * IMG_PERCENT), 0);
}

/* For 2^28 pixels of value 65535 the sum has 44 bits and the sum of squares 60 bits. The number of
 * pixels times the sum of squares has 88 bits. */
Test(statistics, the_largest_picture_of_the_largest_value_is_exact)
{
    uint64_t *counts = calloc(65536, sizeof *counts);
    const uint64_t pixels = UINT64_C(16384) * 16384;
    counts[65535] = pixels;
    ImgStatistics all = img_statistics(counts, 65536);
    cr_expect_eq(all.pixels, pixels);
    cr_expect(all.sum == (ImgWide)pixels * 65535);
    cr_expect(all.sum_of_squares == (ImgWide)pixels * 65535 * 65535);
    cr_expect_eq(all.mean, 65535.0);
    cr_expect_eq(all.deviation, 0.0);
    cr_expect_eq(all.entropy, 0.0);
    cr_expect_not(signbit(all.entropy), "no negative zero is printed");
    cr_expect_eq(all.median, 65535);
    cr_expect_eq(all.highest, pixels);
    char text[IMG_WIDE_TEXT];
    cr_expect_str_eq(img_wide_text(all.sum, text), "17591917608960");
    cr_expect_str_eq(img_wide_text(all.sum_of_squares, text), "1152886320503193600");

    /* One pixel of another value must change the result, although the difference is only 3e-18 of
     * the sum of squares. */
    counts[65535]--;
    counts[65534]++;
    all = img_statistics(counts, 65536);
    expect_near(all.deviation, sqrt((double)(pixels - 1)) / (double)pixels);
    free(counts);
}

/* The table of counts has the maximum number of pixels. */
Test(statistics, two_to_the_48_pixels_are_exact)
{
    uint64_t *counts = calloc(65536, sizeof *counts);
    const uint64_t half = UINT64_C(1) << 47;
    counts[0] = counts[65535] = half;
    ImgStatistics all = img_statistics(counts, 65536);
    cr_expect_eq(all.mean, 32767.5);
    cr_expect_eq(all.deviation, 32767.5);
    cr_expect_eq(all.entropy, 1.0);
    char text[IMG_WIDE_TEXT];
    cr_expect_str_eq(img_wide_text(all.sum_of_squares, text), "604444463203978366156800");
    free(counts);
}

/* Percentiles by nearest rank of the five values 15, 20, 35, 40 and 50. 30 % of five is 1.5,
 * rounded up to 2, so the percentile is the second value. */
Test(statistics, percentiles_match_values_worked_out_by_hand)
{
    uint64_t counts[64] = {[15] = 1, [20] = 1, [35] = 1, [40] = 1, [50] = 1};
    static const struct {
        double percent;
        uint32_t value;
    } cases[] = {{0, 15},         {5, 15},  {20, 15},   {20.000001, 20}, {30, 20}, {40, 20},
                 {40.000001, 35}, {50, 35}, {99.9, 50}, {80, 40},        {100, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImgPercentage percentage = (ImgPercentage)llround(cases[i].percent * IMG_PERCENT);
        cr_expect_eq(img_percentile(counts, 64, percentage), cases[i].value, "%g %%",
                     cases[i].percent);
    }
}

/* The product of 2^48 pixels and 99.999999 % needs more than 64 bits. */
Test(statistics, percentiles_of_many_pixels_are_exact)
{
    const uint64_t many = UINT64_C(1) << 48;
    uint64_t counts[4] = {0, many / 4, many / 4, many / 2};
    cr_expect_eq(img_percentile(counts, 4, 25 * IMG_PERCENT), 1);
    cr_expect_eq(img_percentile(counts, 4, 25 * IMG_PERCENT + 1), 2);
    cr_expect_eq(img_percentile(counts, 4, 50 * IMG_PERCENT), 2);
    cr_expect_eq(img_percentile(counts, 4, 50 * IMG_PERCENT + 1), 3);
    cr_expect_eq(img_percentile(counts, 4, 100 * IMG_PERCENT - 1), 3);
}

Test(statistics, wide_integers_are_exact)
{
    char text[IMG_WIDE_TEXT];
    cr_expect_str_eq(img_wide_text(0, text), "0");
    cr_expect_str_eq(img_wide_text(UINT64_MAX, text), "18446744073709551615");
    cr_expect_str_eq(img_wide_text(~(ImgWide)0, text), "340282366920938463463374607431768211455");
}

Test(counts, tables_of_equal_depth_are_added)
{
    uint64_t sums[4] = {1, 2, 3, 4};
    const uint64_t counts[4] = {10, 0, 20, 30};
    img_counts_add(sums, 2, counts, 2);
    cr_expect_arr_eq(sums, ((uint64_t[]){11, 2, 23, 34}), sizeof sums);
}

/* To reach 16 bits, a sample is multiplied by 65535 / 255 = 257, 65535 / 15 = 4369, 65535 / 3 =
 * 21845 or 65535. */
Test(counts, every_depth_scales_to_sixteen_bits)
{
    static const int depths[] = {1, 2, 4, 8, 16};
    uint64_t *sums = malloc(65536 * sizeof *sums), *counts = malloc(65536 * sizeof *counts);
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        size_t values = img_counts_size(depths[i]), unit = 65535 / (values - 1);
        memset(sums, 0, 65536 * sizeof *sums);
        for (size_t v = 0; v < values; v++)
            counts[v] = v + 1;
        img_counts_add(sums, 16, counts, depths[i]);
        for (size_t v = 0; v < 65536; v++)
            cr_assert_eq(sums[v], v % unit == 0 ? v / unit + 1 : 0, "%d bits, %zu", depths[i], v);
    }
    free(sums);
    free(counts);
}

/* The samples 0, 100 and 255 have the mean 355 / 3. Scaled to 16 bits, it must stay the same
 * fraction of white. */
Test(counts, scaling_keeps_the_relative_mean)
{
    uint64_t counts[256] = {[0] = 1, [100] = 1, [255] = 1};
    uint64_t *sums = calloc(65536, sizeof *sums);
    img_counts_add(sums, 16, counts, 8);
    ImgStatistics narrow = img_statistics(counts, 256), wide = img_statistics(sums, 65536);
    expect_near(wide.mean, narrow.mean * 257);
    expect_near(wide.deviation, narrow.deviation * 257);
    cr_expect_eq(wide.median, 100 * 257);
    cr_expect_eq(wide.entropy, narrow.entropy);
    cr_expect_eq(wide.highest, 1);
    free(sums);
}

/* The 16 values are divided into 5 bins: 0 to 3, 4 to 6, 7 to 9, 10 to 12 and 13 to 15. */
Test(counts, values_are_divided_into_bins)
{
    uint64_t counts[16], binned[16];
    for (size_t v = 0; v < 16; v++)
        counts[v] = (uint64_t)1 << v;
    img_counts_bin(counts, 4, binned, 5);
    cr_expect_eq(binned[0], 0x000F);
    cr_expect_eq(binned[1], 0x0070);
    cr_expect_eq(binned[2], 0x0380);
    cr_expect_eq(binned[3], 0x1C00);
    cr_expect_eq(binned[4], 0xE000);
    img_counts_bin(counts, 4, binned, 16);
    cr_expect_arr_eq(binned, counts, sizeof counts);
}

Test(counts, bins_start_at_their_first_value)
{
    for (uint32_t bins = 1; bins <= 256; bins++) {
        for (uint32_t v = 0; v < 256; v++) {
            uint32_t bin = v * bins / 256;
            cr_assert(img_bin_start(bin, 8, bins) <= v && v < img_bin_start(bin + 1, 8, bins),
                      "%u of %u bins", v, bins);
        }
    }
    cr_expect_eq(img_bin_start(65536, 16, 65536), 65536);
    cr_expect_eq(img_bin_start(65535, 16, 65536), 65535);
}
