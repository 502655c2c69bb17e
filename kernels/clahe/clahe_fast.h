/* Private to clahe: how `cuda-fast` cuts a picture into pieces, one for each block of threads. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_H
#define IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_H

#include "kernels/clahe/clahe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of a block that counts, or makes tables; and of one that makes pixels. */
enum { CLAHE_THREADS = 512, CLAHE_PATCH_THREADS = 256 };
/* Rows and columns that a block has at the most that makes pixels. */
enum { CLAHE_ROWS_MAX = 256, CLAHE_COLUMNS_MAX = 1088 };
/* Blocks that run at once, two for each multiprocessor of a large GPU. */
enum { CLAHE_BLOCKS = 264 };

/* How many pieces of its width and of its height something is cut into. */
typedef struct ClaheCut {
    int32_t chunks, strips;
} ClaheCut;

typedef struct ClaheCuts {
    ClaheCut tile; /* for counting */
    /* For new pixels, of cells, which lie between the centres of the same four tiles; or of the
     * parts of cells that lie in one tile, which are a quarter of it. */
    ClaheCut patch;
    bool cells;
} ClaheCuts;

/* Kinds of patches, across or down, before they are cut. */
IMG_HOST_DEVICE int32_t clahe_patches(const ClaheCuts *cuts, int32_t tiles)
{
    return cuts->cells ? tiles + 1 : 2 * tiles;
}

/* Pixels that a thread takes at once: 16 bytes, or 48 where pixels have three samples. */
int32_t clahe_unit_pixels(ImgFormat format);

ClaheCuts clahe_cuts(const ImgClahePlan *plan, int32_t unit_pixels);

#ifdef __cplusplus
}
#endif
#endif
