/* Private to clahe: what clahe.h says, by fewer instructions. Quotients of 64-bit integers become
 * products and quotients of doubles that end in the same integer: (n + 1/2) / d is at least 1/(2 d)
 * away from every integer, at least 2^-33 as d is below 2^32; and as quotients are at most 2^16,
 * two roundings of 2^-53 each are less than 2^-35 together. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_EXACT_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_EXACT_H

#include "kernels/clahe/clahe.h"

/* Cell i lies between the centres of tiles i - 1 and i; the first and the last have one tile only.
 * Where it begins: at the first pixel that is not before the centre of tile i - 1. */
IMG_HOST_DEVICE int32_t clahe_middle(const int32_t *borders, int32_t tile)
{
    return (int32_t)(((uint32_t)borders[tile] + (uint32_t)borders[tile + 1]) / 2);
}

/* img_clahe_between's weight, of a pixel of a cell. */
IMG_HOST_DEVICE uint32_t clahe_weight(const int32_t *borders, int32_t tiles, int32_t cell,
                                      int32_t at, int32_t weight_bits)
{
    if (cell <= 0 || cell >= tiles)
        return 0;
    const int64_t from = (int64_t)borders[cell - 1] + borders[cell] - 1;
    const int64_t distance = (int64_t)borders[cell + 1] - borders[cell - 1];
    const int64_t n = ((2 * (int64_t)at - from) << weight_bits) + distance / 2;
    return (uint32_t)(((double)n + 0.5) / (double)distance);
}

/* img_clahe_entry; `part` is 1.0 / total. */
IMG_HOST_DEVICE uint32_t clahe_entry(const ImgClahePlan *plan, uint32_t bin, uint32_t below,
                                     uint32_t total, double part)
{
    if (total == 0)
        return ((bin + 1) << plan->fine_bits) - 1;
    const uint32_t maximum = (1U << plan->bits) - 1;
    return (uint32_t)(((double)((uint64_t)below * maximum + total / 2) + 0.5) * part);
}

/* How many pixels img_clahe_spread_count has added to bins up to this one. `part` is 1.0F /
 * spread.step, exact enough for numbers below 256 by the same reason. */
IMG_HOST_DEVICE uint32_t clahe_spread_up_to(ImgClaheSpread spread, uint32_t bin, float part)
{
    const uint32_t more = (uint32_t)(((float)bin + 0.5F) * part) + 1;
    return (bin + 1) * spread.each + (more < spread.rest ? more : spread.rest);
}

/* img_clahe_blended of 16 bits, from what four tables say of a value, 2^24 at most each, and
 * weights of 2^-16: sums of 40 and of 56 bits. */
IMG_HOST_DEVICE uint32_t clahe_blended_16(const uint32_t value[4], uint32_t across, uint32_t down)
{
    const uint32_t whole = 1U << 16;
    const uint64_t above = (uint64_t)value[0] * (whole - across) + (uint64_t)value[1] * across;
    const uint64_t below = (uint64_t)value[2] * (whole - across) + (uint64_t)value[3] * across;
    const uint64_t sum = above * (whole - down) + below * down;
    return (uint32_t)((sum + ((uint64_t)1 << 39)) >> 40);
}

#endif
