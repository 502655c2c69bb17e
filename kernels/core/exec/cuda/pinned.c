/* Pins host memory. The driver pins page by page and for one thread at a time: 20 ms for 33 MB on
 * an H200's host. Registering memory in huge pages takes 1 to 3 ms. */
#include "kernels/core/exec/cuda/pinned.h"

#include "kernels/core/cuda/cuda_util.h"

void img_cuda_pin(int device, ImgHostMemory *memory)
{
    if (memory->memory == NULL || memory->offered)
        return;
    memory->pinned =
        cudaHostRegister(memory->memory, memory->bytes, cudaHostRegisterDefault) == cudaSuccess;
    memory->device = device;
    memory->offered = true;
    (void)cudaGetLastError();
}

/* Can be called from any thread, whatever its current device. Only the driver's result counts. */
bool img_cuda_unpin(int device, void *memory)
{
    (void)cudaSetDevice(device);
    bool done = cudaHostUnregister(memory) == cudaSuccess;
    (void)cudaGetLastError();
    return done;
}
