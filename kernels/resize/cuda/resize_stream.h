/* Private to the fast resize on CUDA: how the stream kernel divides a picture, and its launch. The
 * kernel is for pictures that shrink strongly. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_H
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_H

#include "kernels/resize/cuda/resize_stream_layout.h"
#include "kernels/resize/resize.h"

/* Computes how the kernel divides the picture. `tiles` of the result is 0 if the kernel needs more
 * than `most` bytes of shared memory, or does not support the format. */
ImgResizeStream img_resize_plan_stream(const ImgResize *own, int32_t most);
ImgStatus img_resize_cuda_stream(const ImgCall *call, const ImgResizeStream *plan, ImgError *err);

#endif
