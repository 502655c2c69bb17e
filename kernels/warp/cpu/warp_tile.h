/* Private: computes a tile of the result on the CPU. The part of the source that its windows use is
 * lifted once, with pixels beyond the edges as the border defines. So filters need not check
 * positions. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_TILE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_TILE_H

#include "kernels/warp/cpu/warp_site.h"

/* Memory of a thread. */
typedef struct ImgWarpScratch {
    int16_t *box;   /* lifted pixels of the source */
    int16_t *row;   /* lifted pixels of a row of the result */
    uint64_t *sums; /* for each sample of a row: sum over the positions of its pixel */
    ImgWarpPoint *points;
    int32_t *covers;
} ImgWarpScratch;

/* Returns the bytes that img_warp_scratch_start allocates. */
size_t img_warp_scratch_bytes(void);

/* Allocates the memory; release it with img_warp_scratch_end. Returns false when memory is short,
 * and then there is nothing to release. */
bool img_warp_scratch_start(ImgWarpScratch *own);
void img_warp_scratch_end(ImgWarpScratch *own);

/* Computes a tile with any filter except IMG_WARP_NEAREST. If the tile uses more than
 * IMG_WARP_BOX_MOST source pixels, returns false and does nothing. */
bool img_warp_make_tile(const ImgWarpWork *work, const ImgWarpTile *tile, ImgWarpScratch *own);

/* Makes a tile with IMG_WARP_NEAREST, of at most IMG_WARP_TILE pixels across: copies of the nearest
 * source pixels (warp_nearest.c). */
void img_warp_make_nearest(const ImgWarpWork *work, const ImgWarpTile *tile);

#endif
