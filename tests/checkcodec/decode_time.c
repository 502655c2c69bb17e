/* time_png_decode FILE...
 *
 * Measures how long a GPU takes to decode PNG files that are in its memory, and compares the pixels
 * with those of the CPU. Uses the list of deflate blocks of a file if the file has one. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/decode.h"
#include "io/png/index/block_index.h"

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

int main(int argc, char **argv)
{
    bool right = true;
    for (int i = 1; i < argc; i++)
        right = time_file(argv[i]) && right;
    return right ? 0 : 1;
}
