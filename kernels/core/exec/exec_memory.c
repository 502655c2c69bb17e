/* Host memory for the sources and sinks of runs. It is kept from picture to picture, so that it is
 * pinned only once. */
#include <stdint.h>
#include <stdlib.h>

#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/image.h"

enum { PAGE = 4096, LARGE = 4 << 20 };

size_t img_room_to_grow(size_t bytes, size_t before)
{
    return before > 0 && bytes < before + before / 2 ? before + before / 2 : bytes;
}

/* Writes to each page, so that the pages are mapped now. Several threads can do that at the same
 * time. Otherwise the driver would map the pages when it pins them. It holds a lock meanwhile, so
 * other threads would wait. */
static void touch(uint8_t *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += PAGE)
        ((volatile uint8_t *)memory)[i] = 0;
}

/* Allocates whole pages, because only whole pages can be pinned. */
static bool allocate(ImgHostMemory *memory, size_t bytes)
{
    if (bytes > SIZE_MAX - PAGE)
        return false;
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    memory->memory = bytes < LARGE ? aligned_alloc(PAGE, bytes) : img_large_alloc(bytes);
    if (memory->memory == NULL)
        return false;
    memory->bytes = bytes;
    touch(memory->memory, bytes);
    return true;
}

bool img_host_memory_reserve(ImgHostMemory *memory, size_t bytes)
{
    if (bytes <= memory->bytes)
        return true;
    size_t more = img_room_to_grow(bytes, memory->bytes);
    img_host_memory_free(memory);
    return allocate(memory, more) || allocate(memory, bytes);
}

/* If unpinning fails, the memory is not freed: its pages could be reused while the GPU still writes
 * to them. */
void img_host_memory_free(ImgHostMemory *memory)
{
    if (!memory->pinned || img_cuda_unpin(memory->device, memory->memory))
        free(memory->memory);
    *memory = (ImgHostMemory){.memory = NULL};
}

void img_exec_trim(ImgExec *exec, uint64_t most)
{
    uint64_t held = 0;
    for (int i = 0; i < IMG_HOST_COUNT; i++)
        held += exec->host[i].bytes;
    for (int i = 0; i < IMG_HOST_COUNT && held > most; i++) {
        held -= exec->host[i].bytes;
        img_host_memory_free(&exec->host[i]);
    }
}

void *img_exec_file_memory(ImgExec *exec, size_t bytes)
{
    const char *message;
    ImgAsyncDevice *async = exec->config.async_device;
    ImgHostMemory *file = &exec->host[IMG_HOST_OF_FILE];
    if (async == NULL || !img_cuda_in_build() || exec->config.backend == IMG_BACKEND_CPU)
        return NULL;
    if (img_async_device_is_lost(async, &message))
        img_exec_trim(exec, 0);
    else if (img_host_memory_reserve(file, bytes))
        return file->memory;
    return NULL;
}
