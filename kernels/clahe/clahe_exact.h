/* Private to clahe: the arithmetic of clahe.h with fewer instructions. Quotients of 64-bit integers
 * are replaced by products of doubles that truncate to the same integer. (n + 1/2) / d differs from
 * every integer by at least 1 / (2 d), which is more than 2^-33, because d is below 2^32. Quotients
 * are at most 2^16 + 1. So the roundings of 1 / d and of the product, 2^-53 each, together are less
 * than 2^-35. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_EXACT_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_EXACT_H

#include "kernels/clahe/clahe.h"

/* Returns the start of cell `tile` + 1: the first pixel that is not before the centre of `tile`.
 * Cell i lies between the centres of tiles i - 1 and i. The first and the last cell have only one
 * tile. */
IMG_HOST_DEVICE int32_t clahe_middle(const int32_t *borders, int32_t tile)
{
    return (int32_t)(((uint32_t)borders[tile] + (uint32_t)borders[tile + 1]) / 2);
}

/* Returns 1.0 / the distance between the two centres of a cell, or 0 if the cell has only one
 * tile. */
IMG_HOST_DEVICE double clahe_slope(const int32_t *borders, int32_t tiles, int32_t cell)
{
    if (cell <= 0 || cell >= tiles)
        return 0;
    return 1.0 / (double)((int64_t)borders[cell + 1] - borders[cell - 1]);
}

/* Returns the weight of img_clahe_between for a pixel of a cell. */
IMG_HOST_DEVICE uint32_t clahe_weight(const int32_t *borders, int32_t cell, double slope,
                                      int32_t at, int32_t weight_bits)
{
    if (slope == 0)
        return 0;
    const int64_t from = (int64_t)borders[cell - 1] + borders[cell] - 1;
    const int64_t distance = (int64_t)borders[cell + 1] - borders[cell - 1];
    const int64_t n = ((2 * (int64_t)at - from) << weight_bits) + distance / 2;
    return (uint32_t)(((double)n + 0.5) * slope);
}

/* Returns img_clahe_entry for a tile that has counted pixels. `half` is total / 2 + 1/2, and `part`
 * is 1.0 / total. The product and the sum are exact, because they are below 2^49. */
IMG_HOST_DEVICE uint32_t clahe_entry(uint32_t below, double maximum, double half, double part)
{
    return (uint32_t)(((double)below * maximum + half) * part);
}

/* Multiplies the two halves of `weights` by the two low or the two high bytes of `entry`, and adds
 * the products. */
IMG_HOST_DEVICE uint32_t clahe_dot(uint32_t weights, uint32_t entry, bool high)
{
#ifdef __CUDA_ARCH__
    return high ? __dp2a_hi(weights, entry, 0U) : __dp2a_lo(weights, entry, 0U);
#else
    const uint32_t bytes = high ? entry >> 16 : entry;
    return (weights & 0xffff) * (bytes & 0xff) + (weights >> 16) * (bytes >> 8 & 0xff);
#endif
}

/* Computes img_clahe_blended for up to 8 bits; the new value is the top byte of the result. `entry`
 * has one byte per tile: above left, above right, below left, below right. `across` has 2^12 minus
 * the weight in its low half, and the weight in its high half. An 8-bit entry and two weights of 12
 * bits fit 32 bits, including the part for rounding: 255 * 2^24 + 2^23. */
IMG_HOST_DEVICE uint32_t clahe_blended_8(uint32_t entry, uint32_t across, uint32_t down)
{
    const uint32_t above = clahe_dot(across, entry, false), below = clahe_dot(across, entry, true);
    return above * ((1U << 12) - down) + (below * down + (1U << 23));
}

/* Computes img_clahe_blended for 16 bits, from four table values of at most 2^24 and weights in
 * units of 2^-16. The sums have 40 and 56 bits. */
IMG_HOST_DEVICE uint32_t clahe_blended_16(const uint32_t value[4], uint32_t across, uint32_t down)
{
    const uint32_t whole = 1U << 16;
    const uint64_t above = (uint64_t)value[0] * (whole - across) + (uint64_t)value[1] * across;
    const uint64_t below = (uint64_t)value[2] * (whole - across) + (uint64_t)value[3] * across;
    const uint64_t sum = above * (whole - down) + below * down;
    return (uint32_t)((sum + ((uint64_t)1 << 39)) >> 40);
}

#endif
