/* Private to comparisons: SSIM of windows. The order of operations is fixed, so that all
 * implementations return equal results. */
#ifndef IMGTOOL_KERNELS_COMPARE_SSIM_H
#define IMGTOOL_KERNELS_COMPARE_SSIM_H

#include "kernels/compare/comparison.h"
#include "kernels/core/parallel/parallel.h"

enum {
    IMG_SSIM_REACH = IMG_SSIM_WINDOW / 2, /* pixels from the middle to the edge of a window */
    /* number of sums per window: of a, b, a * a + b * b, and a * b */
    IMG_SSIM_SUMS = 4,
    IMG_SSIM_STRIP = 512, /* number of windows across that are processed together */
};

/* Weights of a window by distance d = 0..5 from its middle: 2^18 * exp(-d * d / (2 * 1.5 * 1.5)) /
 * s, rounded. Here s is the sum of the exponentials for d from -5 to 5. The weight of the middle is
 * raised by 1, so that the sum of all eleven is 2^18. */
#define IMG_SSIM_WEIGHTS                                                                           \
    {                                                                                              \
        69734, 55838, 28668, 9437, 1992, 270                                                       \
    }

typedef struct ImgSsimConstants {
    /* constants of the definition of SSIM: (0.01 * maximum)^2 and (0.03 * maximum)^2 */
    double c1, c2;
} ImgSsimConstants;

static inline ImgSsimConstants img_ssim_constants(uint32_t maximum)
{
    double k1 = 0.01 * (double)maximum, k2 = 0.03 * (double)maximum;
    return (ImgSsimConstants){k1 * k1, k2 * k2};
}

/* Converts the sums of a window to (SSIM + 1) * IMG_SSIM_ONE. The sums still contain the sum of
 * weights, 2^18, as a factor for each axis. */
static inline uint32_t img_ssim_value(const double *sums, ImgSsimConstants constants)
{
    const double scale = 1.0 / (1 << 18) / (1 << 18);
    double a = sums[0] * scale, b = sums[1] * scale;
    double product = a * b, squares = a * a + b * b;
    double variances = sums[2] * scale - squares, covariance = sums[3] * scale - product;
    double value = ((2 * product + constants.c1) * (2 * covariance + constants.c2)) /
                   ((squares + constants.c1) * (variances + constants.c2));
    /* The denominator is positive: a sum of variances is negative only by rounding errors, which
     * are smaller than c2. The value is converted to int32_t, the only type to which vector
     * instructions convert. */
    return (uint32_t)(int32_t)(value * IMG_SSIM_ONE + ((double)IMG_SSIM_ONE + 0.5));
}

/* The sums of one row of up to IMG_SSIM_STRIP neighbouring windows, in one array per kind of
 * sum. */
typedef double ImgSsimRow[IMG_SSIM_SUMS][IMG_SSIM_STRIP];

/* The inner loops of SSIM, compiled for one instruction set level. */
typedef struct ImgSsimLoops {
    /* Computes the horizontal sums of one row, for `count` windows, from `count` + 10 samples of
     * each picture: a window has 11. `count` is at most IMG_SSIM_STRIP. */
    void (*sum_rows)(const uint16_t *a, const uint16_t *b, int count, ImgSsimRow *sums);
    /* Returns the sum of img_ssim_value over `count` windows. `rows` has the sums of the eleven
     * rows of these windows. */
    uint64_t (*add_up)(const ImgSsimRow *const rows[IMG_SSIM_WINDOW], int count,
                       ImgSsimConstants constants);
} ImgSsimLoops;

extern const ImgSsimLoops img_ssim_portable, img_ssim_avx2, img_ssim_avx512;

/* The sums over the windows of two pictures that are compared band by band. img_ssim_begin
 * initialises it, and img_ssim_end frees it. */
typedef struct ImgSsim {
    ImgShape shape; /* shape of both pictures */
    int planes, threads;
    /* for each plane, the sum over the windows of all bands in which the plane is the same in both
     * pictures */
    ImgWide equal[IMG_COMPARE_PLANES];
    struct ImgSsimScratch *scratch; /* buffers and sums of each thread */
} ImgSsim;

/* Starts the SSIM of two pictures of this shape: img_ssim_add then adds their bands. Call
 * img_ssim_end even if this fails. Returns IMG_E_MEMORY when memory is short. */
ImgStatus img_ssim_begin(ImgShape shape, int planes, int threads, ImgSsim *ssim, ImgError *err);

/* Adds the SSIM of the windows whose rows are all in the band; `a` and `b` are the band of the two
 * pictures. If both pictures have fewer rows than a window, only a band of all their rows has a
 * window. `equal` has true for each plane that is the same in `a` and `b`. */
void img_ssim_add(ImgSsim *ssim, const ImgView *a, const ImgView *b, const bool *equal,
                  ImgTeam *team);

/* Returns ImgPlaneDifference.similarity of a plane. */
ImgWide img_ssim_sum(const ImgSsim *ssim, int plane);
void img_ssim_end(ImgSsim *ssim);
uint64_t img_ssim_bytes(int threads);

/* Returns the column (or row) of the source that a window reads at coordinate `at`. `length` is the
 * width (or height) of the source. Sources smaller than a window are extended by repeating their
 * edges. The number of repeated pixels is equal on both sides, or smaller by one before the first
 * pixel. */
static inline int32_t img_ssim_source(int32_t at, int32_t length)
{
    int32_t missing = length < IMG_SSIM_WINDOW ? IMG_SSIM_WINDOW - length : 0;
    int32_t source = at - missing / 2;
    return source < 0 ? 0 : source >= length ? length - 1 : source;
}

#endif
