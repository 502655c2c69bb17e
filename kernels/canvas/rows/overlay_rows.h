/* Private to overlay on the CPU: composites a row of the logo over a row of pixels, in variants for
 * several instruction sets. */
#ifndef IMGTOOL_KERNELS_CANVAS_ROWS_OVERLAY_ROWS_H
#define IMGTOOL_KERNELS_CANVAS_ROWS_OVERLAY_ROWS_H

#include "kernels/canvas/overlay.h"

/* Composites `count` pixels of the logo over `count` pixels of the picture. */
typedef void ImgOverlayCover(uint8_t *pixels, const uint8_t *logo, int32_t count, uint32_t opacity);

/* Functions, indexed by depth (8 or 16 bits) and by number of channels - 1. */
typedef struct ImgOverlayRows {
    ImgOverlayCover *cover[2][4];
} ImgOverlayRows;

extern const ImgOverlayRows img_overlay_rows_portable, img_overlay_rows_avx2,
    img_overlay_rows_avx512;

#endif
