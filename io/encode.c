/* Writes a picture in any output format: describes losses, estimates memory, and calls the encoder
 * of the format. */
#include "io/encode.h"

#include "io/export/export.h"
#include "io/png/thread_count.h"

bool img_encode_loss(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     char text[IMG_LOSS_TEXT])
{
    return format != IMG_FILE_PNG && img_export_loss(format, image, metadata, text);
}

uint64_t img_encode_bytes(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata)
{
    return format == IMG_FILE_PNG ? 0 : img_export_bytes(format, shape, metadata);
}

int img_encode_threads(ImgFileFormat format, ImgShape shape, const ImgMetadata *metadata, int level,
                       uint64_t room, int threads, uint64_t *bytes)
{
    if (format == IMG_FILE_PNG)
        return img_png_encode_threads(shape, metadata->interlaced, level, room, threads, bytes);
    if (bytes != NULL)
        *bytes = img_image_bytes(shape) + img_export_bytes(format, shape, metadata);
    return 1;
}

uint64_t img_encode_view_bytes(ImgFileFormat format, const ImgView *view,
                               const ImgMetadata *metadata)
{
    return format == IMG_FILE_PNG ? 0 : img_export_view_bytes(format, view, metadata);
}

ImgStatus img_encode_check(ImgFileFormat format, ImgShape shape, ImgError *err)
{
    return format == IMG_FILE_PNG ? IMG_OK : img_export_check(format, shape, err);
}

ImgStatus img_encode(ImgFileFormat format, const ImgImage *image, const ImgMetadata *metadata,
                     const ImgEncodeOptions *options, ImgOutput *output, ImgPngEncodeReport *report,
                     ImgError *err)
{
    if (options->level < 0 || options->level > 9)
        return img_fail(err, IMG_E_USAGE, "level %d is not within 0 to 9", options->level);
    if (options->quality < 1 || options->quality > 100)
        return img_fail(err, IMG_E_USAGE, "quality %d is not within 1 to 100", options->quality);
    if (format == IMG_FILE_PNG) {
        ImgPngEncodeOptions how = {options->level, options->threads,     options->index,
                                   options->team,  options->pre_encoded, options->progress};
        return img_png_encode(image, metadata, &how, output, report, err);
    }
    return img_export(format, image, metadata, options->quality, output, err);
}
