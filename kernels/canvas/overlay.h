/* Private to overlay: its parameters, the logo after conversion, the arithmetic that CPU and GPU
 * share, and the functions for rows on the CPU. */
#ifndef IMGTOOL_KERNELS_CANVAS_OVERLAY_H
#define IMGTOOL_KERNELS_CANVAS_OVERLAY_H

#include "kernels/canvas/over.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgOverlayParams {
    ImgFile image;
    int32_t gravity;
    int32_t x, y;    /* distance from the edge that `gravity` names, in pixels */
    int32_t opacity; /* opacity of the logo, in thousandths */
    int32_t tile;    /* 1: the logo is repeated over the whole picture; 0: it is not */
} ImgOverlayParams;

/* The logo, prepared once per call as the constants of the operation. It has the colours and the
 * depth of the result, and always alpha. Its pixels follow without gaps; each has `colors` + 1
 * samples of one or two bytes. */
typedef struct ImgOverlayLogo {
    int32_t width, height, colors, bits;
    uint8_t samples[];
} ImgOverlayLogo;

/* Position of the logo in the picture, in pixels. */
typedef struct ImgOverlayPlace {
    int32_t x, y;          /* upper left corner of the logo; it may be outside the picture */
    int32_t width, height; /* size of the logo, in pixels */
    int32_t tile;
} ImgOverlayPlace;

ImgOverlayPlace img_overlay_place(const ImgCall *call);

/* Returns the column (or row) of the logo that covers column (or row) `at` of the picture, or -1 if
 * none does. The logo has `size` columns (or rows) and begins at `start`. It repeats if `tile` is
 * not 0. */
IMG_HOST_DEVICE int32_t img_overlay_along(int64_t at, int64_t start, int32_t size, int32_t tile)
{
    int64_t place = at - start;
    if (tile != 0) {
        place %= size;
        place += place < 0 ? size : 0;
    }
    return place >= 0 && place < size ? (int32_t)place : -1;
}

/* Composites one pixel like img_overlay_pixel, for 8-bit pixels without alpha. These need only
 * 32-bit arithmetic, which is faster. */
IMG_HOST_DEVICE void img_overlay_bytes(const uint32_t *logo, uint32_t *pixel, int colors,
                                       uint32_t opacity)
{
    const uint32_t unit = 255 * IMG_OVERLAY_OPAQUE, cover = logo[colors] * opacity;
    for (int c = 0; c < colors; c++)
        pixel[c] = (logo[c] * cover + pixel[c] * (unit - cover) + unit / 2) / unit;
}

IMG_CPU_RUNS(img_overlay_cpu);
ImgStatus img_overlay_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_overlay_cuda_fast(const ImgCall *call, ImgError *err);

/* --- Rows on the CPU -------------------------------------------------------------------------- */

/* Functions that composite a row of the logo over a row of pixels. Each instruction set has its own
 * variant of these functions (overlay_loops.c). */

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

#ifdef __cplusplus
}
#endif
#endif
