/* Private: converts a quadrilateral of the source that becomes the result to a map of positions. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_PERSPECTIVE_H
#define IMGTOOL_KERNELS_WARP_WARP_PERSPECTIVE_H

#include "kernels/warp/warp.h"

/* Corners: x and y of the points that become the top left, top right, bottom right and bottom left
 * corner. (0, 0) is the corner of the first pixel. In millionths, at most 10^12 each. */
enum { IMG_WARP_CORNERS = 8 };

/* Computes the default size of the result: the longer of the top and bottom side by the longer of
 * the left and right side, in whole pixels, at least one. */
void img_warp_sides(const int64_t corners[IMG_WARP_CORNERS], int32_t *width, int32_t *height);

/* Returns IMG_E_USAGE unless the corners make a convex quadrilateral in this order, clockwise, or
 * counter-clockwise for a mirrored result. */
ImgStatus img_warp_check_corners(const int64_t corners[IMG_WARP_CORNERS], ImgError *err);

/* Computes the map. Positions are off by less than 2^-12 pixels, most by much less. If pixels of
 * the result are more than 17/16 of a pixel apart in the source at any corner, all are averages of
 * a grid of positions. Its columns and rows are at most that far apart there. IMG_WARP_NEAREST
 * always has one position. Parallelograms become affine maps (warp_affine.h).
 *
 * Returns IMG_E_USAGE if img_warp_check_corners rejects the corners. Returns IMG_E_UNSUPPORTED if
 * the picture shrinks by more than 1024 somewhere, or if the quadrilateral is too narrow for that
 * error. */
ImgStatus img_warp_perspective(const int64_t corners[IMG_WARP_CORNERS], ImgWarpFilter filter,
                               ImgShape dst, ImgWarpMap *map, ImgError *err);

#endif
