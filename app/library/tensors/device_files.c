/* Reads the files of a batch into pinned memory, one thread per file, and decides which of them the
 * GPU takes. A file that cannot be read or is damaged goes to the CPU, which says what is wrong. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/library/tensors/device_batch.h"
#include "io/source.h"

/* Bytes after each file that decoders may read. */
enum { SLACK = 64 };

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Returns the number of bytes of a source; 0 if it is unknown or cannot be taken. */
static uint64_t source_bytes(const imgtool_source *source, uint64_t most)
{
    struct stat facts;
    uint64_t bytes = source->bytes;
    if (source->path != NULL && bytes == 0) {
        if (stat(source->path, &facts) != 0 || !S_ISREG(facts.st_mode))
            return 0;
        bytes =
            (uint64_t)facts.st_size > source->offset ? (uint64_t)facts.st_size - source->offset : 0;
    }
    return bytes <= most ? bytes : 0;
}

static void find_sizes(void *context, int64_t first, int64_t end)
{
    ImgDeviceBatch *batch = context;
    for (int64_t i = first; i < end; i++) {
        ImgDevicePicture *picture = &batch->pictures[i];
        const imgtool_source source = img_lib_batch_source(&batch->batch, (size_t)i);
        picture->bytes = source_bytes(&source, batch->context->limits.max_memory);
        picture->on_cpu = picture->bytes == 0;
    }
}

static size_t place_files(ImgDeviceBatch *batch)
{
    size_t end = 0;
    for (size_t i = 0; i < batch->count; i++) {
        batch->pictures[i].at = end;
        if (!batch->pictures[i].on_cpu)
            end += img_device_aligned(batch->pictures[i].bytes + SLACK);
    }
    return end;
}

/* --- Bytes ------------------------------------------------------------------------------------ */

/* Reads a part of a regular file. Returns false if that fails. Without O_NONBLOCK, opening a pipe
 * would wait for a writer. */
static bool read_part(const char *path, uint64_t offset, size_t bytes, uint8_t *to)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat facts;
    if (file < 0)
        return false;
    const bool done = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                      img_lib_read_at(file, offset, to, bytes, NULL) == IMG_OK;
    (void)close(file);
    return done;
}

static bool read_source(const imgtool_source *source, size_t bytes, uint8_t *to)
{
    if (source->path != NULL)
        return read_part(source->path, source->offset, bytes, to);
    memcpy(to, source->data, bytes);
    return true;
}

/* --- The decision ----------------------------------------------------------------------------- */

/* Returns true if the pixels that the GPU decodes are those from which the steps start. The CPU
 * converts palettes to colours and transparent colours to alpha. */
static bool has_plain_pixels(const ImgDeviceBatch *batch, ImgFormat format,
                             const ImgMetadata *metadata)
{
    if (format.color == IMG_COLOR_PALETTE)
        return batch->how.indices;
    return !batch->how.with_alpha || img_metadata_find(metadata, "tRNS") == NULL;
}

/* Returns the plan of an earlier picture of the same thread if it has the same steps, otherwise an
 * empty plan. */
static const ImgLibPlan *plan_before(const ImgDeviceBatch *batch, size_t first, size_t i)
{
    static const ImgLibPlan none;
    const bool has_same =
        i > first && !batch->pictures[i - 1].on_cpu &&
        img_lib_batch_pipeline(&batch->batch, i - 1) == img_lib_batch_pipeline(&batch->batch, i);
    return has_same ? &batch->pictures[i - 1].plan : &none;
}

/* Plans the steps of a picture. Returns false if the GPU cannot run them, or the result does not
 * fit the tensor. */
static bool plan_steps(const ImgDeviceBatch *batch, size_t first, size_t i, ImgShape shape,
                       const ImgMetadata *metadata)
{
    static ImgStep none[1];
    static const imgtool_pipeline no_steps = {.steps = none, .count = 0};
    const imgtool_pipeline *pipeline = img_lib_batch_pipeline(&batch->batch, i);
    ImgLibPlan *plan = &batch->pictures[i].plan;
    if (img_lib_plan_like(batch->context, pipeline != NULL ? pipeline : &no_steps,
                          plan_before(batch, first, i), shape, metadata, plan, NULL) != IMG_OK)
        return false;
    if (img_steps_measure(plan->steps, plan->count))
        return false;
    if (shape.format.color == IMG_COLOR_PALETTE && !plan->keeps_palette)
        return false;
    return !batch->has_tensor || img_tensor_check(&batch->tensor, plan->after, NULL) == IMG_OK;
}

/* Decides whether the GPU takes a picture whose file is loaded. The calling thread began with
 * picture `first`. */
static bool take(ImgDeviceBatch *batch, size_t first, size_t i, ImgSource *source)
{
    ImgDevicePicture *picture = &batch->pictures[i];
    const ImgSourceFile file = img_source_file(source);
    const ImgMetadata *metadata = img_source_metadata(source);
    const ImgShape shape = file.header->shape;
    ImgPngCudaPlan alone;
    if (file.header->interlaced || !img_png_cuda_is_quick(shape) ||
        !has_plain_pixels(batch, shape.format, metadata) ||
        !plan_steps(batch, first, i, shape, metadata) ||
        img_idat_list(file.data, file.scan->size, &picture->idat, NULL) != IMG_OK ||
        picture->idat.count == 0)
        return false;
    picture->file.part_count = (uint32_t)picture->idat.count;
    picture->file.stream_bytes = (uint32_t)picture->idat.size;
    picture->alone = !img_png_cuda_suits_batch(shape, picture->idat.size, picture->idat.count);
    return !picture->alone ||
           img_png_cuda_plan(shape, picture->idat.size, picture->idat.count, &alone);
}

static void read_files(void *context, int64_t first, int64_t end)
{
    ImgDeviceBatch *batch = context;
    for (int64_t i = first; i < end; i++) {
        ImgDevicePicture *picture = &batch->pictures[i];
        uint8_t *to = batch->slot->host_files.memory + picture->at;
        const ImgInputBytes bytes = {.memory = to, .size = picture->bytes};
        const imgtool_source from = img_lib_batch_source(&batch->batch, (size_t)i);
        ImgSource *source = NULL;
        if (picture->on_cpu)
            continue;
        picture->on_cpu = !read_source(&from, picture->bytes, to) ||
                          img_source_open_bytes(&bytes, false, &batch->context->limits, &source,
                                                NULL) != IMG_OK ||
                          img_source_load(source, NULL) != IMG_OK ||
                          !take(batch, (size_t)first, (size_t)i, source);
        img_source_close(source);
    }
}

ImgStatus img_device_files_read(ImgDeviceBatch *batch, ImgError *err)
{
    imgtool_context *context = batch->context;
    const int threads = context->config.threads;
    img_parallel_for(context->team, threads, (int64_t)batch->count, find_sizes, batch);
    const ImgStatus status =
        img_device_block_reserve(&batch->slot->host_files, place_files(batch), err);
    if (status == IMG_OK)
        img_parallel_for(context->team, threads, (int64_t)batch->count, read_files, batch);
    return status;
}
