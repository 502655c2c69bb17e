/* Private to overlay on the CPU: pixels of a row with the logo's above them, in variants for
 * different processors. */
#ifndef IMGTOOL_KERNELS_CANVAS_ROWS_OVERLAY_ROWS_H
#define IMGTOOL_KERNELS_CANVAS_ROWS_OVERLAY_ROWS_H

#include "kernels/canvas/overlay.h"

/* `count` pixels. */
typedef void ImgOverlayCover(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity);

/* Of 8 and of 16 bits, of 1 to 4 channels. */
typedef struct ImgOverlayRows {
    ImgOverlayCover *cover[2][4];
} ImgOverlayRows;

extern const ImgOverlayRows img_overlay_rows_portable, img_overlay_rows_avx2,
    img_overlay_rows_avx512;

#endif
