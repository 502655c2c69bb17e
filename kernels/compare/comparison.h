/* Result of a comparison of two pictures: sums by plane, from which kernels/compare/compare.h
 * computes the figures. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARISON_H
#define IMGTOOL_KERNELS_COMPARE_COMPARISON_H

#include "kernels/core/image.h"
#include "kernels/histogram/statistics.h"

enum {
    IMG_COMPARE_PLANES = 5, /* at most: red, green, blue, alpha, luma */
    IMG_SSIM_WINDOW = 11,
    IMG_SSIM_ONE = 1 << 29,
};

/* One channel, or luma. */
typedef struct ImgPlaneDifference {
    ImgWide squares;    /* the sum of squared differences */
    uint64_t differing; /* samples that are not equal */
    uint32_t largest;   /* difference */
    ImgWide similarity; /* the sum over all windows of (SSIM + 1) * IMG_SSIM_ONE, each rounded */
} ImgPlaneDifference;

typedef struct ImgComparison {
    ImgFormat format;
    /* number of channels, plus one for luma if there is colour, which comes last */
    int planes;
    bool has_luma;        /* luma does not count in the numbers below */
    uint64_t pixels;      /* of each picture */
    uint64_t differing;   /* pixels that differ in any channel */
    uint64_t transparent; /* pixels that are fully transparent in both pictures */
    uint64_t windows;     /* of SSIM */
    uint32_t largest;     /* difference in any channel; x, y is the first such pixel in row order */
    int32_t x, y;
    ImgPlaneDifference plane[IMG_COMPARE_PLANES];
} ImgComparison;

#endif
