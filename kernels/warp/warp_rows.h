/* Private: computes rows of pixels with a filter on the CPU. Each instruction set has its own
 * variant. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROWS_H
#define IMGTOOL_KERNELS_WARP_WARP_ROWS_H

#include "kernels/warp/warp.h"

enum {
    /* samples per lifted pixel (window/lift.h), for any number of channels */
    IMG_WARP_LANES = 4,
    /* samples that a function may read after a tile, and samples that it may write after a row */
    IMG_WARP_SLACK = 32,
    IMG_WARP_MORE = 8, /* points that a function may write after the points of a row */
};

/* Window of a pixel. `at` is the index of its first sample in a tile. `across` and `down` are the
 * phases of its position: fractions of a pixel, which select the weights. */
typedef struct ImgWarpPoint {
    int32_t at;
    uint16_t across, down;
} ImgWarpPoint;

/* Computes `count` pixels of 4 lifted samples each (window/lift.h). Rows of the tile are
 * `pitch` samples apart. */
typedef void ImgWarpRow(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                        const ImgWarpPoint *points, int32_t count, int16_t *to);

/* The positions of a row of pixels, for an affine map. (x, y) is the first position relative to the
 * tile, plus half a phase for rounding; (step_x, step_y) is added for each next pixel. All four are
 * in units of 1 / IMG_WARP_ONE pixel. Positions outside the tile give undefined points. */
typedef struct ImgWarpLine {
    uint64_t x, y, step_x, step_y;
    uint32_t pitch;
} ImgWarpLine;

/* The positions of a row of pixels, in perspective. x, y, w and `unit` are the numbers from which
 * img_warp_project computes the position of the first pixel; step_x, step_y and step_w are added
 * for each next pixel. (left, top) is the position, in phases, of the pixel whose window begins at
 * the corner of the tile. */
typedef struct ImgWarpRay {
    double x, y, w, step_x, step_y, step_w, unit;
    double left, top;
    uint32_t pitch;
} ImgWarpRay;

typedef struct ImgWarpRows {
    void (*points)(const ImgWarpLine *line, int32_t count, ImgWarpPoint *points);
    void (*project)(const ImgWarpRay *ray, int32_t count, ImgWarpPoint *points);
    /* filter functions, indexed by ImgWarpFilter; NULL for IMG_WARP_NEAREST */
    ImgWarpRow *filters[IMG_WARP_LANCZOS4 + 1];
    /* `lift` converts `width` source pixels of 8 or 16 bits to lifted pixels of 4 samples
     * (window/lift.h). `lower` converts lifted pixels to pixels of the result. */
    void (*lift)(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgWarp *warp, const int16_t *from, uint8_t *to, int32_t width);
} ImgWarpRows;

extern const ImgWarpRows img_warp_rows_portable, img_warp_rows_avx2, img_warp_rows_avx512;

#endif
