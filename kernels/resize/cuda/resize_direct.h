/* Private to the fast resize on CUDA: computes, on the host, how the direct kernel divides a
 * picture. This kernel serves enlarging and moderate shrinking.
 *
 * A block moves down a strip of the result. In each step, each warp computes IMG_RESIZE_BAND rows
 * of 16 * warp_pairs columns. A warp reads a window of 32 columns of the source, in chunks of 16
 * rows. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_DIRECT_H

#include "kernels/resize/resize.h"

struct ImgResizeDirect {
    /* number of pairs per warp; a pair is two groups of 8 columns of the result */
    int32_t warp_pairs;
    /* number of chunks of 16 source rows from which IMG_RESIZE_BAND result rows are computed */
    int32_t row_chunks;
    /* number of source rows and columns in shared memory; they include the source rows that the
     * next IMG_RESIZE_BAND result rows need */
    int32_t rows, columns;
    int32_t pitch, out_pitch;
    /* offsets of arrays in shared memory, and their total size, in bytes */
    int32_t down_at, across_at, out_at, bytes;
};

/* Computes how the kernel divides the picture. `warp_pairs` of the result is 0 if the kernel needs
 * more than `most` bytes of shared memory, or if source windows are too large for it. */
ImgResizeDirect img_resize_plan_direct(const ImgResize *own, int32_t most);
ImgStatus img_resize_cuda_direct(const ImgCall *call, const ImgResizeDirect *layout, ImgError *err);

#endif
