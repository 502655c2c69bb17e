/* Decodes a PNG on a GPU. The file's IDAT chunks are copied to the GPU, with a list of parts and a
 * list of blocks. A part is the data of an IDAT chunk; a block is a deflate block. Only one status
 * word is copied back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/cuda/decode/png_decode_cuda.h"
#include "io/png/device.h"
#include "io/png/idat.h"
#include "io/png/index/block_index.h"
#include "kernels/core/cuda/cuda_util.h"

enum {
    ALIGNMENT = 256,
    /* Bytes per copy to the GPU. While the GPU receives them, the CPU copies the next bytes to
     * pinned memory. */
    COPY_BYTES = 2 << 20,
    COPY_THREADS = 4,
    CHUNK_HEAD = 8,
    CRC_BYTES = 4,
};

/* Layout of device memory: the IDAT chunks, list of parts, list of blocks, status word, workspace.
 * Host memory has the same order without the workspace. If the file itself is in pinned memory,
 * host memory starts with the lists. */
typedef struct Layout {
    size_t parts, status, workspace, end;
    size_t host_parts, host_status, host_end;
} Layout;

struct ImgPngDeviceReader {
    ImgIdat idat;
    ImgPngBlocks blocks;
    /* Address of the first IDAT chunk in the file. Points to the chunk type, where the CRC
     * starts. */
    const uint8_t *base;
    size_t bytes; /* bytes from `base` to the end of the last chunk's CRC */
    bool is_pinned;
    ImgPngCudaPlan plan;
    ImgPngCudaFile file; /* the file as it is in device memory */
    /* Status word in host memory, valid when all work is complete. */
    const uint32_t *verdict;
    Layout at;
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Returns the size of the list of parts in bytes, which is the offset of the list of blocks. */
static size_t part_bytes(const ImgPngDeviceReader *reader)
{
    return aligned(reader->idat.count * sizeof(ImgPngCudaPart));
}

static size_t list_bytes(const ImgPngDeviceReader *reader)
{
    return part_bytes(reader) + aligned(reader->blocks.count * sizeof *reader->blocks.starts);
}

static Layout lay_out(const ImgPngDeviceReader *reader)
{
    size_t lists = list_bytes(reader);
    Layout at;
    at.parts = aligned(reader->bytes);
    at.status = at.parts + lists;
    at.workspace = at.status + ALIGNMENT;
    at.end = at.workspace + reader->plan.workspace_bytes;
    at.host_parts = reader->is_pinned ? 0 : at.parts;
    at.host_status = at.host_parts + lists;
    at.host_end = at.host_status + sizeof(uint32_t);
    return at;
}

static bool set_up(ImgPngDeviceReader *reader, const uint8_t *data, const ImgPngHeader *header,
                   const ImgPngScan *scan, const ImgMetadata *metadata, const char **why_not)
{
    *why_not = "no memory";
    if (img_idat_list(data, scan->size, &reader->idat, NULL) != IMG_OK)
        return false;
    *why_not = "no image data, or too large for a GPU";
    if (reader->idat.count == 0 ||
        !img_png_cuda_plan(header->shape, reader->idat.size, reader->idat.count, &reader->plan))
        return false;
    *why_not = "no memory";
    if (img_png_blocks_read(metadata, &reader->idat, reader->plan.blocks_most, &reader->blocks,
                            NULL) != IMG_OK)
        return false;
    const ImgIdatPart *last = &reader->idat.parts[reader->idat.count - 1];
    reader->base = data + reader->idat.parts[0].at - CHUNK_HEAD;
    reader->bytes =
        (size_t)(last->at - reader->idat.parts[0].at) + CHUNK_HEAD + last->size + CRC_BYTES;
    reader->file.part_count = (uint32_t)reader->idat.count;
    reader->file.stream_bytes = (uint32_t)reader->idat.size;
    reader->at = lay_out(reader);
    return true;
}

ImgPngDeviceReader *img_png_device_reader(const uint8_t *data, const ImgPngHeader *header,
                                          const ImgPngScan *scan, const ImgMetadata *metadata,
                                          bool is_pinned, const char **why_not)
{
    *why_not = "interlaced";
    if (header->interlaced)
        return NULL;
    *why_not = "too narrow for its height";
    if (!img_png_cuda_is_quick(header->shape))
        return NULL;
    *why_not = "no memory";
    ImgPngDeviceReader *reader = calloc(1, sizeof *reader);
    if (reader != NULL)
        reader->is_pinned = is_pinned;
    if (reader == NULL || set_up(reader, data, header, scan, metadata, why_not))
        return reader;
    img_png_device_reader_free(reader);
    return NULL;
}

void img_png_device_reader_free(ImgPngDeviceReader *reader)
{
    if (reader == NULL)
        return;
    img_png_blocks_free(&reader->blocks);
    img_idat_free(&reader->idat);
    free(reader);
}

/* --- The run ---------------------------------------------------------------------------------- */

typedef struct Copy {
    uint8_t *to;
    const uint8_t *from;
    size_t size;
} Copy;

static void copy_part(void *context, int64_t first, int64_t end)
{
    const Copy *copy = context;
    size_t from = (size_t)first * ALIGNMENT, to = (size_t)end * ALIGNMENT;
    to = to < copy->size ? to : copy->size;
    memcpy(copy->to + from, copy->from + from, to - from);
}

static ImgStatus send(void *to, const void *from, size_t bytes, const ImgDevicePlace *place,
                      ImgError *err)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, (cudaStream_t)place->stream),
             err);
    return IMG_OK;
}

static ImgStatus copy_and_send(const ImgPngDeviceReader *reader, const ImgDevicePlace *place,
                               ImgError *err)
{
    uint8_t *host = place->host, *device = place->device;
    int threads = place->threads < COPY_THREADS ? place->threads : COPY_THREADS;
    ImgStatus status = IMG_OK;
    for (size_t from = 0; from < reader->bytes && status == IMG_OK; from += COPY_BYTES) {
        size_t left = reader->bytes - from, size = left < COPY_BYTES ? left : COPY_BYTES;
        Copy copy = {host + from, reader->base + from, size};
        img_parallel_for(place->team, threads, (int64_t)(aligned(size) / ALIGNMENT), copy_part,
                         &copy);
        status = send(device + from, host + from, size, place, err);
    }
    return status;
}

/* Writes the lists of parts and blocks to the host memory `host`. `device` is the address in device
 * memory to which they will be copied. */
static void make_lists(ImgPngDeviceReader *reader, uint8_t *host, const uint8_t *device)
{
    const ImgPngBlocks *blocks = &reader->blocks;
    size_t parts = part_bytes(reader);
    memset(host, 0, list_bytes(reader));
    img_png_cuda_list_parts(&reader->idat, reader->base, (ImgPngCudaPart *)host, &reader->file);
    if (blocks->count > 0)
        memcpy(host + parts, blocks->starts, blocks->count * sizeof *blocks->starts);
    reader->file.parts = (const ImgPngCudaPart *)device;
    reader->file.blocks = (const uint32_t *)(device + parts);
    reader->file.block_count = (uint32_t)blocks->count;
}

static ImgStatus move(void *context, const ImgDevicePlace *place, ImgError *err)
{
    ImgPngDeviceReader *reader = context;
    uint8_t *lists = (uint8_t *)place->host + reader->at.host_parts;
    uint8_t *device_lists = (uint8_t *)place->device + reader->at.parts;
    make_lists(reader, lists, device_lists);
    reader->file.bytes = place->device;
    ImgStatus status = send(device_lists, lists, list_bytes(reader), place, err);
    if (status != IMG_OK)
        return status;
    return reader->is_pinned ? send(place->device, reader->base, reader->bytes, place, err)
                             : copy_and_send(reader, place, err);
}

static ImgStatus decode(void *context, const ImgDevicePlace *place, ImgError *err)
{
    ImgPngDeviceReader *reader = context;
    uint8_t *device = place->device, *host = (uint8_t *)place->host + reader->at.host_status;
    ImgPngCudaPixels pixels = {place->view.data, place->view.stride};
    uint32_t *word = (uint32_t *)(device + reader->at.status);
    ImgStatus status =
        img_png_cuda_decode(&reader->plan, &reader->file, device + reader->at.workspace, &pixels,
                            word, place->stream, place->stages, err);
    if (status != IMG_OK)
        return status;
    reader->verdict = (const uint32_t *)host;
    CUDA_TRY(cudaMemcpyAsync(host, word, sizeof *word, cudaMemcpyDeviceToHost,
                             (cudaStream_t)place->stream),
             err);
    return IMG_OK;
}

static const char *failed_check(uint32_t status)
{
    return (status & IMG_PNG_CUDA_BAD_CRC) != 0      ? "CRC"
           : (status & IMG_PNG_CUDA_BAD_ADLER) != 0  ? "Adler-32"
           : (status & IMG_PNG_CUDA_BAD_FILTER) != 0 ? "row filter"
           : (status & IMG_PNG_CUDA_BAD_COPY) != 0   ? "match distance"
           : (status & IMG_PNG_CUDA_LISTS_FULL) != 0 ? "deflate blocks not located"
                                                     : "deflate stream";
}

static ImgStatus check(void *context, const ImgDevicePlace *place, ImgError *err)
{
    const ImgPngDeviceReader *reader = context;
    const uint32_t status = *reader->verdict;
    (void)place;
    if (status == IMG_PNG_CUDA_VERIFIED)
        return IMG_OK;
    return img_fail(err, IMG_E_UNSUPPORTED, "the GPU decoder could not verify the stream (%s)",
                    failed_check(status));
}

/* --- Many files ------------------------------------------------------------------------------- */

/* Returns the bytes of the status words of `count` files. */
static size_t words_bytes(size_t count)
{
    return aligned(count * sizeof(uint32_t));
}

/* Fills in items with the files. `places` is NULL while only sizes are needed. */
static void list_items(void *const *contexts, const ImgDevicePlace *places, size_t count,
                       ImgPngCudaItem *items)
{
    for (size_t i = 0; i < count; i++) {
        const ImgPngDeviceReader *reader = contexts[i];
        items[i] = (ImgPngCudaItem){.shape = reader->plan.shape, .file = reader->file};
        if (places != NULL)
            items[i].pixels = (ImgPngCudaPixels){places[i].view.data, places[i].view.stride};
    }
}

/* Returns the memory that files need to be decoded together: the status words first, then the
 * workspace, or the list of jobs. */
static ImgDeviceManyBytes many_bytes(void *const *contexts, size_t count)
{
    ImgDeviceManyBytes bytes = {words_bytes(count), words_bytes(count)};
    if (count <= IMG_PNG_CUDA_BATCH_FEW) {
        size_t most = 0;
        for (size_t i = 0; i < count; i++) {
            const ImgPngDeviceReader *reader = contexts[i];
            const size_t own = reader->plan.workspace_bytes;
            most = own > most ? own : most;
        }
        bytes.device += most;
        return bytes;
    }
    for (size_t i = 0; i < count; i++) {
        ImgPngCudaItem item;
        list_items(contexts + i, NULL, 1, &item);
        const ImgPngCudaBatchBytes own = img_png_cuda_batch_bytes(&item, 1);
        bytes.device += aligned(own.device);
        bytes.host += own.host;
    }
    return bytes;
}

/* Decodes a few files one after another in the same workspace. */
static ImgStatus decode_few(const ImgPngCudaItem *items, void *const *contexts, size_t count,
                            void *workspace, uint32_t *words, void *stream, ImgError *err)
{
    ImgStatus status = IMG_OK;
    for (size_t i = 0; status == IMG_OK && i < count; i++) {
        const ImgPngDeviceReader *reader = contexts[i];
        status = img_png_cuda_decode(&reader->plan, &reader->file, workspace, &items[i].pixels,
                                     words + i, stream, NULL, err);
    }
    return status;
}

static ImgStatus decode_many(void *const *contexts, const ImgDevicePlace *places, size_t count,
                             const ImgDevicePlace *common, ImgError *err)
{
    ImgPngCudaItem *items = malloc(count * sizeof *items);
    uint32_t *words = common->device, *verdicts = common->host;
    uint8_t *workspace = (uint8_t *)common->device + words_bytes(count);
    uint8_t *jobs = (uint8_t *)common->host + words_bytes(count);
    if (items == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu files", count);
    list_items(contexts, places, count, items);
    ImgStatus status =
        count <= IMG_PNG_CUDA_BATCH_FEW
            ? decode_few(items, contexts, count, workspace, words, common->stream, err)
            : img_png_cuda_decode_batch(items, count, workspace, jobs, words, common->stream,
                                        common->stages, err);
    free(items);
    if (status != IMG_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        ((ImgPngDeviceReader *)contexts[i])->verdict = verdicts + i;
    CUDA_TRY(cudaMemcpyAsync(verdicts, words, count * sizeof *words, cudaMemcpyDeviceToHost,
                             (cudaStream_t)common->stream),
             err);
    return IMG_OK;
}

static const ImgDeviceManyEnds MANY = {many_bytes, decode_many};

ImgDeviceEnd img_png_device_source(ImgPngDeviceReader *reader)
{
    const bool may =
        img_png_cuda_suits_batch(reader->plan.shape, reader->idat.size, reader->idat.count);
    return (ImgDeviceEnd){.device_bytes = reader->at.end,
                          .host_bytes = reader->at.host_end,
                          .move = move,
                          .work = decode,
                          .end = check,
                          .context = reader,
                          .many = may ? &MANY : NULL,
                          .many_bytes = reader->at.workspace};
}
