/* Private: rotation by any angle as a map of positions. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROTATE_H
#define IMGTOOL_KERNELS_WARP_WARP_ROTATE_H

#include "kernels/warp/warp.h"

/* Computes the smallest size in whole pixels that contains the corners of a picture rotated by the
 * angle. Its width is ceil((w * |cos| + h * |sin|) / 2^30), with the values of img_sin and img_cos.
 * Its height is the same with w and h exchanged. Returns IMG_E_LIMIT if a side exceeds
 * INT32_MAX. */
ImgStatus img_warp_expand(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst,
                          ImgError *err);

/* Computes the size of the largest upright rectangle inside a picture that is rotated by the angle.
 * The angle must not be a multiple of 90 degrees. The sides are whole pixels, at least 1, and
 * neither could be longer by a pixel. */
void img_warp_fit_inside(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst);

/* Returns the map of a clockwise rotation that maps the centre of the source to the centre of the
 * result. */
ImgWarpMap img_warp_rotation(ImgShape src, ImgShape dst, int32_t thousandths_of_degree);

#endif
