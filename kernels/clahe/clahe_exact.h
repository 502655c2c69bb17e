/* Private to clahe: the arithmetic of clahe.h with fewer instructions. Divisions of 64-bit integers
 * are replaced by products of doubles, n * (1.0 / d), that truncate to the same integer.
 *
 * Proof: the numerators have the form n + 1/2 with an integer n, so a quotient (n + 1/2) / d
 * differs from every integer by at least 1 / (2 d). This is more than 2^-33, because d is below
 * 2^32. Quotients are at most 2^16 + 1. The roundings of 1 / d and of the product have a relative
 * error of 2^-53 each. So their error is less than 2^-35 in all. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_EXACT_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_EXACT_H

#include "kernels/clahe/clahe.h"

/* Returns the first pixel, along one axis, that is not before the centre of `tile`; this is where
 * cell `tile` + 1 starts. Cell i lies between the centres of tiles i - 1 and i. The first and the
 * last cell touch only one tile. */
IMG_HOST_DEVICE int32_t clahe_middle(const int32_t *borders, int32_t tile)
{
    return (int32_t)(((uint32_t)borders[tile] + (uint32_t)borders[tile + 1]) / 2);
}

/* Returns half the reciprocal of the distance, in pixels, between the two centres of a cell.
 * Returns 0 if the cell touches only one tile. */
IMG_HOST_DEVICE double clahe_slope(const int32_t *borders, int32_t tiles, int32_t cell)
{
    if (cell <= 0 || cell >= tiles)
        return 0;
    return 1.0 / (double)((int64_t)borders[cell + 1] - borders[cell - 1]);
}

/* Returns the same weight as img_clahe_between for pixel `at` of cell `cell`. `slope` is the result
 * of clahe_slope. */
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

/* Returns the same value as img_clahe_entry, for a tile with at least one counted pixel. `half` is
 * total / 2 + 1/2, with total / 2 rounded down, and `part` is 1.0 / total. below * maximum and the
 * sum with `half` are exact, because they are multiples of 1/2 below 2^49. The product with `part`
 * is rounded, but truncates to the right integer by the proof above. */
IMG_HOST_DEVICE uint32_t clahe_entry(uint32_t below, double maximum, double half, double part)
{
    return (uint32_t)(((double)below * maximum + half) * part);
}

/* Returns the sum of two products: each 16-bit half of `weights` times a byte of `entry`. The bytes
 * are the two high ones if `high` is true, otherwise the two low ones. */
IMG_HOST_DEVICE uint32_t clahe_dot(uint32_t weights, uint32_t entry, bool high)
{
#ifdef __CUDA_ARCH__
    return high ? __dp2a_hi(weights, entry, 0U) : __dp2a_lo(weights, entry, 0U);
#else
    const uint32_t bytes = high ? entry >> 16 : entry;
    return (weights & 0xffff) * (bytes & 0xff) + (weights >> 16) * (bytes >> 8 & 0xff);
#endif
}

/* Returns a word whose top byte is the result of img_clahe_blended, for up to 8 bits per sample.
 * `entry` has one byte per tile: above left, above right, below left, below right. `across` has
 * 2^12 minus the horizontal weight in its low half, and the weight in its high half; `down` is the
 * vertical weight. All sums fit 32 bits: the largest is 255 * 2^24 + 2^23, including the term for
 * rounding. */
IMG_HOST_DEVICE uint32_t clahe_blended_8(uint32_t entry, uint32_t across, uint32_t down)
{
    const uint32_t above = clahe_dot(across, entry, false), below = clahe_dot(across, entry, true);
    return above * ((1U << 12) - down) + (below * down + (1U << 23));
}

/* Returns the same value as img_clahe_blended, for 16 bits per sample. `value` has four table
 * values of at most 2^24, one per tile. Weights are in units of 2^-16. The sums have 40 and 56
 * bits. */
IMG_HOST_DEVICE uint32_t clahe_blended_16(const uint32_t value[4], uint32_t across, uint32_t down)
{
    const uint32_t whole = 1U << 16;
    const uint64_t above = (uint64_t)value[0] * (whole - across) + (uint64_t)value[1] * across;
    const uint64_t below = (uint64_t)value[2] * (whole - across) + (uint64_t)value[3] * across;
    const uint64_t sum = above * (whole - down) + below * down;
    return (uint32_t)((sum + ((uint64_t)1 << 39)) >> 40);
}

#endif
