/* Private: pinned host memory, which a GPU reads and writes by itself at the full speed of the bus.
 */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_PINNED_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_PINNED_H

#include "kernels/core/exec/exec_priv.h"

/* Pins the memory for `device`, the current one of the thread; tries only once. Unpinned memory
 * works too, but the driver copies it with the help of the CPU. */
void img_cuda_pin(int device, ImgHostMemory *memory);

#endif
