/* Computes luma pixel by pixel. Plain C uses it for whole rows, vector code for the pixels that
 * remain after the last whole vector. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_LUMA_REST_H
#define IMGTOOL_KERNELS_HISTOGRAM_LUMA_REST_H

#include <string.h>

#include "kernels/histogram/count.h"

/* Computes the luma of the pixels `first` to `count` - 1 of a row. A pixel has `pixel_size`
 * bytes. */
static inline void luma_rest8(const uint8_t *src, const size_t pixel_size, size_t first,
                              size_t count, ImgLumaWeights weights, uint8_t *luma)
{
    for (size_t x = first; x < count; x++) {
        const uint8_t *p = src + x * pixel_size;
        luma[x] = (uint8_t)img_luma(weights, p[0], p[1], p[2]);
    }
}

static inline void luma_rest16(const uint8_t *src, const size_t pixel_size, size_t first,
                               size_t count, ImgLumaWeights weights, uint16_t *luma)
{
    for (size_t x = first; x < count; x++) {
        uint16_t p[3];
        memcpy(p, src + x * pixel_size, sizeof p);
        luma[x] = (uint16_t)img_luma(weights, p[0], p[1], p[2]);
    }
}

#endif
