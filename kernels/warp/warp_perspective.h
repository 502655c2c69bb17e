/* Private: a quadrilateral of the source that becomes the result, as a map of places. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_PERSPECTIVE_H
#define IMGTOOL_KERNELS_WARP_WARP_PERSPECTIVE_H

#include "kernels/warp/warp.h"

/* Corners: x and y of what becomes the corner at the top left, top right, bottom right and bottom
 * left, where (0, 0) is the corner of the first pixel. In millionths, at most 10^12 each. */
enum { IMG_WARP_CORNERS = 8 };

/* The result's size where none is given: the longer of top and bottom by the longer of left and
 * right side, in whole pixels, at least one. */
void img_warp_sides(const int64_t corners[IMG_WARP_CORNERS], int32_t *width, int32_t *height);

/* IMG_E_USAGE unless they make a convex quadrilateral in their order, clockwise or, of a mirrored
 * result, counter-clockwise. */
ImgStatus img_warp_check_corners(const int64_t corners[IMG_WARP_CORNERS], ImgError *err);

/* Places are off by less than 2^-12 pixels, most by much less. Where pixels of the result are
 * further apart in the source than 17/16 of a pixel at any corner, all are averages of a grid of
 * places, whose columns and rows are no further apart there; but of IMG_WARP_NEAREST always one.
 * Parallelograms are affine maps (warp_affine.h).
 *
 * IMG_E_USAGE where img_warp_check_corners refuses the corners; IMG_E_UNSUPPORTED where the picture
 * shrinks by more than 1024 somewhere, or the quadrilateral is too narrow for that error. */
ImgStatus img_warp_perspective(const int64_t corners[IMG_WARP_CORNERS], ImgWarpFilter filter,
                               ImgShape dst, ImgWarpMap *map, ImgError *err);

#endif
