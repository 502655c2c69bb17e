/* How long the GPU takes for a picture, beside a copy of its pixels on the device. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/png/encode.h"
#include "io/png/filter/filter_type.h"
#include "io/source.h"
#include "kernels/core/cuda/cuda_util.h"
#include "tests/checkcodec/encode_check.h"
#include "tests/checkcodec/encode_device.h"

enum { ROUNDS_MOST = 1001, LEVEL = 4, SAMPLE_STEP = 2, LIMIT_MEGAPIXELS = 1000 };

static int compare_times(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

typedef struct Timer {
    cudaEvent_t before, after;
    float times[ROUNDS_MOST];
    int rounds;
} Timer;

static float median(Timer *timer)
{
    qsort(timer->times, (size_t)timer->rounds, sizeof *timer->times, compare_times);
    return timer->times[timer->rounds / 2];
}

static ImgStatus time_device(Device *device, Timer *timer, ImgError *err)
{
    for (int i = -1; i < timer->rounds; i++) { /* the first warms up */
        CUDA_TRY(cudaEventRecord(timer->before, NULL), err);
        ImgStatus status = img_png_encode_cuda(&device->plan, &device->places, NULL, err);
        if (status != IMG_OK)
            return status;
        CUDA_TRY(cudaEventRecord(timer->after, NULL), err);
        CUDA_TRY(cudaEventSynchronize(timer->after), err);
        CUDA_TRY(cudaEventElapsedTime(&timer->times[i < 0 ? 0 : i], timer->before, timer->after),
                 err);
    }
    return IMG_OK;
}

static ImgStatus time_copy(Device *device, size_t bytes, Timer *timer, ImgError *err)
{
    for (int i = -1; i < timer->rounds; i++) {
        CUDA_TRY(cudaEventRecord(timer->before, NULL), err);
        CUDA_TRY(cudaMemcpyAsync(device->workspace, device->pixels, bytes, cudaMemcpyDeviceToDevice,
                                 NULL),
                 err);
        CUDA_TRY(cudaEventRecord(timer->after, NULL), err);
        CUDA_TRY(cudaEventSynchronize(timer->after), err);
        CUDA_TRY(cudaEventElapsedTime(&timer->times[i < 0 ? 0 : i], timer->before, timer->after),
                 err);
    }
    return IMG_OK;
}

static ImgStatus time_all(const ImgView *view, Timer *timer, ImgError *err)
{
    const ImgPngEncodeCudaOptions options = {img_png_encode_strips(img_view_shape(view), LEVEL),
                                             (1 << IMG_FILTERS) - 1, SAMPLE_STEP, 0x01};
    Device device = {0};
    uint64_t size = 0;
    size_t pixels = view->stride * (size_t)view->height;
    CUDA_TRY(cudaEventCreate(&timer->before), err);
    CUDA_TRY(cudaEventCreate(&timer->after), err);
    ImgStatus status = device_open(&device, view, &options, err);
    if (status == IMG_OK)
        status = time_device(&device, timer, err);
    if (status == IMG_OK) {
        CUDA_TRY(cudaMemcpy(&size, device.size, sizeof size, cudaMemcpyDeviceToHost), err);
        float middle = median(timer);
        printf("encode: %.3f ms (least %.3f), %.1f GB/s of pixels, %llu bytes\n", (double)middle,
               (double)timer->times[0], (double)pixels / 1e6 / (double)middle,
               (unsigned long long)size);
        status = time_copy(&device, pixels, timer, err);
    }
    if (status == IMG_OK)
        printf("device copy of the pixels: %.3f ms\n", (double)median(timer));
    device_close(&device);
    return status;
}

int time_encoder(const char *path, int rounds)
{
    static Timer timer;
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    ImgImage image = IMG_IMAGE_NONE;
    const ImgLimits limits = {(uint64_t)LIMIT_MEGAPIXELS * 1000000, UINT64_MAX,
                              IMG_DEFAULT_MAX_TEXT};
    const ImgPngDecodeOptions options = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    timer.rounds = rounds < 1 ? 1 : rounds < ROUNDS_MOST ? rounds : ROUNDS_MOST;
    ImgStatus status = img_source_open(path, &limits, &source, &err);
    if (status == IMG_OK)
        status = img_source_load(source, &err);
    if (status == IMG_OK)
        status = img_source_decode(source, &options, &image, NULL, &err);
    if (status == IMG_OK)
        status = time_all(&image.view, &timer, &err);
    if (status != IMG_OK)
        fprintf(stderr, "check_png_encode: %s\n", err.message);
    img_image_free(&image);
    img_source_close(source);
    return status == IMG_OK ? 0 : 1;
}
