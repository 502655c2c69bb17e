/* Decodes PNG files with the decoders of the GPU and of the CPU. */
#include "tests/checkcodec/png_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h> /* in emulator builds, the emulator's own header */

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/decode.h"
#include "tests/checkcodec/batch_compare.h"

int png_failures;

/* --- Both decoders ---------------------------------------------------------------------------- */

typedef struct Scanned {
    ImgPngHeader header;
    ImgPngScan scan;
    ImgMetadata metadata;
    bool sound;
} Scanned;

static Scanned scan_file(const Bytes *file)
{
    Scanned scanned = {.metadata = IMG_METADATA_NONE};
    ImgPngBudget budget = {0, (uint64_t)1 << 30, NULL, NULL};
    scanned.sound = file->size > IMG_PNG_HEADER_BYTES &&
                    img_png_header(file->data, &scanned.header, NULL) == IMG_OK &&
                    img_png_scan(file->data, file->size, &scanned.header, budget, &scanned.metadata,
                                 &scanned.scan, NULL) == IMG_OK;
    return scanned;
}

static bool cpu_decodes(const Bytes *file, const Scanned *scanned, ImgImage *image)
{
    ImgPngDecodeOptions options = {.threads = 1};
    *image = IMG_IMAGE_NONE;
    return img_png_decode(file->data, &scanned->header, &scanned->scan, &options, image, NULL,
                          NULL) == IMG_OK;
}

static void *on_device(size_t size, const void *from)
{
    void *memory;
    if (cudaMalloc(&memory, size > 0 ? size : 1) != cudaSuccess)
        abort();
    if (from != NULL)
        (void)cudaMemcpy(memory, from, size, cudaMemcpyHostToDevice);
    return memory;
}

/* Decodes a file on the GPU with the list of deflate blocks in `blocks`. Stores the rows in
 * `pixels`, a buffer of `size` bytes. Returns the status of the decoder; 0 if the decoder does not
 * support the file. */
static uint32_t decode_list(const Bytes *file, const ImgIdat *idat, const ImgPngBlocks *blocks,
                            ImgShape shape, uint8_t *pixels, size_t stride, size_t size)
{
    ImgPngCudaPlan plan;
    ImgPngCudaFile device_file;
    ImgError err = {IMG_OK, ""};
    uint32_t status = 0;
    if (!img_png_cuda_plan(shape, idat->size, idat->count, &plan))
        return 0;
    ImgPngCudaPart *parts = malloc(idat->count * sizeof *parts);
    img_png_cuda_list_parts(idat, file->data, parts, &device_file);
    void *bytes = on_device(file->size, file->data);
    void *list = on_device(idat->count * sizeof *parts, parts);
    void *starts = on_device(blocks->count * sizeof *blocks->starts, blocks->starts);
    void *workspace = on_device(plan.workspace_bytes, NULL), *rows = on_device(size, NULL);
    uint32_t *word = on_device(sizeof status, NULL);
    /* All rows are downloaded, even if the GPU decoder rejects the file and has not written all of
     * them. They are set to 0 first, because initcheck would otherwise report the unwritten
     * rows. */
    (void)cudaMemsetAsync(rows, 0, size, NULL);
    ImgPngCudaPixels target = {rows, stride};
    device_file.bytes = bytes;
    device_file.parts = list;
    device_file.blocks = starts;
    device_file.block_count = (uint32_t)blocks->count;
    if (img_png_cuda_decode(&plan, &device_file, workspace, &target, word, NULL, NULL, &err) !=
        IMG_OK) {
        fprintf(stderr, "%s\n", err.message);
        png_failures++;
    }
    (void)cudaMemcpy(&status, word, sizeof status, cudaMemcpyDeviceToHost);
    (void)cudaMemcpy(pixels, rows, size, cudaMemcpyDeviceToHost);
    free(parts);
    (void)cudaFree(bytes);
    (void)cudaFree(list);
    (void)cudaFree(starts);
    (void)cudaFree(workspace);
    (void)cudaFree(rows);
    (void)cudaFree(word);
    return status;
}

/* Decodes a file on the GPU with the list of deflate blocks `told`. If `told` is NULL, uses the
 * list that the file contains. Returns the status of the decoder. */
static uint32_t gpu_decodes(const Bytes *file, const Scanned *scanned, const ImgPngBlocks *told,
                            ImgImage *image)
{
    ImgIdat idat = {0};
    ImgPngBlocks own;
    uint32_t status = 0;
    if (img_image_alloc(scanned->header.shape, image, NULL) != IMG_OK ||
        img_idat_list(file->data, scanned->scan.size, &idat, NULL) != IMG_OK ||
        img_png_blocks_read(&scanned->metadata, &idat, SIZE_MAX, &own, NULL) != IMG_OK)
        abort();
    if (idat.count > 0)
        status = decode_list(file, &idat, told != NULL ? told : &own, scanned->header.shape,
                             image->view.data, image->view.stride, image->size);
    img_png_blocks_free(&own);
    img_idat_free(&idat);
    return status;
}

bool same_pixels(const ImgView *a, const ImgView *b)
{
    size_t row = (size_t)a->width * img_format_pixel_size(a->format);
    for (int y = 0; y < a->height; y++)
        if (memcmp(a->data + (size_t)y * a->stride, b->data + (size_t)y * b->stride, row) != 0)
            return false;
    return true;
}

bool compare_decoders(const Bytes *file, const char *what, bool *cpu_reads, uint32_t *status)
{
    return compare_with_blocks(file, NULL, what, cpu_reads, status);
}

bool compare_with_blocks(const Bytes *file, const ImgPngBlocks *blocks, const char *what,
                         bool *cpu_reads, uint32_t *status)
{
    ImgImage cpu = IMG_IMAGE_NONE, gpu = IMG_IMAGE_NONE;
    Scanned scanned = scan_file(file);
    bool reads = false;
    *status = 0;
    if (scanned.sound && !scanned.header.interlaced) {
        reads = cpu_decodes(file, &scanned, &cpu);
        *status = gpu_decodes(file, &scanned, blocks, &gpu);
    }
    bool verified = *status == IMG_PNG_CUDA_VERIFIED;
    if (verified && !reads) {
        printf("%s: verified, but rejected by the CPU\n", what);
        png_failures++;
    } else if (verified && !same_pixels(&cpu.view, &gpu.view)) {
        printf("%s: other pixels\n", what);
        png_failures++;
    }
    *cpu_reads = reads;
    if (scanned.sound && !scanned.header.interlaced)
        batch_add(file, scanned.scan.size, scanned.header.shape, &cpu, verified, what);
    img_image_free(&cpu);
    img_image_free(&gpu);
    img_metadata_free(&scanned.metadata);
    return verified;
}

/* --- Valid files ------------------------------------------------------------------------------ */

void expect_verified(const Bytes *file, const char *what)
{
    bool reads;
    uint32_t status;
    if (compare_decoders(file, what, &reads, &status))
        return;
    printf("%s: %s, status %u\n", what, reads ? "not verified" : "not even read by the CPU",
           status);
    png_failures++;
}

void expect_rejected(const Bytes *file, const char *what)
{
    bool reads;
    uint32_t status;
    (void)compare_decoders(file, what, &reads, &status);
    if (!reads)
        return;
    printf("%s: read by the CPU\n", what);
    png_failures++;
}
