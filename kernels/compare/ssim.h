/* Private: SSIM of windows, with one order of operations for all implementations. */
#ifndef IMGTOOL_KERNELS_COMPARE_SSIM_H
#define IMGTOOL_KERNELS_COMPARE_SSIM_H

#include "kernels/compare/comparison.h"
#include "kernels/core/parallel/parallel.h"

enum {
    IMG_SSIM_REACH = IMG_SSIM_WINDOW / 2, /* pixels from the middle to the edge of a window */
    IMG_SSIM_SUMS = 4,                    /* sums of a, b, a * a + b * b and a * b */
    IMG_SSIM_STRIP = 512,                 /* number of windows across that are processed together */
};

/* Weights by distance d = 0..5 from the middle: 2^18 * exp(-d * d / (2 * 1.5 * 1.5)) / (sum over d
 * of -5..5), rounded. The middle one is 1 more, so that the sum of all eleven is 2^18. */
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
    /* A sum of variances is not negative except for rounding, and c2 is larger than that. The
     * conversion is to int32_t, the only type to which vector instructions convert. */
    return (uint32_t)(int32_t)(value * IMG_SSIM_ONE + ((double)IMG_SSIM_ONE + 0.5));
}

/* Sums of the rows of windows: IMG_SSIM_SUMS arrays of IMG_SSIM_STRIP numbers. */
typedef double ImgSsimRow[IMG_SSIM_SUMS][IMG_SSIM_STRIP];

/* The inner loops, compiled for an instruction level. */
typedef struct ImgSsimLoops {
    /* Computes the sums of one row of each of `count` windows, from `count` + 10 samples. `count`
     * is at most IMG_SSIM_STRIP. */
    void (*sum_rows)(const uint16_t *a, const uint16_t *b, int count, ImgSsimRow *sums);
    /* Returns the sum of img_ssim_value over `count` windows, from the sums of eleven rows. */
    uint64_t (*add_up)(const ImgSsimRow *const rows[IMG_SSIM_WINDOW], int count,
                       ImgSsimConstants constants);
} ImgSsimLoops;

extern const ImgSsimLoops img_ssim_portable, img_ssim_avx2, img_ssim_avx512;

/* Sets the similarity of every plane of `result`. Returns IMG_E_MEMORY when memory is short. */
ImgStatus img_ssim(const ImgView *a, const ImgView *b, ImgTeam *team, int threads,
                   ImgComparison *result, ImgError *err);
uint64_t img_ssim_bytes(int threads);

/* Returns the position, in the source, of sample `i` of a window; `at` is the start of the window
 * plus i. Pictures smaller than a window are extended by repeating their edges: equally often on
 * both sides, or once less before the first pixel. */
static inline int32_t img_ssim_source(int32_t at, int32_t length)
{
    int32_t missing = length < IMG_SSIM_WINDOW ? IMG_SSIM_WINDOW - length : 0;
    int32_t source = at - missing / 2;
    return source < 0 ? 0 : source >= length ? length - 1 : source;
}

#endif
