/* Private: reads rows of two pictures of any format as planes of 16-bit samples. */
#ifndef IMGTOOL_KERNELS_COMPARE_COMPARE_ROWS_H
#define IMGTOOL_KERNELS_COMPARE_COMPARE_ROWS_H

#include "kernels/compare/comparison.h"

typedef struct ImgRowPlanes {
    uint16_t *a[IMG_COMPARE_PLANES], *b[IMG_COMPARE_PLANES];
} ImgRowPlanes;

/* Returns the number of planes: one per channel, and one for luma if there is colour. */
int img_compare_planes(ImgFormat format);

/* Reads `count` pixels of row `y` from `x` on: the channels and luma of both pictures. Pixels that
 * are transparent in both pictures are 0 in all planes. Returns the number of these pixels. */
int32_t img_compare_fetch(const ImgView *a, const ImgView *b, int32_t x, int32_t y, int32_t count,
                          const ImgRowPlanes *rows);

/* Divides `memory`, which must have img_compare_row_bytes, into planes of `count` samples. */
ImgRowPlanes img_compare_layout(void *memory, size_t count);
size_t img_compare_row_bytes(size_t count);

/* Returns an empty result for these pictures. */
ImgComparison img_compare_start(const ImgView *a);

#endif
