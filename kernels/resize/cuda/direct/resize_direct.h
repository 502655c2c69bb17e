/* Private to the fast resize on CUDA: the plan, on the host, of the kernel for enlarging and
 * moderate shrinking.
 *
 * A block moves down a strip of the result. Each of its warps makes IMG_RESIZE_BAND rows of 16
 * warp_pairs columns at a time, from a window of 32 columns of the source in chunks of 16 rows. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_H

#include "kernels/resize/resize.h"

struct ImgResizeDirect {
    int32_t warp_pairs;    /* a pair is two groups of 8 columns of a warp */
    int32_t row_chunks;    /* chunks of source rows */
    int32_t rows, columns; /* of the source in shared memory, including those for the next rows */
    int32_t pitch, out_pitch;
    int32_t down_at, across_at, out_at, bytes; /* offsets in shared memory, and its size */
};

/* Plans the kernel. `warp_pairs` is 0 if it does not fit `most` bytes of shared memory, or if
 * windows are too large. */
ImgResizeDirect img_resize_plan_direct(const ImgResize *own, int32_t most);
ImgStatus img_resize_cuda_direct(const ImgCall *call, const ImgResizeDirect *layout, ImgError *err);

#endif
