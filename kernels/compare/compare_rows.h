/* Private to comparisons: reads rows of two pictures, of any format, as planes of 16-bit
 * samples. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARE_ROWS_H
#define IMGTOOL_KERNELS_COMPARE_COMPARE_ROWS_H

#include "kernels/compare/comparison.h"

typedef struct ImgRowPlanes {
    uint16_t *a[IMG_COMPARE_PLANES], *b[IMG_COMPARE_PLANES];
} ImgRowPlanes;

/* Returns the number of planes for a format: one per channel, and one for luma if the format has
 * colour. */
int img_compare_planes(ImgFormat format);

/* Reads the channels, and luma, of `count` pixels of both pictures; the first pixel is (x, y).
 * Pixels that are fully transparent in both pictures are 0 in all planes. Returns the number of
 * these pixels. */
int32_t img_compare_fetch(const ImgView *a, const ImgView *b, int32_t x, int32_t y, int32_t count,
                          const ImgRowPlanes *rows);

/* Divides `memory` into planes of `count` samples. The size of `memory` must be
 * img_compare_row_bytes(count) bytes. */
ImgRowPlanes img_compare_layout(void *memory, size_t count);
size_t img_compare_row_bytes(size_t count);

/* Returns a result without any differences, for pictures of this shape. */
ImgComparison img_compare_start(ImgShape shape);

#endif
