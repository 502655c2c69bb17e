/* Decodes a PNG row by row and passes each row to a sink, so that the whole picture is never in
 * memory. */
#include "io/png/decode.h"

#include <stdlib.h>

#include "io/png/decode/band.h"
#include "io/png/decode/checks.h"
#include "io/png/decode/fast_decoders.h"
#include "io/png/libpng.h"

bool img_png_can_decode_rows(const ImgPngHeader *header)
{
    return !header->interlaced;
}

uint64_t img_png_rows_bytes(ImgShape shape)
{
    uint64_t row = 1 + (uint64_t)shape.width * img_format_pixel_size(shape.format);
    uint64_t in_sequence = img_segment_bytes(shape), pipelined = img_pipeline_bytes(row);
    return img_band_bytes(shape) + (in_sequence > pipelined ? in_sequence : pipelined);
}

static ImgStatus run_strategy(const ImgPngJob *job, ImgPngDecodeReport *report, ImgError *err)
{
    uint32_t adler;
    uint64_t end;
    const uint64_t first = 8 * IMG_ZLIB_HEADER_BYTES;
    ImgStatus status;
    if (report->strategy == IMG_PNG_SPECULATIVE)
        status = img_speculative_decode(job, first, &adler, &end, &report->pieces, err);
    else if (report->strategy == IMG_PNG_PIPELINED)
        status = img_pipeline_decode(job, first, &adler, &end, err);
    else
        status = img_sequence_decode(job, &adler, &end, err);
    if (status == IMG_OK && !img_png_stream_ends_well(job->idat, end, adler))
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) ends badly");
    return status;
}

/* Chooses the strategy and the number of threads. When rows go to a sink, the pipeline uses two
 * threads: one inflates, the other unfilters. */
static void choose(const ImgPngDecodeOptions *options, ImgPngJob *job, ImgPngDecodeReport *report)
{
    report->strategy = options->only != NULL ? *options->only : img_png_choose_strategy(job, 0);
    if (report->strategy == IMG_PNG_IN_SEQUENCE)
        job->threads = 1;
    if (report->strategy == IMG_PNG_PIPELINED && job->threads > 2)
        job->threads = 2;
    report->threads = job->threads;
}

static ImgStatus run_only(ImgPngStrategy strategy, int threads, ImgPngJob *job,
                          ImgPngDecodeReport *report, ImgError *err)
{
    const ImgPngDecodeOptions how = {.threads = threads, .only = &strategy};
    *err = (ImgError){IMG_OK, ""};
    choose(&how, job, report);
    return run_strategy(job, report, err);
}

/* Decodes to the sink. If the stream has few block starts, uses the pipeline instead of speculative
 * decoding; this is decided before the sink receives a row.
 *
 * Speculative decoding can run out of memory at any row, because pieces of very different sizes may
 * exceed the budget. Then a single thread decodes the file again, and the sink receives only the
 * rows that it does not have yet. */
static ImgStatus decode(const ImgPngDecodeOptions *options, ImgPngJob *job,
                        ImgPngDecodeReport *report, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    choose(options, job, report);
    ImgStatus status = run_strategy(job, report, &failure);
    if (status == IMG_E_UNSUPPORTED && options->only == NULL)
        status =
            run_only(img_png_strategy_from_start(job), options->threads, job, report, &failure);
    if (status == IMG_E_MEMORY && options->only == NULL &&
        report->strategy != IMG_PNG_IN_SEQUENCE) {
        img_band_restart(job->band);
        status = run_only(IMG_PNG_IN_SEQUENCE, 1, job, report, &failure);
    }
    return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", failure.message);
}

ImgStatus img_png_decode_rows(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgRowSink *sink, ImgPngDecodeReport *report, ImgError *err)
{
    ImgIdat idat = {.pieces = options->pieces};
    ImgBand band = {.rows = IMG_IMAGE_NONE};
    const ImgView all = img_view_make(NULL, 0, header->shape);
    ImgPngJob job = {.idat = &idat,
                     .pixels = img_pixels_of(&all),
                     .band = &band,
                     .team = options->team,
                     .threads = options->threads,
                     .piece_bytes = options->piece_bytes,
                     .room = options->room > 0 ? options->room : UINT64_MAX,
                     .progress = options->progress};
    uint64_t inflated = (uint64_t)img_pixels_filtered_bytes(&job.pixels) * (uint64_t)all.height;
    *report = (ImgPngDecodeReport){IMG_PNG_IN_SEQUENCE, "", 1, 1, false};
    if (header->interlaced)
        return img_fail(err, IMG_E_UNSUPPORTED, "%s", img_png_why_not_fast(header));
    img_progress_start(options->progress, (uint64_t)all.height);
    if (img_png_why_not_fast(header) != NULL) {
        report->strategy = IMG_PNG_BY_LIBPNG;
        report->reason = img_png_why_not_fast(header);
        return img_png_decode_rows_by_libpng(data, header, scan, options->progress, options->pieces,
                                             sink, &report->extra_data, err);
    }
    ImgStatus status = img_idat_list(data, scan->size, &idat, err);
    if (status == IMG_OK)
        status = img_band_make(header->shape, sink, &band, err);
    if (status == IMG_OK &&
        !img_png_stream_is_sound(&idat, inflated, options->team, options->threads))
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) is not sound");
    ImgError failure = {IMG_OK, ""};
    if (status == IMG_OK)
        status = decode(options, &job, report, &failure);
    if (failure.status != IMG_OK && img_progress_is_cancelled(options->progress, err))
        status = options->progress->failure.status;
    else if (failure.status != IMG_OK)
        (void)img_fail(err, status, "%s", failure.message);
    img_band_free(&band);
    img_idat_free(&idat);
    return status;
}

/* --- On request ------------------------------------------------------------------------------- */

struct ImgPngRows {
    ImgIdat idat;
    ImgPngJob job;
    ImgSegment all; /* the whole picture */
    ImgSegmentTools *tools;
    int32_t next; /* index of the next row */
};

bool img_png_can_request_rows(const ImgPngHeader *header)
{
    return img_png_why_not_fast(header) == NULL;
}

ImgStatus img_png_rows_begin(const uint8_t *data, const ImgPngHeader *header,
                             const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                             ImgPngRows **rows, ImgError *err)
{
    ImgPngRows *own = *rows = calloc(1, sizeof *own);
    if (own == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    const ImgView view = img_view_make(NULL, 0, header->shape);
    own->idat.pieces = options->pieces;
    own->job = (ImgPngJob){.idat = &own->idat, .pixels = img_pixels_of(&view), .threads = 1};
    own->all = (ImgSegment){8 * IMG_ZLIB_HEADER_BYTES, IMG_SEGMENT_OPEN, 0, view.height};
    own->tools = img_segment_tools_create();
    if (own->tools == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for decoding");
    const uint64_t inflated =
        (uint64_t)img_pixels_filtered_bytes(&own->job.pixels) * (uint64_t)view.height;
    ImgStatus status = img_idat_list(data, scan->size, &own->idat, err);
    if (status == IMG_OK &&
        !img_png_stream_is_sound(&own->idat, inflated, options->team, options->threads))
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) is not sound");
    return status == IMG_OK ? img_segment_begin(&own->job, &own->all, own->tools, err) : status;
}

ImgStatus img_png_rows_next(ImgPngRows *rows, const ImgView *to, ImgError *err)
{
    uint32_t adler;
    uint64_t end;
    const ImgStatus status = img_segment_rows(rows->tools, &rows->idat, to, err);
    rows->next += to->height;
    if (status != IMG_OK || rows->next < rows->all.rows)
        return status;
    img_segment_end(rows->tools, &adler, &end);
    return img_png_stream_ends_well(&rows->idat, end, adler)
               ? IMG_OK
               : img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) ends badly");
}

void img_png_rows_end(ImgPngRows *rows)
{
    if (rows == NULL)
        return;
    img_segment_tools_free(rows->tools);
    img_idat_free(&rows->idat);
    free(rows);
}
