/* A picture to a file, to memory, or to a function. */
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/writing.h"
#include "app/library/default_floats.h"
#include "io/encode.h"
#include "io/png/room.h"
#include "io/size_text.h"

/* --- Writing ---------------------------------------------------------------------------------- */

static const ImgFileFormat formats[] = {[IMGTOOL_PNG] = IMG_FILE_PNG,
                                        [IMGTOOL_JPEG] = IMG_FILE_JPEG,
                                        [IMGTOOL_BMP] = IMG_FILE_BMP,
                                        [IMGTOOL_TGA] = IMG_FILE_TGA};

/* Where a file goes that is none of the system's. */
typedef struct Sink {
    ImgWriteFunction *write;
    void *user;
    uint64_t guess; /* bytes that it will take in memory, about; 0: none */
    uint64_t most;  /* set: so many are left of the limit beside all else */
} Sink;

/* Fewer threads, where more would take too much. */
static ImgStatus plan(const ImgLibWriting *writing, Sink *sink, int *threads, ImgError *err)
{
    const uint64_t limit = writing->context->limits.max_memory;
    const uint64_t beside = writing->held + (sink != NULL ? sink->guess : 0);
    const ImgFileFormat format = formats[writing->encoding.format];
    uint64_t need = img_lib_view_bytes(&writing->view) +
                    img_encode_view_bytes(format, &writing->view, &writing->metadata);
    if (format == IMG_FILE_PNG)
        *threads = img_png_encode_threads(img_view_shape(&writing->view), writing->encoding.level,
                                          limit > beside ? limit - beside : 0, *threads, &need);
    need += writing->held;
    if (need > limit)
        return img_fail_memory("the picture and its encoder", need, limit, NULL, err);
    if (sink != NULL)
        sink->most = limit - need;
    return IMG_OK;
}

/* `sink` is NULL for a file of the system's. */
static ImgStatus encode(const ImgLibWriting *writing, Sink *sink, ImgOutput *output, ImgError *err)
{
    const imgtool_encoding *encoding = &writing->encoding;
    const ImgView *view = &writing->view;
    ImgWatch watch = img_lib_watch(writing->context);
    const ImgImage image = {.view = *view}; /* borrowed */
    const bool few = img_lib_view_bytes(view) < IMG_BYTES_WORTH_THREADS_TO_ENCODE;
    int threads = few ? 1 : writing->context->config.threads;
    ImgStatus status = plan(writing, sink, &threads, err);
    const ImgEncodeOptions options = {.level = encoding->level,
                                      .threads = threads,
                                      .index = encoding->index,
                                      .quality = encoding->quality,
                                      .team = writing->context->team,
                                      .watch = &watch};
    const uint64_t rows = (uint64_t)view->height;
    if (status == IMG_OK)
        status = img_lib_progress(writing->context, 0, rows, err);
    if (status == IMG_OK)
        status = img_encode(formats[encoding->format], &image, &writing->metadata, &options, output,
                            NULL, err);
    if (status == IMG_OK)
        status = img_lib_progress(writing->context, rows, rows, err);
    return status;
}

/* Takes the output. */
static ImgStatus write_output(const ImgLibWriting *writing, Sink *sink, ImgOutput *output,
                              ImgError *err)
{
    ImgStatus status = encode(writing, sink, output, err);
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
    ImgLibWriting writing;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_writing_make(context, picture, encoding, &writing, error);
    if (status == IMGTOOL_OK && path == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "there is no path");
    if (status == IMGTOOL_OK) { /* a file of the name "-" is one like others */
        ImgStatus written =
            img_output_open(strcmp(path, "-") == 0 ? "./-" : path, NULL, &output, &failure);
        if (written == IMG_OK) {
            img_output_set_interrupt(output, img_lib_interrupt(context));
            written = write_output(&writing, NULL, output, &failure);
        }
        if (written != IMG_OK)
            img_error_prefix(&failure, "%s", path);
        status = img_lib_end(context, written, &failure, error);
    }
    img_lib_writing_free(&writing);
    return status;
}

static imgtool_status write_function(imgtool_context *context, const imgtool_picture *picture,
                                     const imgtool_encoding *encoding, Sink *sink,
                                     imgtool_error *error)
{
    ImgLibWriting writing;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_writing_make(context, picture, encoding, &writing, error);
    if (status == IMGTOOL_OK) {
        ImgStatus written = img_output_open_function(sink->write, sink->user, &output, &failure);
        if (written == IMG_OK)
            written = write_output(&writing, sink, output, &failure);
        status = img_lib_end(context, written, &failure, error);
    }
    img_lib_writing_free(&writing);
    return status;
}

/* --- To memory -------------------------------------------------------------------------------- */

typedef struct Growing {
    imgtool_context *context;
    uint8_t *data;
    size_t size, capacity;
    Sink sink;
} Growing;

static ImgStatus fail_growing(const Growing *growing, size_t least, ImgError *err)
{
    const uint64_t limit = growing->context->limits.max_memory;
    return img_fail_memory("the picture, its encoder and the file",
                           limit - growing->sink.most + growing->capacity + least, limit, NULL,
                           err);
}

/* For `least` bytes at least. The old memory and the new are there at a time. */
static ImgStatus grow(Growing *growing, size_t least, ImgError *err)
{
    enum { LEAST = 64 << 10 };
    const uint64_t most = growing->sink.most;
    const uint64_t room = most > growing->capacity ? most - growing->capacity : 0;
    uint64_t capacity = (uint64_t)growing->capacity + least + LEAST;
    if (capacity < growing->sink.guess)
        capacity = growing->sink.guess;
    if (capacity > room)
        capacity = room;
    if (capacity < least)
        return fail_growing(growing, least, err);
    uint8_t *larger = img_lib_allocate(growing->context, (size_t)capacity);
    if (larger == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the file");
    if (growing->size > 0)
        memcpy(larger, growing->data, growing->size);
    img_lib_release(growing->context, growing->data);
    growing->data = larger;
    growing->capacity = (size_t)capacity;
    return IMG_OK;
}

static ImgStatus append(void *user, const void *data, size_t size, ImgError *err)
{
    Growing *growing = user;
    ImgStatus status = IMG_OK;
    if (size > growing->capacity - growing->size)
        status = grow(growing, growing->size + size, err);
    if (status != IMG_OK)
        return status;
    memcpy(growing->data + growing->size, data, size);
    growing->size += size;
    return IMG_OK;
}

/* Half of the pixels' bytes, of which photographs take a little less; within a limit somewhat more
 * than all, as growing needs the old memory beside the new. What is not written to costs nothing,
 * and is given back. Memory of the caller's may be dearer. */
static uint64_t guess_bytes(const imgtool_context *context, const imgtool_picture *picture)
{
    if (context == NULL || picture == NULL || !img_lib_uses_malloc(context))
        return 0;
    const uint64_t row = (uint64_t)picture->width * imgtool_pixel_size(picture->format);
    const uint64_t part = context->config.max_memory != 0 ? row + row / 8 : row / 2;
    const uint64_t all = part * (uint64_t)picture->height;
    return picture->width > 0 && picture->height > 0 && all <= PTRDIFF_MAX ? all : 0;
}

static void trim(Growing *growing)
{
    void *data = NULL;
    if (img_lib_uses_malloc(growing->context) && growing->size > 0)
        data = realloc(growing->data, growing->size);
    if (data != NULL)
        growing->data = data;
}

imgtool_status imgtool_write_memory(imgtool_context *context, const imgtool_picture *picture,
                                    const imgtool_encoding *encoding, void **data, size_t *bytes,
                                    imgtool_error *error)
{
    IMG_LIB_DEFAULT_FLOATS();
    Growing growing = {.context = context,
                       .sink = {.write = append, .guess = guess_bytes(context, picture)}};
    if (data == NULL || bytes == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "there is no place for the file");
    *data = NULL;
    *bytes = 0;
    growing.sink.user = &growing;
    imgtool_status status = write_function(context, picture, encoding, &growing.sink, error);
    if (status == IMGTOOL_OK) {
        trim(&growing);
        *data = growing.data;
        *bytes = growing.size;
    } else if (context != NULL) {
        img_lib_release(context, growing.data);
    }
    return status;
}

/* --- To a function ---------------------------------------------------------------------------- */

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
        return img_lib_fail(error, IMGTOOL_E_USAGE, "there is no function");
    return write_function(context, picture, encoding, &sink, error);
}
