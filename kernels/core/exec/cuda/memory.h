/* Private: the device buffers of an ImgCuda, which its runs share, and pinned host memory. A GPU
 * copies from and to pinned memory without the CPU, at the full speed of the bus. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_MEMORY_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_MEMORY_H

#include "kernels/core/exec/cuda/device_priv.h"

/* Sets *view to an image of the given shape in image buffer `which`. The old contents of the buffer
 * are lost. */
ImgStatus img_device_place_image(ImgCuda *cuda, int which, ImgShape shape, ImgView *view,
                                 ImgError *err);

/* Ensures a workspace of at least `bytes` bytes; `shape` is for the error message. Passes, source
 * and sink run one after another, so they share the workspace. */
ImgStatus img_device_reserve_workspace(ImgCuda *cuda, size_t bytes, ImgShape shape, ImgError *err);

/* Copies the constants of the passes from `first` on to the device (layout: img_sent_room). Does
 * nothing if the device still has the same constants from the previous picture. The old constants
 * are overwritten, so no queued work may still use them. */
ImgStatus img_device_send_constants(ImgCuda *cuda, const ImgPlan *plan, size_t first,
                                    ImgError *err);

/* Pins the memory for `device`, which must be the thread's current device. After a failure, later
 * calls do not try again. Unpinned memory works too, but the driver then copies with the help of
 * the CPU. */
void img_cuda_pin(int device, ImgHostMemory *memory);

#endif
