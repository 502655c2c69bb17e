/* Opens and loads a PNG, and returns its properties. */
#include "app/library/codec/reader.h"

#include <stdlib.h>
#include <string.h>

#include "app/library/codec/metadata.h"
#include "io/expand.h"

/* --- Begin and end of a call ------------------------------------------------------------------ */

imgtool_status img_lib_reader_begin(imgtool_reader *reader, imgtool_error *error)
{
    if (reader == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "reader is NULL");
    return img_lib_begin(reader->context, error);
}

imgtool_status img_lib_reader_end(const imgtool_reader *reader, ImgStatus status, ImgError *failure,
                                  imgtool_error *error)
{
    if (status != IMG_OK && reader->name != NULL)
        img_error_prefix(failure, "%s", reader->name);
    return img_lib_end(reader->context, status, failure, error);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static ImgStatus read_by_callback(void *context, void *data, size_t size, size_t *got,
                                  ImgError *err)
{
    const imgtool_reader *reader = context;
    if (reader->read(reader->user, data, size, got))
        return IMG_OK;
    return img_fail(err, IMG_E_IO, "cannot be read: the caller's function failed");
}

static imgtool_status create(imgtool_context *context, const char *name, imgtool_reader **reader,
                             imgtool_error *error)
{
    if (reader == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "reader is NULL");
    *reader = NULL;
    imgtool_status status = img_lib_begin(context, error);
    if (status != IMGTOOL_OK)
        return status;
    imgtool_reader *made = calloc(1, sizeof *made);
    if (made == NULL)
        return img_lib_fail(error, IMGTOOL_E_MEMORY, "no memory for a reader");
    made->context = context;
    made->name = strdup(name);
    *reader = made;
    return IMGTOOL_OK;
}

static imgtool_status finish_open(imgtool_reader **reader, ImgStatus status, ImgError *failure,
                                  imgtool_error *error)
{
    ImgSource *source = (*reader)->source;
    if (status == IMG_OK && !img_source_can_decode_rows(source))
        status = img_source_hold_pixels(source, failure);
    const imgtool_status result = img_lib_reader_end(*reader, status, failure, error);
    if (status != IMG_OK) {
        imgtool_reader_destroy(*reader);
        *reader = NULL;
    }
    return result;
}

/* Opens the file for decoding by rows. The size of the whole picture then counts toward max_memory
 * only if the whole picture is allocated, as it must be for an interlaced picture. */
static imgtool_status open_bytes(imgtool_reader **reader, const ImgInputBytes *bytes,
                                 imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const ImgStatus status = img_source_open_bytes(bytes, true, &(*reader)->context->limits,
                                                   &(*reader)->source, &failure);
    return finish_open(reader, status, &failure, error);
}

imgtool_status imgtool_open_file(imgtool_context *context, const char *path,
                                 imgtool_reader **reader, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status begun = create(context, path != NULL ? path : "", reader, error);
    if (begun != IMGTOOL_OK)
        return begun;
    const ImgInterrupt interrupt = img_lib_interrupt(context);
    ImgStatus status;
    if (path == NULL)
        status = img_fail(&failure, IMG_E_USAGE, "path is NULL");
    else /* Unlike the command line, the library treats "-" as the name of a file. */
        status = img_source_open_rows(strcmp(path, "-") == 0 ? "./-" : path, &context->limits,
                                      &interrupt, &(*reader)->source, &failure);
    return finish_open(reader, status, &failure, error);
}

imgtool_status img_lib_open_memory(imgtool_context *context, const char *name, const void *data,
                                   size_t bytes, imgtool_reader **reader, imgtool_error *error)
{
    const ImgInputBytes input = {.memory = data, .size = data != NULL ? bytes : 0};
    imgtool_status status = create(context, name, reader, error);
    return status == IMGTOOL_OK ? open_bytes(reader, &input, error) : status;
}

imgtool_status imgtool_open_memory(imgtool_context *context, const void *data, size_t bytes,
                                   imgtool_reader **reader, imgtool_error *error)
{
    return img_lib_open_memory(context, "memory", data, bytes, reader, error);
}

imgtool_status imgtool_open_callback(imgtool_context *context, imgtool_read_function *read,
                                     void *user, imgtool_reader **reader, imgtool_error *error)
{
    imgtool_status status = create(context, "callback", reader, error);
    if (status != IMGTOOL_OK)
        return status;
    ImgError failure = {IMG_OK, ""};
    if (read == NULL)
        return finish_open(reader, img_fail(&failure, IMG_E_USAGE, "read is NULL"), &failure,
                           error);
    (*reader)->read = read;
    (*reader)->user = user;
    const ImgInputBytes input = {.read = read_by_callback, .context = *reader};
    return open_bytes(reader, &input, error);
}

void imgtool_reader_destroy(imgtool_reader *reader)
{
    if (reader == NULL)
        return;
    img_source_close(reader->source);
    free(reader->name);
    free(reader);
}

/* --- Loading ---------------------------------------------------------------------------------- */

ImgStatus img_lib_reader_load(imgtool_reader *reader, ImgError *err)
{
    if (!reader->loaded && reader->failure.status == IMG_OK) {
        reader->loaded = img_source_load(reader->source, &reader->failure) == IMG_OK;
        reader->cancelled = !reader->loaded && reader->context->cancelled;
    }
    if (reader->loaded)
        return IMG_OK;
    reader->context->cancelled |= reader->cancelled;
    return img_fail(err, reader->failure.status, "%s", reader->failure.message);
}

imgtool_status imgtool_reader_load(imgtool_reader *reader, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    imgtool_status begun = img_lib_reader_begin(reader, error);
    if (begun != IMGTOOL_OK)
        return begun;
    return img_lib_reader_end(reader, img_lib_reader_load(reader, &failure), &failure, error);
}

const imgtool_metadata *imgtool_reader_metadata(imgtool_reader *reader, imgtool_error *error)
{
    if (imgtool_reader_load(reader, error) != IMGTOOL_OK)
        return NULL;
    return img_lib_metadata_public(img_source_metadata(reader->source));
}

const char *imgtool_reader_warning(const imgtool_reader *reader, size_t index)
{
    if (reader == NULL || !reader->loaded)
        return NULL;
    const char *const *lines = img_source_warnings(reader->source);
    size_t count = 0;
    while (lines[count] != NULL)
        count++;
    return index < count ? lines[index] : NULL;
}

/* --- Properties ------------------------------------------------------------------------------- */

imgtool_status imgtool_reader_info(imgtool_reader *reader, imgtool_info *info, imgtool_error *error)
{
    imgtool_status status = img_lib_reader_begin(reader, error);
    if (status == IMGTOOL_OK && info == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "info is NULL");
    if (status == IMGTOOL_OK)
        status = img_lib_check_size(info->size, sizeof *info, "imgtool_info", error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgShape shape = img_source_shape(reader->source);
    imgtool_info known = {.size = sizeof known,
                          .width = shape.width,
                          .height = shape.height,
                          .format = img_lib_format_of(shape.format),
                          .interlaced = img_source_is_interlaced(reader->source),
                          .has_alpha = img_format_has_alpha(shape.format)};
    if (reader->loaded) {
        const ImgMetadata *metadata = img_source_metadata(reader->source);
        known.has_alpha = img_format_has_alpha(img_expanded_shape(shape, metadata).format);
        known.animated = img_source_is_animated(reader->source);
        known.file_bytes = img_source_bytes(reader->source);
    }
    img_lib_copy_struct(info, info->size, &known, sizeof known);
    return IMGTOOL_OK;
}
