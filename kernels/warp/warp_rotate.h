/* Private: rotation by any angle as a map of positions. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROTATE_H
#define IMGTOOL_KERNELS_WARP_WARP_ROTATE_H

#include "kernels/warp/warp.h"

/* Computes the smallest integer size that contains the corners of a picture rotated by that angle.
 * Its width is ceil((w * |cos| + h * |sin|) / 2^30), with the sine and cosine of img_sin. Its
 * height is the same with w and h exchanged. Returns IMG_E_LIMIT if this is not a valid size. */
ImgStatus img_warp_expand(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst,
                          ImgError *err);

/* Computes the largest upright rectangle inside a picture that is rotated by that angle, which must
 * not be a multiple of 90 degrees. Its sides are whole pixels, at least 1. It cannot be extended by
 * a pixel in either direction. */
void img_warp_fit_inside(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst);

/* Returns the map of a clockwise rotation around the centres of both pictures. */
ImgWarpMap img_warp_rotation(ImgShape src, ImgShape dst, int32_t thousandths_of_degree);

#endif
