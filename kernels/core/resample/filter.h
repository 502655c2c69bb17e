/* Resampling filters: the weight of a sample by its distance from the position of a new one.
 * Computed in integers, so that weights are the same on every machine.
 *
 * Distances are exact quotients, numerator / denominator, in samples of the source. When a picture
 * shrinks, the unit is the space of a new sample, so that the filter widens with it.
 *
 *     nearest    one sample, which counts alone
 *     box        1 up to 1/2
 *     bilinear   a triangle, up to 1
 *     bicubic    Catmull-Rom, up to 2: B = 0, C = 1/2
 *     mitchell   up to 2: B = C = 1/3
 *     lanczosN   sinc(x) sinc(x / N) up to N, where sinc(x) = sin(pi x) / (pi x)
 *
 * B and C: D. P. Mitchell and A. N. Netravali, "Reconstruction filters in computer graphics",
 * SIGGRAPH 1988. Lanczos: C. E. Duchon, "Lanczos filtering in one and two dimensions", J. Applied
 * Meteorology 18 (1979). */
#ifndef IMGTOOL_KERNELS_CORE_RESAMPLE_FILTER_H
#define IMGTOOL_KERNELS_CORE_RESAMPLE_FILTER_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ImgFilter {
    IMG_FILTER_NEAREST,
    IMG_FILTER_BOX,
    IMG_FILTER_BILINEAR,
    IMG_FILTER_BICUBIC,
    IMG_FILTER_MITCHELL,
    IMG_FILTER_LANCZOS2,
    IMG_FILTER_LANCZOS3,
    IMG_FILTER_LANCZOS4, /* not an option: for a picture that keeps its size */
} ImgFilter;

/* Choices of a parameter "filter", from the fastest to the best, and their synonyms. */
extern const ImgChoice img_filter_choices[], img_filter_synonyms[];

enum {
    IMG_FILTER_PLACES = 30, /* binary places of a weight: Q30 */
    IMG_FILTER_REACH = 6,   /* largest img_filter_reach of the choices */
    /* in fifths: the absolute values of the weights of a choice add up to less than this */
    IMG_FILTER_OVERSHOOT = 8
};

/* Returns the support of a filter: the distance from its centre beyond which weights are 0. It is
 * in half samples, from 1 to 8. */
int32_t img_filter_reach(ImgFilter filter);

/* Returns the weight at numerator / denominator >= 0 as Q30, before weights are scaled to add up to
 * one. It is 2^30 at 0 (mitchell: 8/9 of that), and 0 from the reach on; box has one half at
 * exactly 1/2. The denominator is from 1 to 2^33. Error at most one unit. */
int64_t img_filter_weight(ImgFilter filter, uint64_t numerator, uint64_t denominator);

/* Computes `count` weights in proportion to `parts`, as multiples of 2^-places that add up to
 * exactly one. Each is the nearest; if these do not add up, some in the middle differ by one unit.
 * Above IMG_FILTER_ROUND_EACH weights, the sums from either end to the middle are rounded instead:
 * rounding tiny weights one by one would cause large relative errors. `parts` reversed give the
 * weights reversed. The sum of `parts` is above 0 and below 2^62. */
enum { IMG_FILTER_ROUND_EACH = 1 << 14 };
void img_filter_round(const int64_t *parts, int32_t count, int32_t places, int32_t *weights);

#ifdef __cplusplus
}
#endif
#endif
