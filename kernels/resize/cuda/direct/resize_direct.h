/* Private to the fast resize on CUDA: the kernel for what is enlarged, or becomes not much smaller,
 * as host code plans it.
 *
 * A block goes down a strip of the result. Each of its warps makes IMG_RESIZE_BAND rows of
 * 16 warp_pairs columns at a time, from a window of 32 columns of the source by chunks of 16 rows.
 */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_DIRECT_RESIZE_DIRECT_H

#include "kernels/resize/resize.h"

struct ImgResizeDirect {
    int32_t warp_pairs;    /* twice 8 columns of a warp each */
    int32_t row_chunks;    /* of the source */
    int32_t rows, columns; /* in shared memory: what the next rows are made of too */
    int32_t pitch, out_pitch;
    int32_t down_at, across_at, out_at, bytes; /* in shared memory */
};

/* `warp_pairs` is 0: not in `most` bytes of shared memory, or windows are larger. */
ImgResizeDirect img_resize_plan_direct(const ImgResize *own, int32_t most);
ImgStatus img_resize_cuda_direct(const ImgCall *call, const ImgResizeDirect *layout, ImgError *err);

#endif
