/* Private: device buffers of an ImgCuda, shared by its runs, and pinned host memory, which a GPU
 * reads and writes by itself at the full speed of the bus. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_MEMORY_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_MEMORY_H

#include "kernels/core/exec/cuda/device_priv.h"

/* Places a device image in image buffer `which`; the buffer's old contents are lost. */
ImgStatus img_device_place_image(ImgCuda *cuda, int which, ImgShape shape, ImgView *view,
                                 ImgError *err);

/* Ensures at least `bytes` of workspace; `shape` is for the error message. Passes, source and sink
 * run one after another, so they share it. */
ImgStatus img_device_reserve_workspace(ImgCuda *cuda, size_t bytes, ImgShape shape, ImgError *err);

/* Sends the constants of the passes from `first` on (layout: img_sent_room), unless the device has
 * them from the previous picture. No queued work may still use older constants. */
ImgStatus img_device_send_constants(ImgCuda *cuda, const ImgPlan *plan, size_t first,
                                    ImgError *err);

/* Pins the memory for `device`, the current one of the thread; tries only once. Unpinned memory
 * works too, but the driver copies it with the help of the CPU. */
void img_cuda_pin(int device, ImgHostMemory *memory);

#endif
