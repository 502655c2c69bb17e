/* time_png_decode FILE...
 * time_png_decode --batch COUNT FILE...
 *
 * Measures how long a GPU takes to decode PNG files that are in its memory, and compares the pixels
 * with those of the CPU. Uses the list of deflate blocks of a file if the file has one. With
 * --batch, decodes COUNT files as one batch, for which the files are repeated in turn, and also
 * measures each stage, and putting pictures of one size into a tensor. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/decode.h"
#include "io/png/index/block_index.h"
#include "io/tensor/tensor.h"

enum { RUNS = 21 };

typedef struct Picture {
    uint8_t *data;
    size_t size;
    ImgPngHeader header;
    ImgPngScan scan;
    ImgMetadata metadata;
    ImgImage image; /* picture that the CPU decodes */
} Picture;

static void check(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static void load(const char *path, Picture *picture)
{
    FILE *file = fopen(path, "rb");
    check(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
    picture->size = (size_t)ftell(file);
    picture->data = malloc(picture->size);
    rewind(file);
    check(fread(picture->data, 1, picture->size, file) == picture->size, path);
    fclose(file);
    ImgPngBudget budget = {0, (uint64_t)1 << 40, NULL, NULL};
    ImgPngDecodeOptions options = {.threads = 1};
    check(img_png_header(picture->data, &picture->header, NULL) == IMG_OK &&
              img_png_scan(picture->data, picture->size, &picture->header, budget,
                           &picture->metadata, &picture->scan, NULL) == IMG_OK &&
              img_png_decode(picture->data, &picture->header, &picture->scan, &options,
                             &picture->image, NULL, NULL) == IMG_OK,
          "decoding on the CPU");
}

static void *on_device(size_t size, const void *from)
{
    void *memory = NULL;
    check(cudaMalloc(&memory, size) == cudaSuccess, "memory of the device");
    if (from != NULL)
        check(cudaMemcpy(memory, from, size, cudaMemcpyHostToDevice) == cudaSuccess, "copying");
    return memory;
}

static int by_time(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns the median time of the runs in milliseconds. The first run is not counted. */
static float run_all(const ImgPngCudaPlan *plan, const ImgPngCudaFile *file, void *workspace,
                     const ImgPngCudaPixels *pixels, uint32_t *status)
{
    float times[RUNS];
    ImgError err = {IMG_OK, ""};
    cudaEvent_t before, after;
    check(cudaEventCreate(&before) == cudaSuccess && cudaEventCreate(&after) == cudaSuccess,
          "making events");
    for (int run = -1; run < RUNS; run++) {
        (void)cudaEventRecord(before, NULL);
        if (img_png_cuda_decode(plan, file, workspace, pixels, status, NULL, NULL, &err) != IMG_OK)
            check(false, err.message);
        (void)cudaEventRecord(after, NULL);
        cudaError_t code = cudaEventSynchronize(after);
        check(code == cudaSuccess, cudaGetErrorString(code));
        (void)cudaEventElapsedTime(&times[run < 0 ? 0 : run], before, after);
    }
    qsort(times, RUNS, sizeof times[0], by_time);
    return times[RUNS / 2];
}

static bool is_same(const Picture *picture, const uint8_t *pixels)
{
    const ImgView *view = &picture->image.view;
    size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    for (int y = 0; y < view->height; y++)
        if (memcmp(view->data + (size_t)y * view->stride, pixels + (size_t)y * view->stride, row) !=
            0)
            return false;
    return true;
}

static bool time_file(const char *path)
{
    Picture picture = {0};
    ImgIdat idat = {0};
    ImgPngBlocks blocks;
    ImgPngCudaPlan plan;
    ImgPngCudaFile file;
    load(path, &picture);
    check(img_idat_list(picture.data, picture.scan.size, &idat, NULL) == IMG_OK, "listing IDAT");
    check(img_png_cuda_plan(picture.header.shape, idat.size, idat.count, &plan), "planning");
    check(img_png_blocks_read(&picture.metadata, &idat, plan.blocks_most, &blocks, NULL) == IMG_OK,
          "reading the list of blocks");
    ImgPngCudaPart *parts = malloc(idat.count * sizeof *parts);
    img_png_cuda_list_parts(&idat, picture.data, parts, &file);
    uint8_t *pixels = malloc(picture.image.size);
    void *rows = on_device(picture.image.size, NULL);
    void *workspace = on_device(plan.workspace_bytes, NULL);
    uint32_t *word = on_device(sizeof *word, NULL), status = 0;
    ImgPngCudaPixels target = {rows, picture.image.view.stride};
    file.bytes = on_device(picture.size, picture.data);
    file.parts = on_device(idat.count * sizeof *parts, parts);
    if (blocks.count > 0)
        file.blocks = on_device(blocks.count * sizeof *blocks.starts, blocks.starts);
    file.block_count = (uint32_t)blocks.count;
    float time = run_all(&plan, &file, workspace, &target, word);
    (void)cudaMemcpy(&status, word, sizeof status, cudaMemcpyDeviceToHost);
    (void)cudaMemcpy(pixels, rows, picture.image.size, cudaMemcpyDeviceToHost);
    bool verified = status == IMG_PNG_CUDA_VERIFIED, same = is_same(&picture, pixels);
    printf("%s: %d x %d, %zu bytes, %zu blocks told, workspace %zu MB: %.3f ms, status %u, %s\n",
           path, picture.header.shape.width, picture.header.shape.height, picture.size,
           blocks.count, plan.workspace_bytes >> 20, (double)time, status,
           same ? "same pixels" : "other pixels");
    (void)cudaFree((void *)file.bytes);
    (void)cudaFree((void *)file.parts);
    (void)cudaFree((void *)file.blocks);
    (void)cudaFree(workspace);
    (void)cudaFree(rows);
    (void)cudaFree(word);
    free(pixels);
    free(parts);
    free(picture.data);
    img_png_blocks_free(&blocks);
    img_idat_free(&idat);
    img_metadata_free(&picture.metadata);
    img_image_free(&picture.image);
    return same || !verified;
}

/* --- Batches ---------------------------------------------------------------------------------- */

enum { STAGES_MOST = 16 };

/* CUDA events at the start of each stage, and at the end of the last one. */
typedef struct StageTimes {
    cudaEvent_t events[STAGES_MOST + 1];
    const char *names[STAGES_MOST];
    int count;
} StageTimes;

static void note_stage(void *context, const char *name)
{
    StageTimes *times = context;
    check(times->count < STAGES_MOST, "more stages than expected");
    (void)cudaEventRecord(times->events[times->count], NULL);
    times->names[times->count++] = name;
}

static ImgPngCudaItem put_on_device(const Picture *picture)
{
    ImgPngCudaItem item = {.shape = picture->header.shape};
    ImgIdat idat = {0};
    check(img_idat_list(picture->data, picture->scan.size, &idat, NULL) == IMG_OK, "listing IDAT");
    check(img_png_cuda_suits_batch(item.shape, idat.size, idat.count), "a file for a batch");
    ImgPngCudaPart *parts = malloc(idat.count * sizeof *parts);
    img_png_cuda_list_parts(&idat, picture->data, parts, &item.file);
    item.file.bytes = on_device(picture->size, picture->data);
    item.file.parts = on_device(idat.count * sizeof *parts, parts);
    item.pixels =
        (ImgPngCudaPixels){on_device(picture->image.size, NULL), picture->image.view.stride};
    free(parts);
    img_idat_free(&idat);
    return item;
}

static void print_stages(const StageTimes *times)
{
    for (int i = 0; i < times->count; i++) {
        float ms = 0;
        (void)cudaEventElapsedTime(&ms, times->events[i], times->events[i + 1]);
        printf("  %-28s %8.3f ms\n", times->names[i], (double)ms);
    }
}

/* Decodes the batch RUNS times. Prints the median time, and the stages of the last run. */
static void run_batch(const ImgPngCudaItem *items, size_t count, uint32_t *statuses)
{
    float ms[RUNS];
    StageTimes times = {.count = 0};
    ImgStages stages = {note_stage, &times};
    ImgError err = {IMG_OK, ""};
    ImgPngCudaBatchBytes bytes = img_png_cuda_batch_bytes(items, count);
    void *workspace = on_device(bytes.device, NULL), *host = NULL;
    uint32_t *words = on_device(count * sizeof *words, NULL);
    check(cudaMallocHost(&host, bytes.host) == cudaSuccess, "pinned memory");
    for (int i = 0; i <= STAGES_MOST; i++)
        check(cudaEventCreate(&times.events[i]) == cudaSuccess, "making events");
    for (int run = -1; run < RUNS; run++) {
        times.count = 0;
        if (img_png_cuda_decode_batch(items, count, workspace, host, words, NULL, &stages, &err) !=
            IMG_OK)
            check(false, err.message);
        (void)cudaEventRecord(times.events[times.count], NULL);
        cudaError_t code = cudaDeviceSynchronize();
        check(code == cudaSuccess, cudaGetErrorString(code));
        (void)cudaEventElapsedTime(&ms[run < 0 ? 0 : run], times.events[0],
                                   times.events[times.count]);
    }
    (void)cudaMemcpy(statuses, words, count * sizeof *words, cudaMemcpyDeviceToHost);
    qsort(ms, RUNS, sizeof ms[0], by_time);
    printf("batch of %zu: %.3f ms, %.0f pictures a second, workspace %zu MB\n", count,
           (double)ms[RUNS / 2], 1e3 * (double)count / (double)ms[RUNS / 2], bytes.device >> 20);
    print_stages(&times);
    (void)cudaFree(workspace);
    (void)cudaFree(words);
    (void)cudaFreeHost(host);
}

static void put_tensor(const ImgTensor *tensor, const ImgTensorSource *sources)
{
    ImgError err = {IMG_OK, ""};
    check(img_tensor_queue(tensor, sources, tensor->count, NULL, &err) == IMG_OK, err.message);
}

static void copy_tensor(const ImgTensor *tensor, const ImgTensorSource *sources)
{
    const size_t half = (size_t)img_tensor_bytes(tensor) / 2;
    (void)sources;
    (void)cudaMemcpyAsync((char *)tensor->data + half, tensor->data, half, cudaMemcpyDeviceToDevice,
                          NULL);
}

/* Returns the median time of `run` in milliseconds. */
static double time_tensor(void (*run)(const ImgTensor *, const ImgTensorSource *),
                          const ImgTensor *tensor, const ImgTensorSource *sources)
{
    float ms[RUNS];
    cudaEvent_t before, after;
    check(cudaEventCreate(&before) == cudaSuccess && cudaEventCreate(&after) == cudaSuccess,
          "making events");
    for (int i = -1; i < RUNS; i++) {
        (void)cudaEventRecord(before, NULL);
        run(tensor, sources);
        (void)cudaEventRecord(after, NULL);
        check(cudaEventSynchronize(after) == cudaSuccess, "a tensor");
        (void)cudaEventElapsedTime(&ms[i < 0 ? 0 : i], before, after);
    }
    qsort(ms, RUNS, sizeof ms[0], by_time);
    return (double)ms[RUNS / 2];
}

/* Measures putting the decoded pictures into tensors of floats, if they have the same size. A copy
 * of half of such a tensor to its other half moves as many bytes as the tensor has. */
static void time_tensors(const ImgPngCudaItem *items, size_t count)
{
    ImgTensorSource *sources = calloc(count, sizeof *sources);
    ImgTensor tensor = {.count = (int32_t)count,
                        .height = items[0].shape.height,
                        .width = items[0].shape.width,
                        .channels = 3,
                        .element = IMG_FLOAT32,
                        .deviation = {1, 1, 1, 1}};
    bool fits = true;
    for (size_t i = 0; i < count; i++) {
        sources[i] = (ImgTensorSource){items[i].pixels.data, items[i].pixels.stride,
                                       items[i].shape.format, NULL, 0};
        fits = fits && img_tensor_check(&tensor, items[i].shape, NULL) == IMG_OK;
    }
    if (fits) {
        void *list = on_device(count * sizeof *sources, sources);
        tensor.data = on_device((size_t)img_tensor_bytes(&tensor), NULL);
        const double last = time_tensor(put_tensor, &tensor, list);
        tensor.channels_first = true;
        printf("  floats: N x C x H x W %.3f ms, N x H x W x C %.3f ms, a copy %.3f ms\n",
               time_tensor(put_tensor, &tensor, list), last,
               time_tensor(copy_tensor, &tensor, list));
        (void)cudaFree(list);
        (void)cudaFree(tensor.data);
    }
    free(sources);
}

static bool time_batch(size_t count, char **paths, size_t files)
{
    Picture *pictures = calloc(files, sizeof *pictures);
    ImgPngCudaItem *items = calloc(count, sizeof *items);
    uint32_t *statuses = calloc(count, sizeof *statuses);
    size_t verified = 0, same = 0;
    for (size_t i = 0; i < files; i++)
        load(paths[i], &pictures[i]);
    for (size_t i = 0; i < count; i++)
        items[i] = put_on_device(&pictures[i % files]);
    run_batch(items, count, statuses);
    time_tensors(items, count);
    for (size_t i = 0; i < count; i++) {
        const Picture *picture = &pictures[i % files];
        uint8_t *pixels = malloc(picture->image.size);
        (void)cudaMemcpy(pixels, items[i].pixels.data, picture->image.size, cudaMemcpyDeviceToHost);
        verified += statuses[i] == IMG_PNG_CUDA_VERIFIED;
        same += statuses[i] == IMG_PNG_CUDA_VERIFIED && is_same(picture, pixels);
        free(pixels);
    }
    printf("  %zu verified, %zu of them with the CPU's pixels\n", verified, same);
    for (size_t i = 0; i < count; i++) {
        (void)cudaFree((void *)items[i].file.bytes);
        (void)cudaFree((void *)items[i].file.parts);
        (void)cudaFree(items[i].pixels.data);
    }
    for (size_t i = 0; i < files; i++) {
        img_metadata_free(&pictures[i].metadata);
        img_image_free(&pictures[i].image);
        free(pictures[i].data);
    }
    free(statuses);
    free(items);
    free(pictures);
    return same == verified;
}

int main(int argc, char **argv)
{
    bool right = true;
    if (argc > 3 && strcmp(argv[1], "--batch") == 0)
        return time_batch((size_t)atoi(argv[2]), argv + 3, (size_t)argc - 3) ? 0 : 1;
    for (int i = 1; i < argc; i++)
        right = time_file(argv[i]) && right;
    return right ? 0 : 1;
}
