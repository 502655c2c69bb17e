/* The driver pins page by page: on an H200's host 20 ms for 33 MB, one after another for all
 * threads. Memory in huge pages that is registered takes 1 to 3 ms. */
#include "kernels/core/exec/cuda/pinned.h"

#include "kernels/core/cuda/cuda_util.h"

void img_cuda_pin(ImgHostMemory *memory)
{
    if (memory->memory == NULL || memory->offered)
        return;
    (void)cudaHostRegister(memory->memory, memory->bytes, cudaHostRegisterDefault);
    (void)cudaGetLastError();
    memory->offered = true;
}

void img_cuda_unpin(void *memory)
{
    (void)cudaHostUnregister(memory);
    (void)cudaGetLastError();
}
