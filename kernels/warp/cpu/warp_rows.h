/* Private: rows of pixels made by a filter, on the CPU, in variants for different processors. */
#ifndef IMGTOOL_KERNELS_WARP_WARP_ROWS_H
#define IMGTOOL_KERNELS_WARP_WARP_ROWS_H

#include "kernels/warp/warp.h"

enum {
    IMG_WARP_LANES = 4,  /* samples of a lifted pixel, whatever its channels */
    IMG_WARP_SLACK = 32, /* samples after a tile that may be read, and after a row, written */
    IMG_WARP_MORE = 8,   /* points after a row's that are written */
};

/* Where the window of a pixel begins, in samples of a tile, and its phases. */
typedef struct ImgWarpPoint {
    int32_t at;
    uint16_t across, down;
} ImgWarpPoint;

/* `pitch` samples from a row of the tile to the next; `count` pixels of 4 samples to `to`. */
typedef void ImgWarpRow(const ImgWarp *warp, const int16_t *tile, size_t pitch,
                        const ImgWarpPoint *points, int32_t count, int16_t *to);

/* Places from the first pixel of a tile on, each with the half of a phase that rounds it, and the
 * step from one to the next. Places outside of the tile give points that mean nothing. */
typedef struct ImgWarpLine {
    uint64_t x, y, step_x, step_y;
    uint32_t pitch;
} ImgWarpLine;

/* By perspective: the numbers of img_warp_project at the first pixel, the steps to the next, and
 * the phases where the tile begins. */
typedef struct ImgWarpRay {
    double x, y, w, step_x, step_y, step_w, unit;
    double left, top;
    uint32_t pitch;
} ImgWarpRay;

typedef struct ImgWarpRows {
    void (*points)(const ImgWarpLine *line, int32_t count, ImgWarpPoint *points);
    void (*project)(const ImgWarpRay *ray, int32_t count, ImgWarpPoint *points);
    ImgWarpRow *filters[IMG_WARP_LANCZOS4 + 1]; /* none of IMG_WARP_NEAREST */
    /* Pixels of 8 or 16 bits with the channels of the source to lifted ones of 4 samples, and
     * such to pixels of the result. */
    void (*lift)(const ImgWarp *warp, const uint8_t *from, int16_t *to, int32_t width);
    void (*lower)(const ImgWarp *warp, const int16_t *from, uint8_t *to, int32_t width);
} ImgWarpRows;

extern const ImgWarpRows img_warp_rows_portable, img_warp_rows_avx2, img_warp_rows_avx512;

#endif
