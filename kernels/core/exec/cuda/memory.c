/* Device buffers of an open CUDA device, which are kept and enlarged as runs need them; pinning of
 * host memory. */
#include "kernels/core/exec/cuda/device_priv.h"

#include "kernels/core/cuda/cuda_util.h"

static bool allocate(ImgCuda *cuda, int which, size_t bytes)
{
    cuda->capacity[which] = 0;
    if (cudaMalloc(&cuda->buffer[which], bytes) == cudaSuccess)
        cuda->capacity[which] = bytes;
    else
        cuda->buffer[which] = NULL;
    (void)cudaGetLastError();
    return cuda->buffer[which] != NULL;
}

/* Ensures a capacity of at least `bytes` bytes in buffer `which`, whose old contents are lost.
 * Freeing the old memory waits for the whole GPU. So a capacity grows by at least half, which makes
 * growing rare. */
static ImgStatus reserve(ImgCuda *cuda, int which, size_t bytes, ImgShape shape, ImgError *err)
{
    if (bytes <= cuda->capacity[which])
        return IMG_OK;
    size_t wanted = img_room_to_grow(bytes, cuda->capacity[which]);
    (void)cudaFree(cuda->buffer[which]);
    if (allocate(cuda, which, wanted) || allocate(cuda, which, bytes))
        return IMG_OK;
    return img_fail(err, IMG_E_MEMORY, "%s has no %zu MiB left for %d x %d pixels; use the CPU",
                    cuda->name, bytes >> 20, shape.width, shape.height);
}

/* The caller must have waited for the stream, because work queued in it may use the memory. */
void img_cuda_free_memory(ImgCuda *cuda)
{
    (void)cudaSetDevice(cuda->device); /* the current device of this thread may be another one */
    for (int i = 0; i < IMG_CUDA_BUFFERS; i++) {
        if (cuda->buffer[i] != NULL)
            (void)cudaFree(cuda->buffer[i]);
        cuda->buffer[i] = NULL;
        cuda->capacity[i] = 0;
    }
    (void)cudaGetLastError();
    /* `sent` must be empty: the device has no constants any more, as their buffer was freed */
    cuda->sent.bytes = 0;
    cuda->has_begun = false;
}

ImgStatus img_device_place_image(ImgCuda *cuda, int which, ImgShape shape, ImgView *view,
                                 ImgError *err)
{
    size_t pitch = img_device_pitch(shape), bytes;
    if (__builtin_mul_overflow(pitch, (size_t)shape.height, &bytes))
        return img_fail(err, IMG_E_MEMORY, "%d x %d pixels do not fit the GPU's memory",
                        shape.width, shape.height);
    ImgStatus status = reserve(cuda, which, bytes, shape, err);
    if (status == IMG_OK)
        *view = img_view_make(cuda->buffer[which], pitch, shape);
    return status;
}

ImgStatus img_device_reserve_workspace(ImgCuda *cuda, size_t bytes, ImgShape shape, ImgError *err)
{
    if (bytes <= cuda->capacity[IMG_CUDA_WORKSPACE])
        return IMG_OK;
    /* queued work of an earlier step may still use the old workspace */
    CUDA_TRY(cudaStreamSynchronize(cuda->stream), err);
    ImgStatus status = reserve(cuda, IMG_CUDA_WORKSPACE, bytes, shape, err);
    if (status == IMG_OK) /* initialises the first 8 bytes, as ImgCall.workspace promises */
        CUDA_TRY(cudaMemsetAsync(cuda->buffer[IMG_CUDA_WORKSPACE], 0,
                                 bytes < sizeof(uint64_t) ? bytes : sizeof(uint64_t), cuda->stream),
                 err);
    return status;
}

/* The caller may free the constants after the run. If they are in unpinned memory, the driver has
 * copied them when cudaMemcpyAsync returns. If they are in pinned memory, the GPU has read them
 * when the run ends. */
ImgStatus img_device_send_constants(ImgCuda *cuda, const ImgPlan *plan, size_t first, ImgError *err)
{
    const size_t bytes = img_sent_bytes(plan, first);
    if (bytes == 0 || img_sent_holds(&cuda->sent, plan, first))
        return IMG_OK;
    cuda->sent.bytes = 0;
    ImgStatus status = reserve(cuda, IMG_CUDA_CONSTANTS, bytes, plan->passes[0].src, err);
    uint8_t *to = cuda->buffer[IMG_CUDA_CONSTANTS];
    for (size_t i = first; status == IMG_OK && i < plan->count; i++) {
        const ImgConstants *constants = &plan->passes[i].constants;
        if (constants->size > 0)
            CUDA_TRY(cudaMemcpyAsync(to, constants->bytes, constants->size, cudaMemcpyHostToDevice,
                                     cuda->stream),
                     err);
        to += img_sent_room(constants);
    }
    if (status == IMG_OK)
        img_sent_note(&cuda->sent, plan, first);
    return status;
}

/* --- Pinned host memory ----------------------------------------------------------------------- */

/* Pinning is slow for ordinary pages. The driver pins page by page and for one thread at a time: 20
 * ms for 33 MB on an H200's host. Memory in huge pages takes 1 to 3 ms. */
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

/* Can be called from any thread, with any current device. An error of cudaSetDevice does not
 * matter, because cudaHostUnregister reports whether the memory is unpinned. */
bool img_cuda_unpin(int device, void *memory)
{
    (void)cudaSetDevice(device);
    bool done = cudaHostUnregister(memory) == cudaSuccess;
    (void)cudaGetLastError();
    return done;
}
