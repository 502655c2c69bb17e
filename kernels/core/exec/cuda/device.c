/* Lists, describes, opens and closes CUDA devices. run_passes.c runs passes on them. */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda/device_priv.h"
#include "kernels/core/exec/cuda/self_test.h"
#include "kernels/core/exec/many.h"

bool img_cuda_in_build(void)
{
    return true;
}

/* Returns why no device is usable. If no driver is installed, the runtime returns the error for a
 * driver that is too old, and version 0. The function then says that no driver is installed. */
static const char *why_no_device(cudaError_t code)
{
    int driver = 0;
    if (code == cudaSuccess)
        return "none is installed";
    if (code == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess &&
        driver == 0)
        return "no NVIDIA driver is installed";
    return cudaGetErrorString(code);
}

static ImgStatus count_devices(int *count, ImgError *err)
{
    cudaError_t code = cudaGetDeviceCount(count);
    if (code == cudaSuccess && *count > 0)
        return IMG_OK;
    *count = 0;
    (void)cudaGetLastError();
    return img_fail(err, IMG_E_UNAVAILABLE, "no usable CUDA device: %s; use the CPU",
                    why_no_device(code));
}

static ImgStatus describe_device(int index, ImgDeviceInfo *info, ImgError *err)
{
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, index), err);
    *info = (ImgDeviceInfo){
        .index = index,
        .compute_major = properties.major,
        .compute_minor = properties.minor,
        .multiprocessors = properties.multiProcessorCount,
        .memory_bytes = properties.totalGlobalMem,
    };
    snprintf(info->name, sizeof info->name, "%s", properties.name);
    CUDA_TRY(cudaDeviceGetAttribute(&info->memory_khz, cudaDevAttrMemoryClockRate, index), err);
    CUDA_TRY(cudaDriverGetVersion(&info->driver_version), err);
    CUDA_TRY(cudaRuntimeGetVersion(&info->runtime_version), err);
    return IMG_OK;
}

ImgStatus img_cuda_devices(ImgDeviceInfo *devices, int capacity, int *count, ImgError *err)
{
    ImgStatus status = count_devices(count, err);
    for (int i = 0; status == IMG_OK && i < *count && i < capacity; i++)
        status = describe_device(i, &devices[i], err);
    return status;
}

static ImgStatus check_self_test(ImgCuda *cuda, ImgError *err)
{
    unsigned char bytes[IMG_SELF_TEST_BYTES] = {0};
    CUDA_TRY(cudaMalloc(&cuda->buffer[0], sizeof bytes), err);
    cuda->capacity[0] = sizeof bytes;
    ImgStatus status = img_cuda_self_test(cuda->buffer[0], cuda->stream, err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(
        cudaMemcpyAsync(bytes, cuda->buffer[0], sizeof bytes, cudaMemcpyDeviceToHost, cuda->stream),
        err);
    CUDA_TRY(cudaStreamSynchronize(cuda->stream), err);
    for (int i = 0; i < IMG_SELF_TEST_BYTES; i++)
        if (bytes[i] != (unsigned char)(i * 7 + 3))
            return img_fail(err, IMG_E_UNAVAILABLE,
                            "CUDA: the self-test on %s gave wrong bytes; use the CPU", cuda->name);
    return IMG_OK;
}

static ImgStatus set_up(ImgCuda *cuda, ImgError *err)
{
    int count;
    ImgStatus status = count_devices(&count, err);
    if (status != IMG_OK)
        return status;
    if (cuda->device >= count)
        return img_fail(err, IMG_E_UNAVAILABLE,
                        "there is no CUDA device %d; this machine has %d, numbered from 0",
                        cuda->device, count);
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, cuda->device), err);
    snprintf(cuda->name, sizeof cuda->name, "%.63s", properties.name);
    /* With cudaDeviceScheduleBlockingSync, a thread that waits for the GPU sleeps instead of
     * spinning. In a batch several threads wait at the same time. */
    (void)cudaSetDevice(cuda->device);
    (void)cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
    (void)cudaGetLastError();
    CUDA_TRY(cudaSetDevice(cuda->device), err);
    CUDA_TRY(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking), err);
    CUDA_TRY(cudaStreamCreateWithFlags(&cuda->second_stream, cudaStreamNonBlocking), err);
    for (int i = 0; i < IMG_CUDA_MARKS; i++)
        CUDA_TRY(cudaEventCreate(&cuda->mark[i]), err);
    return check_self_test(cuda, err);
}

ImgStatus img_cuda_open(int device, ImgCuda **cuda, ImgError *err)
{
    *cuda = calloc(1, sizeof **cuda);
    if (*cuda == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    (*cuda)->device = device;
    ImgStatus status = set_up(*cuda, err);
    if (status != IMG_OK) {
        img_cuda_close(*cuda);
        *cuda = NULL;
    }
    return status;
}

void img_cuda_close(ImgCuda *cuda)
{
    if (cuda == NULL)
        return;
    (void)cudaSetDevice(cuda->device); /* the current device of this thread may be another one */
    if (cuda->stream != NULL)
        (void)cudaStreamSynchronize(cuda->stream);
    img_staging_close(&cuda->staging);
    for (int i = 0; i < IMG_CUDA_BUFFERS; i++)
        (void)cudaFree(cuda->buffer[i]);
    img_sent_free(&cuda->sent);
    img_many_kinds_free(cuda->kinds);
    img_host_memory_free(&cuda->lists);
    for (int i = 0; i < IMG_CUDA_MARKS; i++)
        if (cuda->mark[i] != NULL)
            (void)cudaEventDestroy(cuda->mark[i]);
    for (int i = 0; i <= IMG_RUN_PARTS; i++)
        if (cuda->part[i] != NULL)
            (void)cudaEventDestroy(cuda->part[i]);
    if (cuda->second_stream != NULL)
        (void)cudaStreamDestroy(cuda->second_stream);
    if (cuda->stream != NULL)
        (void)cudaStreamDestroy(cuda->stream);
    free(cuda);
}

const char *img_cuda_name(const ImgCuda *cuda)
{
    return cuda->name;
}
