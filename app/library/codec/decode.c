/* Decodes a whole picture into the format and the memory that the caller requests. */
#include "app/library/codec/reader.h"
#include "io/png/index/index.h"
#include "io/png/thread_count.h"
#include "io/size_text.h"

ImgStatus img_lib_reader_prepare(imgtool_reader *reader, imgtool_format wanted,
                                 ImgLibTransfer *transfer, ImgError *err)
{
    ImgStatus status = img_lib_reader_load(reader, err);
    if (status == IMG_OK && reader->decoded)
        status = img_fail(err, IMG_E_USAGE, "is decoded already");
    if (status == IMG_OK)
        status = img_lib_transfer_make(img_source_shape(reader->source).format,
                                       img_source_metadata(reader->source), wanted, transfer, err);
    return status;
}

/* Returns the part of max_memory, in bytes, that is free while `held` bytes of other pictures
 * exist. The caller must have checked that `held` is at most max_memory. */
static uint64_t room_left(const imgtool_reader *reader, uint64_t held)
{
    const uint64_t limit = reader->context->limits.max_memory;
    return limit > held ? limit - held : 0;
}

static ImgStatus fail_memory(const imgtool_reader *reader, uint64_t need, ImgError *err)
{
    return img_fail_memory("the file and its pixels", need, reader->context->limits.max_memory,
                           NULL, err);
}

/* Chooses the number of threads: as many as the context has, but fewer if memory is short. File,
 * pixels and buffers of the decoder must fit in max_memory beside `held` bytes of other pictures.
 * Fails with IMG_E_LIMIT if one thread does not fit. */
static ImgStatus plan(const imgtool_reader *reader, uint64_t held, ImgProgress *progress,
                      ImgPngDecodeOptions *options, ImgError *err)
{
    const imgtool_context *context = reader->context;
    const uint64_t room = room_left(reader, held);
    uint64_t need;
    *options = (ImgPngDecodeOptions){
        .team = context->team, .threads = context->config.threads, .progress = progress};
    img_png_fit_decoder(img_source_shape(reader->source), img_source_bytes(reader->source), room,
                        options, &need);
    return need <= room ? IMG_OK : fail_memory(reader, held + need, err);
}

/* Checks that the file and `bytes` bytes of pictures fit in max_memory together. Fails with
 * IMG_E_LIMIT. */
static ImgStatus check_memory(const imgtool_reader *reader, uint64_t bytes, ImgError *err)
{
    const uint64_t need = img_source_bytes(reader->source) + bytes;
    return need <= reader->context->limits.max_memory ? IMG_OK : fail_memory(reader, need, err);
}

/* Returns the size in bytes of a picture that receives decoded pixels. The gaps between rows count
 * only if the library allocates the pixels. */
static uint64_t bytes_of(const imgtool_picture *picture)
{
    if (picture->owned || picture->pixels == NULL)
        return img_lib_allocated_bytes(picture);
    return (uint64_t)picture->width * (uint64_t)picture->height *
           imgtool_pixel_size(picture->format);
}

ImgStatus img_lib_reader_decode_raw(imgtool_reader *reader, uint64_t more, ImgImage *image,
                                    ImgError *err)
{
    ImgProgress progress = img_lib_codec_progress(reader->context);
    ImgPngDecodeOptions options;
    *image = IMG_IMAGE_NONE;
    ImgStatus status = plan(reader, more, &progress, &options, err);
    if (status == IMG_OK)
        status = img_source_decode(reader->source, &options, image, NULL, err);
    return status;
}

/* --- The caller's pixels ---------------------------------------------------------------------- */

/* Checks that the caller's pixels, if there are any, have the size of the file's picture. */
static imgtool_status check_pixels(const imgtool_reader *reader, const imgtool_picture *picture,
                                   imgtool_format format, imgtool_error *error)
{
    const ImgShape shape = img_source_shape(reader->source);
    if (picture->pixels == NULL)
        return IMGTOOL_OK;
    if (picture->width != shape.width || picture->height != shape.height)
        return img_lib_fail(error, IMGTOOL_E_USAGE,
                            "picture: it has %d x %d pixels, and the file %d x %d", picture->width,
                            picture->height, shape.width, shape.height);
    imgtool_picture complete = *picture;
    complete.format = format;
    return img_lib_check_picture(&complete, "picture", error);
}

/* --- Three strategies: directly, by rows, whole ----------------------------------------------- */

/* Returns the number of bytes in the gaps between rows. The decoder counts only the pixels, so the
 * caller adds the gaps. */
static uint64_t gap_bytes(const imgtool_picture *picture, ImgShape shape)
{
    const uint64_t bytes = bytes_of(picture), counted = img_image_bytes(shape);
    return bytes > counted ? bytes - counted : 0;
}

static ImgStatus decode_directly(imgtool_reader *reader, const imgtool_picture *picture,
                                 ImgError *err)
{
    ImgProgress progress = img_lib_codec_progress(reader->context);
    ImgPngDecodeOptions options;
    const ImgShape shape = img_source_shape(reader->source);
    const ImgView view = img_view_make(picture->pixels, picture->stride, shape);
    const ImgStatus status = plan(reader, gap_bytes(picture, shape), &progress, &options, err);
    if (status != IMG_OK)
        return status;
    return img_source_decode_into(reader->source, &options, &view, NULL, err);
}

typedef struct RowConversion {
    const ImgLibTransfer *transfer;
    const imgtool_picture *picture;
    ImgError failure;
    bool stopped;
} RowConversion;

static void convert_rows(void *context, const ImgView *rows, int32_t first)
{
    RowConversion *conversion = context;
    const imgtool_picture to = img_lib_rows_of(conversion->picture, first, rows->height);
    conversion->stopped =
        img_lib_transfer_rows(conversion->transfer, rows, &to, &conversion->failure) != IMG_OK;
}

/* Decodes a block of rows at a time and converts it while it is in the cache. No full picture in
 * the file's format exists. Returns IMG_E_FORMAT if the fast decoder finds the file suspicious: the
 * caller must then decode the whole file, which decides whether it is valid. */
static ImgStatus decode_by_rows(imgtool_reader *reader, ImgPngDecodeOptions *how,
                                const ImgLibTransfer *transfer, const imgtool_picture *picture,
                                ImgError *err)
{
    ImgProgress progress = img_lib_codec_progress(reader->context);
    how->progress = &progress;
    RowConversion conversion = {.transfer = transfer, .picture = picture};
    const ImgRowSink sink = {convert_rows, &conversion, &conversion.stopped};
    ImgPngDecodeReport report;
    ImgError doubt = {IMG_OK, ""};
    ImgStatus status = img_source_decode_rows(reader->source, how, &sink, &report, &doubt);
    const ImgError *failure = conversion.failure.status != IMG_OK ? &conversion.failure : &doubt;
    return status == IMG_OK ? IMG_OK : img_fail(err, failure->status, "%s", failure->message);
}

static ImgStatus decode_and_convert(imgtool_reader *reader, const ImgLibTransfer *transfer,
                                    const imgtool_picture *picture, ImgError *err)
{
    ImgImage raw;
    ImgStatus status = img_lib_reader_decode_raw(reader, bytes_of(picture), &raw, err);
    if (status == IMG_OK)
        status = img_lib_transfer_all(transfer, reader->context, &raw.view, picture, err);
    img_image_free(&raw);
    return status;
}

/* Returns true if decoding by rows is faster than decoding the whole picture, and fits in memory.
 * Sets *how to the options for decoding by rows.
 *
 * A file with an index is decoded as a whole on several threads, because parallel decoding by the
 * index does not deliver rows in order. A picture with a few long rows is decoded as a whole,
 * because one band of rows takes more memory than the picture. */
static bool should_decode_by_rows(const imgtool_reader *reader, const imgtool_picture *picture,
                                  ImgPngDecodeOptions *how)
{
    const bool indexed = img_png_index_find(img_source_metadata(reader->source)) != NULL;
    const ImgShape shape = img_source_shape(reader->source);
    const uint64_t room = room_left(reader, bytes_of(picture));
    const int wanted = reader->context->config.threads;
    uint64_t need;
    *how = (ImgPngDecodeOptions){.team = reader->context->team, .threads = wanted};
    img_png_fit_rows_decoder(shape, img_source_bytes(reader->source), 0, room, how, &need);
    return img_source_can_decode_rows(reader->source) && (wanted == 1 || !indexed) && need <= room;
}

static ImgStatus decode(imgtool_reader *reader, const ImgLibTransfer *transfer,
                        const imgtool_picture *picture, ImgError *err)
{
    ImgPngDecodeOptions how;
    if (img_lib_transfer_is_none(transfer))
        return decode_directly(reader, picture, err);
    if (should_decode_by_rows(reader, picture, &how)) {
        ImgError doubt = {IMG_OK, ""};
        const ImgStatus status = decode_by_rows(reader, &how, transfer, picture, &doubt);
        if (status != IMG_E_FORMAT)
            return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", doubt.message);
    }
    return decode_and_convert(reader, transfer, picture, err);
}

static imgtool_status decode_to(imgtool_reader *reader, const ImgLibTransfer *transfer,
                                imgtool_picture *picture, imgtool_error *error)
{
    ImgError failure = {IMG_OK, ""};
    const uint64_t rows = (uint64_t)picture->height;
    ImgStatus status = img_lib_progress(reader->context, 0, rows, &failure);
    if (status == IMG_OK) {
        reader->decoded = true;
        status = decode(reader, transfer, picture, &failure);
    }
    if (status == IMG_OK)
        status = img_lib_progress(reader->context, rows, rows, &failure);
    return img_lib_reader_end(reader, status, &failure, error);
}

imgtool_status imgtool_reader_decode(imgtool_reader *reader, imgtool_picture *picture,
                                     imgtool_error *error)
{
    ImgLibTransfer transfer;
    ImgError failure = {IMG_OK, ""};
    imgtool_status status = img_lib_reader_begin(reader, error);
    if (status == IMGTOOL_OK && picture == NULL)
        status = img_lib_fail(error, IMGTOOL_E_USAGE, "picture is NULL");
    if (status == IMGTOOL_OK)
        status = img_lib_check_size(picture->size, sizeof *picture, "imgtool_picture", error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgStatus prepared = img_lib_reader_prepare(reader, picture->format, &transfer, &failure);
    if (prepared != IMG_OK)
        return img_lib_reader_end(reader, prepared, &failure, error);
    status = check_pixels(reader, picture, transfer.to, error);
    if (status != IMGTOOL_OK)
        return status;
    const ImgShape shape = img_source_shape(reader->source);
    imgtool_picture made = *picture;
    made.format = transfer.to;
    made.width = shape.width;
    made.height = shape.height;
    const ImgStatus fits = check_memory(reader, bytes_of(&made), &failure);
    if (fits != IMG_OK)
        return img_lib_reader_end(reader, fits, &failure, error);
    if (picture->pixels == NULL) {
        made.owned = false;
        status = imgtool_picture_allocate(reader->context, &made, error);
    }
    if (status == IMGTOOL_OK)
        status = decode_to(reader, &transfer, &made, error);
    if (status == IMGTOOL_OK)
        img_lib_copy_struct(picture, picture->size, &made, sizeof made);
    else if (picture->pixels == NULL)
        imgtool_picture_free(reader->context, &made);
    return status;
}
