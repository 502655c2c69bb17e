/* Private to resize: computes, on the host, how the fast CUDA kernel divides a picture into strips.
 *
 * A block moves down a strip of the result, IMG_RESIZE_BAND rows per step. A strip consists of
 * groups of IMG_RESIZE_BAND columns. Shared memory holds the source rows of a step, the middle (the
 * picture after vertical sums), and the weights of both axes. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H

#include "kernels/resize/resize.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* rows of the result per step, and columns of the result per group */
    IMG_RESIZE_BAND = 16,
    /* source columns per horizontal product; a vertical product has 32 source rows */
    IMG_RESIZE_CHUNK = 16,
    IMG_RESIZE_GROUPS = 16, /* largest number of groups per strip */
    /* bytes after the vertical sums that may be read; their weights are 0 */
    IMG_RESIZE_PAST = 32,
    /* limit of rows * units^2, where a row has `units` units of 16 bytes; below it, a Divisor by
     * `units` is exact */
    IMG_RESIZE_DIVIDED = 1 << 20,
    /* largest number of weights per new sample for wide sums, so that sums of bytes fit in 32
     * bits */
    IMG_RESIZE_WIDE_TAPS = 128,
    /* shared memory per block on all GPUs from sm_75 on, in bytes */
    IMG_RESIZE_STRIP_BYTES = 65536,
    IMG_RESIZE_STRIP_MOST = 232448, /* shared memory per block on GPUs from sm_90 on, in bytes */
};

typedef struct ImgResizeStrips {
    int32_t groups; /* number of groups of columns per strip */
    /* size of the source window in shared memory; `rows` is a multiple of 32, a row is a multiple
     * of 32 bytes */
    int32_t rows, columns;
    /* number of chunks, of IMG_RESIZE_CHUNK columns each, in the window of a group */
    int32_t chunks;
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, down_at, across_at, out_at, bytes;
} ImgResizeStrips;

/* Returns the layout of the widest strips that fit in `most` bytes of shared memory. `down` and
 * `across` are the largest numbers of source rows and columns that IMG_RESIZE_BAND new rows and
 * columns need. If no strip fits, `groups` of the result is 0. */
ImgResizeStrips img_resize_strips(const ImgResize *own, int64_t down, int64_t across, int32_t most);

#ifdef __cplusplus
}
#endif
#endif
