/* Private: rows of pixels computed by a filter, on the CPU, in variants for different instruction
 * sets. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROWS_H
#define IMGTOOL_KERNELS_WARP_WARP_ROWS_H

#include "kernels/warp/warp.h"

enum {
    IMG_WARP_LANES = 4, /* samples of a lifted pixel, for any number of channels */
    /* samples after a tile that may be read, and after a row that may be written */
    IMG_WARP_SLACK = 32,
    IMG_WARP_MORE = 8, /* points after those of a row that may be written */
};

/* The start of a pixel's window, as a sample index in a tile, and the phases of the pixel. */
typedef struct ImgWarpPoint {
    int32_t at;
    uint16_t across, down;
} ImgWarpPoint;

/* Filters `count` pixels of 4 samples to `to`. Rows of the tile are `pitch` samples apart. */
typedef void ImgWarpRow(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                        const ImgWarpPoint *points, int32_t count, int16_t *to);

/* Positions relative to the first pixel of a tile, plus the half of a phase that rounds them, and
 * the step to the next. Positions outside the tile give meaningless points. */
typedef struct ImgWarpLine {
    uint64_t x, y, step_x, step_y;
    uint32_t pitch;
} ImgWarpLine;

/* A row in perspective: the numbers of img_warp_project at the first pixel, the steps to the next
 * pixel, and the phases where the tile begins. */
typedef struct ImgWarpRay {
    double x, y, w, step_x, step_y, step_w, unit;
    double left, top;
    uint32_t pitch;
} ImgWarpRay;

typedef struct ImgWarpRows {
    void (*points)(const ImgWarpLine *line, int32_t count, ImgWarpPoint *points);
    void (*project)(const ImgWarpRay *ray, int32_t count, ImgWarpPoint *points);
    ImgWarpRow *filters[IMG_WARP_LANCZOS4 + 1]; /* no entry for IMG_WARP_NEAREST */
    /* `lift` converts pixels of 8 or 16 bits, with the channels of the source, to lifted ones of 4
     * samples. `lower` converts these to pixels of the result. */
    void (*lift)(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgWarp *warp, const int16_t *from, uint8_t *to, int32_t width);
} ImgWarpRows;

extern const ImgWarpRows img_warp_rows_portable, img_warp_rows_avx2, img_warp_rows_avx512;

#endif
