/* Private to clahe: the division of a picture into pieces for `cuda-fast`. Each block of threads
 * processes one piece. */
#ifndef IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_FAST_H
#define IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_FAST_H

#include "kernels/clahe/clahe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number of threads per block: in the kernels that count and that compute tables, and in the kernel
 * that computes pixels. */
enum { CLAHE_THREADS = 512, CLAHE_PATCH_THREADS = 256 };
/* Largest number of pixel rows and of pixel columns per block in the kernel that computes
 * pixels. */
enum { CLAHE_ROWS_MAX = 256, CLAHE_COLUMNS_MAX = 1088 };
/* Number of blocks that run at the same time: two for each multiprocessor of a large GPU, which has
 * 132. */
enum { CLAHE_BLOCKS = 264 };

/* Number of pieces along each axis: `chunks` across and `strips` down. */
typedef struct ClaheCut {
    int32_t chunks, strips;
} ClaheCut;

typedef struct ClaheCuts {
    ClaheCut tile; /* how each tile is divided for counting */
    /* Division for computing new pixels; its pieces are called patches. If `cells` is true, patches
     * are parts of cells, the areas between the centres of four tiles. Otherwise patches are parts
     * of quarters of tiles. */
    ClaheCut patch;
    bool cells;
} ClaheCuts;

/* Returns the number of cells, or of halves of tiles, along an axis with `tiles` tiles. The
 * division `patch` divides each of them into patches. */
IMG_HOST_DEVICE int32_t clahe_patches(const ClaheCuts *cuts, int32_t tiles)
{
    return cuts->cells ? tiles + 1 : 2 * tiles;
}

/* Returns the number of pixels per unit. A unit has 16 bytes, or 48 with three samples per
 * pixel. */
int32_t img_clahe_unit_pixels(ImgFormat format);

ClaheCuts img_clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels);

#ifdef __cplusplus
}
#endif
#endif
