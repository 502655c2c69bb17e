/* Statistics of one channel, exact from its counts: entry v of `counts` is the number of pixels
 * with value v. All sums are 128-bit integers, so nothing depends on the implementation or on the
 * order of counting. Only the last division, root and logarithm are rounded. A table has at most
 * 2^48 pixels of at most 2^16 values, so the largest product below is less than 2^128. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_STATISTICS_H
#define IMGTOOL_KERNELS_HISTOGRAM_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

__extension__ typedef unsigned __int128 ImgWide;

typedef struct ImgStatistics {
    uint64_t pixels; /* pixels counted; if 0, all other members are 0 */
    uint32_t minimum, maximum;
    ImgWide sum, sum_of_squares;
    double mean;
    double deviation; /* standard deviation, with division by n, not by n - 1 */
    uint32_t median;  /* 50th percentile (img_percentile) */
    /* Shannon's entropy, in bits per pixel: 0 for one value, 8 for 256 equally frequent values */
    double entropy;
    uint64_t lowest;  /* number of pixels of value 0 */
    uint64_t highest; /* number of pixels of the largest possible value, bins - 1 */
} ImgStatistics;

/* Computes the statistics; `bins` must be at least 1. */
ImgStatistics img_statistics(const uint64_t *counts, size_t bins);

/* Percentages in millionths of a per cent, exact, from 0 to 100 %. */
enum { IMG_PERCENT = 1000000 };
typedef uint32_t ImgPercentage;

/* Returns a percentile by nearest rank: the smallest value that occurs such that at least
 * `percentage` of the pixels have that value or a smaller one. For 0 % it is the minimum. So it is
 * always a value of the picture, and the median of an even number of pixels is the smaller of the
 * two in the middle. Returns 0 if nothing was counted. */
uint32_t img_percentile(const uint64_t *counts, size_t bins, ImgPercentage percentage);

/* Writes the decimal digits of a whole number to `text` and returns `text`. */
enum { IMG_WIDE_TEXT = 40 };
const char *img_wide_text(ImgWide number, char text[IMG_WIDE_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
