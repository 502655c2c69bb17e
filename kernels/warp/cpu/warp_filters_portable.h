/* Portable version of warp_rows.h: filters windows of any size, in loops that the compiler
 * vectorises. */
#ifndef IMGTOOL_KERNELS_WARP_CPU_WARP_FILTERS_PORTABLE_H
#define IMGTOOL_KERNELS_WARP_CPU_WARP_FILTERS_PORTABLE_H

#include "kernels/warp/cpu/warp_rows.h"

static inline void filter(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                          const ImgWarpPoint *points, int32_t count, int16_t *to, size_t taps)
{
    for (int32_t x = 0; x < count; x++, to += IMG_WARP_LANES) {
        const int16_t *window = tile + points[x].at;
        const int16_t *across = warp->weights[points[x].across];
        const int16_t *down = warp->weights[points[x].down];
        int32_t sums[IMG_WARP_LANES] = {0, 0, 0, 0};
        for (size_t i = 0; i < taps; i++)
            for (size_t c = 0; c < IMG_WARP_LANES; c++) {
                int32_t column = 0;
                for (size_t k = 0; k < taps; k++)
                    column += down[k] * window[k * pitch + i * IMG_WARP_LANES + c];
                sums[c] += across[i] * img_warp_round(column);
            }
        for (size_t c = 0; c < IMG_WARP_LANES; c++)
            to[c] = (int16_t)img_warp_end(sums[c]);
    }
}

#define FILTER(name, taps)                                                                         \
    static void name(const ImgWarp *warp, const int16_t *tile, size_t pitch,                       \
                     const ImgWarpPoint *points, int32_t count, int16_t *to)                       \
    {                                                                                              \
        filter(warp, tile, pitch, points, count, to, taps);                                        \
    }

FILTER(bilinear, 2)
FILTER(bicubic, 4)
FILTER(lanczos3, 6)
FILTER(lanczos4, 8)

static int32_t lift_rgb_vectors(const uint8_t *from, int16_t *to, int32_t width)
{
    (void)from, (void)to, (void)width;
    return 0;
}

#endif
