/* Reads and writes through the public interface, and compares all decoders. */
#include "tests/fuzz/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

imgtool_context *library_context(int threads)
{
    static imgtool_context *contexts[5];
    imgtool_config config = IMGTOOL_CONFIG_INIT;
    config.threads = threads;
    config.backend = IMGTOOL_BACKEND_CPU;
    if (contexts[threads] == NULL &&
        imgtool_context_create(&config, &contexts[threads], NULL) != IMGTOOL_OK)
        abort();
    return contexts[threads];
}

static void check(bool ok, const char *what, const imgtool_error *error)
{
    if (!ok) {
        fprintf(stderr, "library: %s: %s\n", what, error->message);
        abort();
    }
}

static void check_same(const imgtool_picture *got, const imgtool_picture *wanted, int32_t first,
                       const char *what)
{
    const size_t row = (size_t)wanted->width * imgtool_pixel_size(wanted->format);
    const imgtool_error none = IMGTOOL_ERROR_INIT;
    check(got->width == wanted->width && first + got->height <= wanted->height &&
              got->format.color == wanted->format.color && got->format.bits == wanted->format.bits,
          what, &none);
    for (size_t y = 0; y < (size_t)got->height; y++)
        check(memcmp((const uint8_t *)got->pixels + y * got->stride,
                     (const uint8_t *)wanted->pixels + ((size_t)first + y) * wanted->stride,
                     row) == 0,
              what, &none);
}

void judge_library_pixels(const void *data, size_t size, int threads, const ImgView *wanted)
{
    imgtool_context *context = library_context(threads);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    check(imgtool_read_memory(context, data, size, &picture, NULL, &error) == IMGTOOL_OK,
          "rejected", &error);
    const ImgView got = {picture.pixels, picture.stride, picture.width, picture.height,
                         wanted->format};
    check(picture.format.bits == wanted->format.bits, "different bit depth", &error);
    judge_pixels(&got, wanted, "library");
    imgtool_picture_free(context, &picture);
}

/* --- Reading row by row, from a function ------------------------------------------------------ */

typedef struct Input {
    const FuzzPng *png;
    size_t at;
} Input;

/* Copies the next bytes of the input to `data`, at most piece_bytes + 1 bytes per call. */
static bool read_some(void *user, void *data, size_t bytes, size_t *got)
{
    Input *input = user;
    const size_t left = input->png->size - input->at, most = 1 + input->png->piece_bytes;
    *got = left < bytes ? left : bytes;
    *got = *got < most ? *got : most;
    memcpy(data, input->png->data + input->at, *got);
    input->at += *got;
    return true;
}

typedef struct Rows {
    const imgtool_picture *wanted; /* expected picture; NULL if the file must be rejected */
    int32_t next;                  /* index of the next expected row */
} Rows;

static bool take_rows(void *user, const imgtool_picture *picture, int32_t first)
{
    Rows *rows = user;
    if (first != rows->next || picture->height < 1) {
        fprintf(stderr, "library: row %d follows row %d\n", first, rows->next - 1);
        abort();
    }
    rows->next += picture->height;
    if (rows->wanted != NULL)
        check_same(picture, rows->wanted, first, "row by row");
    return true;
}

static void judge_rows_of(const FuzzPng *png, imgtool_format format, const imgtool_picture *wanted)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_reader *reader = NULL;
    Input input = {png, 0};
    Rows rows = {.wanted = wanted};
    imgtool_status status =
        imgtool_open_callback(library_context(png->threads), read_some, &input, &reader, &error);
    if (status == IMGTOOL_OK)
        status = imgtool_reader_rows(reader, format, take_rows, &rows, &error);
    check((status == IMGTOOL_OK) == (wanted != NULL), "row by row", &error);
    check(wanted == NULL || rows.next == wanted->height, "rows are missing", &error);
    imgtool_reader_destroy(reader);
}

/* --- Writing the picture again ---------------------------------------------------------------- */

static void judge_writing(imgtool_context *context, const imgtool_picture *picture,
                          const imgtool_metadata *metadata)
{
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    imgtool_picture again = IMGTOOL_PICTURE_INIT;
    void *data;
    size_t bytes;
    encoding.level = 1;
    encoding.metadata = metadata;
    check(imgtool_write_memory(context, picture, &encoding, &data, &bytes, &error) == IMGTOOL_OK,
          "cannot be written", &error);
    again.format = picture->format;
    check(imgtool_read_memory(context, data, bytes, &again, NULL, &error) == IMGTOOL_OK,
          "its own file is rejected", &error);
    check_same(&again, picture, 0, "its own file has different pixels");
    imgtool_free(context, data);
    imgtool_picture_free(context, &again);
}

static void judge_format(const FuzzPng *png, imgtool_format format, bool is_read)
{
    imgtool_context *context = library_context(png->threads);
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_picture picture = IMGTOOL_PICTURE_INIT;
    imgtool_metadata *metadata = NULL;
    picture.format = format;
    const imgtool_status status =
        imgtool_read_memory(context, png->data, png->size, &picture, &metadata, &error);
    check((status == IMGTOOL_OK) == is_read, "different verdict", &error);
    check((picture.pixels != NULL) == is_read && (metadata != NULL) == is_read,
          "picture and metadata must be set only on success", &error);
    judge_rows_of(png, format, is_read ? &picture : NULL);
    /* only one file in four, because this is slower than all other checks together */
    if (is_read && png->size % 4 == 0)
        judge_writing(context, &picture, metadata);
    imgtool_metadata_destroy(metadata);
    imgtool_picture_free(context, &picture);
}

void judge_library(const FuzzPng *png, const ImgView *wanted)
{
    static const imgtool_format formats[] = {{IMGTOOL_BGRA, 8}, {IMGTOOL_GRAY, 8}};
    judge_format(png, (imgtool_format){IMGTOOL_AS_IT_IS, 0}, wanted != NULL);
    judge_format(png, formats[png->size & 1], wanted != NULL);
    if (wanted != NULL)
        judge_library_pixels(png->data, png->size, png->threads, wanted);
}

/* --- All decoders ----------------------------------------------------------------------------- */

bool judge_decoders(const FuzzPng *png)
{
    static const ImgPngStrategy libpng = IMG_PNG_BY_LIBPNG;
    static const ImgPngStrategy in_sequence = IMG_PNG_IN_SEQUENCE;
    static const ImgPngStrategy by_strips = IMG_PNG_BY_STRIPS;
    Judged file;
    ImgImage image;
    if (!judged_open(png->data, png->size, &file)) {
        judge_library(png, NULL);
        return false;
    }
    const ImgStatus wanted = judged_decode(&file, &libpng, 1, 0, &image, NULL);
    (void)judge(&file, NULL, png->threads, png->piece_bytes, wanted, &image);
    judge_library(png, wanted == IMG_OK ? &image.view : NULL);
    (void)judge(&file, &in_sequence, 1, 0, wanted, &image);
    (void)judge(&file, &by_strips, png->threads, 0, wanted, &image);
    img_image_free(&image);
    judged_close(&file);
    return wanted == IMG_OK;
}
