/* Measures how long the GPU takes to encode a picture. For comparison, also measures a copy of its
 * pixels on the device. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/png/encode.h"
#include "io/png/filter/filter_type.h"
#include "io/source.h"
#include "kernels/core/cuda/cuda_util.h"
#include "tests/checkcodec/encode_check.h"

enum { ROUNDS_MOST = 1001, LIMIT_MEGAPIXELS = 1000 };

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
    /* Run -1 is a warm-up, which is not counted. */
    for (int i = -1; i < timer->rounds; i++) {
        CUDA_TRY(cudaEventRecord(timer->before, NULL), err);
        ImgStatus status = img_png_encode_cuda(&device->plan, &device->places, NULL,
                                               device->second_stream, NULL, err);
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

/* Prints how many strips the GPU leaves to the CPU. */
static ImgStatus print_strips(const Device *device, ImgError *err)
{
    uint32_t count = device->plan.options.strips.count, handed = 0;
    ImgPngCudaStrip *strips = calloc(count, sizeof *strips);
    if (strips == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    ImgStatus status = device_results(device, strips, err);
    for (uint32_t i = 0; i < count; i++)
        handed += strips[i].strategy == IMG_PNG_CUDA_LEFT_TO_CPU;
    if (status == IMG_OK)
        printf("strips: %u, of which %u are handed to the CPU\n", count, handed);
    free(strips);
    return status;
}

static ImgStatus time_all(const ImgView *view, int level, Timer *timer, ImgError *err)
{
    ImgPngEncodeCudaOptions options;
    if (!img_png_encode_cuda_options(img_view_shape(view), level, &options))
        return img_fail(err, IMG_E_USAGE, "a picture that is the CPU's");
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
        status = print_strips(&device, err);
    }
    if (status == IMG_OK) {
        status = time_copy(&device, pixels, timer, err);
    }
    if (status == IMG_OK)
        printf("device copy of the pixels: %.3f ms\n", (double)median(timer));
    device_close(&device);
    return status;
}

int time_encoder(const char *path, int rounds, int level)
{
    static Timer timer;
    ImgError err = {IMG_OK, ""};
    ImgSource *source = NULL;
    ImgImage image = IMG_IMAGE_NONE;
    const ImgLimits limits = {.max_pixels = (uint64_t)LIMIT_MEGAPIXELS * 1000000,
                              .max_memory = UINT64_MAX,
                              .max_text = IMG_DEFAULT_MAX_TEXT};
    const ImgPngDecodeOptions options = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    timer.rounds = rounds < 1 ? 1 : rounds < ROUNDS_MOST ? rounds : ROUNDS_MOST;
    ImgStatus status = img_source_open(path, &limits, &source, &err);
    if (status == IMG_OK)
        status = img_source_load(source, &err);
    if (status == IMG_OK)
        status = img_source_decode(source, &options, &image, NULL, &err);
    if (status == IMG_OK)
        status = time_all(&image.view, level, &timer, &err);
    if (status != IMG_OK)
        fprintf(stderr, "check_png_encode: %s\n", err.message);
    img_image_free(&image);
    img_source_close(source);
    return status == IMG_OK ? 0 : 1;
}
