/* Private: point operations on a row on the CPU. point_rows_source.h is compiled once for each
 * variant. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_H
#define IMGTOOL_KERNELS_CORE_POINT_ROWS_POINT_ROWS_H

#include "kernels/core/point/points.h"

/* Processes `width` pixels of row y. They begin at the start of the row or at a multiple of 8. The
 * buffers need no alignment and do not overlap. */
typedef void ImgPointRows(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                          int32_t width, int32_t y);

ImgPointRows img_point_rows_portable, img_point_rows_neon;
ImgPointRows img_point_rows_avx2, img_point_rows_avx512;
/* For processors that can look up a byte in two registers (AVX-512 VBMI). */
ImgPointRows img_point_rows_vbmi;

#endif
