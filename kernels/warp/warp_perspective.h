/* Private: converts a quadrilateral of the source, which becomes the whole result, to a map of
 * positions. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_PERSPECTIVE_H
#define IMGTOOL_KERNELS_WARP_WARP_PERSPECTIVE_H

#include "kernels/warp/warp.h"

/* Number of coordinates: x and y of the source points that become the top left, top right, bottom
 * right and bottom left corner of the result. (0, 0) is the corner of the first pixel. Coordinates
 * are in millionths of a pixel; their absolute values must be at most 10^12. */
enum { IMG_WARP_CORNERS = 8 };

/* Computes the default size of the result in whole pixels, at least 1 x 1. Its width is the length
 * of the longer of the top and bottom sides. Its height is the length of the longer of the left and
 * right sides. */
void img_warp_sides(const int64_t corners[IMG_WARP_CORNERS], int32_t *width, int32_t *height);

/* Returns IMG_E_USAGE unless the corners form a convex quadrilateral in the given order. The order
 * may be clockwise, or counter-clockwise for a mirrored result. */
ImgStatus img_warp_check_corners(const int64_t corners[IMG_WARP_CORNERS], ImgError *err);

/* Computes the map from result pixels to source positions. Positions are off by less than 2^-12
 * pixels, most by much less. If pixels of the result are more than 17/16 of a source pixel apart at
 * any corner, each pixel is the average of a grid of positions. The columns and rows of the grid
 * are at most 17/16 of a pixel apart at the corners. IMG_WARP_NEAREST always has one position per
 * pixel. Parallelograms become affine maps (warp_affine.h).
 *
 * Returns IMG_E_USAGE if img_warp_check_corners rejects the corners. Returns IMG_E_UNSUPPORTED if
 * the picture shrinks by a factor of more than 1024 at a corner. Also returns it for quadrilaterals
 * so narrow that positions would be off by 2^-12 pixels or more. */
ImgStatus img_warp_perspective(const int64_t corners[IMG_WARP_CORNERS], ImgWarpFilter filter,
                               ImgShape dst, ImgWarpMap *map, ImgError *err);

#endif
