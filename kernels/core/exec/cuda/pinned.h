/* Private: host memory that a GPU reads and writes by itself, at the speed of the bus. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_PINNED_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_PINNED_H

#include "kernels/core/exec/exec_priv.h"

/* Offers it to the driver, once; the device is the thread's current one. Where the driver does not
 * want it, it copies with the CPU's help. */
void img_cuda_pin(int device, ImgHostMemory *memory);

#endif
