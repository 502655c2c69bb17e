/* Opens, decodes and closes a file in one call. */
#include <string.h>

#include "app/library/codec/metadata.h"
#include "app/library/codec/reader.h"

/* Sets *metadata to a copy of the file's metadata, adapted to the decoded pixels. */
static imgtool_status copy_metadata(imgtool_reader *reader, const imgtool_picture *picture,
                                    imgtool_metadata **metadata, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const imgtool_metadata *file = img_lib_metadata_public(img_source_metadata(reader->source));
    imgtool_status status = imgtool_metadata_copy(reader->context, file, metadata, error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgStatus followed = img_lib_metadata_follow(
        &(*metadata)->own, img_source_shape(reader->source).format, picture->format, &failure);
    if (followed != IMG_OK) {
        imgtool_metadata_destroy(*metadata);
        *metadata = NULL;
    }
    return img_lib_reader_end(reader, followed, &failure, error);
}

/* Decodes the pixels and copies the metadata. On failure frees the pixels if they were allocated
 * here. */
static imgtool_status read_all(imgtool_reader *reader, imgtool_picture *picture,
                               imgtool_metadata **metadata, imgtool_error *error)
{
    if (picture == NULL)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "picture is NULL");
    imgtool_status status =
        img_lib_check_size(picture->size, sizeof *picture, "imgtool_picture", error);
    if (status != IMGTOOL_OK)
        return status;
    const bool theirs = picture->pixels != NULL;
    status = imgtool_reader_decode(reader, picture, error);
    if (status != IMGTOOL_OK || metadata == NULL)
        return status;
    status = copy_metadata(reader, picture, metadata, error);
    if (status != IMGTOOL_OK && !theirs)
        imgtool_picture_free(reader->context, picture);
    return status;
}

imgtool_status imgtool_read_file(imgtool_context *context, const char *path,
                                 imgtool_picture *picture, imgtool_metadata **metadata,
                                 imgtool_error *error)
{
    imgtool_reader *reader = NULL;
    if (metadata != NULL)
        *metadata = NULL;
    imgtool_status status = imgtool_open_file(context, path, &reader, error);
    if (status == IMGTOOL_OK)
        status = read_all(reader, picture, metadata, error);
    imgtool_reader_destroy(reader);
    return status;
}

imgtool_status imgtool_read_memory(imgtool_context *context, const void *data, size_t bytes,
                                   imgtool_picture *picture, imgtool_metadata **metadata,
                                   imgtool_error *error)
{
    imgtool_reader *reader = NULL;
    if (metadata != NULL)
        *metadata = NULL;
    imgtool_status status = imgtool_open_memory(context, data, bytes, &reader, error);
    if (status == IMGTOOL_OK)
        status = read_all(reader, picture, metadata, error);
    imgtool_reader_destroy(reader);
    return status;
}
