/* Error handling for C and CUDA sources that call the CUDA runtime. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_CUDA_UTIL_H
#define IMGTOOL_KERNELS_CORE_CUDA_CUDA_UTIL_H

#include <cuda_runtime_api.h>

#include "kernels/core/status.h"

/* If the CUDA call fails, makes the function that uses the macro return an error. Use it only where
 * this function holds no resource, because none would be released. */
#define CUDA_TRY(call, err)                                                                        \
    do {                                                                                           \
        cudaError_t cuda_code_ = (call);                                                           \
        if (cuda_code_ != cudaSuccess)                                                             \
            return img_cuda_fail(cuda_code_, #call, err);                                          \
    } while (0)

/* Records in `err` that `call` failed with `code`. Returns IMG_E_MEMORY, IMG_E_UNAVAILABLE or
 * IMG_E_DEVICE, depending on `code`. */
static inline ImgStatus img_cuda_fail(cudaError_t code, const char *call, ImgError *err)
{
    ImgStatus status = IMG_E_DEVICE;
    if (code == cudaErrorMemoryAllocation)
        status = IMG_E_MEMORY;
    if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver ||
        code == cudaErrorInvalidDevice || code == cudaErrorNoKernelImageForDevice ||
        code == cudaErrorUnsupportedPtxVersion || code == cudaErrorDevicesUnavailable)
        status = IMG_E_UNAVAILABLE;
    (void)cudaGetLastError(); /* clears the error, so that the next launch does not report it */
    return img_fail(err, status, "CUDA: %s (%s)", cudaGetErrorString(code), call);
}

#endif
