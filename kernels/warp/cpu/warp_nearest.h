/* Private: computes a tile of the result whose pixels are copies of the nearest source pixels. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_NEAREST_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_NEAREST_H

#include "kernels/warp/cpu/warp_site.h"

/* Computes a tile that is at most IMG_WARP_TILE pixels wide. */
void img_warp_make_nearest(const ImgWarpWork *work, const ImgWarpTile *tile);

#endif
