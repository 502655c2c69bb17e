/* Private to the tone family: its integer arithmetic, for CPU and GPU.
 *
 * Pictures have fewer than 2^47 pixels, a limit of the address space. So a count times a 16-bit
 * sample fits 64 bits, and sums of samples times counts fit 128 bits. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_ARITHMETIC_H
#define IMGTOOL_KERNELS_TONE_TONE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

/* --- equalize ------------------------------------------------------------------------------- */

/* Returns the equalized value of an old value: round((below - least) * maximum / (total - least)),
 * ties up. `below` is the number of samples that are at most the old value. `least` is the number
 * of samples with the smallest value that occurs; it must be less than `total`. Returns 0 for old
 * values below the smallest one, because only pixels that do not count have them. Source: R. C.
 * Gonzalez and R. E. Woods, Digital Image Processing, 3.3.1; `least` is subtracted so that the
 * darkest value becomes 0. */
IMG_HOST_DEVICE uint32_t img_equalized(uint64_t below, uint64_t least, uint64_t total,
                                       uint32_t maximum)
{
    uint64_t range = total - least;
    return below < least ? 0 : (uint32_t)(((below - least) * maximum + range / 2) / range);
}

/* --- autolevel ------------------------------------------------------------------------------ */

/* Returns floor(total * clip / 100 %), for `clip` in thousandths of a per cent. */
IMG_HOST_DEVICE uint64_t img_clipped_count(uint64_t total, uint32_t clip)
{
    const uint32_t whole = 100000;
    return total / whole * clip + total % whole * clip / whole;
}

/* Returns the new value of `value` when the range low..high is stretched to 0..maximum. It is
 * rounded to nearest, ties up. low must be less than high. */
IMG_HOST_DEVICE uint32_t img_stretched(uint32_t value, uint32_t low, uint32_t high,
                                       uint32_t maximum)
{
    uint32_t range = high - low;
    if (value <= low)
        return 0;
    return value >= high ? maximum : ((value - low) * maximum + range / 2) / range;
}

/* --- threshold ------------------------------------------------------------------------------ */

/* A way to split a picture into two classes, after N. Otsu, "A Threshold Selection Method from
 * Gray-Level Histograms", IEEE Trans. Syst. Man Cybern. 9 (1979). The picture has `total` samples
 * with the sum `moment`. Of these, `count` samples with the sum `lower` are at or below `level`.
 * The variance between the two classes is
 *
 *     (count * moment - total * lower)^2 / (count * (total - count)) / total^2
 *
 * The last factor is the same for all splits, so it is left out. Splits are compared by their
 * doubles if these are far enough apart. Otherwise the fractions are multiplied crosswise in 32-bit
 * limbs. */
typedef struct ImgSplit {
    /* numerator of the fraction before squaring, and its denominator; low limb first */
    uint32_t difference[4], weight[3];
    double variance; /* the fraction, rounded; negative if one of the classes is empty */
    uint32_t level;
} ImgSplit;

IMG_HOST_DEVICE void img_product_64(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    *low = other << 32 | (uint32_t)(a0 * b0);
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
}

IMG_HOST_DEVICE ImgSplit img_no_split(void)
{
    ImgSplit none = {{0, 0, 0, 0}, {0, 0, 0}, -1, 0};
    return none;
}

IMG_HOST_DEVICE ImgSplit img_split(uint32_t level, uint64_t count, uint64_t lower, uint64_t total,
                                   uint64_t moment)
{
    ImgSplit split = img_no_split();
    if (count == 0 || count == total)
        return split;
    uint64_t high, low, other_high, other_low;
    img_product_64(count, moment, &high, &low);
    img_product_64(total, lower, &other_high, &other_low);
    /* The difference is never negative, because the lower class has the lower mean. */
    high -= other_high + (low < other_low ? 1 : 0);
    low -= other_low;
    split.difference[0] = (uint32_t)low;
    split.difference[1] = (uint32_t)(low >> 32);
    split.difference[2] = (uint32_t)high;
    split.difference[3] = (uint32_t)(high >> 32);
    double difference = (double)high * 18446744073709551616.0 + (double)low;
    img_product_64(count, total - count, &high, &low);
    split.weight[0] = (uint32_t)low;
    split.weight[1] = (uint32_t)(low >> 32);
    split.weight[2] = (uint32_t)high;
    double weight = (double)high * 18446744073709551616.0 + (double)low;
    split.variance = difference * difference / weight;
    split.level = level;
    return split;
}

/* Computes out = a * b for numbers in 32-bit limbs. `a` has n limbs and `b` has m limbs; `out` must
 * have room for n + m. */
IMG_HOST_DEVICE void img_product_limbs(const uint32_t *a, int n, const uint32_t *b, int m,
                                       uint32_t *out)
{
    for (int i = 0; i < n + m; i++)
        out[i] = 0;
    for (int i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < m; k++) {
            carry += (uint64_t)a[i] * b[k] + out[i + k];
            out[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        out[i + m] = (uint32_t)carry;
    }
}

/* Compares the fractions of two splits exactly. Returns -1, 0 or 1 if the fraction of `a` is
 * smaller than, equal to or larger than the fraction of `b`. */
IMG_HOST_DEVICE int img_compare_splits(const ImgSplit *a, const ImgSplit *b)
{
    uint32_t square[8], left[11], right[11];
    img_product_limbs(a->difference, 4, a->difference, 4, square);
    img_product_limbs(square, 8, b->weight, 3, left);
    img_product_limbs(b->difference, 4, b->difference, 4, square);
    img_product_limbs(square, 8, a->weight, 3, right);
    for (int i = 10; i >= 0; i--)
        if (left[i] != right[i])
            return left[i] > right[i] ? 1 : -1;
    return 0;
}

/* Returns true if `a` is the better split: its variance is larger, or the variances are equal and
 * its level is lower. The relative error of a variance as a double is a few times 2^-52, which is
 * far below 1e-12. So the doubles decide if they differ by more than this fraction; otherwise the
 * variances are compared exactly. */
IMG_HOST_DEVICE bool img_split_is_better(const ImgSplit *a, const ImgSplit *b)
{
    const double near = 1 - 1e-12;
    if (a->variance < 0 || b->variance < 0)
        return b->variance < 0 && a->variance >= 0;
    if (a->variance * near > b->variance)
        return true;
    if (b->variance * near > a->variance)
        return false;
    int order = img_compare_splits(a, b);
    return order > 0 || (order == 0 && a->level < b->level);
}

#endif
