/* Decodes PNG files with each strategy and compares the results. */
#include "tests/fuzz/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/png/index/index.h"

bool judged_open(const uint8_t *data, size_t size, Judged *file)
{
    file->data = data;
    file->metadata = IMG_METADATA_NONE;
    bool ok = size >= IMG_PNG_HEADER_BYTES && img_png_is_signed(data, size) &&
              img_png_header(data, &file->header, NULL) == IMG_OK &&
              img_png_scan(data, size, &file->header, (ImgPngBudget){0, 1 << 24, NULL, NULL},
                           &file->metadata, &file->scan, NULL) == IMG_OK;
    if (!ok)
        judged_close(file);
    return ok;
}

void judged_close(Judged *file)
{
    img_metadata_free(&file->metadata);
}

ImgStatus judged_decode(Judged *file, const ImgPngStrategy *strategy, int threads,
                        size_t piece_bytes, ImgImage *image, ImgError *err)
{
    const ImgPngDecodeOptions options = {.index = img_png_index_find(&file->metadata),
                                         .threads = threads,
                                         .piece_bytes = piece_bytes,
                                         .only = strategy};
    *image = IMG_IMAGE_NONE;
    ImgPngDecodeReport report = {0};
    ImgStatus status =
        img_png_decode(file->data, &file->header, &file->scan, &options, image, &report, err);
    file->pieces = report.pieces;
    return status;
}

void judge_pixels(const ImgView *got, const ImgView *wanted, const char *what)
{
    size_t row = (size_t)wanted->width * img_format_pixel_size(wanted->format);
    bool same = got->width == wanted->width && got->height == wanted->height &&
                got->format.color == wanted->format.color &&
                got->format.bits == wanted->format.bits;
    for (int32_t y = 0; same && y < wanted->height; y++) {
        same = memcmp(got->data + (size_t)y * got->stride,
                      wanted->data + (size_t)y * wanted->stride, row) == 0;
        if (!same)
            fprintf(stderr, "row %d differs\n", y);
    }
    if (!same) {
        fprintf(stderr, "%s: different pixels\n", what);
        abort();
    }
}

ImgStatus judge(Judged *file, const ImgPngStrategy *strategy, int threads, size_t piece_bytes,
                ImgStatus wanted, const ImgImage *image)
{
    ImgImage got;
    ImgError err = {IMG_OK, ""};
    const char *name = strategy != NULL ? img_png_strategy_name(*strategy) : "default strategy";
    ImgStatus status = judged_decode(file, strategy, threads, piece_bytes, &got, &err);
    if (status != wanted && (strategy == NULL || status == IMG_OK)) {
        fprintf(stderr, "%s: status %d (%s), expected %d\n", name, (int)status, err.message,
                (int)wanted);
        abort();
    }
    if (status == IMG_OK)
        judge_pixels(&got.view, &image->view, name);
    img_image_free(&got);
    return status;
}

/* --- Decoding row by row ---------------------------------------------------------------------- */

typedef struct Rows {
    const ImgView *wanted; /* expected pixels; NULL if unknown */
    int32_t taken;         /* number of rows received so far */
} Rows;

static void take_rows(void *context, const ImgView *rows, int32_t first)
{
    Rows *taken = context;
    if (first != taken->taken || rows->height < 1) {
        fprintf(stderr, "row %d follows row %d\n", first, taken->taken - 1);
        abort();
    }
    taken->taken += rows->height;
    if (taken->wanted == NULL)
        return;
    const ImgView *all = taken->wanted;
    const ImgView wanted = img_view_crop(all, 0, first, all->width, rows->height);
    judge_pixels(rows, &wanted, "row by row");
}

ImgStatus judge_rows(Judged *file, ImgPngStrategy strategy, int threads, size_t piece_bytes,
                     ImgStatus wanted, const ImgImage *image)
{
    const ImgPngDecodeOptions options = {
        .threads = threads, .piece_bytes = piece_bytes, .only = &strategy};
    Rows rows = {.wanted = wanted == IMG_OK ? &image->view : NULL};
    const ImgRowSink sink = {.take = take_rows, .context = &rows};
    ImgPngDecodeReport report;
    ImgError err = {IMG_OK, ""};
    ImgStatus status =
        img_png_decode_rows(file->data, &file->header, &file->scan, &options, &sink, &report, &err);
    if (status == IMG_OK && (wanted != IMG_OK || rows.taken != image->view.height)) {
        fprintf(stderr, "row by row: %d rows, expected status %d\n", rows.taken, (int)wanted);
        abort();
    }
    return status;
}
