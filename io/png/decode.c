/* Decodes the pixels of a PNG. Chooses a strategy, and falls back to libpng if no fast strategy
 * supports the file or if the file looks damaged. */
#include "io/png/decode.h"

#include "io/png/decode/checks.h"
#include "io/png/decode/fast_decoders.h"
#include "io/png/libpng.h"
#include "kernels/core/minmax.h"

const char *img_png_strategy_name(ImgPngStrategy strategy)
{
    static const char *const names[] = {
        [IMG_PNG_BY_LIBPNG] = "libpng",        [IMG_PNG_IN_SEQUENCE] = "in sequence",
        [IMG_PNG_PIPELINED] = "pipelined",     [IMG_PNG_BY_STRIPS] = "by strips",
        [IMG_PNG_SPECULATIVE] = "speculative", [IMG_PNG_ON_DEVICE] = "on the GPU",
    };
    return names[strategy];
}

/* --- Strategies ------------------------------------------------------------------------------- */

static uint64_t room_of(uint64_t room)
{
    return room > 0 ? room : UINT64_MAX;
}

uint64_t img_png_decode_bytes(ImgShape shape, uint64_t stream_bytes, int threads, uint64_t room)
{
    const uint64_t row = 1 + (uint64_t)shape.width * img_format_pixel_size(shape.format);
    const uint64_t by_libpng = img_libpng_decode_bytes(shape);
    const uint64_t by_strips = (uint64_t)threads * img_segment_bytes(shape);
    const uint64_t any = img_max64(by_libpng, by_strips);
    if (threads == 1)
        /* With a single thread, the pipeline and speculative decoding are never used. */
        return any;
    const uint64_t pipelined = img_pipeline_bytes(row);
    if (room == IMG_PNG_LEAST_ROOM)
        return img_max64(any, pipelined);
    const uint64_t speculative = img_speculative_bytes(stream_bytes, row * (uint64_t)shape.height,
                                                       (size_t)row, threads, room_of(room));
    return img_max64(img_max64(any, pipelined), speculative);
}

static ImgStatus run_strategy(const ImgPngJob *job, const ImgPngIndex *index,
                              ImgPngDecodeReport *report, ImgError *err)
{
    uint32_t adler;
    uint64_t end;
    ImgStatus status;
    report->threads = job->threads;
    report->pieces = 1;
    if (report->strategy == IMG_PNG_BY_STRIPS && index->count > 0) {
        report->pieces = index->count;
        status = img_strips_decode(job, index, &adler, &end, err);
    } else if (report->strategy == IMG_PNG_SPECULATIVE) {
        status = img_speculative_decode(job, 8 * IMG_ZLIB_HEADER_BYTES, &adler, &end,
                                        &report->pieces, err);
    } else if (report->strategy == IMG_PNG_PIPELINED) {
        status = img_pipeline_decode(job, 8 * IMG_ZLIB_HEADER_BYTES, &adler, &end, err);
    } else if (report->strategy == IMG_PNG_IN_SEQUENCE) {
        report->threads = 1;
        status = img_sequence_decode(job, &adler, &end, err);
    } else {
        return img_fail(err, IMG_E_UNSUPPORTED, "there is no index of strips");
    }
    if (status == IMG_OK && !img_png_stream_ends_well(job->idat, end, adler))
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) ends badly");
    return status;
}

/* Tries the chosen strategy, then others if it fails. If decoding by strips fails, the index may be
 * wrong although the pixels are right. If the stream has too few block starts for speculative
 * decoding, the pipeline can decode it. If memory is short for several threads, it may suffice for
 * one. */
static ImgStatus run_strategies(const ImgPngJob *job, const ImgPngIndex *index,
                                ImgPngDecodeReport *report, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    report->strategy = img_png_choose_strategy(job, index->count);
    ImgStatus status = run_strategy(job, index, report, &failure);
    if (status == IMG_E_FORMAT && report->strategy == IMG_PNG_BY_STRIPS) {
        failure = (ImgError){IMG_OK, ""};
        report->strategy = job->room == IMG_PNG_LEAST_ROOM ? img_png_strategy_from_start(job)
                                                           : IMG_PNG_SPECULATIVE;
        status = run_strategy(job, index, report, &failure);
    }
    if (status == IMG_E_UNSUPPORTED && report->strategy == IMG_PNG_SPECULATIVE) {
        failure = (ImgError){IMG_OK, ""};
        report->strategy = img_png_strategy_from_start(job);
        status = run_strategy(job, index, report, &failure);
    }
    if (status == IMG_E_MEMORY && report->strategy != IMG_PNG_IN_SEQUENCE) {
        failure = (ImgError){IMG_OK, ""};
        report->strategy = IMG_PNG_IN_SEQUENCE;
        status = run_strategy(job, index, report, &failure);
    }
    return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", failure.message);
}

static ImgStatus try_fast(const uint8_t *data, const ImgPngScan *scan,
                          const ImgPngDecodeOptions *options, const ImgView *view,
                          ImgPngDecodeReport *report, ImgError *err)
{
    ImgIdat idat = {.pieces = options->pieces};
    ImgPngIndex index = {0};
    const ImgPngJob job = {.idat = &idat,
                           .pixels = img_pixels_of(view),
                           .team = options->team,
                           .threads = options->threads,
                           .piece_bytes = options->piece_bytes,
                           .room = room_of(options->room),
                           .progress = options->progress};
    uint64_t inflated = (uint64_t)img_pixels_filtered_bytes(&job.pixels) * (uint64_t)view->height;
    ImgStatus status = img_idat_list(data, scan->size, &idat, err);
    if (status == IMG_OK)
        status = img_png_index_read(options->index, &idat, view->height, &index, err);
    if (status != IMG_OK)
        goto done;
    if (!img_png_stream_is_sound(&idat, inflated, options->team, options->threads)) {
        status = img_fail(err, IMG_E_FORMAT, "damaged: the image data (IDAT) is not sound");
    } else if (options->only != NULL) {
        report->strategy = *options->only;
        status = run_strategy(&job, &index, report, err);
    } else {
        status = run_strategies(&job, &index, report, err);
    }
done:
    img_png_index_free(&index);
    img_idat_free(&idat);
    return status;
}

static ImgStatus decode_by_libpng(const uint8_t *data, const ImgPngHeader *header,
                                  const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                                  const char *reason, const ImgView *view,
                                  ImgPngDecodeReport *report, ImgError *err)
{
    ImgError failure = {IMG_OK, ""};
    *report = (ImgPngDecodeReport){IMG_PNG_BY_LIBPNG, reason, 1, 1, false};
    ImgStatus status =
        img_png_decode_by_libpng(data, header, scan, options->progress, options->pieces,
                                 &report->extra_data, view, options->store, &failure);
    if (status == IMG_E_FORMAT && scan->late_idat)
        return img_fail(err, status, "%s; another chunk stands between its chunks",
                        failure.message);
    return status == IMG_OK ? IMG_OK : img_fail(err, status, "%s", failure.message);
}

ImgStatus img_png_decode_into(const uint8_t *data, const ImgPngHeader *header,
                              const ImgPngScan *scan, const ImgPngDecodeOptions *options,
                              const ImgView *view, ImgPngDecodeReport *report, ImgError *err)
{
    ImgPngDecodeReport unwanted;
    if (report == NULL)
        report = &unwanted;
    *report = (ImgPngDecodeReport){IMG_PNG_BY_LIBPNG, "", 1, 1, false};
    bool forced = options->only != NULL;
    const char *obstacle = img_png_why_not_fast(header);
    if (forced && *options->only == IMG_PNG_BY_LIBPNG)
        obstacle = "as asked for";
    else if (forced && obstacle != NULL)
        return img_fail(err, IMG_E_UNSUPPORTED, "%s: only libpng decodes that", obstacle);
    img_progress_start(options->progress, (uint64_t)view->height);
    if (obstacle != NULL)
        return decode_by_libpng(data, header, scan, options, obstacle, view, report, err);

    ImgError doubt = {IMG_OK, ""};
    ImgStatus status = try_fast(data, scan, options, view, report, &doubt);
    if (status == IMG_OK)
        return IMG_OK;
    if (img_progress_is_cancelled(options->progress, err))
        return options->progress->failure.status;
    if (forced || status != IMG_E_FORMAT)
        return img_fail(err, status, "%s", doubt.message);
    return decode_by_libpng(data, header, scan, options, "looks damaged", view, report, err);
}

ImgStatus img_png_decode(const uint8_t *data, const ImgPngHeader *header, const ImgPngScan *scan,
                         const ImgPngDecodeOptions *options, ImgImage *image,
                         ImgPngDecodeReport *report, ImgError *err)
{
    if (report != NULL)
        *report = (ImgPngDecodeReport){IMG_PNG_BY_LIBPNG, "", 1, 1, false};
    ImgStatus status = img_image_alloc(header->shape, image, err);
    if (status != IMG_OK)
        return status;
    status = img_png_decode_into(data, header, scan, options, &image->view, report, err);
    if (status != IMG_OK)
        img_image_free(image);
    return status;
}
