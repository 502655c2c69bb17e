/* Resampling filters: the weight of a source sample by its distance from the position of a new
 * sample. They are computed in integers, so that weights are the same on every machine.
 *
 * Distances are exact quotients, numerator / denominator, in samples of the source. When a picture
 * shrinks, the unit is the distance between two new samples, so that the filter becomes wider.
 *
 *     nearest    the nearest sample alone
 *     box        weight 1 up to distance 1/2
 *     bilinear   a triangle up to distance 1
 *     bicubic    Catmull-Rom up to distance 2 (B = 0, C = 1/2)
 *     mitchell   up to distance 2 (B = C = 1/3)
 *     lanczosN   sinc(x) sinc(x / N) up to distance N, where sinc(x) = sin(pi x) / (pi x)
 *
 * B and C: D. P. Mitchell and A. N. Netravali, "Reconstruction filters in computer graphics",
 * SIGGRAPH 1988. Lanczos: C. E. Duchon, "Lanczos filtering in one and two dimensions", J. Applied
 * Meteorology 18 (1979). */
#ifndef IMGTOOL_KERNELS_RESIZE_FILTER_H
#define IMGTOOL_KERNELS_RESIZE_FILTER_H

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
    IMG_FILTER_LANCZOS4, /* used for pictures that keep their size; users cannot choose it */
} ImgFilter;

/* Choices of the parameter "filter", from the fastest to the best, and their synonyms. */
extern const ImgChoice img_filter_choices[], img_filter_synonyms[];

enum {
    IMG_FILTER_PLACES = 30, /* number of fractional bits of a weight, which is Q30 */
    IMG_FILTER_REACH = 6,   /* largest img_filter_reach of the filters that users can choose */
    /* upper bound of the sum of the absolute values of a filter's weights, in units of 1/5: 8/5 */
    IMG_FILTER_OVERSHOOT = 8
};

/* Returns the support of a filter in half samples, from 1 to 8: the distance from its centre beyond
 * which weights are 0. */
int32_t img_filter_reach(ImgFilter filter);

/* Returns the weight at distance numerator / denominator as Q30 (times 2^30), before weights are
 * scaled to add up to one. It is 2^30 at distance 0 (mitchell: 8/9 * 2^30), and 0 beyond the
 * support. At its edge, a distance of exactly 1/2, box has 2^29. The denominator is from 1 to 2^33.
 * The error is at most one unit of 2^-30. */
int64_t img_filter_weight(ImgFilter filter, uint64_t numerator, uint64_t denominator);

/* img_filter_round rounds each of up to this many weights. If there are more, it rounds sums of
 * weights. */
enum { IMG_FILTER_ROUND_EACH = 1 << 14 };
/* Computes `count` weights in proportion to `parts`, in units of 2^-places. They add up to
 * exactly one. Each weight is rounded to the nearest; some in the middle differ by one unit if
 * the sum requires it. Above IMG_FILTER_ROUND_EACH weights, the sums from either end to the
 * middle are rounded instead: rounding tiny weights one by one would cause large relative
 * errors. Reversed `parts` give reversed weights. The sum of `parts` must be above 0 and below
 * 2^62. */
void img_filter_round(const int64_t *parts, int32_t count, int32_t places, int32_t *weights);

#ifdef __cplusplus
}
#endif
#endif
