/* Reads one picture of a batch on the CPU. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/library/codec/metadata.h"
#include "app/library/codec/reader.h"
#include "app/library/operations/pipeline.h"
#include "app/library/picture.h"
#include "app/library/tensors/batch.h"
#include "io/expand.h"
#include "io/size_text.h"

/* --- A part of a file ------------------------------------------------------------------------- */

ImgStatus img_lib_read_at(int file, uint64_t offset, void *data, size_t bytes, ImgError *err)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(file, (char *)data + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return img_fail(err, IMG_E_IO, "cannot be read: %s", strerror(errno));
        if (got == 0)
            return img_fail(err, IMG_E_IO, "became shorter while it was read");
        done += (size_t)got;
    }
    return IMG_OK;
}

/* Sets *bytes to the size of the part that the source names. */
static ImgStatus measure_part(int file, const imgtool_source *source, const ImgLimits *limits,
                              uint64_t *bytes, ImgError *err)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return img_fail(err, IMG_E_IO, "cannot be read: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return img_fail(err, IMG_E_IO, "is not a regular file, so a part of it cannot be read");
    const uint64_t size = (uint64_t)info.st_size;
    if (source->offset > size || source->bytes > size - source->offset)
        return img_fail(err, IMG_E_IO, "has %llu bytes, and no part of %llu bytes at position %llu",
                        (unsigned long long)size, (unsigned long long)source->bytes,
                        (unsigned long long)source->offset);
    *bytes = source->bytes != 0 ? source->bytes : size - source->offset;
    if (*bytes > limits->max_memory)
        return img_fail_memory("the file", *bytes, limits->max_memory, NULL, err);
    return *bytes <= SIZE_MAX ? IMG_OK : img_fail(err, IMG_E_MEMORY, "is too large");
}

/* Reads the part into the worker's buffer. */
static ImgStatus read_part(ImgLibWorker *worker, const imgtool_source *source, size_t *bytes,
                           ImgError *err)
{
    uint64_t size = 0;
    /* Without O_NONBLOCK, opening a pipe would wait for a writer. */
    const int file = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return img_fail(err, IMG_E_IO, "cannot be opened: %s", strerror(errno));
    ImgStatus status = measure_part(file, source, &worker->context->limits, &size, err);
    *bytes = (size_t)size;
    if (status == IMG_OK && !img_lib_buffer_reserve(&worker->file, *bytes))
        status = img_fail(err, IMG_E_MEMORY, "no memory for the file");
    if (status == IMG_OK)
        status = img_lib_read_at(file, source->offset, worker->file.memory, *bytes, err);
    close(file);
    return status;
}

static imgtool_status open_part(ImgLibWorker *worker, const imgtool_source *source,
                                imgtool_reader **reader, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    size_t bytes = 0;
    const ImgStatus status = read_part(worker, source, &bytes, &failure);
    if (status == IMG_OK)
        return img_lib_open_memory(worker->context, source->path, worker->file.memory, bytes,
                                   reader, error);
    img_error_prefix(&failure, "%s", source->path);
    return img_lib_end(NULL, status, &failure, error);
}

imgtool_status img_lib_open_source(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                                   imgtool_reader **reader, imgtool_error *error)
{
    const imgtool_source source = img_lib_batch_source(batch, index);
    *reader = NULL;
    if (source.path == NULL)
        return imgtool_open_memory(worker->context, source.data, (size_t)source.bytes, reader,
                                   error);
    if (source.offset == 0 && source.bytes == 0)
        return imgtool_open_file(worker->context, source.path, reader, error);
    return open_part(worker, &source, reader, error);
}

/* --- Decoding --------------------------------------------------------------------------------- */

ImgLibDecode img_lib_decode_for(const ImgTensor *tensor)
{
    return (ImgLibDecode){.with_alpha = tensor->channels == 2 || tensor->channels == 4,
                          .indices = tensor->indices};
}

imgtool_format img_lib_decode_format(ImgLibDecode how, ImgFormat file, const ImgMetadata *metadata)
{
    imgtool_format format = {IMGTOOL_AS_IT_IS, 0};
    const bool is_palette = file.color == IMG_COLOR_PALETTE;
    const bool is_transparent =
        metadata != NULL && how.with_alpha && !img_format_has_alpha(file) &&
        img_format_has_alpha(img_expanded_shape((ImgShape){1, 1, file}, metadata).format);
    if (is_palette && !how.indices)
        format.color = is_transparent ? IMGTOOL_RGBA : IMGTOOL_RGB;
    else if (!is_palette && is_transparent)
        format.color = file.color == IMG_COLOR_GRAY ? IMGTOOL_GRAY_ALPHA : IMGTOOL_RGBA;
    return format;
}

/* Sets *picture to memory of the worker for the decoded file. */
static ImgStatus reserve_pixels(ImgLibWorker *worker, imgtool_reader *reader, ImgLibDecode how,
                                imgtool_picture *picture, ImgError *err)
{
    ImgLibTransfer transfer;
    const uint64_t limit = worker->context->limits.max_memory;
    const ImgShape shape = img_source_shape(reader->source);
    const imgtool_format wanted =
        img_lib_decode_format(how, shape.format, img_source_metadata(reader->source));
    ImgStatus status = img_lib_reader_prepare(reader, wanted, &transfer, err);
    if (status != IMG_OK)
        return status;
    picture->width = shape.width;
    picture->height = shape.height;
    picture->format = transfer.to;
    picture->stride = (size_t)shape.width * imgtool_pixel_size(transfer.to);
    const size_t bytes = (size_t)shape.height * picture->stride;
    if (bytes > limit)
        return img_fail_memory("the pixels", bytes, limit, NULL, err);
    if (!img_lib_buffer_reserve(&worker->pixels, bytes))
        return img_fail(err, IMG_E_MEMORY, "no memory for the pixels");
    picture->pixels = worker->pixels.memory;
    return IMG_OK;
}

/* Decodes the file into the worker's buffer. */
static imgtool_status decode(ImgLibWorker *worker, imgtool_reader *reader, ImgLibDecode how,
                             ImgView *picture, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_picture made = IMGTOOL_PICTURE_INIT;
    ImgStatus reserved = img_lib_reader_load(reader, &failure);
    if (reserved == IMG_OK)
        reserved = reserve_pixels(worker, reader, how, &made, &failure);
    if (reserved != IMG_OK)
        return img_lib_reader_end(reader, reserved, &failure, error);
    const imgtool_status status = imgtool_reader_decode(reader, &made, error);
    return status == IMGTOOL_OK ? img_lib_view(&made, "picture", picture, error) : status;
}

/* Runs the steps on the decoded file. */
static imgtool_status run_steps(ImgLibWorker *worker, imgtool_reader *reader,
                                const imgtool_pipeline *pipeline, ImgView *picture,
                                imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const ImgStatus status =
        img_lib_run_view(worker->context, pipeline, picture, img_source_metadata(reader->source),
                         &worker->result, &failure);
    if (status == IMG_OK)
        *picture = worker->result.view;
    return img_lib_reader_end(reader, status, &failure, error);
}

imgtool_status img_lib_read_picture_at(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                                       ImgLibDecode how, ImgView *picture, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    const imgtool_pipeline *pipeline = img_lib_batch_pipeline(batch, index);
    imgtool_reader *reader = NULL;
    img_lib_worker_trim(worker);
    imgtool_status status = img_lib_open_source(worker, batch, index, &reader, error);
    if (status != IMGTOOL_OK || reader == NULL)
        return status;
    status = decode(worker, reader, how, picture, error);
    if (status == IMGTOOL_OK && pipeline != NULL)
        status = run_steps(worker, reader, pipeline, picture, error);
    imgtool_reader_destroy(reader);
    return status;
}

/* --- Tensors ---------------------------------------------------------------------------------- */

static imgtool_status check_fit(const ImgLibBatch *batch, size_t index, const ImgTensor *tensor,
                                const ImgView *picture, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const imgtool_source source = img_lib_batch_source(batch, index);
    const ImgStatus status = img_tensor_check(tensor, img_view_shape(picture), &failure);
    if (status != IMG_OK)
        img_error_prefix(&failure, "%s", img_lib_source_name(&source));
    return img_lib_end(NULL, status, &failure, error);
}

imgtool_status img_lib_read_one(ImgLibWorker *worker, const ImgLibBatch *batch, size_t index,
                                const ImgTensor *tensor, int32_t place, imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    const size_t bytes = img_lib_place_bytes(tensor);
    ImgView picture;
    imgtool_status status =
        img_lib_read_picture_at(worker, batch, index, img_lib_decode_for(tensor), &picture, error);
    if (status == IMGTOOL_OK)
        status = check_fit(batch, index, tensor, &picture, error);
    if (status == IMGTOOL_OK)
        img_tensor_put(tensor, place, &picture);
    else
        memset((char *)tensor->data + (size_t)place * bytes, 0, bytes);
    img_lib_worker_trim(worker);
    return status;
}
