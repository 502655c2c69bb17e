/* Steps on a GPU: one upload, all steps on device memory, one download. Owns context, stream,
 * device buffers and staging; launchers own nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/exec/cuda_self_test.h"
#include "kernels/core/exec/cuda_staging.h"
#include "kernels/core/exec/exec_priv.h"
#include "kernels/core/parallel/clock.h"

enum { WORKSPACE = 2, BUFFERS = 3 };

struct ImgCuda {
    int device;
    char name[64];
    cudaStream_t stream;
    ImgStaging staging;
    /* Two images, of which steps read one and write the other, and what a step needs beside them.
     * Kept from run to run, grown as needed. */
    void *buffer[BUFFERS];
    size_t capacity[BUFFERS];
    cudaEvent_t mark[IMG_STEPS_MAX + 1];
};

bool img_cuda_in_build(void)
{
    return true;
}

static ImgStatus count_devices(int *count, ImgError *err)
{
    cudaError_t code = cudaGetDeviceCount(count);
    if (code == cudaSuccess && *count > 0)
        return IMG_OK;
    *count = 0;
    (void)cudaGetLastError();
    return img_fail(err, IMG_E_UNAVAILABLE, "no usable CUDA device: %s; use --backend cpu",
                    code == cudaSuccess ? "none is installed" : cudaGetErrorString(code));
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
                            "CUDA: the self-test on %s gave wrong bytes; use --backend cpu",
                            cuda->name);
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
    CUDA_TRY(cudaSetDevice(cuda->device), err);
    CUDA_TRY(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking), err);
    for (int i = 0; i <= IMG_STEPS_MAX; i++)
        CUDA_TRY(cudaEventCreate(&cuda->mark[i]), err);
    status = check_self_test(cuda, err);
    return status == IMG_OK ? img_staging_open(&cuda->staging, err) : status;
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
    if (cuda->stream != NULL)
        (void)cudaStreamSynchronize(cuda->stream);
    img_staging_close(&cuda->staging);
    for (int i = 0; i < BUFFERS; i++)
        (void)cudaFree(cuda->buffer[i]);
    for (int i = 0; i <= IMG_STEPS_MAX; i++)
        if (cuda->mark[i] != NULL)
            (void)cudaEventDestroy(cuda->mark[i]);
    if (cuda->stream != NULL)
        (void)cudaStreamDestroy(cuda->stream);
    free(cuda);
}

const char *img_cuda_name(const ImgCuda *cuda)
{
    return cuda->name;
}

/* At least `bytes` in a buffer, whose former content is lost. */
static ImgStatus reserve(ImgCuda *cuda, int which, size_t bytes, ImgShape shape, ImgError *err)
{
    if (bytes <= cuda->capacity[which])
        return IMG_OK;
    (void)cudaFree(cuda->buffer[which]);
    cuda->buffer[which] = NULL;
    cuda->capacity[which] = 0;
    if (cudaMalloc(&cuda->buffer[which], bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        return img_fail(err, IMG_E_MEMORY,
                        "%s has no %zu MiB left for %d x %d pixels; use --backend cpu", cuda->name,
                        bytes >> 20, shape.width, shape.height);
    }
    cuda->capacity[which] = bytes;
    return IMG_OK;
}

/* A device image in one of the two buffers for images. */
static ImgStatus place_image(ImgCuda *cuda, int which, ImgShape shape, ImgView *view, ImgError *err)
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

/* Steps run one after another, so that they can share it. */
static ImgStatus place_workspace(ImgCuda *cuda, const ImgImpl *impl, ImgCall *call, ImgError *err)
{
    if (impl->workspace == NULL)
        return IMG_OK;
    ImgShape shape = img_view_shape(&call->src);
    size_t bytes = impl->workspace(call->op, shape, call->params);
    if (bytes > cuda->capacity[WORKSPACE]) /* an earlier step may still work in it */
        CUDA_TRY(cudaStreamSynchronize(cuda->stream), err);
    ImgStatus status = reserve(cuda, WORKSPACE, bytes, shape, err);
    call->workspace = cuda->buffer[WORKSPACE];
    return status;
}

/* Queues every step; `view` is the image on the device, first the source and then the result. */
static ImgStatus launch_steps(ImgCuda *cuda, const ImgPlan *plan, ImgView *view, ImgError *err)
{
    CUDA_TRY(cudaEventRecord(cuda->mark[0], cuda->stream), err);
    for (size_t i = 0; i < plan->count; i++) {
        const ImgStep *step = &plan->steps[i];
        ImgShape shape;
        ImgCall call = {
            .op = step->op, .src = *view, .params = step->params.bytes, .stream = cuda->stream};
        ImgStatus status = step->op->shape(img_view_shape(view), step->params.bytes, &shape, err);
        if (status == IMG_OK)
            status = place_image(cuda, (int)((i + 1) % 2), shape, &call.dst, err);
        if (status == IMG_OK)
            status = place_workspace(cuda, plan->impls[i], &call, err);
        if (status == IMG_OK)
            status = plan->impls[i]->run(&call, err);
        if (status != IMG_OK)
            return status;
        CUDA_TRY(cudaEventRecord(cuda->mark[i + 1], cuda->stream), err);
        *view = call.dst;
    }
    CUDA_TRY(cudaStreamSynchronize(cuda->stream), err);
    return IMG_OK;
}

static ImgStatus read_marks(ImgCuda *cuda, size_t count, ImgRunReport *report, ImgError *err)
{
    for (size_t i = 0; i < count; i++) {
        float milliseconds = 0;
        CUDA_TRY(cudaEventElapsedTime(&milliseconds, cuda->mark[i], cuda->mark[i + 1]), err);
        report->steps[i].seconds = milliseconds * 1e-3;
        report->kernel += report->steps[i].seconds;
    }
    return IMG_OK;
}

ImgStatus img_run_on_cuda(ImgCuda *cuda, const ImgPlan *plan, ImgTeam *team, int threads,
                          ImgImage *image, ImgRunReport *report, ImgError *err)
{
    ImgView view;
    ImgImage result = IMG_IMAGE_NONE;
    /* The device is a property of the thread, and the context may have been opened by another. */
    CUDA_TRY(cudaSetDevice(cuda->device), err);

    double start = img_clock();
    ImgStatus status = place_image(cuda, 0, img_view_shape(&image->view), &view, err);
    if (status == IMG_OK)
        status = img_staging_upload(&cuda->staging, &image->view, &view, team, threads,
                                    cuda->stream, err);
    report->upload = img_clock() - start;
    if (status == IMG_OK)
        status = launch_steps(cuda, plan, &view, err);
    if (status == IMG_OK)
        status = read_marks(cuda, plan->count, report, err);

    start = img_clock();
    if (status == IMG_OK)
        status = img_image_alloc(img_view_shape(&view), &result, err);
    if (status == IMG_OK)
        status = img_staging_download(&cuda->staging, &view, &result.view, team, threads,
                                      cuda->stream, err);
    report->download = img_clock() - start;
    if (status == IMG_OK) {
        img_image_free(image);
        *image = result;
    } else {
        img_image_free(&result);
    }
    return status;
}
