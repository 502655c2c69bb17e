/* A picture to a file, to memory, or to a function. */
#include <stdlib.h>
#include <string.h>

#include "app/library/codec/metadata.h"
#include "app/library/picture.h"
#include "io/encode.h"

/* What is written, once all of it was checked. */
typedef struct Writing {
    imgtool_context *context;
    imgtool_encoding encoding; /* complete */
    imgtool_picture picture;   /* of a format that files have */
    imgtool_picture converted; /* owned: BGRA as RGBA */
    ImgMetadata metadata;      /* owned */
} Writing;

/* --- What is asked for ------------------------------------------------------------------------ */

static imgtool_status read_encoding(const imgtool_encoding *given, imgtool_encoding *encoding,
                                    imgtool_error *error)
{
    *encoding = (imgtool_encoding)IMGTOOL_ENCODING_INIT;
    if (given != NULL) {
        imgtool_status status =
            img_lib_check_size(given->size, sizeof *encoding, "imgtool_encoding", error);
        if (status != IMGTOOL_OK)
            return status;
        img_lib_copy_struct(encoding, sizeof *encoding, given, given->size);
    }
    if ((int)encoding->format < IMGTOOL_PNG || encoding->format > IMGTOOL_TGA)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "format: there is no number %d",
                            (int)encoding->format);
    if (encoding->level < 0 || encoding->level > 9)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "level: %d is not within 0 to 9",
                            encoding->level);
    if (encoding->quality < 1 || encoding->quality > 100)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "quality: %d is not within 1 to 100",
                            encoding->quality);
    return IMGTOOL_OK;
}

static ImgStatus check_palette(const Writing *writing, ImgError *err)
{
    const imgtool_format format = writing->picture.format;
    const int entries = writing->metadata.palette_size;
    if (format.color != IMGTOOL_PALETTE || (entries > 0 && entries <= 1 << format.bits))
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "metadata: %d colours (PLTE) are no palette for indices of %d bits", entries,
                    format.bits);
}

/* --- Preparation ------------------------------------------------------------------------------ */

static void free_writing(Writing *writing)
{
    imgtool_picture_free(writing->context, &writing->converted);
    img_metadata_free(&writing->metadata);
}

/* The only format with channels of 8 bits that files do not have. */
static imgtool_status convert_bgra(Writing *writing, imgtool_error *error)
{
    if (writing->picture.format.color != IMGTOOL_BGRA)
        return IMGTOOL_OK;
    imgtool_picture *converted = &writing->converted;
    converted->width = writing->picture.width;
    converted->height = writing->picture.height;
    converted->format = (imgtool_format){IMGTOOL_RGBA, 8};
    imgtool_status status = imgtool_picture_allocate(writing->context, converted, error);
    if (status != IMGTOOL_OK)
        return status;
    img_lib_convert(&writing->picture, converted, writing->context->team,
                    writing->context->config.threads);
    writing->picture = *converted;
    return IMGTOOL_OK;
}

static ImgStatus copy_metadata(Writing *writing, ImgFormat format, ImgError *err)
{
    const imgtool_metadata *given = writing->encoding.metadata;
    ImgStatus status = IMG_OK;
    if (given != NULL)
        status = img_lib_metadata_copy(&given->own, &writing->metadata, err);
    writing->metadata.interlaced =
        writing->encoding.interlaced && writing->encoding.format == IMGTOOL_PNG;
    img_lib_metadata_fit(&writing->metadata, format);
    return status == IMG_OK ? check_palette(writing, err) : status;
}

/* *writing is to be freed in any case. */
static imgtool_status prepare(imgtool_context *context, const imgtool_picture *picture,
                              const imgtool_encoding *encoding, Writing *writing, ImgView *view,
                              imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    *writing = (Writing){
        .context = context, .converted = IMGTOOL_PICTURE_INIT, .metadata = IMG_METADATA_NONE};
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = read_encoding(encoding, &writing->encoding, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(picture, "picture", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_samples(picture, "picture", error);
    if (status != IMGTOOL_OK)
        return status;
    writing->picture = *picture;
    status = convert_bgra(writing, error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(&writing->picture, "picture", view, error);
    if (status != IMGTOOL_OK)
        return status;
    return img_lib_end(context, copy_metadata(writing, view->format, &failure), &failure, error);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static ImgStatus encode(const Writing *writing, const ImgView *view, ImgOutput *output,
                        ImgError *err)
{
    static const ImgFileFormat formats[] = {[IMGTOOL_PNG] = IMG_FILE_PNG,
                                            [IMGTOOL_JPEG] = IMG_FILE_JPEG,
                                            [IMGTOOL_BMP] = IMG_FILE_BMP,
                                            [IMGTOOL_TGA] = IMG_FILE_TGA};
    const imgtool_encoding *encoding = &writing->encoding;
    ImgWatch watch = img_lib_watch(writing->context);
    const ImgImage image = {.view = *view}; /* borrowed */
    const uint64_t bytes =
        (uint64_t)view->width * img_format_pixel_size(view->format) * (uint64_t)view->height;
    const bool few = bytes < IMG_BYTES_WORTH_THREADS_TO_ENCODE;
    const ImgEncodeOptions options = {.level = encoding->level,
                                      .threads = few ? 1 : writing->context->config.threads,
                                      .index = encoding->index,
                                      .quality = encoding->quality,
                                      .team = writing->context->team,
                                      .watch = &watch};
    const uint64_t rows = (uint64_t)view->height;
    ImgStatus status = img_lib_progress(writing->context, 0, rows, err);
    if (status == IMG_OK)
        status = img_encode(formats[encoding->format], &image, &writing->metadata, &options, output,
                            NULL, err);
    if (status == IMG_OK)
        status = img_lib_progress(writing->context, rows, rows, err);
    return status;
}

/* Takes the output, which is NULL where it could not be opened. */
static ImgStatus write_output(const Writing *writing, const ImgView *view, ImgOutput *output,
                              ImgError *err)
{
    ImgStatus status = encode(writing, view, output, err);
    if (status == IMG_OK)
        return img_output_commit(&output, err);
    img_output_discard(&output);
    return status;
}

imgtool_status imgtool_write_file(imgtool_context *context, const imgtool_picture *picture,
                                  const imgtool_encoding *encoding, const char *path,
                                  imgtool_error *error)
{
    Writing writing;
    ImgView view;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = prepare(context, picture, encoding, &writing, &view, error);
    if (status == IMGTOOL_OK && path == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "there is no path");
    if (status == IMGTOOL_OK) { /* a file of the name "-" is one like others */
        ImgStatus written =
            img_output_open(strcmp(path, "-") == 0 ? "./-" : path, NULL, &output, &failure);
        if (written == IMG_OK)
            written = write_output(&writing, &view, output, &failure);
        if (written != IMG_OK)
            img_error_prefix(&failure, "%s", path);
        status = img_lib_end(context, written, &failure, error);
    }
    free_writing(&writing);
    return status;
}

static imgtool_status write_function(imgtool_context *context, const imgtool_picture *picture,
                                     const imgtool_encoding *encoding, ImgWriteFunction *write,
                                     void *user, imgtool_error *error)
{
    Writing writing;
    ImgView view;
    ImgOutput *output = NULL;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = prepare(context, picture, encoding, &writing, &view, error);
    if (status == IMGTOOL_OK) {
        ImgStatus written = img_output_open_function(write, user, &output, &failure);
        if (written == IMG_OK)
            written = write_output(&writing, &view, output, &failure);
        status = img_lib_end(context, written, &failure, error);
    }
    free_writing(&writing);
    return status;
}

/* --- To memory -------------------------------------------------------------------------------- */

typedef struct Growing {
    imgtool_context *context;
    uint8_t *data;
    size_t size, capacity;
} Growing;

static ImgStatus append(void *user, const void *data, size_t size, ImgError *err)
{
    enum { LEAST = 64 << 10 };
    Growing *growing = user;
    if (size > growing->capacity - growing->size) {
        const size_t capacity = 2 * growing->capacity + size + LEAST;
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

imgtool_status imgtool_write_memory(imgtool_context *context, const imgtool_picture *picture,
                                    const imgtool_encoding *encoding, void **data, size_t *bytes,
                                    imgtool_error *error)
{
    Growing growing = {.context = context};
    if (data == NULL || bytes == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "there is no place for the file");
    *data = NULL;
    *bytes = 0;
    imgtool_status status = write_function(context, picture, encoding, append, &growing, error);
    if (status == IMGTOOL_OK) {
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
