/* A picture to a file, to memory, or to a function. */
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/writing.h"
#include "io/encode.h"
#include "io/png/room.h"
#include "io/size_text.h"

/* --- Writing ---------------------------------------------------------------------------------- */

/* Fewer threads, where more would take too much. */
static ImgStatus plan_threads(const ImgLibWriting *writing, int *threads, ImgError *err)
{
    const uint64_t most = writing->context->limits.max_memory;
    uint64_t need = 0;
    if (writing->encoding.format != IMGTOOL_PNG)
        return IMG_OK;
    *threads = img_png_encode_threads(img_view_shape(&writing->view), writing->encoding.level, most,
                                      *threads, &need);
    return need <= most ? IMG_OK
                        : img_fail_memory("the picture and its encoder", need, most, NULL, err);
}

static ImgStatus encode(const ImgLibWriting *writing, ImgOutput *output, ImgError *err)
{
    static const ImgFileFormat formats[] = {[IMGTOOL_PNG] = IMG_FILE_PNG,
                                            [IMGTOOL_JPEG] = IMG_FILE_JPEG,
                                            [IMGTOOL_BMP] = IMG_FILE_BMP,
                                            [IMGTOOL_TGA] = IMG_FILE_TGA};
    const imgtool_encoding *encoding = &writing->encoding;
    const ImgView *view = &writing->view;
    ImgWatch watch = img_lib_watch(writing->context);
    const ImgImage image = {.view = *view}; /* borrowed */
    const uint64_t bytes =
        (uint64_t)view->width * img_format_pixel_size(view->format) * (uint64_t)view->height;
    const bool few = bytes < IMG_BYTES_WORTH_THREADS_TO_ENCODE;
    int threads = few ? 1 : writing->context->config.threads;
    ImgStatus status = plan_threads(writing, &threads, err);
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
static ImgStatus write_output(const ImgLibWriting *writing, ImgOutput *output, ImgError *err)
{
    ImgStatus status = encode(writing, output, err);
    if (status == IMG_OK)
        return img_output_commit(&output, err);
    img_output_discard(&output);
    return status;
}

imgtool_status imgtool_write_file(imgtool_context *context, const imgtool_picture *picture,
                                  const imgtool_encoding *encoding, const char *path,
                                  imgtool_error *error)
{
    ImgLibWriting writing;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_writing_make(context, picture, encoding, &writing, error);
    if (status == IMGTOOL_OK && path == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "there is no path");
    if (status == IMGTOOL_OK) { /* a file of the name "-" is one like others */
        ImgStatus written =
            img_output_open(strcmp(path, "-") == 0 ? "./-" : path, NULL, &output, &failure);
        if (written == IMG_OK)
            written = write_output(&writing, output, &failure);
        if (written != IMG_OK)
            img_error_prefix(&failure, "%s", path);
        status = img_lib_end(context, written, &failure, error);
    }
    img_lib_writing_free(&writing);
    return status;
}

static imgtool_status write_function(imgtool_context *context, const imgtool_picture *picture,
                                     const imgtool_encoding *encoding, ImgWriteFunction *write,
                                     void *user, imgtool_error *error)
{
    ImgLibWriting writing;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_writing_make(context, picture, encoding, &writing, error);
    if (status == IMGTOOL_OK) {
        ImgStatus written = img_output_open_function(write, user, &output, &failure);
        if (written == IMG_OK)
            written = write_output(&writing, output, &failure);
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
    size_t guess; /* of what there will be */
} Growing;

static ImgStatus append(void *user, const void *data, size_t size, ImgError *err)
{
    enum { LEAST = 64 << 10 };
    Growing *growing = user;
    if (size > growing->capacity - growing->size) {
        const size_t more = 2 * growing->capacity + size + LEAST;
        const size_t capacity = more > growing->guess ? more : growing->guess;
        uint8_t *larger =
            capacity > growing->capacity ? img_lib_allocate(growing->context, capacity) : NULL;
        if (larger == NULL)
            return img_fail(err, IMG_E_MEMORY, "no memory for the file");
        if (growing->size > 0)
            memcpy(larger, growing->data, growing->size);
        img_lib_release(growing->context, growing->data);
        growing->data = larger;
        growing->capacity = capacity;
    }
    memcpy(growing->data + growing->size, data, size);
    growing->size += size;
    return IMG_OK;
}

/* Half of the pixels' bytes, of which photographs take a little less: what is not written to costs
 * nothing, and is given back. Memory of the caller's may be dearer. */
static size_t guess_bytes(const imgtool_context *context, const imgtool_picture *picture)
{
    if (context == NULL || picture == NULL || !img_lib_uses_malloc(context))
        return 0;
    const uint64_t bytes = (uint64_t)picture->width * imgtool_pixel_size(picture->format) / 2;
    const uint64_t all = bytes * (uint64_t)picture->height;
    return picture->width > 0 && picture->height > 0 && all <= PTRDIFF_MAX ? (size_t)all : 0;
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
    Growing growing = {.context = context, .guess = guess_bytes(context, picture)};
    if (data == NULL || bytes == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "there is no place for the file");
    *data = NULL;
    *bytes = 0;
    imgtool_status status = write_function(context, picture, encoding, append, &growing, error);
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
    Callback callback = {write, user};
    if (write == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "there is no function");
    return write_function(context, picture, encoding, call, &callback, error);
}
