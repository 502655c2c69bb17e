/* Private to overlay: its parameters, the prepared logo, and the arithmetic that CPU and GPU
 * share. */
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
    int32_t x, y;    /* pixels */
    int32_t opacity; /* in thousandths */
    int32_t tile;    /* 0 or 1 */
} ImgOverlayParams;

/* The constants: the logo with the colours and the depth of the result, and an alpha. Pixels follow
 * without gaps, with `colors` + 1 samples of one or two bytes each. */
typedef struct ImgOverlayLogo {
    int32_t width, height, colors, bits;
    uint8_t samples[];
} ImgOverlayLogo;

/* Position of the logo in the picture. */
typedef struct ImgOverlayPlace {
    int32_t x, y;          /* its upper left corner; may be outside */
    int32_t width, height; /* of the logo */
    int32_t tile;
} ImgOverlayPlace;

ImgOverlayPlace img_overlay_place(const ImgCall *call);

/* Returns the column or row of a logo of `size` from `start` on that is at `at`, or -1 if there is
 * none. */
IMG_HOST_DEVICE int32_t img_overlay_along(int64_t at, int64_t start, int32_t size, int32_t tile)
{
    int64_t place = at - start;
    if (tile != 0) {
        place %= size;
        place += place < 0 ? size : 0;
    }
    return place >= 0 && place < size ? (int32_t)place : -1;
}

/* As img_overlay_pixel, in 32 bits, for pixels of 8 bits without alpha. */
IMG_HOST_DEVICE void img_overlay_bytes(const uint32_t *logo, uint32_t *pixel, int colors,
                                       uint32_t opacity)
{
    const uint32_t unit = 255 * IMG_OVERLAY_OPAQUE, cover = logo[colors] * opacity;
    for (int c = 0; c < colors; c++)
        pixel[c] = (logo[c] * cover + pixel[c] * (unit - cover) + unit / 2) / unit;
}

ImgStatus img_overlay_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_overlay_cpu_avx2(const ImgCall *call, ImgError *err);
ImgStatus img_overlay_cpu_avx512(const ImgCall *call, ImgError *err);
ImgStatus img_overlay_cuda_naive(const ImgCall *call, ImgError *err);
ImgStatus img_overlay_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
