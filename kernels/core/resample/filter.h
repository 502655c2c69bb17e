/* Filters of resampling: how much a sample counts at a distance from where a new one is wanted. In
 * whole numbers, so that weights are the same on every machine.
 *
 * Distances are exact: numerator / denominator of a sample, or where a picture becomes smaller, of
 * the space that a new sample takes, so that the filter widens with it.
 *
 *     nearest    one sample, which counts alone
 *     box        1 up to 1/2
 *     bilinear   a triangle, up to 1
 *     bicubic    Catmull-Rom, up to 2: B = 0, C = 1/2
 *     mitchell   up to 2: B = C = 1/3
 *     lanczosN   sinc(x) sinc(x / N) up to N, where sinc(x) = sin(pi x) / (pi x)
 *
 * (D. P. Mitchell and A. N. Netravali, "Reconstruction filters in computer graphics", SIGGRAPH
 * 1988, has B and C; C. E. Duchon, "Lanczos filtering in one and two dimensions", J. Applied
 * Meteorology 18 (1979).) */
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
    IMG_FILTER_LANCZOS4, /* not among the choices: for a picture that keeps its size */
} ImgFilter;

/* For a parameter "filter", from the fastest to the best, and the other names that they have. */
extern const ImgChoice img_filter_choices[], img_filter_synonyms[];

enum {
    IMG_FILTER_PLACES = 30,  /* of the weight of a distance: Q30 */
    IMG_FILTER_REACH = 6,    /* the largest of img_filter_reach among the choices */
    IMG_FILTER_OVERSHOOT = 8 /* fifths: absolute values of their weights add up to less than 8/5 */
};

/* Up to which distance a filter has weight, in halves: 1 to 8. */
int32_t img_filter_reach(ImgFilter filter);

/* The weight at numerator / denominator >= 0, as Q30, not yet made to add up to one: 2^30 at 0 (of
 * mitchell 8/9 of it), and 0 from the reach on; box has a half at exactly 1/2. The denominator is
 * from 1 to 2^33. Error at most one unit. */
int64_t img_filter_weight(ImgFilter filter, uint64_t numerator, uint64_t denominator);

/* `count` weights in proportion to `parts`, multiples of 2^-places which add up to exactly one:
 * each the nearest, and one unit more or less of some in the middle where these do not add up. Of
 * more than IMG_FILTER_ROUND_EACH sums from either end to the middle are the nearest instead: each
 * by itself would be off by too much of what it is. `parts` read backwards give the weights
 * backwards. Their sum is above 0 and below 2^62. */
enum { IMG_FILTER_ROUND_EACH = 1 << 14 };
void img_filter_round(const int64_t *parts, int32_t count, int32_t places, int32_t *weights);

#ifdef __cplusplus
}
#endif
#endif
