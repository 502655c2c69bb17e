/* Private: a row of a point operation on the CPU, in the variants that compilers make of the same
 * source, point_rows_source.h. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_H
#define IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_H

#include "kernels/core/point/points.h"

/* `width` pixels of row y, the first of them or those after a multiple of 8, which need no
 * alignment and do not overlap. */
typedef void ImgPointRows(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                          int32_t width, int32_t y);

ImgPointRows img_point_rows_portable, img_point_rows_neon;
ImgPointRows img_point_rows_avx2, img_point_rows_avx512;
ImgPointRows img_point_rows_vbmi; /* of processors that look a byte up in two registers */

#endif
