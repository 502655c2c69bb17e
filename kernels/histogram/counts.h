/* Exact arithmetic on rows of counts: adding the counts of pictures, also of different depths, and
 * binning. A row has 2^bits entries; entry v is the number of pixels of value v. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COUNTS_H
#define IMGTOOL_KERNELS_HISTOGRAM_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns 2^bits. */
size_t img_counts_size(int bits);

/* Adds `counts` of `bits`-bit samples to `sums` of `sums_bits`-bit samples. Both are 1, 2, 4, 8 or
 * 16, and sums_bits >= bits. Value v goes to v * (2^sums_bits - 1) / (2^bits - 1), which is an
 * integer: black stays black, white stays white, and nothing is rounded. */
void img_counts_add(uint64_t *sums, int sums_bits, const uint64_t *counts, int bits);

/* Sums counts into `bins` bins of equal width. Value v goes to bin floor(v * bins / 2^bits). `bins`
 * is 1 to 2^bits. */
void img_counts_bin(const uint64_t *counts, int bits, uint64_t *binned, uint32_t bins);

/* Returns the smallest value of a bin, or 2^bits for bin `bins`. */
uint32_t img_bin_start(uint32_t bin, int bits, uint32_t bins);

#ifdef __cplusplus
}
#endif
#endif
