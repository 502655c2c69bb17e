/* The result of comparing two pictures: sums for each plane. kernels/compare/compare.h has
 * functions that compute figures, such as PSNR, from them. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARISON_H
#define IMGTOOL_KERNELS_COMPARE_COMPARISON_H

#include "kernels/core/image.h"
#include "kernels/histogram/statistics.h"

enum {
    IMG_COMPARE_PLANES = 5, /* largest number of planes: red, green, blue, alpha, luma */
    IMG_SSIM_WINDOW = 11,
    IMG_SSIM_ONE = 1 << 29,
};

/* The differences in one plane. A plane is a channel or luma. */
typedef struct ImgPlaneDifference {
    ImgWide squares;    /* sum of squared differences */
    uint64_t differing; /* number of samples that differ */
    uint32_t largest;   /* largest absolute difference of two samples */
    /* sum over all windows of (SSIM + 1) * IMG_SSIM_ONE, where each term is rounded to an
     * integer */
    ImgWide similarity;
} ImgPlaneDifference;

typedef struct ImgComparison {
    ImgFormat format;
    /* number of planes: one per channel, and the last one for luma if there is colour */
    int planes;
    /* true if the last plane is luma; the counts of pixels and `largest` ignore this plane */
    bool has_luma;
    uint64_t pixels;      /* number of pixels of each picture */
    uint64_t differing;   /* number of pixels that differ in any channel */
    uint64_t transparent; /* number of pixels that are fully transparent in both pictures */
    uint64_t windows;     /* number of windows for which SSIM was computed */
    /* Largest difference in any channel, and the first pixel that has it when the picture is read
     * row by row. */
    uint32_t largest;
    int32_t x, y;
    ImgPlaneDifference plane[IMG_COMPARE_PLANES];
} ImgComparison;

#endif
