/* Exact arithmetic on rows of counts: adds the counts of pictures, also of different depths, and
 * combines values to bins. A row has 2^bits entries; entry v is the number of pixels of value v. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_COUNTS_H
#define IMGTOOL_KERNELS_HISTOGRAM_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
