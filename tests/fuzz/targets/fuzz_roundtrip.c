/* Writes any picture through the public interface. libpng, each decoding strategy of imgtool, and
 * the public interface must read the same pixels from it.
 * Input: 8 bytes of choices, then material for the samples. */
#include <stdio.h>

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

/* Returns true if the input selects a picture large enough for several strips. Only a few inputs
 * (one in eight) select this, because large pictures take much time. */
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

/* Draws gradients, repetitions and noise, so that all filters and all kinds of deflate blocks
 * occur. */
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

static imgtool_encoding encoding_of(const uint8_t *head)
{
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    /* Levels above 6 take seconds for a large picture. */
    encoding.level = head[3] % (is_large(head) ? 7 : 10);
    encoding.index = (head[7] & 16) == 0;
    encoding.interlaced = (head[7] & 64) != 0;
    return encoding;
}

static void set_palette(ImgShape shape, imgtool_metadata *metadata)
{
    static const uint8_t colors[256 * 3];
    const size_t bytes = (size_t)3 << shape.format.bits;
    if (shape.format.color == IMG_COLOR_PALETTE)
        check(imgtool_metadata_set(metadata, "PLTE", colors, bytes, NULL) == IMGTOOL_OK,
              "no palette");
}

static FuzzBytes write_png(const uint8_t *head, const ImgView *view)
{
    static const imgtool_color colors[] = {
        [IMG_COLOR_GRAY] = IMGTOOL_GRAY,       [IMG_COLOR_GRAY_ALPHA] = IMGTOOL_GRAY_ALPHA,
        [IMG_COLOR_RGB] = IMGTOOL_RGB,         [IMG_COLOR_RGBA] = IMGTOOL_RGBA,
        [IMG_COLOR_PALETTE] = IMGTOOL_PALETTE,
    };
    imgtool_context *context = library_context(1 + (head[7] >> 2 & 3));
    imgtool_encoding encoding = encoding_of(head);
    imgtool_metadata *metadata = NULL;
    const imgtool_picture picture = {.size = sizeof picture,
                                     .width = view->width,
                                     .height = view->height,
                                     .format = {colors[view->format.color], view->format.bits},
                                     .pixels = view->data,
                                     .stride = view->stride};
    void *data;
    FuzzBytes bytes = {0};
    check(imgtool_metadata_create(context, &metadata, NULL) == IMGTOOL_OK, "no metadata");
    set_palette(img_view_shape(view), metadata);
    encoding.metadata = metadata;
    check(imgtool_write_memory(context, &picture, &encoding, &data, &bytes.size, NULL) ==
              IMGTOOL_OK,
          "the picture cannot be written");
    const size_t size = bytes.size;
    bytes.size = 0;
    fuzz_put(&bytes, data, size); /* copied, so that the memory has exactly the size of the file */
    imgtool_free(context, data);
    imgtool_metadata_destroy(metadata);
    return bytes;
}

static void check_reading(const FuzzBytes *png, const ImgImage *image, int threads)
{
    static const ImgPngStrategy strategies[] = {IMG_PNG_IN_SEQUENCE, IMG_PNG_PIPELINED,
                                                IMG_PNG_BY_STRIPS, IMG_PNG_SPECULATIVE};
    static const ImgPngStrategy libpng = IMG_PNG_BY_LIBPNG;
    Judged file;
    ImgImage read;
    check(judged_open(png->data, png->size, &file), "the written file is not a PNG");
    check(judged_decode(&file, &libpng, 1, 0, &read, NULL) == IMG_OK,
          "libpng rejects the written file");
    judge_pixels(&read.view, &image->view, "libpng");
    img_image_free(&read);
    (void)judge(&file, NULL, threads, 0, IMG_OK, image);
    judge_library_pixels(png->data, png->size, threads, &image->view);
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++) {
        ImgStatus status = judge(&file, &strategies[i], threads, 200, IMG_OK, image);
        /* Speculative decoding may exceed its memory limit if pieces inflate to very different
         * sizes. */
        const bool too_much = status == IMG_E_MEMORY && strategies[i] == IMG_PNG_SPECULATIVE;
        check(status == IMG_OK || status == IMG_E_UNSUPPORTED || too_much,
              img_png_strategy_name(strategies[i]));
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
    FuzzBytes png = write_png(data, &image.view);
    check_reading(&png, &image, 1 + (data[7] & 3));
    free(png.data);
    img_image_free(&image);
    return 0;
}
