/* Compares decoders. */
#include "tests/fuzz/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool judged_open(const uint8_t *data, size_t size, Judged *file)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    file->data = data;
    bool ok = size >= IMG_PNG_HEADER_BYTES && img_png_is_signed(data, size) &&
              img_png_header(data, &file->header, NULL) == IMG_OK &&
              img_png_scan(data, size, &file->header, (ImgPngBudget){0, 1 << 24}, &metadata,
                           &file->scan, NULL) == IMG_OK;
    img_metadata_free(&metadata);
    return ok;
}

ImgStatus judged_decode(const Judged *file, const ImgPngPath *way, int threads, size_t piece_bytes,
                        ImgImage *image, ImgError *err)
{
    const ImgPngDecodeOptions options = {
        .threads = threads, .piece_bytes = piece_bytes, .only = way};
    *image = IMG_IMAGE_NONE;
    return img_png_decode(file->data, &file->header, &file->scan, &options, image, NULL, err);
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
        fprintf(stderr, "%s: other pixels\n", what);
        abort();
    }
}

bool judge(const Judged *file, const ImgPngPath *way, int threads, size_t piece_bytes,
           ImgStatus wanted, const ImgImage *image)
{
    ImgImage got;
    ImgError err = {IMG_OK, ""};
    const char *name = way != NULL ? img_png_path_name(*way) : "our choice";
    ImgStatus status = judged_decode(file, way, threads, piece_bytes, &got, &err);
    if (status == IMG_OK && wanted == IMG_OK) {
        judge_pixels(&got.view, &image->view, name);
    } else if (way != NULL && status == IMG_E_UNSUPPORTED) {
        return false; /* and there is no image to free */
    } else if (status != wanted) {
        fprintf(stderr, "%s: status %d (%s) where %d was expected\n", name, (int)status,
                err.message, (int)wanted);
        abort();
    }
    img_image_free(&got);
    return true;
}
