/* Private to median: declarations that its C and CUDA files share. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_H

#include "kernels/core/op.h"
#include "kernels/core/prepass/prepass.h"
#include "kernels/core/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_MEDIAN_RADIUS_MAX = 25, IMG_MEDIAN_SIDE_MAX = 2 * IMG_MEDIAN_RADIUS_MAX + 1 };

typedef struct ImgMedianParams {
    int32_t radius; /* the window is 2 * radius + 1 pixels wide and high */
    ImgBorderParams border;
} ImgMedianParams;

/* Largest radii: of the CUDA kernels with networks, and of the textbook kernels, which read every
 * sample of a window for every bit. */
enum { IMG_MEDIAN_CUDA_NETWORK_MAX = 4, IMG_MEDIAN_CUDA_TEXTBOOK_MAX = 5 };

ImgRunFunction img_median_reference;
/* Implements ImgOp.scratch. */
uint64_t img_median_scratch(ImgShape src, const void *params, int threads);

ImgRunFunction img_median_cpu, img_median_cpu_avx2, img_median_cpu_avx512;
ImgRunFunction img_median_cuda_naive, img_median_cuda_tiled;
ImgRunFunction img_median_cuda_counts, img_median_cuda_fast;
/* The functions from which img_median_cuda_fast chooses. They run after the prepass. */
ImgRunFunction img_median_cuda_nine, img_median_cuda_tiles, img_median_cuda_columns,
    img_median_cuda_cleared_counts;

#ifdef __cplusplus
}
#endif
#endif
