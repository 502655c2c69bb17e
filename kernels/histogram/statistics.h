/* Computes statistics of one channel from its counts. Entry v of `counts` is the number of pixels
 * with value v. All sums are 128-bit integers, so results do not depend on the implementation or on
 * the order of counting. Only the last division, root and logarithm are rounded. A table has at
 * most 2^48 pixels of at most 2^16 values, so the largest product in these computations is less
 * than 2^128. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_STATISTICS_H
#define IMGTOOL_KERNELS_HISTOGRAM_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

__extension__ typedef unsigned __int128 ImgWide;

typedef struct ImgStatistics {
    uint64_t pixels; /* number of pixels that were counted; if 0, all other members are 0 */
    uint32_t minimum, maximum;
    ImgWide sum, sum_of_squares;
    double mean;
    /* standard deviation, with division by the number of pixels n, not by n - 1 */
    double deviation;
    uint32_t median; /* 50th percentile, see img_percentile */
    /* Shannon's entropy, in bits per pixel. It is 0 for a single value, and 8 for 256 equally
     * frequent values. */
    double entropy;
    uint64_t lowest;  /* number of pixels of value 0 */
    uint64_t highest; /* number of pixels of the largest possible value, bins - 1 */
} ImgStatistics;

/* Computes the statistics of a channel with `bins` possible values; `bins` must be at least 1. */
ImgStatistics img_statistics(const uint64_t *counts, size_t bins);

/* IMG_PERCENT is one per cent in the unit of ImgPercentage, millionths of a per cent. Percentages
 * are exact and range from 0 to 100 * IMG_PERCENT. */
enum { IMG_PERCENT = 1000000 };
typedef uint32_t ImgPercentage;

/* Returns a percentile by nearest rank. It is the smallest value of the picture for which at least
 * `percentage` of the pixels have this value or a smaller one. For 0 % it is the minimum. The
 * median of an even number of pixels is the smaller of the two values in the middle. Returns 0 if
 * no pixels were counted. */
uint32_t img_percentile(const uint64_t *counts, size_t bins, ImgPercentage percentage);

enum { IMG_WIDE_TEXT = 40 };
/* Writes the decimal digits of a whole number to `text` and returns `text`. */
const char *img_wide_text(ImgWide number, char text[IMG_WIDE_TEXT]);

/* --- Rows of counts --------------------------------------------------------------------------- */

/* A row has 2^bits entries; entry v is the number of pixels of value v. These functions add the
 * counts of pictures, also of different depths, and combine values to bins. They are exact. */

/* Returns 2^bits, the number of entries of a row for samples of `bits` bits. */
size_t img_counts_size(int bits);

/* Adds the counts of samples of `bits` bits to `sums`, the counts of samples of `sums_bits` bits.
 * Both depths must be 1, 2, 4, 8 or 16, and sums_bits >= bits. Value v is counted as v *
 * (2^sums_bits - 1) / (2^bits - 1), which is an integer. So black stays black, and white stays
 * white. */
void img_counts_add(uint64_t *sums, int sums_bits, const uint64_t *counts, int bits);

/* Adds up counts to `bins` bins of equal width. Value v goes to bin floor(v * bins / 2^bits).
 * `bins` must be 1 to 2^bits. */
void img_counts_bin(const uint64_t *counts, int bits, uint64_t *binned, uint32_t bins);

/* Returns the smallest value that belongs to bin number `bin`. If `bin` equals `bins`, it returns
 * 2^bits. */
uint32_t img_bin_start(uint32_t bin, int bits, uint32_t bins);

#ifdef __cplusplus
}
#endif
#endif
