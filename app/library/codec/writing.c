#include "app/library/codec/writing.h"

#include "app/library/codec/metadata.h"
#include "io/size_text.h"

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

static ImgStatus check_palette(const ImgLibWriting *writing, ImgError *err)
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

void img_lib_writing_free(ImgLibWriting *writing)
{
    imgtool_picture_free(writing->context, &writing->converted);
    img_metadata_free(&writing->metadata);
}

/* The picture, and its copy of as many bytes and what is between its rows. */
static imgtool_status check_copy(ImgLibWriting *writing, imgtool_error *error)
{
    const imgtool_picture *picture = &writing->picture;
    const uint64_t limit = writing->context->limits.max_memory;
    const uint64_t pixels =
        (uint64_t)picture->width * imgtool_pixel_size(picture->format) * (uint64_t)picture->height;
    const uint64_t need = pixels + img_lib_allocated_bytes(&writing->converted);
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = IMG_OK;
    writing->held = need - pixels; /* the copy's own are counted where they are written */
    if (need > limit)
        status = img_fail_memory("the picture and its copy as RGBA", need, limit, NULL, &failure);
    return img_lib_end(writing->context, status, &failure, error);
}

/* The only format with channels of 8 bits that files do not have. */
static imgtool_status convert_bgra(ImgLibWriting *writing, imgtool_error *error)
{
    if (writing->picture.format.color != IMGTOOL_BGRA)
        return IMGTOOL_OK;
    imgtool_picture *converted = &writing->converted;
    converted->width = writing->picture.width;
    converted->height = writing->picture.height;
    converted->format = (imgtool_format){IMGTOOL_RGBA, 8};
    imgtool_status status = check_copy(writing, error);
    if (status == IMGTOOL_OK)
        status = imgtool_picture_allocate(writing->context, converted, error);
    if (status != IMGTOOL_OK)
        return status;
    img_lib_convert(&writing->picture, converted, writing->context->team,
                    writing->context->config.threads);
    writing->picture = *converted;
    return IMGTOOL_OK;
}

static ImgStatus copy_metadata(ImgLibWriting *writing, ImgFormat format, ImgError *err)
{
    const imgtool_metadata *given = writing->encoding.metadata;
    ImgStatus status = IMG_OK;
    if (given != NULL && given->own.count > IMG_METADATA_CHUNKS_MAX)
        return img_fail(err, IMG_E_LIMIT, "more than the limit of %d chunks beside the pixels",
                        IMG_METADATA_CHUNKS_MAX);
    if (given != NULL)
        status = img_lib_metadata_copy(&given->own, &writing->metadata, err);
    writing->metadata.interlaced =
        writing->encoding.interlaced && writing->encoding.format == IMGTOOL_PNG;
    img_lib_metadata_fit(&writing->metadata, format);
    for (size_t i = 0; i < writing->metadata.count; i++)
        writing->held += writing->metadata.chunks[i].size;
    return status == IMG_OK ? check_palette(writing, err) : status;
}

imgtool_status img_lib_writing_make(imgtool_context *context, const imgtool_picture *picture,
                                    const imgtool_encoding *encoding, ImgLibWriting *writing,
                                    imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    *writing = (ImgLibWriting){
        .context = context, .converted = IMGTOOL_PICTURE_INIT, .metadata = IMG_METADATA_NONE};
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = read_encoding(encoding, &writing->encoding, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(picture, "picture", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_limit(context, picture, "picture", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_samples(picture, "picture", error);
    if (status != IMGTOOL_OK)
        return status;
    writing->picture = *picture;
    status = convert_bgra(writing, error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(&writing->picture, "picture", &writing->view, error);
    if (status != IMGTOOL_OK)
        return status;
    return img_lib_end(context, copy_metadata(writing, writing->view.format, &failure), &failure,
                       error);
}
