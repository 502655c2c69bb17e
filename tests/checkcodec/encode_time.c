/* Measures how long the GPU takes to encode a picture, or a batch of copies of it. For comparison,
 * also measures a copy of the pixels of one picture on the device. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/png/encode.h"
#include "io/png/filter/filter_type.h"
#include "io/source.h"
#include "kernels/core/cuda/cuda_util.h"
#include "tests/checkcodec/encode_check.h"

enum { ROUNDS_MOST = 1001, LIMIT_MEGAPIXELS = 1000, STAGES_MOST = 32 };

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

static ImgStatus open_timer(Timer *timer, ImgError *err)
{
    CUDA_TRY(cudaEventCreate(&timer->before), err);
    CUDA_TRY(cudaEventCreate(&timer->after), err);
    return IMG_OK;
}

/* Queues the work to measure. */
typedef ImgStatus Queue(void *context, ImgError *err);

static ImgStatus time_rounds(Timer *timer, Queue *queue, void *context, ImgError *err)
{
    /* Run -1 is a warm-up, which is not counted. */
    for (int i = -1; i < timer->rounds; i++) {
        CUDA_TRY(cudaEventRecord(timer->before, NULL), err);
        const ImgStatus status = queue(context, err);
        if (status != IMG_OK)
            return status;
        CUDA_TRY(cudaEventRecord(timer->after, NULL), err);
        CUDA_TRY(cudaEventSynchronize(timer->after), err);
        CUDA_TRY(cudaEventElapsedTime(&timer->times[i < 0 ? 0 : i], timer->before, timer->after),
                 err);
    }
    return IMG_OK;
}

static ImgStatus queue_encoding(void *context, ImgError *err)
{
    const Device *device = context;
    return img_png_encode_cuda(&device->plan, &device->places, NULL, device->second_stream, NULL,
                               err);
}

/* A copy of `bytes` bytes of pixels on the device. */
typedef struct Copy {
    const Device *device;
    size_t bytes;
} Copy;

static ImgStatus queue_copy(void *context, ImgError *err)
{
    const Copy *copy = context;
    CUDA_TRY(cudaMemcpyAsync(copy->device->workspace, copy->device->pixels, copy->bytes,
                             cudaMemcpyDeviceToDevice, NULL),
             err);
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
    ImgStatus status = device_open(&device, view, &options, err);
    if (status == IMG_OK)
        status = time_rounds(timer, queue_encoding, &device, err);
    if (status == IMG_OK) {
        CUDA_TRY(cudaMemcpy(&size, device.size, sizeof size, cudaMemcpyDeviceToHost), err);
        float middle = median(timer);
        printf("encode: %.3f ms (least %.3f), %.1f GB/s of pixels, %llu bytes\n", (double)middle,
               (double)timer->times[0], (double)pixels / 1e6 / (double)middle,
               (unsigned long long)size);
        status = print_strips(&device, err);
    }
    if (status == IMG_OK)
        status = time_rounds(timer, queue_copy, &(Copy){&device, pixels}, err);
    if (status == IMG_OK)
        printf("device copy of the pixels: %.3f ms\n", (double)median(timer));
    device_close(&device);
    return status;
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The times at which the stages of a batch begin. */
typedef struct StageTimes {
    cudaEvent_t begins[STAGES_MOST + 1];
    const char *names[STAGES_MOST];
    int count;
} StageTimes;

static void begin_stage(void *context, const char *name)
{
    StageTimes *times = context;
    if (times->count == STAGES_MOST)
        return;
    times->names[times->count] = name;
    (void)cudaEventRecord(times->begins[times->count++], NULL);
}

/* The copies of a picture, and the memory for their batch. */
typedef struct Batch {
    Device *devices;
    ImgPngEncodeCudaItem *items;
    size_t count;
    void *workspace, *host;
} Batch;

static ImgStatus open_batch(Batch *batch, const ImgView *view, int level, ImgError *err)
{
    ImgPngEncodeCudaOptions options;
    ImgStatus status = IMG_OK;
    if (!img_png_encode_cuda_options(img_view_shape(view), level, &options))
        return img_fail(err, IMG_E_USAGE, "a picture that is the CPU's");
    batch->devices = calloc(batch->count, sizeof *batch->devices);
    batch->items = calloc(batch->count, sizeof *batch->items);
    if (batch->devices == NULL || batch->items == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory");
    for (size_t i = 0; i < batch->count && status == IMG_OK; i++) {
        status = device_open(&batch->devices[i], view, &options, err);
        batch->items[i] = (ImgPngEncodeCudaItem){batch->devices[i].plan, batch->devices[i].places};
    }
    const ImgPngEncodeCudaBatchBytes bytes =
        img_png_encode_cuda_batch_bytes(batch->items, batch->count);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaMalloc(&batch->workspace, bytes.device), err);
    CUDA_TRY(cudaMallocHost(&batch->host, bytes.host), err);
    return IMG_OK;
}

static void close_batch(Batch *batch)
{
    for (size_t i = 0; batch->devices != NULL && i < batch->count; i++)
        device_close(&batch->devices[i]);
    (void)cudaFree(batch->workspace);
    (void)cudaFreeHost(batch->host);
    free(batch->items);
    free(batch->devices);
}

static ImgStatus encode_batch(const Batch *batch, const ImgStages *stages, ImgError *err)
{
    return img_png_encode_cuda_batch(batch->items, batch->count, batch->workspace, batch->host,
                                     NULL, batch->devices[0].second_stream, stages, err);
}

static ImgStatus queue_batch(void *context, ImgError *err)
{
    return encode_batch(context, NULL, err);
}

static ImgStatus print_stages(const Batch *batch, ImgError *err)
{
    static StageTimes times;
    const ImgStages stages = {begin_stage, &times};
    for (int i = 0; i <= STAGES_MOST; i++)
        CUDA_TRY(cudaEventCreate(&times.begins[i]), err);
    ImgStatus status = encode_batch(batch, &stages, err);
    if (status != IMG_OK)
        return status;
    CUDA_TRY(cudaEventRecord(times.begins[times.count], NULL), err);
    CUDA_TRY(cudaDeviceSynchronize(), err);
    for (int i = 0; i < times.count; i++) {
        float ms = 0;
        CUDA_TRY(cudaEventElapsedTime(&ms, times.begins[i], times.begins[i + 1]), err);
        printf("  %-36s %.3f ms\n", times.names[i], (double)ms);
    }
    return IMG_OK;
}

static ImgStatus time_copies(const ImgView *view, int count, int level, Timer *timer, ImgError *err)
{
    Batch batch = {.count = (size_t)count};
    ImgStatus status = open_batch(&batch, view, level, err);
    if (status == IMG_OK)
        status = time_rounds(timer, queue_batch, &batch, err);
    if (status == IMG_OK) {
        const double ms = (double)median(timer), all = (double)batch.count;
        printf("encode %zu pictures: %.3f ms (least %.3f), %.0f pictures/s, %.1f GB/s of pixels\n",
               batch.count, ms, (double)timer->times[0], all / ms * 1e3,
               all * (double)img_image_bytes(img_view_shape(view)) / 1e6 / ms);
        status = print_strips(&batch.devices[batch.count - 1], err);
    }
    if (status == IMG_OK)
        status = print_stages(&batch, err);
    close_batch(&batch);
    return status;
}

/* --- The picture ------------------------------------------------------------------------------ */

static ImgStatus read_picture(const char *path, ImgImage *image, ImgError *err)
{
    ImgSource *source = NULL;
    const ImgLimits limits = {.max_pixels = (uint64_t)LIMIT_MEGAPIXELS * 1000000,
                              .max_memory = UINT64_MAX,
                              .max_text = IMG_DEFAULT_MAX_TEXT};
    const ImgPngDecodeOptions options = {.threads = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    ImgStatus status = img_source_open(path, &limits, &source, err);
    if (status == IMG_OK)
        status = img_source_load(source, err);
    if (status == IMG_OK)
        status = img_source_decode(source, &options, image, NULL, err);
    img_source_close(source);
    return status;
}

/* Times the picture of a file: a batch of `count` copies, or the picture alone if `count` is 0. */
static int time_file(int count, const char *path, int rounds, int level)
{
    static Timer timer;
    ImgError err = {IMG_OK, ""};
    ImgImage image = IMG_IMAGE_NONE;
    timer.rounds = rounds < 1 ? 1 : rounds < ROUNDS_MOST ? rounds : ROUNDS_MOST;
    ImgStatus status = read_picture(path, &image, &err);
    if (status == IMG_OK)
        status = open_timer(&timer, &err);
    if (status == IMG_OK)
        status = count > 0 ? time_copies(&image.view, count, level, &timer, &err)
                           : time_all(&image.view, level, &timer, &err);
    if (status != IMG_OK)
        fprintf(stderr, "check_png_encode: %s\n", err.message);
    img_image_free(&image);
    return status == IMG_OK ? 0 : 1;
}

int time_encoder(const char *path, int rounds, int level)
{
    return time_file(0, path, rounds, level);
}

int time_batch(int count, const char *path, int rounds, int level)
{
    return time_file(count < 1 ? 1 : count, path, rounds, level);
}
