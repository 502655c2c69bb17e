/* Host memory at the ends of runs: kept from picture to picture, so that a GPU can be told once
 * that it may copy there by itself. */
#include <stdint.h>
#include <stdlib.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/image.h"

enum { PAGE = 4096 };

size_t img_room_to_grow(size_t bytes, size_t before)
{
    return before > 0 && bytes < before + before / 2 ? before + before / 2 : bytes;
}

/* So that threads get their pages at the same time, and not while the driver holds its lock. */
static void touch(uint8_t *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PAGE)
        ((volatile uint8_t *)memory)[i] = 0;
}

/* Pages that belong to nobody else, as a GPU is told of whole ones. */
bool img_host_memory_reserve(ImgHostMemory *memory, size_t bytes)
{
    if (bytes <= memory->bytes)
        return true;
    size_t wanted = img_room_to_grow(bytes, memory->bytes);
    if (wanted > SIZE_MAX - PAGE)
        return false;
    wanted = (wanted + PAGE - 1) / PAGE * PAGE;
    img_host_memory_free(memory);
    memory->memory = img_large_alloc(wanted);
    if (memory->memory == NULL)
        return false;
    memory->bytes = wanted;
    touch(memory->memory, wanted);
    return true;
}

void img_host_memory_free(ImgHostMemory *memory)
{
    if (memory->offered)
        img_cuda_unpin(memory->memory);
    free(memory->memory);
    *memory = (ImgHostMemory){NULL, 0, false};
}

void *img_exec_file_memory(ImgExec *exec, size_t bytes)
{
    ImgHostMemory *file = &exec->host[IMG_HOST_OF_FILE];
    bool may = img_cuda_in_build() && exec->config.async_device != NULL &&
               exec->config.backend != IMG_BACKEND_CPU;
    return may && img_host_memory_reserve(file, bytes) ? file->memory : NULL;
}
