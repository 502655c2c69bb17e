#include "kernels/histogram/statistics.h"

#include <math.h>
#include <string.h>

static void add_up(const uint64_t *counts, size_t bins, ImgStatistics *all)
{
    for (size_t v = 0; v < bins; v++) {
        uint64_t count = counts[v];
        if (count == 0)
            continue;
        if (all->pixels == 0)
            all->minimum = (uint32_t)v;
        all->maximum = (uint32_t)v;
        all->pixels += count;
        all->sum += (ImgWide)count * v;
        all->sum_of_squares += (ImgWide)count * v * v;
    }
}

/* Returns the standard deviation: sqrt(n * sum of squares - sum^2) / n, where n is the number of
 * pixels. The number under the root is an exact integer, so there is no cancellation. A picture of
 * only one value has a deviation of exactly 0. */
static double deviation(const ImgStatistics *all)
{
    ImgWide spread = all->pixels * all->sum_of_squares - all->sum * all->sum;
    return sqrt((double)spread) / (double)all->pixels;
}

/* Returns the entropy, -sum p log2 p (C. E. Shannon, "A Mathematical Theory of Communication",
 * 1948). Terms are always added from the smallest value to the largest, so that the result is
 * reproducible. */
static double entropy(const uint64_t *counts, size_t bins, uint64_t pixels)
{
    double sum = 0;
    for (size_t v = 0; v < bins; v++) {
        if (counts[v] == 0 || counts[v] == pixels)
            continue;
        double share = (double)counts[v] / (double)pixels;
        sum -= share * log2(share);
    }
    return sum;
}

ImgStatistics img_statistics(const uint64_t *counts, size_t bins)
{
    ImgStatistics all;
    memset(&all, 0, sizeof all);
    add_up(counts, bins, &all);
    if (all.pixels == 0)
        return all;
    all.mean = (double)all.sum / (double)all.pixels;
    all.deviation = deviation(&all);
    all.median = img_percentile(counts, bins, 50 * IMG_PERCENT);
    all.entropy = entropy(counts, bins, all.pixels);
    all.lowest = counts[0];
    all.highest = counts[bins - 1];
    return all;
}

uint32_t img_percentile(const uint64_t *counts, size_t bins, ImgPercentage percentage)
{
    const ImgWide whole = (ImgWide)100 * IMG_PERCENT;
    ImgWide pixels = 0, below = 0;
    for (size_t v = 0; v < bins; v++)
        pixels += counts[v];
    for (size_t v = 0; v < bins; v++) {
        below += counts[v];
        if (counts[v] != 0 && below * whole >= pixels * percentage)
            return (uint32_t)v;
    }
    return 0;
}

const char *img_wide_text(ImgWide number, char text[IMG_WIDE_TEXT])
{
    char digits[IMG_WIDE_TEXT];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number != 0);
    memcpy(text, digits + at, sizeof digits - at);
    return text;
}

size_t img_counts_size(int bits)
{
    return (size_t)1 << bits;
}

void img_counts_add(uint64_t *sums, int sums_bits, const uint64_t *counts, int bits)
{
    size_t scale = (img_counts_size(sums_bits) - 1) / (img_counts_size(bits) - 1);
    for (size_t v = 0; v < img_counts_size(bits); v++)
        sums[v * scale] += counts[v];
}

void img_counts_bin(const uint64_t *counts, int bits, uint64_t *binned, uint32_t bins)
{
    memset(binned, 0, bins * sizeof *binned);
    for (size_t v = 0; v < img_counts_size(bits); v++)
        binned[v * bins >> bits] += counts[v];
}

uint32_t img_bin_start(uint32_t bin, int bits, uint32_t bins)
{
    return (uint32_t)((((uint64_t)bin << bits) + bins - 1) / bins);
}
