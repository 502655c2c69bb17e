/* Result of a comparison of two pictures: sums for each plane, from which kernels/compare/compare.h
 * computes its figures. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARISON_H
#define IMGTOOL_KERNELS_COMPARE_COMPARISON_H

#include "kernels/core/image.h"
#include "kernels/histogram/statistics.h"

enum {
    IMG_COMPARE_PLANES = 5, /* most planes: red, green, blue, alpha, luma */
    IMG_SSIM_WINDOW = 11,
    IMG_SSIM_ONE = 1 << 29,
};

/* The differences of one plane: a channel or luma. */
typedef struct ImgPlaneDifference {
    ImgWide squares;    /* sum of squared differences */
    uint64_t differing; /* samples that are not equal */
    uint32_t largest;   /* largest difference */
    ImgWide similarity; /* sum over all windows of (SSIM + 1) * IMG_SSIM_ONE, each rounded */
} ImgPlaneDifference;

typedef struct ImgComparison {
    ImgFormat format;
    /* number of planes: one per channel, and the last one for luma if there is colour */
    int planes;
    bool has_luma;        /* there is a plane of luma; it does not count in the numbers below */
    uint64_t pixels;      /* number of pixels of each picture */
    uint64_t differing;   /* number of pixels that differ in any channel */
    uint64_t transparent; /* number of pixels that are fully transparent in both pictures */
    uint64_t windows;     /* number of windows of SSIM */
    /* largest difference in any channel; x, y: the first pixel that has it, in the order of rows */
    uint32_t largest;
    int32_t x, y;
    ImgPlaneDifference plane[IMG_COMPARE_PLANES];
} ImgComparison;

#endif
