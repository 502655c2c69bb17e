/* Shared by the C and CUDA sources that call the CUDA runtime. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_CUDA_UTIL_H
#define IMGTOOL_KERNELS_CORE_CUDA_CUDA_UTIL_H

#include <cuda_runtime_api.h>

#include "kernels/core/status.h"

/* Returns from the function that uses it when a CUDA call fails; such functions own nothing. */
#define CUDA_TRY(call, err)                                                                        \
    do {                                                                                           \
        cudaError_t cuda_code_ = (call);                                                           \
        if (cuda_code_ != cudaSuccess)                                                             \
            return img_cuda_fail(cuda_code_, #call, err);                                          \
    } while (0)

/* IMG_E_MEMORY, IMG_E_UNAVAILABLE or IMG_E_DEVICE, by what the runtime says. */
static inline ImgStatus img_cuda_fail(cudaError_t code, const char *call, ImgError *err)
{
    ImgStatus status = IMG_E_DEVICE;
    if (code == cudaErrorMemoryAllocation)
        status = IMG_E_MEMORY;
    if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver ||
        code == cudaErrorInvalidDevice || code == cudaErrorNoKernelImageForDevice ||
        code == cudaErrorUnsupportedPtxVersion || code == cudaErrorDevicesUnavailable)
        status = IMG_E_UNAVAILABLE;
    (void)cudaGetLastError(); /* so that the next launch is not blamed for this */
    return img_fail(err, status, "CUDA: %s (%s)", cudaGetErrorString(code), call);
}

#endif
