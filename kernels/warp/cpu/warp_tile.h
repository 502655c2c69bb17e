/* Private: a tile of the result on the CPU. The part of the source that its windows use is lifted
 * once, with edges continued, so that filters need not check positions. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_TILE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_TILE_H

#include "kernels/warp/cpu/warp_site.h"

/* Memory of a thread. */
typedef struct ImgWarpScratch {
    int16_t *box;   /* lifted pixels */
    int16_t *row;   /* of the result */
    uint64_t *sums; /* sums over the positions of a row's pixels, by sample */
    ImgWarpPoint *points;
    int32_t *covers;
} ImgWarpScratch;

/* Returns the number of bytes of that memory. */
size_t img_warp_scratch_bytes(void);

/* Allocates the memory; release it with img_warp_scratch_end. Returns false when memory is short;
 * there is then nothing to release. */
bool img_warp_scratch_start(ImgWarpScratch *own);
void img_warp_scratch_end(ImgWarpScratch *own);

/* Makes a tile with any filter except IMG_WARP_NEAREST. Returns false, without making anything, if
 * it uses more than IMG_WARP_BOX_MOST pixels. */
bool img_warp_make_tile(const ImgWarpWork *work, const ImgWarpTile *tile, ImgWarpScratch *own);

#endif
