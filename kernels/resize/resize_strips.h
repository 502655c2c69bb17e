/* Private to resize: how the fast CUDA kernel divides a picture, as host code plans it.
 *
 * A block goes down a strip of the result, IMG_RESIZE_BAND columns per group and as
 * many rows per step. In shared memory it has the rows of the source that the step's rows are made
 * of, the middle, and both kinds of weights. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H

#include "kernels/resize/resize.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IMG_RESIZE_BAND = 16,         /* rows, or columns, of the result whose sums are made together */
    IMG_RESIZE_CHUNK = 16,        /* columns that products across take at a time; of rows 32 */
    IMG_RESIZE_GROUPS = 16,       /* of a strip, at most */
    IMG_RESIZE_PAST = 32,         /* bytes past the middle, which count 0 times */
    IMG_RESIZE_DIVIDED = 1 << 20, /* most rows times units of 16 bytes squared: as Divisor can */
    IMG_RESIZE_WIDE_TAPS = 128,   /* at most, so that sums of bytes fit 32 bits */
    IMG_RESIZE_STRIP_BYTES = 65536, /* of shared memory, which all GPUs from sm_75 on have */
    IMG_RESIZE_STRIP_MOST = 232448, /* those from sm_90 on */
};

typedef struct ImgResizeStrips {
    int32_t groups;        /* of a strip */
    int32_t rows, columns; /* of the source in shared memory; multiples of 32, of 32 bytes */
    int32_t chunks;        /* of columns of a group */
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, down_at, across_at, out_at, bytes;
} ImgResizeStrips;

/* The widest strips that fit `most` bytes of shared memory, where windows of IMG_RESIZE_BAND new
 * samples have so many old ones; `groups` is 0: none do. */
ImgResizeStrips img_resize_strips(const ImgResize *own, int64_t down, int64_t across, int32_t most);

#ifdef __cplusplus
}
#endif
#endif
