/* A file whose rows are handed on as they are decoded. */
#include "io/png/decode.h"
#include "io/png/decode/band.h"
#include "io/png/decode/checks.h"
#include "io/png/decode/strategies.h"

bool img_png_comes_by_rows(const ImgPngHeader *header)
{
    return img_png_why_not_fast(header) == NULL;
}

uint64_t img_png_rows_bytes(ImgShape shape)
{
    uint64_t row = 1 + (uint64_t)shape.width * img_format_pixel_size(shape.format);
    uint64_t in_sequence = img_segment_bytes(shape), pipelined = img_pipeline_bytes(row);
    return img_band_bytes(shape) + (in_sequence > pipelined ? in_sequence : pipelined);
}

static ImgStatus decode(const ImgPngJob *job, ImgPngDecodeReport *report, ImgError *err)
{
    uint32_t adler;
    uint64_t end;
    ImgStatus status;
    if (report->path == IMG_PNG_PIPELINED)
        status = img_pipeline_decode(job, 8 * IMG_ZLIB_HEADER_BYTES, &adler, &end, err);
    else
        status = img_sequence_decode(job, &adler, &end, err);
    if (status == IMG_OK && !img_png_stream_ends_well(job->idat, end, adler))
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) ends badly");
    return status;
}

/* With two threads one inflates, and the other does the rest. */
static ImgPngPath choose_path(const ImgPngDecodeOptions *options, uint64_t inflated)
{
    enum { LEAST_INFLATED = 1 << 20 };
    if (options->only != NULL)
        return *options->only;
    return options->threads > 1 && inflated >= LEAST_INFLATED ? IMG_PNG_PIPELINED
                                                              : IMG_PNG_IN_SEQUENCE;
}

ImgStatus img_png_decode_rows(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err)
{
    ImgIdat idat = {0};
    ImgBand band = {.rows = IMG_IMAGE_NONE};
    const ImgView all = img_view_make(NULL, 0, header->shape);
    ImgPngJob job = {&idat, img_pixels_of(&all), &band, options->team, 1, options->piece_bytes};
    uint64_t inflated = (uint64_t)img_pixels_filtered_bytes(&job.pixels) * (uint64_t)all.height;
    *report = (ImgPngDecodeReport){choose_path(options, inflated), "", 1, 1, false};
    if (report->path == IMG_PNG_PIPELINED && options->threads > 1)
        job.threads = report->threads = 2;
    if (!img_png_comes_by_rows(header))
        return img_fail(err, IMG_E_UNSUPPORTED, "%s", img_png_why_not_fast(header));
    ImgStatus status = img_idat_list(data, scan->size, &idat, err);
    if (status == IMG_OK)
        status = img_band_make(header->shape, sink, &band, err);
    if (status == IMG_OK &&
        !img_png_stream_is_sound(&idat, inflated, options->team, options->threads))
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) is not sound");
    if (status == IMG_OK)
        status = decode(&job, report, err);
    img_band_free(&band);
    img_idat_free(&idat);
    return status;
}
