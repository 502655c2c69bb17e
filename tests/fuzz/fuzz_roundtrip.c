/* Any picture, written by us and read by libpng and by every strategy of ours: the same pixels.
 * Input: 8 bytes that say what to make, then material for the samples. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/encode.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"

enum { HEAD_BYTES = 8 };

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

/* Rarely, for it takes time: large enough for several strips. */
static bool is_large(const uint8_t *head)
{
    return (head[7] & 0xe0) == 0x80;
}

static ImgShape shape_of(const uint8_t *head)
{
    static const ImgFormat formats[] = {
        {IMG_COLOR_GRAY, 8},       {IMG_COLOR_RGB, 8},         {IMG_COLOR_RGBA, 8},
        {IMG_COLOR_GRAY_ALPHA, 8}, {IMG_COLOR_GRAY, 16},       {IMG_COLOR_RGB, 16},
        {IMG_COLOR_RGBA, 16},      {IMG_COLOR_GRAY_ALPHA, 16}, {IMG_COLOR_PALETTE, 8},
        {IMG_COLOR_PALETTE, 4},    {IMG_COLOR_PALETTE, 2},     {IMG_COLOR_PALETTE, 1},
        {IMG_COLOR_GRAY, 4},       {IMG_COLOR_GRAY, 2},        {IMG_COLOR_GRAY, 1},
    };
    bool large = is_large(head);
    int32_t width = large ? 256 : 1 + head[1] % 128;
    int32_t height = large ? 8 * (1 + head[2]) : 1 + head[2] % 128;
    return (ImgShape){width, height, formats[head[0] % (sizeof formats / sizeof formats[0])]};
}

/* Slants, repeats and noise, so that every filter and every kind of block has its turn. */
static void draw(const uint8_t *head, const uint8_t *material, size_t size, const ImgView *view)
{
    size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    int bits = view->format.bits < 8 ? view->format.bits : 8;
    uint32_t noise = 1;
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *to = view->data + (size_t)y * view->stride;
        for (size_t i = 0; i < row; i++) {
            noise = noise * 1664525U + 1013904223U;
            unsigned value = size > 0 ? material[(i + (size_t)y * (head[4] & 15)) % size] : 0;
            value += (unsigned)i * (head[5] & 7) + (unsigned)y * (head[5] >> 3 & 7);
            value += (noise >> 24) & ((1U << (head[6] & 7)) - 1);
            to[i] = (uint8_t)(value & ((1U << bits) - 1));
        }
    }
}

static ImgMetadata metadata_of(const uint8_t *head, ImgShape shape)
{
    ImgMetadata metadata = IMG_METADATA_NONE;
    metadata.interlaced = (head[7] & 64) != 0;
    if (shape.format.color == IMG_COLOR_PALETTE)
        metadata.palette_size = 1 << shape.format.bits;
    return metadata;
}

static ImgEncodeOptions options_of(const uint8_t *head)
{
    /* The slowest levels would take seconds. */
    return (ImgEncodeOptions){.level = head[3] % (is_large(head) ? 7 : 10),
                              .threads = 1 + (head[7] >> 2 & 3),
                              .index = (head[7] & 16) == 0,
                              .quality = IMG_DEFAULT_QUALITY};
}

static FuzzBytes write_png(const ImgImage *image, const ImgMetadata *metadata,
                           const ImgEncodeOptions *options)
{
    FuzzBytes bytes = {0};
    char path[32];
    uint8_t buffer[4096];
    ImgOutput *output = NULL;
    int fd = memfd_create("fuzz_roundtrip", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    check(fd >= 0 && img_output_open(path, NULL, &output, NULL) == IMG_OK, "no output");
    check(img_encode(IMG_FILE_PNG, image, metadata, options, output, NULL, NULL) == IMG_OK,
          "is not written");
    check(img_output_commit(&output, NULL) == IMG_OK, "no commit");
    for (ssize_t got; (got = pread(fd, buffer, sizeof buffer, (off_t)bytes.size)) > 0;)
        fuzz_put(&bytes, buffer, (size_t)got);
    close(fd);
    return bytes;
}

static void check_reading(const FuzzBytes *png, const ImgImage *image, int threads)
{
    static const ImgPngPath strategies[] = {IMG_PNG_IN_SEQUENCE, IMG_PNG_PIPELINED,
                                            IMG_PNG_BY_STRIPS, IMG_PNG_SPECULATIVE};
    static const ImgPngPath libpng = IMG_PNG_BY_LIBPNG;
    Judged file;
    ImgImage read;
    check(judged_open(png->data, png->size, &file), "what was written is not a PNG");
    check(judged_decode(&file, &libpng, 1, 0, &read, NULL) == IMG_OK, "libpng refuses it");
    judge_pixels(&read.view, &image->view, "libpng");
    img_image_free(&read);
    (void)judge(&file, NULL, threads, 0, IMG_OK, image);
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++) {
        ImgStatus status = judge(&file, &strategies[i], threads, 200, IMG_OK, image);
        check(status == IMG_OK || status == IMG_E_UNSUPPORTED, img_png_path_name(strategies[i]));
    }
    judged_close(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD_BYTES)
        return 0;
    ImgShape shape = shape_of(data);
    ImgImage image;
    check(img_image_alloc(shape, &image, NULL) == IMG_OK, "no memory");
    draw(data, data + HEAD_BYTES, size - HEAD_BYTES, &image.view);
    ImgMetadata metadata = metadata_of(data, shape);
    ImgEncodeOptions options = options_of(data);
    FuzzBytes png = write_png(&image, &metadata, &options);
    check_reading(&png, &image, 1 + (data[7] & 3));
    free(png.data);
    img_image_free(&image);
    return 0;
}
