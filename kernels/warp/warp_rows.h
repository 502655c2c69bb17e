/* Private: rows of pixels made by a filter, on the CPU, in variants for different processors. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROWS_H
#define IMGTOOL_KERNELS_WARP_WARP_ROWS_H

#include "kernels/warp/warp.h"

enum {
    IMG_WARP_LANES = 4,  /* samples of a lifted pixel, whatever its channels */
    IMG_WARP_SLACK = 32, /* samples after a tile that may be read, and after a row, written */
};

/* Where the window of a pixel begins, in samples of a tile, and its phases. */
typedef struct ImgWarpPoint {
    int32_t at;
    uint16_t across, down;
} ImgWarpPoint;

/* `pitch` samples from a row of the tile to the next; `count` pixels of 4 samples to `to`. */
typedef void ImgWarpRow(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                        const ImgWarpPoint *points, int32_t count, int16_t *to);

typedef struct ImgWarpRows {
    ImgWarpRow *filters[IMG_WARP_LANCZOS3 + 1]; /* none of IMG_WARP_NEAREST */
    /* Pixels of 8 or 16 bits with the channels of the source to lifted ones of 4 samples, and
     * such to pixels of the result. */
    void (*lift)(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgWarp *warp, const int16_t *from, uint8_t *to, int32_t width);
} ImgWarpRows;

extern const ImgWarpRows img_warp_rows_portable, img_warp_rows_avx2, img_warp_rows_avx512;

#endif
