/* Permission for a kernel to use more dynamic shared memory than the 48 KiB that need no
 * permission. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_SHARED_MEMORY_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_SHARED_MEMORY_CUH

#include <cuda_runtime.h> /* app/bench/model has its own version of this header */

/* Allows the kernel to use all the shared memory that the device offers to a block. The limit
 * applies to the kernel in all threads of the process: setting it per launch made concurrent
 * launches with larger needs fail. If all launches of a kernel need the same amount, that amount is
 * also a safe limit. */
template <typename Kernel> cudaError_t allow_shared_memory(Kernel *kernel)
{
    int device = 0, most = 0;
    struct cudaFuncAttributes own = {};
    cudaError_t code = cudaGetDevice(&device);
    if (code == cudaSuccess)
        code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (code == cudaSuccess)
        code = cudaFuncGetAttributes(&own, kernel);
    if (code != cudaSuccess)
        return code;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                most - (int)own.sharedSizeBytes);
}

#endif
