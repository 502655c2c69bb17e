/* Private: a matrix as a map of places. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_AFFINE_H
#define IMGTOOL_KERNELS_WARP_WARP_AFFINE_H

#include "kernels/warp/warp.h"

/* A point (x, y) of the source comes to (m[0] x + m[1] y + m[2], m[3] x + m[4] y + m[5]), where
 * (0, 0) is the corner of the first pixel. In millionths, at most 10^12 each.
 *
 * Where pixels of the result are further apart in the source than 17/16 of a pixel, a grid of
 * places is averaged whose columns and rows are no further apart than that, so that nothing of the
 * source is left out; but of IMG_WARP_NEAREST always one. IMG_E_USAGE for a matrix without an
 * inverse; IMG_E_UNSUPPORTED where it shrinks by more than 1024, or a pixel of the result lies 2^30
 * pixels or more away. */
ImgStatus img_warp_affine(const int64_t m[6], ImgWarpFilter filter, ImgShape dst, ImgWarpMap *map,
                          ImgError *err);

/* The same of any steps: `corner` is where the corner of the result's first pixel lies in the
 * source, not the centre. All places and steps are less than 2^60. False: it shrinks by more than
 * 1024. */
bool img_warp_steps(ImgWarpPlace corner, ImgWarpPlace across, ImgWarpPlace down,
                    ImgWarpFilter filter, ImgWarpMap *map);

/* The least grid whose places are at most 17/16 of a pixel apart: its side along the
 * step from a pixel to the next. More than IMG_WARP_SHRINK_MOST: that or more. */
enum { IMG_WARP_SHRINK_MOST = 1024 };
int32_t img_warp_grid_side(int64_t x, int64_t y);

#endif
