/* Private: converts a matrix to a map from result pixels to source positions. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_MAPS_H
#define IMGTOOL_KERNELS_WARP_WARP_MAPS_H

#include "kernels/warp/warp.h"

/* Converts a matrix to a map. The matrix maps a point (x, y) of the source to (m[0] x + m[1] y +
 * m[2], m[3] x + m[4] y + m[5]). (0, 0) is the corner of the first pixel. Numbers are in
 * millionths; their absolute values must be at most 10^12.
 *
 * If pixels of the result are more than 17/16 of a source pixel apart, each pixel is the average of
 * the values at a grid of positions in the source. The columns and rows of the grid are at most
 * 17/16 of a source pixel apart, so that no source pixel is skipped. IMG_WARP_NEAREST always has
 * one position per pixel.
 *
 * Returns IMG_E_USAGE for a matrix without an inverse. Returns IMG_E_UNSUPPORTED if the matrix
 * shrinks by a factor of more than 1024, or if the source position of a result pixel is 2^30 pixels
 * or more away. */
ImgStatus img_warp_affine(const int64_t m[6], ImgWarpFilter filter, ImgShape dst, ImgWarpMap *map,
                          ImgError *err);

/* Computes a map from steps between pixels. `corner` is the position in the source of the upper
 * left corner, not the centre, of the result's first pixel. All positions and steps must be less
 * than 2^60. Returns false if the map shrinks by a factor of more than 1024. */
bool img_warp_steps(ImgWarpPlace corner, ImgWarpPlace across, ImgWarpPlace down,
                    ImgWarpFilter filter, ImgWarpMap *map);

/* IMG_WARP_SHRINK_MOST is the largest number of columns, and also of rows, of a pixel's grid of
 * positions. img_warp_grid_side returns the number of columns for the step (x, y) in the source
 * from a pixel of the result to the next pixel in its row; for the step to the next row, it returns
 * the number of rows. The result is the smallest number n for which the step is at most n + 1/16
 * pixels long. If it is larger than IMG_WARP_SHRINK_MOST, the function returns IMG_WARP_SHRINK_MOST
 * + 1. */
enum { IMG_WARP_SHRINK_MOST = 1024 };
int32_t img_warp_grid_side(int64_t x, int64_t y);

/* --- Perspective ------------------------------------------------------------------------------ */

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
 * pixel. Parallelograms become affine maps (img_warp_affine).
 *
 * Returns IMG_E_USAGE if img_warp_check_corners rejects the corners. Returns IMG_E_UNSUPPORTED if
 * the picture shrinks by a factor of more than 1024 at a corner. Also returns it for quadrilaterals
 * so narrow that positions would be off by 2^-12 pixels or more. */
ImgStatus img_warp_perspective(const int64_t corners[IMG_WARP_CORNERS], ImgWarpFilter filter,
                               ImgShape dst, ImgWarpMap *map, ImgError *err);

#endif
