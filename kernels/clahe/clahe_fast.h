/* Private to clahe: how `cuda-fast` divides a picture into pieces, one for each block of
 * threads. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_H

#include "kernels/clahe/clahe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a block that counts or computes tables, and of a block that computes pixels. */
enum { CLAHE_THREADS = 512, CLAHE_PATCH_THREADS = 256 };
/* Most rows and columns of a block that computes pixels. */
enum { CLAHE_ROWS_MAX = 256, CLAHE_COLUMNS_MAX = 1088 };
/* Number of blocks that run at once: two for each multiprocessor of a large GPU. */
enum { CLAHE_BLOCKS = 264 };

/* Number of pieces into which a width and a height are divided. */
typedef struct ClaheCut {
    int32_t chunks, strips;
} ClaheCut;

typedef struct ClaheCuts {
    ClaheCut tile; /* division of tiles for counting */
    /* Division into patches for new pixels. If `cells`, patches are parts of cells, which lie
     * between the centres of the same four tiles. Otherwise they are parts of quarters of tiles. */
    ClaheCut patch;
    bool cells;
} ClaheCuts;

/* Returns how many cells, or halves of tiles, there are along an axis. These are what `patch`
 * divides. */
IMG_HOST_DEVICE int32_t clahe_patches(const ClaheCuts *cuts, int32_t tiles)
{
    return cuts->cells ? tiles + 1 : 2 * tiles;
}

/* Returns the number of pixels that a thread processes at once: 16 bytes, or 48 with three samples
 * per pixel. */
int32_t clahe_unit_pixels(ImgFormat format);

ClaheCuts clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels);

#ifdef __cplusplus
}
#endif
#endif
