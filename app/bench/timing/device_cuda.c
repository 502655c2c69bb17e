#include <stdio.h>
#include <stdlib.h>

#include "app/bench/timing/device.h"
#include "app/bench/timing/plain_read.h"
#include "kernels/core/cuda/cuda_util.h"

#if !defined(IMGTOOL_EMULATOR) && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define HAVE_NVTX 1
#endif

/* Size in bytes of the data that replace the content of the L2 cache. It must be larger than the L2
 * cache of any GPU (H100: 50 MB). */
static const size_t SCRUB_BYTES = (size_t)192 << 20;

/* Returns a stream that belongs to the calling thread alone. In a stream that threads share, a
 * launch of another thread could come between two launches of IMG_LAUNCH_EARLY
 * (kernels/core/cuda/cuda_launch.cuh). */
void *img_device_stream(void)
{
    return cudaStreamPerThread;
}

struct ImgDevice {
    char name[256];
    void *scrub, *workspace, *constants;
    size_t workspace_size, constants_size;
    cudaEvent_t before, after;
};

static ImgStatus set_up(ImgDevice *device, int index, ImgError *err)
{
    int count = 0;
    CUDA_TRY(cudaGetDeviceCount(&count), err);
    if (index >= count)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "there is no CUDA device %d; this machine has %d, numbered from 0", index,
                        count);
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, index), err);
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    CUDA_TRY(cudaSetDevice(index), err);
    CUDA_TRY(cudaEventCreate(&device->before), err);
    CUDA_TRY(cudaEventCreate(&device->after), err);
    return IMG_OK;
}

ImgStatus img_device_open(int index, ImgDevice **device, ImgError *err)
{
    *device = NULL;
    ImgDevice *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    ImgStatus status = set_up(made, index, err);
    if (status == IMG_OK)
        *device = made;
    else
        img_device_close(made);
    return status;
}

void img_device_close(ImgDevice *device)
{
    if (device == NULL)
        return;
    if (device->before != NULL)
        (void)cudaEventDestroy(device->before);
    if (device->after != NULL)
        (void)cudaEventDestroy(device->after);
    img_device_free(device->scrub);
    img_device_free(device->workspace);
    img_device_free(device->constants);
    free(device);
}

const char *img_device_name(const ImgDevice *device)
{
    return device->name;
}

ImgStatus img_device_alloc(void **memory, size_t size, ImgError *err)
{
    CUDA_TRY(cudaMalloc(memory, size), err);
    return IMG_OK;
}

void img_device_free(void *memory)
{
    if (memory != NULL)
        (void)cudaFree(memory);
}

ImgStatus img_device_upload(void *to, const void *from, size_t size, ImgError *err)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, cudaStreamPerThread), err);
    return img_device_wait(err);
}

ImgStatus img_device_download(void *to, const void *from, size_t size, ImgError *err)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, cudaStreamPerThread), err);
    return img_device_wait(err);
}

ImgStatus img_device_wait(ImgError *err)
{
    CUDA_TRY(cudaStreamSynchronize(cudaStreamPerThread), err);
    return IMG_OK;
}

static ImgStatus send_constants(ImgDevice *device, ImgCall *call, ImgError *err)
{
    if (call->constants.size != device->constants_size) {
        img_device_free(device->constants);
        device->constants = NULL;
        device->constants_size = 0;
        if (call->constants.size > 0)
            CUDA_TRY(cudaMalloc(&device->constants, call->constants.size), err);
        device->constants_size = call->constants.size;
    }
    call->device_constants = device->constants;
    return call->constants.size > 0 ? img_device_upload(device->constants, call->constants.bytes,
                                                        call->constants.size, err)
                                    : IMG_OK;
}

/* Allocates a workspace of exactly `size` bytes, so that NVIDIA's memcheck finds every access
 * outside of it. Sets only the first 8 bytes, as ImgCall specifies, so that initcheck finds reads
 * of uninitialised bytes. */
static ImgStatus make_workspace(ImgDevice *device, size_t size, ImgError *err)
{
    img_device_free(device->workspace);
    device->workspace = NULL;
    device->workspace_size = 0;
    if (size > 0)
        CUDA_TRY(cudaMalloc(&device->workspace, size), err);
    device->workspace_size = size;
    const size_t first = size < sizeof(uint64_t) ? size : sizeof(uint64_t);
    /* The write is in stream order, because the implementation may also write these bytes. */
    if (first > 0)
        CUDA_TRY(cudaMemsetAsync(device->workspace, 0, first, img_device_stream()), err);
    return IMG_OK;
}

ImgStatus img_device_prepare(ImgDevice *device, const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    size_t size = 0;
    if (impl->workspace != NULL)
        size = impl->workspace(call->op, img_view_shape(&call->src), call->params);
    if (size != device->workspace_size) {
        const ImgStatus status = make_workspace(device, size, err);
        if (status != IMG_OK)
            return status;
    }
    call->workspace = device->workspace;
    call->stream = img_device_stream();
    return send_constants(device, call, err);
}

ImgStatus img_device_row(void *context, void *stream, ImgError *err)
{
    const ImgDeviceRow *row = context;
    row->call->stream = stream;
    return row->impl->run(row->call, err);
}

ImgStatus img_device_copy(void *context, void *stream, ImgError *err)
{
    const ImgDeviceCopy *copy = context;
    CUDA_TRY(cudaMemcpyAsync(copy->to, copy->from, copy->size, cudaMemcpyDeviceToDevice,
                             (cudaStream_t)stream),
             err);
    return IMG_OK;
}

static ImgStatus need_scrub(ImgDevice *device, ImgError *err)
{
    if (device->scrub != NULL)
        return IMG_OK;
    CUDA_TRY(cudaMalloc(&device->scrub, SCRUB_BYTES), err);
    CUDA_TRY(cudaMemsetAsync(device->scrub, 0x5a, SCRUB_BYTES, cudaStreamPerThread), err);
    return IMG_OK;
}

ImgStatus img_device_read(void *context, void *stream, ImgError *err)
{
    const ImgDeviceRead *read = context;
    ImgStatus status = need_scrub(read->device, err);
    if (status != IMG_OK)
        return status;
    /* The kernel almost never writes a word to its output, so scratch memory serves as the
     * output. */
    return img_plain_read(read->from, read->size, read->device->scrub, stream, err);
}

/* Prepares the caches, which also keeps the device busy while the CPU queues the timed work. For
 * warm caches it runs the work once. For cold caches it fills the L2 cache with other data. */
static ImgStatus keep_busy(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                           ImgError *err)
{
    if (caches == IMG_CACHES_WARM)
        return work(context, img_device_stream(), err);
    ImgStatus status = need_scrub(device, err);
    return status == IMG_OK ? img_fill_cache(device->scrub, SCRUB_BYTES, img_device_stream(), err)
                            : status;
}

ImgStatus img_device_time(ImgDevice *device, ImgDeviceWork *work, void *context, ImgCaches caches,
                          int repeats, double *seconds, ImgError *err)
{
    float milliseconds = 0;
    ImgStatus status = keep_busy(device, work, context, caches, err);
    if (status == IMG_OK)
        CUDA_TRY(cudaEventRecord(device->before, cudaStreamPerThread), err);
    for (int i = 0; i < repeats && status == IMG_OK; i++)
        status = work(context, img_device_stream(), err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaEventRecord(device->after, cudaStreamPerThread), err);
    CUDA_TRY(cudaEventSynchronize(device->after), err);
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, device->before, device->after), err);
    *seconds = milliseconds * 1e-3 / repeats;
    return IMG_OK;
}

void img_device_mark(const char *name)
{
#ifdef HAVE_NVTX
    if (name != NULL)
        (void)nvtxRangePushA(name);
    else
        (void)nvtxRangePop();
#else
    (void)name;
#endif
}
