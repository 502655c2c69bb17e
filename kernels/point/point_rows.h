/* Private: point operations on a row on the CPU. point_loops.c is compiled once for each
 * processor level, as a variant. */
#ifndef IMGTOOL_KERNELS_POINT_POINT_ROWS_H
#define IMGTOOL_KERNELS_POINT_POINT_ROWS_H

#include "kernels/point/points.h"

/* Processes `width` pixels of row `y`. They begin at the start of the row or at a multiple of 8
 * pixels, because dither thresholds repeat every 8 pixels. The buffers need no alignment and must
 * not overlap. */
typedef void ImgPointRows(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                          int32_t width, int32_t y);

ImgPointRows img_point_rows_portable, img_point_rows_avx2, img_point_rows_avx512;
/* Variant for processors with AVX-512 VBMI, whose instruction looks up bytes in a table of two
 * registers. */
ImgPointRows img_point_rows_vbmi;

#endif
