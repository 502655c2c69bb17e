/* Copies the IDAT chunks that the GPU encoded to host memory. For strips that the GPU leaves to the
 * CPU it copies the pixels instead. */
#include <stdlib.h>
#include <string.h>

#include "io/png/cuda/encode/png_encode_cuda.h"
#include "io/png/device.h"
#include "kernels/core/cuda/cuda_util.h"

enum { ALIGNMENT = 256, EXPECTED_LEAST = 1 << 18 };

/* Offsets of the areas in device memory, in bytes. Host and device memory both start with the total
 * size; then follow the strips, the blocks of the strips, and the chunks. */
typedef struct Layout {
    size_t strips, blocks, chunks, host_end, workspace, end;
} Layout;

struct ImgPngDeviceWriter {
    ImgPngEncodeCudaPlan plan;
    Layout at;
    /* `likely`: bytes of chunks that the first copy includes. `room`: bytes of pinned memory for
     * chunks. */
    size_t likely, room;
    ImgPngEncodedStrips made;
    ImgPngEncodedStrip *strips;
    uint32_t *starts; /* positions at which the deflate blocks of the strips begin */
    uint8_t *chunks;  /* owned memory for the chunks, used if the pinned memory is too small */
    ImgImage pixels;  /* pixels of the strips that are left to the CPU */
};

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Lays out host and device memory. When the copy is queued, the size of the chunks is not yet known
 * on the CPU. So the copy includes `likely` bytes, usually some more than needed, which costs no
 * time. A kernel that copied exactly the right number took a tenth of the total time. */
static void lay_out(ImgPngDeviceWriter *writer, size_t expected)
{
    size_t most = aligned(writer->plan.output);
    expected = expected > EXPECTED_LEAST ? expected : EXPECTED_LEAST;
    writer->likely = least(aligned(expected + expected / 32), most);
    writer->room = least(aligned(expected + expected / 4), most);
    writer->at.strips = ALIGNMENT;
    writer->at.blocks =
        writer->at.strips + aligned(writer->plan.options.strips.count * sizeof(ImgPngCudaStrip));
    writer->at.chunks = writer->at.blocks + aligned(writer->plan.starts * sizeof(ImgPngCudaBlock));
    writer->at.host_end = writer->at.chunks + writer->room;
    writer->at.workspace = writer->at.chunks + most;
    writer->at.end = writer->at.workspace + writer->plan.workspace;
}

/* Returns true if all strips are small. A GPU encodes small pictures faster than a CPU only in
 * batches. */
static bool is_small(const ImgPngEncodeCudaPlan *plan)
{
    const ImgPngEncodeCudaOptions *options = &plan->options;
    return (1 + plan->row_bytes) * (size_t)options->strips.first_rows <= options->probed;
}

static bool set_up(ImgPngDeviceWriter *writer, ImgShape shape, const ImgPngEncodeOptions *options,
                   size_t expected, const char **why_not)
{
    ImgPngEncodeCudaOptions how;
    *why_not = "level, format or size of which the CPU makes every strip";
    if (!img_png_encode_cuda_options(shape, options->level, &how) ||
        img_png_encode_cuda_plan(shape, &how, &writer->plan, NULL) != IMG_OK)
        return false;
    *why_not = "no memory";
    writer->strips = calloc(how.strips.count, sizeof *writer->strips);
    writer->starts =
        malloc((size_t)writer->plan.starts * IMG_PNG_CUDA_FRAMES_MOST * sizeof *writer->starts);
    lay_out(writer, expected);
    return writer->strips != NULL && writer->starts != NULL;
}

ImgPngDeviceWriter *img_png_device_writer(ImgShape shape, const ImgPngEncodeOptions *options,
                                          bool interlaced, size_t expected, const char **why_not)
{
    *why_not = "libpng writes such pictures";
    if (img_png_encode_is_by_libpng(shape, interlaced))
        return NULL;
    *why_not = "no memory";
    ImgPngDeviceWriter *writer = calloc(1, sizeof *writer);
    if (writer == NULL || set_up(writer, shape, options, expected, why_not))
        return writer;
    img_png_device_writer_free(writer);
    return NULL;
}

void img_png_device_writer_free(ImgPngDeviceWriter *writer)
{
    if (writer == NULL)
        return;
    img_image_free(&writer->pixels);
    free(writer->chunks);
    free(writer->starts);
    free(writer->strips);
    free(writer);
}

const ImgPngEncodedStrips *img_png_device_strips(const ImgPngDeviceWriter *writer)
{
    return &writer->made;
}

/* --- The run ---------------------------------------------------------------------------------- */

static ImgPngEncodeCudaPlaces places_of(const ImgPngDeviceWriter *writer,
                                        const ImgDevicePlace *place)
{
    uint8_t *device = place->device;
    return (ImgPngEncodeCudaPlaces){.pixels = place->view.data,
                                    .stride = place->view.stride,
                                    .workspace = device + writer->at.workspace,
                                    .output = device + writer->at.chunks,
                                    .strips = (ImgPngCudaStrip *)(device + writer->at.strips),
                                    .blocks = (ImgPngCudaBlock *)(device + writer->at.blocks),
                                    .size = (uint64_t *)device};
}

static ImgStatus encode(void *context, const ImgDevicePlace *place, ImgError *err)
{
    const ImgPngDeviceWriter *writer = context;
    const ImgPngEncodeCudaPlaces places = places_of(writer, place);
    return img_png_encode_cuda(&writer->plan, &places, place->stream, place->second_stream,
                               place->stages, err);
}

static ImgStatus fetch(void *to, const void *from, size_t bytes, const ImgDevicePlace *place,
                       ImgError *err)
{
    CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, (cudaStream_t)place->stream),
             err);
    return IMG_OK;
}

/* Copies the total size, the strips, their blocks and the first chunks at once, because they are
 * adjacent in host and device memory. */
static ImgStatus move(void *context, const ImgDevicePlace *place, ImgError *err)
{
    const ImgPngDeviceWriter *writer = context;
    return fetch(place->host, place->device, writer->at.chunks + writer->likely, place, err);
}

/* Sets `*chunks` to the address of the chunks in host memory. Copies the bytes that the first copy
 * did not include; `size` is the size of all chunks. */
static ImgStatus find_chunks(ImgPngDeviceWriter *writer, const ImgDevicePlace *place, size_t size,
                             const uint8_t **chunks, ImgError *err)
{
    uint8_t *host = (uint8_t *)place->host + writer->at.chunks;
    const uint8_t *device = (const uint8_t *)place->device + writer->at.chunks;
    *chunks = host;
    if (size <= writer->likely)
        return IMG_OK;
    if (size <= writer->room)
        return fetch(host + writer->likely, device + writer->likely, size - writer->likely, place,
                     err);
    *chunks = writer->chunks = malloc(size);
    if (writer->chunks == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the encoded picture");
    return fetch(writer->chunks, device, size, place, err);
}

/* Copies the pixels of strip `number`, which the GPU leaves to the CPU, to host memory. */
static ImgStatus fetch_strip(ImgPngDeviceWriter *writer, const ImgDevicePlace *place,
                             uint32_t number, ImgError *err)
{
    const ImgStrips *strips = &writer->plan.options.strips;
    ImgView *view = &writer->pixels.view;
    int32_t from = img_strips_start(strips, number), to = img_strips_start(strips, number + 1);
    if (view->data == NULL) {
        ImgStatus status = img_image_alloc(writer->plan.shape, &writer->pixels, err);
        if (status != IMG_OK)
            return status;
    }
    CUDA_TRY(
        cudaMemcpy2DAsync(view->data + (size_t)from * view->stride, view->stride,
                          place->view.data + (size_t)from * place->view.stride, place->view.stride,
                          (size_t)view->width * img_format_pixel_size(view->format),
                          (size_t)(to - from), cudaMemcpyDeviceToHost, (cudaStream_t)place->stream),
        err);
    return IMG_OK;
}

/* Returns strip `number`, which the GPU encoded, in the form that the CPU encoder also uses. */
static ImgPngEncodedStrip take_strip(ImgPngDeviceWriter *writer, const ImgPngCudaBlock *blocks,
                                     const ImgPngCudaStrip *found, uint32_t number,
                                     const uint8_t *chunks)
{
    uint32_t *starts =
        writer->starts +
        (size_t)img_png_encode_cuda_first_start(&writer->plan, number) * IMG_PNG_CUDA_FRAMES_MOST;
    size_t count = img_png_encode_cuda_starts(&writer->plan, blocks, found, number, starts);
    const ImgStripStrategy strategy =
        found->strategy == IMG_PNG_CUDA_BY_RUNS ? IMG_STRIP_BY_RUNS : IMG_STRIP_BY_MATCHES;
    return (ImgPngEncodedStrip){
        chunks + found->start, found->bytes, found->adler, strategy, starts, count};
}

static ImgStatus collect(void *context, const ImgDevicePlace *place, ImgError *err)
{
    ImgPngDeviceWriter *writer = context;
    const uint8_t *host = place->host, *chunks;
    const ImgPngCudaStrip *found = (const ImgPngCudaStrip *)(host + writer->at.strips);
    const ImgPngCudaBlock *blocks = (const ImgPngCudaBlock *)(host + writer->at.blocks);
    size_t size = *(const uint64_t *)host;
    if (size > writer->plan.output)
        return img_fail(err, IMG_E_DEVICE, "the GPU encoded more bytes than there can be");
    ImgStatus status = find_chunks(writer, place, size, &chunks, err);
    uint32_t count = writer->plan.options.strips.count;
    for (uint32_t i = 0; i < count && status == IMG_OK; i++) {
        if (found[i].strategy == IMG_PNG_CUDA_LEFT_TO_CPU)
            status = fetch_strip(writer, place, i, err);
        else
            writer->strips[i] = take_strip(writer, blocks, &found[i], i, chunks);
    }
    cudaError_t code = cudaStreamSynchronize((cudaStream_t)place->stream);
    if (status == IMG_OK && code != cudaSuccess)
        status = img_cuda_fail(code, "cudaStreamSynchronize", err);
    writer->made = (ImgPngEncodedStrips){writer->pixels.view, count, writer->strips};
    if (writer->pixels.view.data == NULL)
        writer->made.view = img_view_make(NULL, 0, writer->plan.shape);
    return status;
}

/* --- Many pictures ---------------------------------------------------------------------------- */

static ImgDeviceManyBytes many_bytes(void *const *contexts, size_t count)
{
    ImgDeviceManyBytes bytes = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const ImgPngDeviceWriter *writer = contexts[i];
        const ImgPngEncodeCudaItem item = {.plan = writer->plan};
        const ImgPngEncodeCudaBatchBytes own = img_png_encode_cuda_batch_bytes(&item, 1);
        bytes.device += aligned(own.device);
        bytes.host += aligned(own.host);
    }
    return bytes;
}

static ImgStatus encode_many(void *const *contexts, const ImgDevicePlace *places, size_t count,
                             const ImgDevicePlace *common, ImgError *err)
{
    ImgPngEncodeCudaItem *items = malloc(count * sizeof *items);
    if (items == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for %zu pictures", count);
    for (size_t i = 0; i < count; i++) {
        const ImgPngDeviceWriter *writer = contexts[i];
        items[i] = (ImgPngEncodeCudaItem){writer->plan, places_of(writer, &places[i])};
    }
    const ImgStatus status =
        img_png_encode_cuda_batch(items, count, common->device, common->host, common->stream,
                                  common->second_stream, common->stages, err);
    free(items);
    return status;
}

static const ImgDeviceManyEnds MANY = {many_bytes, encode_many};

ImgDeviceEnd img_png_device_sink(ImgPngDeviceWriter *writer)
{
    return (ImgDeviceEnd){.device_bytes = writer->at.end,
                          .host_bytes = writer->at.host_end,
                          .move = move,
                          .work = encode,
                          .end = collect,
                          .context = writer,
                          .many = &MANY,
                          .many_bytes = writer->at.end,
                          .only_many = is_small(&writer->plan)};
}
