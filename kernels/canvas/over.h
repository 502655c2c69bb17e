/* Composites one pixel over another, for overlay and for contact sheets. */
#ifndef IMGTOOL_KERNELS_CANVAS_OVER_H
#define IMGTOOL_KERNELS_CANVAS_OVER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/core/cuda/host_device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_OVERLAY_OPAQUE = 1000 };

/* Composites a pixel of the logo over `pixel` with the operator "over" on premultiplied values
 * (Porter and Duff, "Compositing digital images", 1984). The result is one integer fraction that is
 * rounded once. It is exact where a pixel is opaque or fully transparent. The last sample of `logo`
 * is its alpha. The last sample of `pixel` is its alpha if `has_alpha`. With 16-bit samples, all
 * intermediate numbers are below 2^58. */
IMG_HOST_DEVICE void img_overlay_pixel(const uint32_t *logo, uint32_t *pixel, int colors,
                                       bool has_alpha, uint32_t opacity, uint32_t maximum)
{
    const uint64_t unit = (uint64_t)maximum * IMG_OVERLAY_OPAQUE;
    const uint64_t cover = (uint64_t)logo[colors] * opacity;
    uint64_t above = cover, below = unit - cover, all = unit;
    if (has_alpha) {
        above = cover * maximum;
        below *= pixel[colors];
        all = above + below;
        pixel[colors] = (uint32_t)((all + unit / 2) / unit);
    }
    for (int c = 0; c < colors && all > 0; c++)
        pixel[c] = (uint32_t)((logo[c] * above + pixel[c] * below + all / 2) / all);
}

#ifdef __cplusplus
}
#endif
#endif
