/* A CUDA runtime without a GPU. Device memory is host memory, and everything runs at once. Pinned
 * memory that is not released stays reachable, so that LeakSanitizer reports only memory that the
 * program itself has lost. */
#include "tests/device/fake_runtime.h"

#include <cuda_runtime_api.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct CUstream_st {
    unsigned flags;
};
struct CUevent_st {
    int records;
};

typedef struct Pinned {
    void *memory;
    struct Pinned *next;
} Pinned;

static struct {
    pthread_mutex_t mutex;
    Pinned *first;
} pinned = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static cudaError_t made(const void *memory)
{
    return memory != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* --- Devices ---------------------------------------------------------------------------------- */

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t code)
{
    return code == cudaErrorMemoryAllocation ? "out of memory" : "it was made to fail";
}

static bool lacks_driver;

void fake_runtime_set_driver(bool is_there)
{
    lacks_driver = !is_there;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (lacks_driver)
        return cudaErrorInsufficientDriver;
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    (void)device;
    *properties = (struct cudaDeviceProp){.name = "fake GPU", .major = 9};
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)attribute;
    (void)device;
    *value = 2;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = lacks_driver ? 0 : 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static struct {
    pthread_mutex_t mutex;
    size_t most, used;
} room = {.mutex = PTHREAD_MUTEX_INITIALIZER, .most = SIZE_MAX};

void fake_runtime_set_memory(size_t bytes)
{
    pthread_mutex_lock(&room.mutex);
    room.most = bytes;
    pthread_mutex_unlock(&room.mutex);
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
    *memory = NULL;
    pthread_mutex_lock(&room.mutex);
    if (room.used <= room.most && size <= room.most - room.used)
        *memory = malloc(size);
    if (*memory != NULL)
        room.used += malloc_usable_size(*memory);
    pthread_mutex_unlock(&room.mutex);
    if (*memory != NULL)
        memset(*memory, 0xcd, size);
    return made(*memory);
}

cudaError_t cudaFree(void *memory)
{
    pthread_mutex_lock(&room.mutex);
    if (memory != NULL)
        room.used -= malloc_usable_size(memory);
    pthread_mutex_unlock(&room.mutex);
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMallocHost(void **memory, size_t size)
{
    *memory = malloc(size);
    return made(*memory);
}

cudaError_t cudaFreeHost(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags)
{
    (void)size;
    (void)flags;
    Pinned *more = malloc(sizeof *more);
    if (more == NULL)
        return cudaErrorMemoryAllocation;
    pthread_mutex_lock(&pinned.mutex);
    *more = (Pinned){memory, pinned.first};
    pinned.first = more;
    pthread_mutex_unlock(&pinned.mutex);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *memory)
{
    pthread_mutex_lock(&pinned.mutex);
    Pinned **at = &pinned.first;
    while (*at != NULL && (*at)->memory != memory)
        at = &(*at)->next;
    Pinned *found = *at;
    if (found != NULL)
        *at = found->next;
    pthread_mutex_unlock(&pinned.mutex);
    free(found);
    return found != NULL ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- Streams and events ----------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    *stream = malloc(sizeof **stream);
    if (*stream != NULL)
        (*stream)->flags = flags;
    return made(*stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = calloc(1, sizeof **event);
    return made(*event);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return made(*event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    event->records++;
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)stream;
    (void)flags;
    return event->records > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return event->records > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

/* All work has ended when a call returns. */
cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

/* Fails unless both events were recorded, as the real runtime does. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    *milliseconds = 1;
    return start->records > 0 && end->records > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

/* --- Copies ----------------------------------------------------------------------------------- */

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)kind;
    (void)stream;
    memcpy(to, from, size);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)kind;
    (void)stream;
    for (size_t y = 0; y < height; y++)
        memcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream)
{
    (void)stream;
    memset(to, value, size);
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    (void)kernel;
    (void)attribute;
    (void)value;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *own, const void *kernel)
{
    (void)kernel;
    *own = (struct cudaFuncAttributes){0};
    return cudaSuccess;
}
