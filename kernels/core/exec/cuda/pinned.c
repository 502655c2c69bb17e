/* The driver pins page by page: on an H200's host 20 ms for 33 MB, one after another for all
 * threads. Memory in huge pages that is registered takes 1 to 3 ms. */
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

/* By any thread, which may have used no device yet, or another; the driver knows the pages all the
 * same, and only its word counts. */
bool img_cuda_unpin(int device, void *memory)
{
    (void)cudaSetDevice(device);
    bool done = cudaHostUnregister(memory) == cudaSuccess;
    (void)cudaGetLastError();
    return done;
}
