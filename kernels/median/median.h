/* Private to median: declarations that its C and CUDA files have in common. */
#ifndef IMGTOOL_KERNELS_MEDIAN_MEDIAN_H
#define IMGTOOL_KERNELS_MEDIAN_MEDIAN_H

#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"
#include "kernels/core/prepass/prepass.h"
#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_MEDIAN_RADIUS_MAX = 25, IMG_MEDIAN_SIDE_MAX = 2 * IMG_MEDIAN_RADIUS_MAX + 1 };

typedef struct ImgMedianParams {
    int32_t radius; /* the window is 2 * radius + 1 pixels wide and high */
    ImgBorderParams border;
} ImgMedianParams;

/* Largest radii, in pixels: of the CUDA kernels with sorting networks, and of the textbook kernels.
 * The textbook kernels read every sample of a window once for each bit of a sample. */
enum { IMG_MEDIAN_CUDA_NETWORK_MAX = 4, IMG_MEDIAN_CUDA_TEXTBOOK_MAX = 5 };

ImgRunFunction img_median_reference;
/* Implements ImgOp.cost.scratch: returns the bytes of scratch memory on the CPU. */
uint64_t img_median_scratch(ImgShape src, const void *params, int threads);

ImgRunFunction img_median_cpu, img_median_cpu_avx2, img_median_cpu_avx512;
IMG_TEXTBOOK ImgRunFunction img_median_cuda_naive;
ImgRunFunction img_median_cuda_tiled, img_median_cuda_counts, img_median_cuda_fast;
/* The functions from which img_median_cuda_fast chooses. They require that the prepass has cleared
 * the colours of transparent pixels. */
ImgRunFunction img_median_cuda_nine, img_median_cuda_tiles, img_median_cuda_columns,
    img_median_cuda_cleared_counts;

#ifdef __cplusplus
}
#endif
#endif
