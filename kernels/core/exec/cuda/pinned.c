/* The driver pins page by page: on an H200's host 20 ms for 33 MB, one after another for all
 * threads. Memory in huge pages that is registered takes 1 to 3 ms. */
#include "kernels/core/exec/cuda/pinned.h"

#include <stdint.h>
#include <stdlib.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/image.h"

enum { PAGE = 4096 };

/* So that threads get their pages at the same time, and not while the driver holds its lock. */
static void touch(uint8_t *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PAGE)
        ((volatile uint8_t *)memory)[i] = 0;
}

static bool kernels_use_host_addresses(void)
{
    int device, may = 0;
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&may, cudaDevAttrCanUseHostPointerForRegisteredMem, device) ==
               cudaSuccess &&
           may != 0;
}

static bool register_heap(ImgPinned *pinned, size_t bytes)
{
    size_t whole = (bytes + PAGE - 1) / PAGE * PAGE;
    void *memory = kernels_use_host_addresses() ? img_large_alloc(whole) : NULL;
    if (memory == NULL)
        return false;
    touch(memory, whole);
    if (cudaHostRegister(memory, whole, cudaHostRegisterMapped) != cudaSuccess) {
        (void)cudaGetLastError();
        free(memory);
        return false;
    }
    *pinned = (ImgPinned){memory, bytes, true};
    return true;
}

ImgStatus img_pinned_alloc(ImgPinned *pinned, size_t bytes, ImgError *err)
{
    *pinned = (ImgPinned){NULL, 0, false};
    if (register_heap(pinned, bytes))
        return IMG_OK;
    CUDA_TRY(cudaMallocHost(&pinned->memory, bytes), err);
    pinned->bytes = bytes;
    return IMG_OK;
}

void img_pinned_free(ImgPinned *pinned)
{
    if (pinned->is_registered) {
        (void)cudaHostUnregister(pinned->memory);
        free(pinned->memory);
    } else {
        (void)cudaFreeHost(pinned->memory);
    }
    *pinned = (ImgPinned){NULL, 0, false};
}
