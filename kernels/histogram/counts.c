#include "kernels/histogram/counts.h"

#include <string.h>

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
