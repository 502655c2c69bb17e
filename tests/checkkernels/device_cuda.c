/* The checker's GPU: device 0, default stream. */
#include <stdio.h>

#include "kernels/core/cuda_util.h"
#include "tests/checkkernels/device.h"
#include "tests/checkkernels/plain_read.h"

/* Larger than the second-level cache of any GPU of today (H100: 50 MB). */
static const size_t SCRUB_BYTES = (size_t)192 << 20;

static void *scrub, *workspace;
static size_t workspace_size;
static cudaEvent_t before, after;

ImgStatus device_open(char *name, size_t size, ImgError *err)
{
    int count = 0;
    CUDA_TRY(cudaGetDeviceCount(&count), err);
    if (count == 0)
        return img_fail(err, IMG_E_UNAVAILABLE, "no GPU in this machine");
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, 0), err);
    snprintf(name, size, "%s", properties.name);
    CUDA_TRY(cudaSetDevice(0), err);
    CUDA_TRY(cudaEventCreate(&before), err);
    CUDA_TRY(cudaEventCreate(&after), err);
    return IMG_OK;
}

ImgStatus device_alloc(void **memory, size_t size, ImgError *err)
{
    CUDA_TRY(cudaMalloc(memory, size), err);
    return IMG_OK;
}

void device_free(void *memory)
{
    (void)cudaFree(memory);
}

ImgStatus device_upload(void *to, const void *from, size_t size, ImgError *err)
{
    CUDA_TRY(cudaMemcpy(to, from, size, cudaMemcpyHostToDevice), err);
    return IMG_OK;
}

ImgStatus device_download(void *to, const void *from, size_t size, ImgError *err)
{
    CUDA_TRY(cudaMemcpy(to, from, size, cudaMemcpyDeviceToHost), err);
    return IMG_OK;
}

/* Of exactly the size that is asked for, so that memcheck sees every byte outside. */
static ImgStatus prepare(const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    size_t size = 0;
    if (impl->workspace != NULL)
        size = impl->workspace(call->op, img_view_shape(&call->src), call->params);
    if (size != workspace_size) {
        (void)cudaFree(workspace);
        workspace = NULL;
        workspace_size = 0;
        if (size > 0)
            CUDA_TRY(cudaMalloc(&workspace, size), err);
        workspace_size = size;
    }
    call->workspace = workspace;
    call->stream = NULL;
    return IMG_OK;
}

ImgStatus device_run(const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    ImgStatus status = prepare(impl, call, err);
    if (status == IMG_OK)
        status = impl->run(call, err);
    if (status == IMG_OK)
        CUDA_TRY(cudaDeviceSynchronize(), err);
    return status;
}

static ImgStatus start_clock(ImgError *err)
{
    if (scrub == NULL)
        CUDA_TRY(cudaMalloc(&scrub, SCRUB_BYTES), err);
    CUDA_TRY(cudaMemsetAsync(scrub, 0x5a, SCRUB_BYTES, NULL), err);
    CUDA_TRY(cudaEventRecord(before, NULL), err);
    return IMG_OK;
}

static ImgStatus stop_clock(double *seconds, ImgError *err)
{
    float milliseconds = 0;
    CUDA_TRY(cudaEventRecord(after, NULL), err);
    CUDA_TRY(cudaEventSynchronize(after), err);
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, before, after), err);
    *seconds = milliseconds * 1e-3;
    return IMG_OK;
}

ImgStatus device_time_run(const ImgImpl *impl, ImgCall *call, double *seconds, ImgError *err)
{
    ImgStatus status = prepare(impl, call, err);
    if (status == IMG_OK)
        status = start_clock(err);
    if (status == IMG_OK)
        status = impl->run(call, err);
    return status == IMG_OK ? stop_clock(seconds, err) : status;
}

ImgStatus device_time_read(const void *from, size_t size, double *seconds, ImgError *err)
{
    ImgStatus status = start_clock(err);
    if (status == IMG_OK)
        status = plain_read(from, size, scrub, err); /* it writes nothing that is in the scrub */
    return status == IMG_OK ? stop_clock(seconds, err) : status;
}

ImgStatus device_time_copy(void *to, const void *from, size_t size, double *seconds, ImgError *err)
{
    ImgStatus status = start_clock(err);
    if (status == IMG_OK)
        CUDA_TRY(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, NULL), err);
    return status == IMG_OK ? stop_clock(seconds, err) : status;
}
