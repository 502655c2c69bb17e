/* Private to overlay on the CPU: functions that composite a row of the logo over a row of pixels.
 * Each instruction set has its own variant of these functions. */
#ifndef IMGTOOL_KERNELS_CANVAS_ROWS_OVERLAY_ROWS_H
#define IMGTOOL_KERNELS_CANVAS_ROWS_OVERLAY_ROWS_H

#include "kernels/canvas/overlay.h"

/* Composites `count` pixels of the logo over `count` pixels of the picture. `opacity` is in
 * thousandths. */
typedef void ImgOverlayCover(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity);

/* The functions of one instruction set. The first index is 0 for 8 bits and 1 for 16 bits per
 * sample; the second is the number of channels minus 1. */
typedef struct ImgOverlayRows {
    ImgOverlayCover *cover[2][4];
} ImgOverlayRows;

extern const ImgOverlayRows img_overlay_rows_portable, img_overlay_rows_avx2,
    img_overlay_rows_avx512;

#endif
