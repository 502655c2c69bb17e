/* Private: buffers of an open CUDA device, which runs share. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_MEMORY_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_MEMORY_H

#include "kernels/core/exec/cuda/device_priv.h"

/* A device image in buffer `which` of those for images; what was there is lost. */
ImgStatus img_device_place_image(ImgCuda *cuda, int which, ImgShape shape, ImgView *view,
                                 ImgError *err);

/* At least `bytes` of workspace, on behalf of a picture of that shape. Steps and ends work one
 * after another, so that they can share it. */
ImgStatus img_device_reserve_workspace(ImgCuda *cuda, size_t bytes, ImgShape shape, ImgError *err);

/* Constants of the passes from `first` on, one behind the other (img_sent_room), unless they are
 * there from the picture before. Nothing that is queued may still need others. */
ImgStatus img_device_send_constants(ImgCuda *cuda, const ImgPlan *plan, size_t first,
                                    ImgError *err);

#endif
