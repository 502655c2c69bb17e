/* Dynamic shared memory, more of it than the 48 KiB that every kernel may have. */
#ifndef IMGTOOL_KERNELS_CORE_CUDA_SHARED_MEMORY_CUH
#define IMGTOOL_KERNELS_CORE_CUDA_SHARED_MEMORY_CUH

#include <cuda_runtime.h> /* app/bench/model has one of its own */

/* Lets the kernel have all that the device gives a block, whatever the next launch takes of it. The
 * limit is the kernel's, in all threads of the process: were it what one launch takes, a thread
 * with other parameters could lower it just before that launch, which would then fail. (Where all
 * launches of a kernel take the same, to ask for that is as good.) */
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
