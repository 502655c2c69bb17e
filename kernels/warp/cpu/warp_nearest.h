/* Private: a tile of the result whose pixels are copies of the nearest ones of the source. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_NEAREST_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_NEAREST_H

#include "kernels/warp/cpu/warp_site.h"

/* Of a tile up to IMG_WARP_TILE wide. */
void img_warp_make_nearest(const ImgWarpWork *work, const ImgWarpTile *tile);

#endif
