/* A second, independent PNG writer for the tests of io/. The test controls every chunk, every bit
 * of the pixels and every mistake. Files are in memory (memfd). */
#ifndef IMGTOOL_TESTS_UNIT_TEST_IO_PNG_H
#define IMGTOOL_TESTS_UNIT_TEST_IO_PNG_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/encode.h"
#include "io/output/output.h"
#include "io/source.h"

typedef struct Bytes {
    uint8_t *data;
    size_t size, capacity;
} Bytes;

static const ImgLimits WIDE_LIMITS = {
    1 << 28, (uint64_t)1 << 32, IMG_DEFAULT_MAX_TEXT, "ask for more pixels", "ask for more memory",
    false};

static inline void put(Bytes *bytes, const void *data, size_t size)
{
    if (bytes->data == NULL || bytes->capacity - bytes->size < size) {
        bytes->capacity = 2 * (bytes->size + size) + 64;
        bytes->data = realloc(bytes->data, bytes->capacity);
        cr_assert_not_null(bytes->data);
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static inline void put_be32(Bytes *bytes, uint32_t value)
{
    uint8_t be[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8),
                     (uint8_t)value};
    put(bytes, be, 4);
}

static inline void put_chunk(Bytes *png, const char *type, const void *data, size_t size)
{
    put_be32(png, (uint32_t)size);
    size_t start = png->size;
    put(png, type, 4);
    put(png, data, size);
    put_be32(png, (uint32_t)crc32(0, png->data + start, (uInt)(size + 4)));
}

#define PUT_TEXT(png, type, literal) put_chunk(png, type, literal, sizeof(literal) - 1)

static inline void put_header(Bytes *png, uint32_t width, uint32_t height, int bits, int color_type,
                              int interlace)
{
    put(png, "\x89PNG\r\n\x1a\n", 8);
    Bytes ihdr = {0};
    put_be32(&ihdr, width);
    put_be32(&ihdr, height);
    uint8_t rest[5] = {(uint8_t)bits, (uint8_t)color_type, 0, 0, (uint8_t)interlace};
    put(&ihdr, rest, 5);
    put_chunk(png, "IHDR", ihdr.data, ihdr.size);
    free(ihdr.data);
}

static inline Bytes deflated(const void *data, size_t size)
{
    uLongf packed = compressBound(size);
    Bytes out = {malloc(packed), 0, packed};
    cr_assert_eq(compress(out.data, &packed, data, size), Z_OK);
    out.size = packed;
    return out;
}

static inline void put_idat(Bytes *png, const void *raw, size_t size)
{
    Bytes packed = deflated(raw, size);
    put_chunk(png, "IDAT", packed.data, packed.size);
    free(packed.data);
}

static inline void put_end(Bytes *png)
{
    put_chunk(png, "IEND", NULL, 0);
}

/* --- Whole pictures --------------------------------------------------------------------------- */

static inline int png_color_type(ImgColor color)
{
    static const int types[] = {0, 4, 2, 6, 3};
    return types[color];
}

/* Returns the sample of `channel` at (x, y). All test pictures use these samples. */
static inline unsigned test_sample(ImgFormat format, int x, int y, int channel)
{
    unsigned hash = (unsigned)(x * 7 + y * 31 + channel * 101 + 3) * 2654435761U;
    return hash >> (32 - format.bits);
}

/* Appends one pass of an interlaced picture to `raw`: every `dx`-th sample from `x0` on of every
 * `dy`-th row from `y0` on. Samples are packed from the high bit down. */
static inline void put_pass(Bytes *raw, ImgShape shape, int x0, int y0, int dx, int dy)
{
    int channels = img_format_channels(shape.format), bits = shape.format.bits;
    if (x0 >= shape.width)
        return;
    for (int y = y0; y < shape.height; y += dy) {
        put(raw, "\0", 1); /* filter type None */
        unsigned byte = 0, filled = 0;
        for (int x = x0; x < shape.width; x += dx) {
            for (int c = 0; c < channels; c++) {
                unsigned sample = test_sample(shape.format, x, y, c);
                if (bits == 16)
                    put(raw, (uint8_t[]){(uint8_t)(sample >> 8)}, 1);
                byte = byte << (bits & 15) | (sample & 255);
                filled += (unsigned)(bits == 16 ? 8 : bits);
                if (filled == 8) {
                    put(raw, (uint8_t[]){(uint8_t)byte}, 1);
                    byte = filled = 0;
                }
            }
        }
        if (filled > 0)
            put(raw, (uint8_t[]){(uint8_t)(byte << (8 - filled))}, 1);
    }
}

static inline Bytes test_rows(ImgShape shape, bool interlaced)
{
    static const int adam7[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                    {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    Bytes raw = {0};
    if (!interlaced)
        put_pass(&raw, shape, 0, 0, 1, 1);
    for (int pass = 0; interlaced && pass < 7; pass++)
        put_pass(&raw, shape, adam7[pass][0], adam7[pass][1], adam7[pass][2], adam7[pass][3]);
    return raw;
}

static inline void put_test_header(Bytes *png, ImgShape shape, bool interlaced)
{
    put_header(png, (uint32_t)shape.width, (uint32_t)shape.height, shape.format.bits,
               png_color_type(shape.format.color), interlaced);
}

static inline void put_test_palette(Bytes *png, int entries)
{
    uint8_t palette[256 * 3];
    for (int i = 0; i < entries * 3; i++)
        palette[i] = (uint8_t)(i * 37 + 11);
    put_chunk(png, "PLTE", palette, (size_t)entries * 3);
}

static inline void put_test_rows(Bytes *png, ImgShape shape, bool interlaced)
{
    Bytes raw = test_rows(shape, interlaced);
    put_idat(png, raw.data, raw.size);
    free(raw.data);
}

static inline Bytes test_png(ImgShape shape, bool interlaced)
{
    Bytes png = {0};
    put_test_header(&png, shape, interlaced);
    if (shape.format.color == IMG_COLOR_PALETTE)
        put_test_palette(&png, 1 << shape.format.bits);
    put_test_rows(&png, shape, interlaced);
    put_end(&png);
    return png;
}

static inline unsigned sample_at(const ImgView *view, int x, int y, int channel)
{
    const uint8_t *pixel =
        view->data + (size_t)y * view->stride + (size_t)x * img_format_pixel_size(view->format);
    if (view->format.bits != 16)
        return pixel[channel];
    uint16_t wide;
    memcpy(&wide, pixel + 2 * channel, 2);
    return wide;
}

static inline void expect_test_pixels(const ImgView *view)
{
    for (int y = 0; y < view->height; y++)
        for (int x = 0; x < view->width; x++)
            for (int c = 0; c < img_format_channels(view->format); c++)
                cr_assert_eq(sample_at(view, x, y, c), test_sample(view->format, x, y, c),
                             "%s %d bits, pixel %d,%d channel %d",
                             img_color_name(view->format.color), view->format.bits, x, y, c);
}

/* All combinations of colour type and bit depth that PNG allows. */
static const ImgFormat ALL_FORMATS[] = {
    {IMG_COLOR_GRAY, 1},        {IMG_COLOR_GRAY, 2},    {IMG_COLOR_GRAY, 4},
    {IMG_COLOR_GRAY, 8},        {IMG_COLOR_GRAY, 16},   {IMG_COLOR_RGB, 8},
    {IMG_COLOR_RGB, 16},        {IMG_COLOR_PALETTE, 1}, {IMG_COLOR_PALETTE, 2},
    {IMG_COLOR_PALETTE, 4},     {IMG_COLOR_PALETTE, 8}, {IMG_COLOR_GRAY_ALPHA, 8},
    {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_RGBA, 8},    {IMG_COLOR_RGBA, 16},
};
enum { FORMAT_COUNT = sizeof ALL_FORMATS / sizeof ALL_FORMATS[0] };

/* --- Reading with the library ----------------------------------------------------------------- */

typedef struct MemoryFile {
    int fd;
    char path[40];
} MemoryFile;

static inline MemoryFile memory_file(const Bytes *content)
{
    MemoryFile file = {memfd_create("test", MFD_CLOEXEC), ""};
    cr_assert_geq(file.fd, 0);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    if (content != NULL)
        cr_assert_eq(write(file.fd, content->data, content->size), (ssize_t)content->size);
    return file;
}

static inline Bytes read_all(const char *path)
{
    Bytes bytes = {0};
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    uint8_t buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
        put(&bytes, buffer, n);
    fclose(file);
    return bytes;
}

/* Opens and decodes a file. The caller frees the image and the metadata. */
static inline ImgStatus read_png(const Bytes *png, const ImgLimits *limits, ImgImage *image,
                                 ImgMetadata *metadata, ImgError *err)
{
    *image = IMG_IMAGE_NONE;
    *metadata = IMG_METADATA_NONE;
    MemoryFile file = memory_file(png);
    ImgSource *source = NULL;
    ImgStatus status = img_source_open(file.path, limits, &source, err);
    if (status == IMG_OK)
        status = img_source_load(source, err);
    if (status == IMG_OK)
        status = img_source_decode(source, NULL, image, NULL, err);
    if (status == IMG_OK)
        *metadata = img_source_take_metadata(source);
    img_source_close(source);
    close(file.fd);
    cr_assert_eq(status, err->status);
    cr_assert_eq(status == IMG_OK, image->view.data != NULL);
    return status;
}

static inline void expect_readable(const Bytes *png, ImgImage *image, ImgMetadata *metadata)
{
    ImgError err = {IMG_OK, ""};
    cr_assert_eq(read_png(png, &WIDE_LIMITS, image, metadata, &err), IMG_OK, "%s", err.message);
}

/* Expects the status `expected` and a message that contains `words`, so that the test checks the
 * reason. */
static inline void expect_failure_within(const Bytes *png, const ImgLimits *limits,
                                         ImgStatus expected, const char *words)
{
    ImgError err = {IMG_OK, ""};
    ImgImage image;
    ImgMetadata metadata;
    ImgStatus status = read_png(png, limits, &image, &metadata, &err);
    img_image_free(&image);
    img_metadata_free(&metadata);
    cr_assert_eq(status, expected, "status %d, message \"%s\"", status, err.message);
    cr_assert_not_null(strstr(err.message, words), "\"%s\" lacks \"%s\"", err.message, words);
    cr_assert_null(strchr(err.message, '\n'));
}

static inline void expect_damage(const Bytes *png, const char *words)
{
    expect_failure_within(png, &WIDE_LIMITS, IMG_E_FORMAT, words);
}

static inline Bytes encode_as(ImgFileFormat format, const ImgImage *image,
                              const ImgMetadata *metadata, int level)
{
    ImgError err = {IMG_OK, ""};
    ImgEncodeOptions options = {
        .level = level, .threads = 1, .index = true, .quality = IMG_DEFAULT_QUALITY};
    MemoryFile file = memory_file(NULL);
    ImgOutput *output = NULL;
    cr_assert_eq(img_output_open(file.path, NULL, &output, &err), IMG_OK, "%s", err.message);
    ImgStatus status = img_encode(format, image, metadata, &options, output, NULL, &err);
    cr_assert_eq(status, IMG_OK, "%s", err.message);
    cr_assert_eq(img_output_commit(&output, &err), IMG_OK, "%s", err.message);
    Bytes bytes = read_all(file.path);
    close(file.fd);
    return bytes;
}

#endif
