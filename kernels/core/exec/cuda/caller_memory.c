/* Allocates, copies and frees device memory that the caller owns, and creates streams. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/exec_priv.h"

static ImgStatus allocate(size_t bytes, void **memory, ImgError *err)
{
    /* bytes added to each block, because kernels read whole groups of 16 bytes, also past its
     * end */
    enum { ROOM = 16 };
    if (bytes > SIZE_MAX - ROOM)
        return img_fail(err, IMG_E_MEMORY, "%zu bytes are more than any device has", bytes);
    const cudaError_t code = cudaMalloc(memory, bytes + ROOM);
    if (code == cudaSuccess)
        return IMG_OK;
    *memory = NULL;
    return img_cuda_fail(code, "cudaMalloc", err);
}

ImgStatus img_cuda_allocate(int device, size_t bytes, void **memory, ImgError *err)
{
    int before;
    *memory = NULL;
    ImgStatus status = img_cuda_enter(device, &before, err);
    if (status != IMG_OK)
        return status;
    status = allocate(bytes, memory, err);
    img_cuda_leave(before);
    return status;
}

void img_cuda_free(int device, void *memory)
{
    int before;
    if (memory == NULL)
        return;
    const bool entered = img_cuda_enter(device, &before, NULL) == IMG_OK;
    /* frees the memory even if img_cuda_enter failed, because an address identifies its device */
    (void)cudaFree(memory);
    if (entered)
        img_cuda_leave(before);
}

static ImgStatus copy_rows(const ImgRowsCopy *copy, void *stream, ImgError *err)
{
    CUDA_TRY(cudaMemcpy2DAsync(copy->to, copy->to_stride, copy->from, copy->from_stride,
                               copy->row_bytes, copy->rows, cudaMemcpyDefault, stream),
             err);
    CUDA_TRY(cudaStreamSynchronize(stream), err);
    return IMG_OK;
}

ImgStatus img_cuda_copy(int device, const ImgRowsCopy *copy, void *stream, ImgError *err)
{
    int before;
    ImgStatus status = img_cuda_enter(device, &before, err);
    if (status != IMG_OK)
        return status;
    status = copy_rows(copy, stream, err);
    img_cuda_leave(before);
    return status;
}

static ImgStatus wait(void *stream, ImgError *err)
{
    CUDA_TRY(cudaStreamSynchronize(stream), err);
    return IMG_OK;
}

ImgStatus img_cuda_wait(int device, void *stream, ImgError *err)
{
    int before;
    ImgStatus status = img_cuda_enter(device, &before, err);
    if (status != IMG_OK)
        return status;
    status = wait(stream, err);
    img_cuda_leave(before);
    return status;
}

/* --- Streams ---------------------------------------------------------------------------------- */

static ImgStatus create_stream(void **stream, ImgError *err)
{
    cudaStream_t made;
    CUDA_TRY(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), err);
    *stream = made;
    return IMG_OK;
}

ImgStatus img_cuda_stream_create(int device, void **stream, ImgError *err)
{
    int before;
    *stream = NULL;
    ImgStatus status = img_cuda_enter(device, &before, err);
    if (status != IMG_OK)
        return status;
    status = create_stream(stream, err);
    img_cuda_leave(before);
    return status;
}

void img_cuda_stream_destroy(int device, void *stream)
{
    int before;
    if (stream == NULL || img_cuda_enter(device, &before, NULL) != IMG_OK)
        return;
    (void)cudaStreamDestroy(stream);
    img_cuda_leave(before);
}

static ImgStatus follow(cudaEvent_t event, void *stream, void *other, ImgError *err)
{
    CUDA_TRY(cudaEventRecord(event, other), err);
    CUDA_TRY(cudaStreamWaitEvent(stream, event, 0), err);
    return IMG_OK;
}

/* The runtime keeps a destroyed event until the streams have passed it. */
static ImgStatus follow_by_event(void *stream, void *other, ImgError *err)
{
    cudaEvent_t event;
    CUDA_TRY(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), err);
    const ImgStatus status = follow(event, stream, other, err);
    (void)cudaEventDestroy(event);
    return status;
}

ImgStatus img_cuda_stream_follow(int device, void *stream, void *other, ImgError *err)
{
    int before;
    ImgStatus status = img_cuda_enter(device, &before, err);
    if (status != IMG_OK)
        return status;
    status = follow_by_event(stream, other, err);
    img_cuda_leave(before);
    return status;
}
