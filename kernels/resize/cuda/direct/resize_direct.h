/* Private to the fast resize on CUDA: the plan, computed on the host, of the kernel for enlarging
 * and moderate shrinking.
 *
 * A block moves down a strip of the result. Each of its warps computes IMG_RESIZE_BAND rows of 16 *
 * warp_pairs columns per step. It reads a window of 32 columns of the source, in chunks of 16
 * rows. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_H

#include "kernels/resize/resize.h"

struct ImgResizeDirect {
    int32_t warp_pairs; /* pairs per warp; a pair is two groups of 8 columns of the result */
    int32_t row_chunks; /* chunks of 16 source rows per step */
    /* rows and columns of the source in shared memory, including rows for the next step */
    int32_t rows, columns;
    int32_t pitch, out_pitch;
    /* offsets in shared memory, and its size, in bytes */
    int32_t down_at, across_at, out_at, bytes;
};

/* Plans the kernel. In the result `warp_pairs` is 0 if the kernel needs more than `most` bytes of
 * shared memory, or if windows are too large for it. */
ImgResizeDirect img_resize_plan_direct(const ImgResize *own, int32_t most);
ImgStatus img_resize_cuda_direct(const ImgCall *call, const ImgResizeDirect *layout, ImgError *err);

#endif
