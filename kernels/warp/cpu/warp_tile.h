/* Private: a tile of the result on the CPU. The part of the source that its windows reach is lifted
 * once, edges continued, so that filters never ask where they are. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_TILE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_TILE_H

#include "kernels/warp/cpu/warp_site.h"

/* What a thread has. */
typedef struct ImgWarpScratch {
    int16_t *box;   /* lifted pixels */
    int16_t *row;   /* of the result */
    uint64_t *sums; /* of the places of a row's pixels, by sample */
    ImgWarpPoint *points;
    int32_t *covers;
} ImgWarpScratch;

/* What that takes. */
size_t img_warp_scratch_bytes(void);

/* For img_warp_scratch_end; false: no memory, and there is nothing to end. */
bool img_warp_scratch_start(ImgWarpScratch *own);
void img_warp_scratch_end(ImgWarpScratch *own);

/* By any filter but IMG_WARP_NEAREST. False: it reaches more pixels than
 * IMG_WARP_BOX_MOST, and nothing is made. */
bool img_warp_make_tile(const ImgWarpWork *work, const ImgWarpTile *tile, ImgWarpScratch *own);

#endif
