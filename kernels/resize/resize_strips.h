/* Private to resize: the plan, on the host, of how the fast CUDA kernel divides a picture.
 *
 * A block moves down a strip of the result, with IMG_RESIZE_BAND columns per group and as many rows
 * per step. Shared memory has the source rows of a step, the middle, and both kinds of weights. */
#ifndef IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H
#define IMGTOOL_KERNELS_RESIZE_RESIZE_STRIPS_H

#include "kernels/resize/resize.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* rows, or columns, of the result whose sums are computed together */
    IMG_RESIZE_BAND = 16,
    IMG_RESIZE_CHUNK = 16,        /* columns per horizontal product; vertical ones take 32 rows */
    IMG_RESIZE_GROUPS = 16,       /* most groups per strip */
    IMG_RESIZE_PAST = 32,         /* bytes past the middle, which have weight 0 */
    IMG_RESIZE_DIVIDED = 1 << 20, /* most rows times 16-byte units squared: the limit of Divisor */
    IMG_RESIZE_WIDE_TAPS = 128,   /* most weights, so that sums of bytes fit 32 bits */
    IMG_RESIZE_STRIP_BYTES = 65536, /* shared memory of all GPUs from sm_75 on */
    IMG_RESIZE_STRIP_MOST = 232448, /* shared memory of GPUs from sm_90 on */
};

typedef struct ImgResizeStrips {
    int32_t groups;        /* per strip */
    int32_t rows, columns; /* of the source in shared memory; multiples of 32, and of 32 bytes */
    int32_t chunks;        /* chunks of columns per group */
    int32_t pitch, middle_pitch, out_pitch;
    int32_t middle_at, down_at, across_at, out_at, bytes;
} ImgResizeStrips;

/* Returns the widest strips that fit `most` bytes of shared memory, if windows of IMG_RESIZE_BAND
 * new samples have `down` and `across` old ones. `groups` is 0 if none fit. */
ImgResizeStrips img_resize_strips(const ImgResize *own, int64_t down, int64_t across, int32_t most);

#ifdef __cplusplus
}
#endif
#endif
