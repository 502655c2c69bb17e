/* Decodes batches of files on the GPU, and compares them with the decoder of the CPU. Puts the
 * pictures into tensors, and compares these too. */
#include "tests/checkcodec/batch_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h> /* in emulator builds, the emulator's own header */

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/idat.h"
#include "io/tensor/tensor.h"
#include "tests/checkcodec/png_compare.h"

/* `BATCH` files form a batch. Its size is odd, so that files that are made in a fixed order get a
 * different index in each batch. */
enum { BATCH = 37 };
enum { PLACES = 3 }; /* pictures of a tensor */

typedef struct Member {
    Bytes file;
    char what[220];
    ImgIdat idat;
    ImgImage cpu; /* what the CPU decodes; empty if it rejects the file */
    ImgImage gpu;
    bool must_verify;
} Member;

static struct {
    Member members[BATCH];
    size_t count;
    int decoded, verified, left;
} batch;

static void *on_device(size_t size)
{
    void *memory;
    if (cudaMalloc(&memory, size > 0 ? size : 1) != cudaSuccess)
        abort();
    return memory;
}

static void *uploaded(const void *from, size_t size)
{
    void *memory = on_device(size);
    (void)cudaMemcpy(memory, from, size, cudaMemcpyHostToDevice);
    return memory;
}

static ImgPngCudaItem upload(Member *member)
{
    ImgPngCudaItem item = {
        .shape = {member->gpu.view.width, member->gpu.view.height, member->gpu.view.format}};
    ImgPngCudaPart *parts = calloc(member->idat.count, sizeof *parts);
    img_png_cuda_list_parts(&member->idat, member->file.data, parts, &item.file);
    item.file.bytes = uploaded(member->file.data, member->file.size);
    item.file.parts = uploaded(parts, member->idat.count * sizeof *parts);
    /* All rows are downloaded, even if they are not written. */
    memset(member->gpu.view.data, 0, member->gpu.size);
    item.pixels = (ImgPngCudaPixels){uploaded(member->gpu.view.data, member->gpu.size),
                                     member->gpu.view.stride};
    free(parts);
    return item;
}

/* Returns a tensor that a picture of this shape fits; `turn` chooses one. */
static ImgTensor choose_tensor(ImgShape shape, int turn)
{
    static const float mean[] = {0.485F, 0.456F, 0.406F, 0},
                       deviation[] = {0.229F, 0.224F, 0.225F, 1};
    const ImgColor color = shape.format.color;
    const int least = color == IMG_COLOR_RGB || color == IMG_COLOR_RGBA ? 3 : 1;
    const int most = color == IMG_COLOR_PALETTE ? 1 : IMG_TENSOR_CHANNELS;
    ImgTensor tensor = {.count = PLACES,
                        .height = shape.height,
                        .width = shape.width,
                        .channels = least + turn / 10 % (most - least + 1),
                        .channels_first = turn / 5 % 2 > 0,
                        .element = (ImgElement)(turn % 5),
                        .deviation = {1, 1, 1, 1}};
    if (turn % 3 > 0) {
        memcpy(tensor.mean, mean, sizeof mean);
        memcpy(tensor.deviation, deviation, sizeof deviation);
    }
    return tensor;
}

/* Puts a verified picture into a tensor on the GPU and on the CPU, and compares the bytes. The
 * picture in the middle has another status, so that its place becomes zeros. */
static void try_tensor(const Member *member, const ImgPngCudaItem *item, uint32_t *word)
{
    static int turn;
    ImgError err = {IMG_OK, ""};
    ImgTensor tensor = choose_tensor(item->shape, turn++), wanted = tensor;
    const size_t bytes = (size_t)img_tensor_bytes(&tensor);
    const ImgTensorSource source = {item->pixels.data, item->pixels.stride, item->shape.format,
                                    word, IMG_PNG_CUDA_VERIFIED};
    ImgTensorSource sources[PLACES] = {source, source, source};
    sources[1].good = IMG_PNG_CUDA_BAD_CRC;
    void *list = uploaded(sources, sizeof sources);
    uint8_t *gpu = malloc(bytes);
    tensor.data = on_device(bytes);
    wanted.data = calloc(1, bytes);
    if (img_tensor_check(&tensor, item->shape, &err) == IMG_OK)
        (void)img_tensor_queue(&tensor, list, PLACES, NULL, &err);
    img_tensor_put(&wanted, 0, &member->cpu.view);
    img_tensor_put(&wanted, 2, &member->cpu.view);
    (void)cudaMemcpy(gpu, tensor.data, bytes, cudaMemcpyDeviceToHost);
    if (err.status != IMG_OK || memcmp(gpu, wanted.data, bytes) != 0) {
        printf("%s: another tensor %s\n", member->what, err.message);
        png_failures++;
    }
    (void)cudaFree(list);
    (void)cudaFree(tensor.data);
    free(wanted.data);
    free(gpu);
}

static void judge(const Member *member, uint32_t status)
{
    batch.decoded++;
    batch.verified += status == IMG_PNG_CUDA_VERIFIED;
    batch.left += status == IMG_PNG_CUDA_LISTS_FULL;
    const char *fault = NULL;
    if (status == IMG_PNG_CUDA_VERIFIED && member->cpu.view.data == NULL)
        fault = "verified, but rejected by the CPU";
    else if (status == IMG_PNG_CUDA_VERIFIED && !same_pixels(&member->cpu.view, &member->gpu.view))
        fault = "other pixels";
    else if (status != IMG_PNG_CUDA_VERIFIED && status != IMG_PNG_CUDA_LISTS_FULL &&
             member->must_verify)
        fault = "not verified";
    if (fault == NULL)
        return;
    printf("%s, in a batch: %s (status %u)\n", member->what, fault, status);
    png_failures++;
}

static void release(Member *member, const ImgPngCudaItem *item)
{
    (void)cudaFree((void *)item->file.bytes);
    (void)cudaFree((void *)item->file.parts);
    (void)cudaFree(item->pixels.data);
    img_idat_free(&member->idat);
    img_image_free(&member->cpu);
    img_image_free(&member->gpu);
    free(member->file.data);
}

static void decode(const ImgPngCudaItem *items, uint32_t *statuses)
{
    ImgError err = {IMG_OK, ""};
    ImgPngCudaBatchBytes bytes = img_png_cuda_batch_bytes(items, batch.count);
    void *workspace = on_device(bytes.device), *host = malloc(bytes.host);
    uint32_t *words = on_device(batch.count * sizeof *words);
    if (img_png_cuda_decode_batch(items, batch.count, workspace, host, words, NULL, NULL, &err) !=
        IMG_OK) {
        fprintf(stderr, "%s\n", err.message);
        png_failures++;
    }
    (void)cudaMemcpy(statuses, words, batch.count * sizeof *words, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < batch.count; i++) {
        (void)cudaMemcpy(batch.members[i].gpu.view.data, items[i].pixels.data,
                         batch.members[i].gpu.size, cudaMemcpyDeviceToHost);
        if (statuses[i] == IMG_PNG_CUDA_VERIFIED && batch.members[i].cpu.view.data != NULL)
            try_tensor(&batch.members[i], &items[i], words + i);
    }
    (void)cudaFree(workspace);
    (void)cudaFree(words);
    free(host);
}

void batch_finish(void)
{
    ImgPngCudaItem items[BATCH];
    uint32_t statuses[BATCH] = {0};
    if (batch.count == 0)
        return;
    for (size_t i = 0; i < batch.count; i++)
        items[i] = upload(&batch.members[i]);
    decode(items, statuses);
    for (size_t i = 0; i < batch.count; i++) {
        judge(&batch.members[i], statuses[i]);
        release(&batch.members[i], &items[i]);
    }
    batch.count = 0;
}

void batch_add(const Bytes *file, size_t scanned, ImgShape shape, ImgImage *cpu, bool must_verify,
               const char *what)
{
    Member *member = &batch.members[batch.count];
    *member = (Member){.cpu = *cpu, .gpu = IMG_IMAGE_NONE, .must_verify = must_verify};
    *cpu = IMG_IMAGE_NONE;
    member->file = (Bytes){malloc(file->size), file->size, file->size};
    if (member->file.data == NULL)
        abort();
    memcpy(member->file.data, file->data, file->size);
    snprintf(member->what, sizeof member->what, "%s", what);
    if (img_idat_list(member->file.data, scanned, &member->idat, NULL) != IMG_OK ||
        img_image_alloc(shape, &member->gpu, NULL) != IMG_OK)
        abort();
    if (member->idat.count == 0 ||
        !img_png_cuda_suits_batch(shape, member->idat.size, member->idat.count)) {
        release(member, &(ImgPngCudaItem){.shape = shape});
        return;
    }
    if (++batch.count == BATCH)
        batch_finish();
}

void batch_report(void)
{
    batch_finish();
    printf("in batches: %d files, of which %d verified and %d left for their blocks\n",
           batch.decoded, batch.verified, batch.left);
}
