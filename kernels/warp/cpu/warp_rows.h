/* Private: computes rows of pixels with a filter on the CPU, in variants for several instruction
 * sets. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROWS_H
#define IMGTOOL_KERNELS_WARP_WARP_ROWS_H

#include "kernels/warp/warp.h"

enum {
    IMG_WARP_LANES = 4, /* samples of a lifted pixel, for any number of channels */
    /* samples after a tile that a function may read, and samples after a row that it may write */
    IMG_WARP_SLACK = 32,
    IMG_WARP_MORE = 8, /* points after those of a row that a function may write */
};

/* Start of a pixel's window, as a sample index in a tile, and the phases of its position: the
 * fractions of a pixel, which select the weights. */
typedef struct ImgWarpPoint {
    int32_t at;
    uint16_t across, down;
} ImgWarpPoint;

/* Computes `count` pixels of 4 lifted samples each. Rows of the tile are `pitch` samples apart. */
typedef void ImgWarpRow(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                        const ImgWarpPoint *points, int32_t count, int16_t *to);

/* The positions of a row of pixels, for an affine map: that of the first pixel, relative to the
 * tile and including half a phase for rounding, and the step to the next. Positions outside the
 * tile give undefined points. */
typedef struct ImgWarpLine {
    uint64_t x, y, step_x, step_y;
    uint32_t pitch;
} ImgWarpLine;

/* The positions of a row of pixels in perspective: the numbers of img_warp_project at the first
 * pixel, their steps to the next pixel, and the position of the tile in phases. */
typedef struct ImgWarpRay {
    double x, y, w, step_x, step_y, step_w, unit;
    double left, top;
    uint32_t pitch;
} ImgWarpRay;

typedef struct ImgWarpRows {
    void (*points)(const ImgWarpLine *line, int32_t count, ImgWarpPoint *points);
    void (*project)(const ImgWarpRay *ray, int32_t count, ImgWarpPoint *points);
    /* indexed by ImgWarpFilter; NULL for IMG_WARP_NEAREST */
    ImgWarpRow *filters[IMG_WARP_LANCZOS4 + 1];
    /* `lift` converts `width` pixels of 8 or 16 bits, with the channels of the source, to lifted
     * pixels of 4 samples. `lower` converts such pixels to pixels of the result. */
    void (*lift)(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgWarp *warp, const int16_t *from, uint8_t *to, int32_t width);
} ImgWarpRows;

extern const ImgWarpRows img_warp_rows_portable, img_warp_rows_avx2, img_warp_rows_avx512;

#endif
