/* Private: rotation by any angle as a map of places. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROTATE_H
#define IMGTOOL_KERNELS_WARP_WARP_ROTATE_H

#include "kernels/warp/warp.h"

/* The smallest whole size that holds the corners of a picture rotated by that angle: its width is
 * ceil((w * |cos| + h * |sin|) / 2^30), of sine and cosine as img_sin gives them, and its height
 * with w and h exchanged. IMG_E_LIMIT where that is no size. */
ImgStatus img_warp_expand(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst,
                          ImgError *err);

/* A largest upright rectangle within a picture rotated by that angle, which is no multiple of 90
 * degrees: of whole pixels, at least 1, and no pixel higher or wider would fit. */
void img_warp_fit_inside(ImgShape src, int32_t thousandths_of_degree, ImgShape *dst);

/* Clockwise around the centres of both pictures. */
ImgWarpMap img_warp_rotation(ImgShape src, ImgShape dst, int32_t thousandths_of_degree);

#endif
