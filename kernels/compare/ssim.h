/* Private: SSIM of windows, in one order of operations for every implementation.
 *
 * Weights are integers that add up to 2^18 in each direction. First the rows of a window are
 * summed, then the column of these sums. Each sum starts in the middle and goes outwards in pairs:
 *
 *     w[0] * s[5] + w[1] * (s[4] + s[6]) + w[2] * (s[3] + s[7]) + ...
 *
 * in IEEE doubles without contraction. Up to 8 bits nothing is rounded, and at 16 bits only the
 * columns of squares and products are. */
#ifndef IMGTOOL_KERNELS_COMPARE_SSIM_H
#define IMGTOOL_KERNELS_COMPARE_SSIM_H

#include "kernels/compare/comparison.h"
#include "kernels/core/parallel/parallel.h"

enum {
    IMG_SSIM_REACH = IMG_SSIM_WINDOW / 2, /* pixels from the middle to the edge of a window */
    IMG_SSIM_SUMS = 4,                    /* of a, b, a * a + b * b and a * b */
    IMG_SSIM_STRIP = 512,                 /* windows across that are processed at a time */
};

/* 2^18 * exp(-d * d / (2 * 1.5 * 1.5)) / (sum over d of -5..5), d = 0..5, rounded; the middle is
 * one more, so that the sum over all eleven is 2^18. */
#define IMG_SSIM_WEIGHTS                                                                           \
    {                                                                                              \
        69734, 55838, 28668, 9437, 1992, 270                                                       \
    }

typedef struct ImgSsimConstants {
    double c1, c2; /* (0.01 * maximum)^2, (0.03 * maximum)^2 */
} ImgSsimConstants;

static inline ImgSsimConstants img_ssim_constants(uint32_t maximum)
{
    double k1 = 0.01 * (double)maximum, k2 = 0.03 * (double)maximum;
    return (ImgSsimConstants){k1 * k1, k2 * k2};
}

/* Converts the sums of a window, which still contain the weights, to (SSIM + 1) * IMG_SSIM_ONE. */
static inline uint32_t img_ssim_value(const double *sums, ImgSsimConstants constants)
{
    const double scale = 1.0 / (1 << 18) / (1 << 18);
    double a = sums[0] * scale, b = sums[1] * scale;
    double product = a * b, squares = a * a + b * b;
    double variances = sums[2] * scale - squares, covariance = sums[3] * scale - product;
    double value = ((2 * product + constants.c1) * (2 * covariance + constants.c2)) /
                   ((squares + constants.c1) * (variances + constants.c2));
    /* A sum of variances is not negative except for rounding, which c2 outweighs. int32_t, because
     * vector instructions convert to no other type. */
    return (uint32_t)(int32_t)(value * IMG_SSIM_ONE + ((double)IMG_SSIM_ONE + 0.5));
}

/* Sums of the rows of windows: IMG_SSIM_SUMS arrays of IMG_SSIM_STRIP. */
typedef double ImgSsimRow[IMG_SSIM_SUMS][IMG_SSIM_STRIP];

/* The inner loops, compiled for an instruction level. */
typedef struct ImgSsimLoops {
    /* Computes the sums of `count` rows of windows from `count` + 10 samples, at most
     * IMG_SSIM_STRIP + 10. */
    void (*sum_rows)(const uint16_t *a, const uint16_t *b, int count, ImgSsimRow *sums);
    /* Adds up img_ssim_value of `count` windows from the sums of eleven rows. */
    uint64_t (*add_up)(const ImgSsimRow *const rows[IMG_SSIM_WINDOW], int count,
                       ImgSsimConstants constants);
} ImgSsimLoops;

extern const ImgSsimLoops img_ssim_portable, img_ssim_avx2, img_ssim_avx512;

/* Sets the similarity of every plane. Fails with IMG_E_MEMORY. */
ImgStatus img_ssim(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                   ImgComparison *result, ImgError *err);
uint64_t img_ssim_bytes(int threads);

/* Returns the source position of sample `i` of a window, where `at` is its start plus i. Pictures
 * smaller than a window repeat their edges: as often before the first pixel as after the last, or
 * once less. */
static inline int32_t img_ssim_source(int32_t at, int32_t length)
{
    int32_t missing = length < IMG_SSIM_WINDOW ? IMG_SSIM_WINDOW - length : 0;
    int32_t source = at - missing / 2;
    return source < 0 ? 0 : source >= length ? length - 1 : source;
}

#endif
