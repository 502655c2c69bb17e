/* Writes a picture to a file, to memory, or to a callback. */
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/write_request.h"
#include "app/library/context.h"
#include "io/encode.h"
#include "io/png/thread_count.h"
#include "io/size_text.h"

/* --- Writing ---------------------------------------------------------------------------------- */

/* Destination of the encoded bytes if it is not a file: memory or a callback. */
typedef struct Sink {
    ImgWriteFunction *write;
    void *user;
    /* expected size in bytes of the encoded file, if it is written to memory; 0: unknown */
    uint64_t expected_bytes;
    /* result of plan(): bytes of max_memory that remain for the encoded file */
    uint64_t most;
} Sink;

/* Chooses the largest number of threads, up to *threads, that fits in max_memory. Sets
 * `sink->most`. Fails with IMG_E_LIMIT if one thread does not fit. */
static ImgStatus plan(const ImgLibWriteRequest *request, Sink *sink, int *threads, ImgError *err)
{
    const uint64_t limit = request->context->limits.max_memory;
    const uint64_t held = request->held + (sink != NULL ? sink->expected_bytes : 0);
    const ImgFileFormat format = img_lib_file_format(request->encoding.format);
    uint64_t need = img_lib_view_bytes(&request->view) +
                    img_encode_view_bytes(format, &request->view, &request->metadata);
    if (format == IMG_FILE_PNG)
        *threads = img_png_encode_threads(img_view_shape(&request->view),
                                          request->metadata.interlaced, request->encoding.level,
                                          limit > held ? limit - held : 0, *threads, &need);
    need += request->held;
    if (need > limit)
        return img_fail_memory("the picture and its encoder", need, limit, NULL, err);
    if (sink != NULL)
        sink->most = limit - need;
    return IMG_OK;
}

/* Encodes the picture to `output`. `sink` is NULL if the output is a file. */
static ImgStatus encode(const ImgLibWriteRequest *request, Sink *sink, ImgOutput *output,
                        ImgError *err)
{
    const imgtool_encoding *encoding = &request->encoding;
    const ImgView *view = &request->view;
    ImgProgress progress = img_lib_codec_progress(request->context);
    const ImgImage image = {.view = *view}; /* a view of the caller's pixels, so it is not freed */
    const bool few = img_lib_view_bytes(view) < IMG_BYTES_WORTH_THREADS_TO_ENCODE;
    int threads = few ? 1 : request->context->config.threads;
    ImgStatus status = plan(request, sink, &threads, err);
    const ImgEncodeOptions options = {.level = encoding->level,
                                      .threads = threads,
                                      .index = encoding->index,
                                      .quality = encoding->quality,
                                      .team = request->context->team,
                                      .progress = &progress};
    const uint64_t rows = (uint64_t)view->height;
    if (status == IMG_OK)
        status = img_lib_progress(request->context, 0, rows, err);
    if (status == IMG_OK)
        status = img_encode(img_lib_file_format(encoding->format), &image, &request->metadata,
                            &options, output, NULL, err);
    if (status == IMG_OK)
        status = img_lib_progress(request->context, rows, rows, err);
    return status;
}

/* Encodes to `output`, then commits it, or discards it after an error. */
static ImgStatus write_output(const ImgLibWriteRequest *request, Sink *sink, ImgOutput *output,
                              ImgError *err)
{
    ImgStatus status = encode(request, sink, output, err);
    if (status == IMG_OK)
        return img_output_commit(&output, err);
    img_output_discard(&output);
    return status;
}

imgtool_status imgtool_write_file(imgtool_context *context, const imgtool_picture *picture,
                                  const imgtool_encoding *encoding, const char *path,
                                  imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    ImgLibWriteRequest request;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_write_request_make(context, picture, encoding, &request, error);
    if (status == IMGTOOL_OK && path == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "path is NULL");
    /* Unlike the command line, the library treats "-" as the name of a file. */
    if (status == IMGTOOL_OK) {
        ImgStatus written =
            img_output_open(strcmp(path, "-") == 0 ? "./-" : path, NULL, &output, &failure);
        if (written == IMG_OK) {
            img_output_set_interrupt(output, img_lib_interrupt(context));
            written = write_output(&request, NULL, output, &failure);
        }
        if (written != IMG_OK)
            img_error_prefix(&failure, "%s", path);
        status = img_lib_end(context, written, &failure, error);
    }
    img_lib_write_request_free(&request);
    return status;
}

static imgtool_status write_function(imgtool_context *context, const imgtool_picture *picture,
                                     const imgtool_encoding *encoding, Sink *sink,
                                     imgtool_error *error)
{
    ImgLibWriteRequest request;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_write_request_make(context, picture, encoding, &request, error);
    if (status == IMGTOOL_OK) {
        ImgStatus written = img_output_open_function(sink->write, sink->user, &output, &failure);
        if (written == IMG_OK)
            written = write_output(&request, sink, output, &failure);
        status = img_lib_end(context, written, &failure, error);
    }
    img_lib_write_request_free(&request);
    return status;
}

/* --- To memory -------------------------------------------------------------------------------- */

typedef struct GrowingBuffer {
    imgtool_context *context;
    uint8_t *data;
    size_t size, capacity;
    Sink sink;
} GrowingBuffer;

static ImgStatus fail_growing(const GrowingBuffer *buffer, size_t least, ImgError *err)
{
    const uint64_t limit = buffer->context->limits.max_memory;
    return img_fail_memory("the picture, its encoder and the file",
                           limit - buffer->sink.most + buffer->capacity + least, limit, NULL, err);
}

/* Grows the buffer so that it holds at least `least` bytes. Copies the content, so the old and the
 * new buffer exist at the same time. */
static ImgStatus grow(GrowingBuffer *buffer, size_t least, ImgError *err)
{
    enum { LEAST = 64 << 10 };
    const uint64_t most = buffer->sink.most;
    const uint64_t room = most > buffer->capacity ? most - buffer->capacity : 0;
    uint64_t capacity = (uint64_t)buffer->capacity + least + LEAST;
    if (capacity < buffer->sink.expected_bytes)
        capacity = buffer->sink.expected_bytes;
    if (capacity > room)
        capacity = room;
    if (capacity < least)
        return fail_growing(buffer, least, err);
    uint8_t *larger = img_lib_allocate(buffer->context, (size_t)capacity);
    if (larger == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the file");
    if (buffer->size > 0)
        memcpy(larger, buffer->data, buffer->size);
    img_lib_release(buffer->context, buffer->data);
    buffer->data = larger;
    buffer->capacity = (size_t)capacity;
    return IMG_OK;
}

static ImgStatus append(void *user, const void *data, size_t size, ImgError *err)
{
    GrowingBuffer *buffer = user;
    ImgStatus status = IMG_OK;
    if (size > buffer->capacity - buffer->size)
        status = grow(buffer, buffer->size + size, err);
    if (status != IMG_OK)
        return status;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    return IMG_OK;
}

/* Returns the initial size of the buffer: half the size of the pixels, slightly more than
 * photographs need. With a memory limit it is 9/8 of the pixels, because growing needs the old and
 * the new buffer at the same time. Pages that are never written cost nothing, and the unused end is
 * released after encoding. With a caller's allocator, unwritten pages may cost memory, so the
 * buffer then starts empty. */
static uint64_t expect_bytes(const imgtool_context *context, const imgtool_picture *picture)
{
    if (context == NULL || picture == NULL || !img_lib_uses_malloc(context))
        return 0;
    const uint64_t row = (uint64_t)picture->width * imgtool_pixel_size(picture->format);
    const uint64_t part = context->config.max_memory != 0 ? row + row / 8 : row / 2;
    const uint64_t all = part * (uint64_t)picture->height;
    return picture->width > 0 && picture->height > 0 && all <= PTRDIFF_MAX ? all : 0;
}

static void shrink_to_fit(GrowingBuffer *buffer)
{
    void *data = NULL;
    if (img_lib_uses_malloc(buffer->context) && buffer->size > 0)
        data = realloc(buffer->data, buffer->size);
    if (data != NULL)
        buffer->data = data;
}

imgtool_status imgtool_write_memory(imgtool_context *context, const imgtool_picture *picture,
                                    const imgtool_encoding *encoding, void **data, size_t *bytes,
                                    imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    GrowingBuffer buffer = {
        .context = context,
        .sink = {.write = append, .expected_bytes = expect_bytes(context, picture)}};
    if (data == NULL || bytes == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "data or bytes is NULL");
    *data = NULL;
    *bytes = 0;
    buffer.sink.user = &buffer;
    imgtool_status status = write_function(context, picture, encoding, &buffer.sink, error);
    if (status == IMGTOOL_OK) {
        shrink_to_fit(&buffer);
        *data = buffer.data;
        *bytes = buffer.size;
    } else if (context != NULL) {
        img_lib_release(context, buffer.data);
    }
    return status;
}

/* --- To a callback ---------------------------------------------------------------------------- */

typedef struct Callback {
    imgtool_write_function *write;
    void *user;
} Callback;

static ImgStatus call(void *context, const void *data, size_t size, ImgError *err)
{
    const Callback *callback = context;
    if (callback->write(callback->user, data, size))
        return IMG_OK;
    return img_fail(err, IMG_E_IO, "cannot be written: the caller's function failed");
}

imgtool_status imgtool_write_callback(imgtool_context *context, const imgtool_picture *picture,
                                      const imgtool_encoding *encoding,
                                      imgtool_write_function *write, void *user,
                                      imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    Callback callback = {write, user};
    Sink sink = {.write = call, .user = &callback};
    if (write == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "write is NULL");
    return write_function(context, picture, encoding, &sink, error);
}
