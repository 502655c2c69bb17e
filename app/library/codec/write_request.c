#include "app/library/codec/write_request.h"

#include "app/library/codec/metadata.h"
#include "io/size_text.h"

/* --- The request ------------------------------------------------------------------------------ */

imgtool_status img_lib_read_encoding(const imgtool_encoding *given, imgtool_encoding *encoding,
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
        return img_lib_fail(error, IMGTOOL_E_USAGE, "format: %d is not an imgtool_file_format",
                            (int)encoding->format);
    if (encoding->level < 0 || encoding->level > 9)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "level: %d is not within 0 to 9",
                            encoding->level);
    if (encoding->quality < 1 || encoding->quality > 100)
        return img_lib_fail(error, IMGTOOL_E_USAGE, "quality: %d is not within 1 to 100",
                            encoding->quality);
    return IMGTOOL_OK;
}

ImgFileFormat img_lib_file_format(imgtool_file_format format)
{
    static const ImgFileFormat formats[] = {[IMGTOOL_PNG] = IMG_FILE_PNG,
                                            [IMGTOOL_JPEG] = IMG_FILE_JPEG,
                                            [IMGTOOL_BMP] = IMG_FILE_BMP,
                                            [IMGTOOL_TGA] = IMG_FILE_TGA};
    return formats[format];
}

static ImgStatus check_palette(const ImgLibWriteRequest *request, ImgError *err)
{
    const imgtool_format format = request->picture.format;
    const int entries = request->metadata.palette_size;
    if (format.color != IMGTOOL_PALETTE || (entries > 0 && entries <= 1 << format.bits))
        return IMG_OK;
    return img_fail(err, IMG_E_USAGE,
                    "metadata: %d colours (PLTE) are no palette for indices of %d bits", entries,
                    format.bits);
}

/* --- Preparation ------------------------------------------------------------------------------ */

void img_lib_write_request_free(ImgLibWriteRequest *request)
{
    imgtool_picture_free(request->context, &request->converted);
    img_metadata_free(&request->metadata);
}

/* Checks that the picture, its copy and the gaps between the copy's rows fit in max_memory. */
static imgtool_status check_copy(ImgLibWriteRequest *request, imgtool_error *error)
{
    const imgtool_picture *picture = &request->picture;
    const uint64_t limit = request->context->limits.max_memory;
    const uint64_t pixels =
        (uint64_t)picture->width * imgtool_pixel_size(picture->format) * (uint64_t)picture->height;
    const uint64_t need = pixels + img_lib_allocated_bytes(&request->converted);
    ImgError failure = {IMG_OK, ""};
    ImgStatus status = IMG_OK;
    request->held = need - pixels; /* without the pixels of the copy, which the writer counts */
    if (need > limit)
        status = img_fail_memory("the picture and its copy as RGBA", need, limit, NULL, &failure);
    return img_lib_end(request->context, status, &failure, error);
}

/* Converts BGRA to RGBA. BGRA is the only format of 8-bit channels that files do not have. */
static imgtool_status convert_bgra(ImgLibWriteRequest *request, imgtool_error *error)
{
    if (request->picture.format.color != IMGTOOL_BGRA)
        return IMGTOOL_OK;
    imgtool_picture *converted = &request->converted;
    converted->width = request->picture.width;
    converted->height = request->picture.height;
    converted->format = (imgtool_format){IMGTOOL_RGBA, 8};
    imgtool_status status = check_copy(request, error);
    if (status == IMGTOOL_OK)
        status = imgtool_picture_allocate(request->context, converted, error);
    if (status != IMGTOOL_OK)
        return status;
    img_lib_convert(&request->picture, converted, request->context->team,
                    request->context->config.threads);
    request->picture = *converted;
    return IMGTOOL_OK;
}

static ImgStatus copy_metadata(ImgLibWriteRequest *request, ImgFormat format, ImgError *err)
{
    const imgtool_metadata *given = request->encoding.metadata;
    ImgStatus status = IMG_OK;
    if (given != NULL && given->own.count > IMG_METADATA_CHUNKS_MAX)
        return img_fail(err, IMG_E_LIMIT, "more than the limit of %d chunks beside the pixels",
                        IMG_METADATA_CHUNKS_MAX);
    if (given != NULL)
        status = img_lib_metadata_copy(&given->own, &request->metadata, err);
    request->metadata.interlaced =
        request->encoding.interlaced && request->encoding.format == IMGTOOL_PNG;
    img_lib_metadata_fit(&request->metadata, format);
    for (size_t i = 0; i < request->metadata.count; i++)
        request->held += request->metadata.chunks[i].size;
    return status == IMG_OK ? check_palette(request, err) : status;
}

imgtool_status img_lib_write_request_make(imgtool_context *context, const imgtool_picture *picture,
                                          const imgtool_encoding *encoding,
                                          ImgLibWriteRequest *request, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    *request = (ImgLibWriteRequest){
        .context = context, .converted = IMGTOOL_PICTURE_INIT, .metadata = IMG_METADATA_NONE};
    imgtool_status status = img_lib_begin(context, error);
    if (status == IMGTOOL_OK)
        status = img_lib_read_encoding(encoding, &request->encoding, error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_picture(picture, "picture", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_limit(context, picture, "picture", error);
    if (status == IMGTOOL_OK)
        status = img_lib_check_samples(picture, "picture", error);
    if (status != IMGTOOL_OK)
        return status;
    request->picture = *picture;
    status = convert_bgra(request, error);
    if (status == IMGTOOL_OK)
        status = img_lib_view(&request->picture, "picture", &request->view, error);
    if (status != IMGTOOL_OK)
        return status;
    return img_lib_end(context, copy_metadata(request, request->view.format, &failure), &failure,
                       error);
}
