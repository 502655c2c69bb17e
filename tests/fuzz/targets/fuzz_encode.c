/* Encodes pictures of any shape, alignment and stride. Any number of threads must write the same
 * file. libpng and imgtool's decoder must read the same pixels from it. The source must not change.
 * Also checks parts of the encoder (judge_codec.h).
 * Input: HEAD_BYTES of choices, then material for the samples. */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/judge.h"
#include "tests/fuzz/pixels/choices.h"
#include "tests/fuzz/pixels/judge_codec.h"

enum { HEAD_BYTES = 16, PIXELS_MOST = 1 << 13, LARGE_BYTES = 3 << 19, GUARD_BYTE = 0xa7 };

static const struct {
    ImgFormat ours;
    imgtool_color color;
} FORMATS[] = {
    {{IMG_COLOR_GRAY, 8}, IMGTOOL_GRAY},       {{IMG_COLOR_RGB, 8}, IMGTOOL_RGB},
    {{IMG_COLOR_RGBA, 8}, IMGTOOL_RGBA},       {{IMG_COLOR_GRAY_ALPHA, 8}, IMGTOOL_GRAY_ALPHA},
    {{IMG_COLOR_GRAY, 16}, IMGTOOL_GRAY},      {{IMG_COLOR_RGB, 16}, IMGTOOL_RGB},
    {{IMG_COLOR_RGBA, 16}, IMGTOOL_RGBA},      {{IMG_COLOR_GRAY_ALPHA, 16}, IMGTOOL_GRAY_ALPHA},
    {{IMG_COLOR_PALETTE, 8}, IMGTOOL_PALETTE}, {{IMG_COLOR_PALETTE, 4}, IMGTOOL_PALETTE},
    {{IMG_COLOR_PALETTE, 2}, IMGTOOL_PALETTE}, {{IMG_COLOR_PALETTE, 1}, IMGTOOL_PALETTE},
    {{IMG_COLOR_GRAY, 4}, IMGTOOL_GRAY},       {{IMG_COLOR_GRAY, 2}, IMGTOOL_GRAY},
    {{IMG_COLOR_GRAY, 1}, IMGTOOL_GRAY},
};

/* A picture with gaps between its rows. Its memory ends directly after the last row. */
typedef struct Picture {
    size_t number;          /* index in FORMATS */
    ImgView view;           /* view of the picture in `memory` */
    uint8_t *memory, *copy; /* owned */
    size_t size;            /* number of bytes in `memory` and in `copy` */
} Picture;

/* Chooses width and height up to 1500 pixels. Unless `large` is set, halves them until the picture
 * has at most PIXELS_MOST pixels. */
static void choose_sides(Choices *choices, bool large, int32_t *width, int32_t *height)
{
    *width = 1 + (int32_t)choose_16(choices) % 1500;
    *height = 1 + (int32_t)choose_16(choices) % 1500;
    while (!large && *width * *height > PIXELS_MOST) {
        if (*width > *height)
            *width = (*width + 1) / 2;
        else
            *height = (*height + 1) / 2;
    }
}

static Picture lay_picture(Choices *choices, bool large)
{
    int32_t width, height;
    Picture picture = {.number = choose_below(choices, sizeof FORMATS / sizeof FORMATS[0])};
    const ImgFormat format = FORMATS[picture.number].ours;
    choose_sides(choices, large, &width, &height);
    const size_t row = (size_t)width * img_format_pixel_size(format),
                 unit = format.bits == 16 ? 2 : 1;
    if (large && row * (size_t)height > LARGE_BYTES)
        height = 1 + (int32_t)(LARGE_BYTES / row);
    const size_t stride = row + unit * choose_byte(choices), skew = unit * choose_below(choices, 8);
    picture.size = skew + stride * (size_t)(height - 1) + row;
    picture.memory = allocate(picture.size);
    picture.copy = allocate(picture.size);
    memset(picture.memory, GUARD_BYTE, picture.size);
    picture.view = img_view_make(picture.memory + skew, stride, (ImgShape){width, height, format});
    return picture;
}

/* Draws gradients, repetitions and noise, so that all filters and all kinds of deflate blocks
 * occur. */
static void draw(Choices *choices, const uint8_t *material, size_t size, Picture *picture)
{
    const ImgView *view = &picture->view;
    const size_t row = (size_t)view->width * img_format_pixel_size(view->format);
    const unsigned maximum = view->format.bits < 8 ? img_format_maximum(view->format) : 255;
    const unsigned shift = choose_below(choices, 16), slant = choose_below(choices, 8),
                   fall = choose_below(choices, 8);
    const unsigned noisy = (1U << choose_below(choices, 8)) - 1;
    uint32_t noise = 1;
    for (int32_t y = 0; y < view->height; y++) {
        uint8_t *to = view->data + (size_t)y * view->stride;
        for (size_t i = 0; i < row; i++) {
            noise = noise * 1664525U + 1013904223U;
            unsigned value = size > 0 ? material[(i + (size_t)y * shift) % size] : 0;
            value += (unsigned)i * slant + (unsigned)y * fall + (noise >> 24 & noisy);
            to[i] = (uint8_t)(value & maximum);
        }
    }
    memcpy(picture->copy, picture->memory, picture->size);
}

static void set_palette(imgtool_metadata *metadata, ImgFormat format)
{
    static const uint8_t colors[256 * 3];
    if (format.color == IMG_COLOR_PALETTE)
        expect(imgtool_metadata_set(metadata, "PLTE", colors, (size_t)3 << format.bits, NULL) ==
                   IMGTOOL_OK,
               "no palette");
}

/* Writes the picture through the library. The caller frees the result. */
static uint8_t *written(const Picture *picture, const imgtool_encoding *how, int threads,
                        size_t *size)
{
    const ImgView *view = &picture->view;
    imgtool_context *context = library_context(threads);
    imgtool_encoding encoding = *how;
    imgtool_error error = IMGTOOL_ERROR_INIT;
    imgtool_metadata *metadata = NULL;
    const imgtool_picture pixels = {.size = sizeof pixels,
                                    .width = view->width,
                                    .height = view->height,
                                    .format = {FORMATS[picture->number].color, view->format.bits},
                                    .pixels = view->data,
                                    .stride = view->stride};
    void *data;
    expect(imgtool_metadata_create(context, &metadata, NULL) == IMGTOOL_OK, "no metadata");
    set_palette(metadata, view->format);
    encoding.metadata = metadata;
    const imgtool_status status =
        imgtool_write_memory(context, &pixels, &encoding, &data, size, &error);
    expect(status == IMGTOOL_OK, "the picture cannot be written: %s", error.message);
    uint8_t *exact = allocate(*size);
    memcpy(exact, data, *size);
    imgtool_free(context, data);
    imgtool_metadata_destroy(metadata);
    expect(memcmp(picture->memory, picture->copy, picture->size) == 0,
           "writing changes the source");
    return exact;
}

static void judge_reading(const uint8_t *png, size_t size, const Picture *picture, int threads)
{
    static const ImgPngStrategy libpng = IMG_PNG_BY_LIBPNG;
    const ImgImage image = {.view = picture->view, .size = picture->size};
    Judged file;
    ImgImage read;
    expect(judged_open(png, size, &file), "the written file is not a PNG");
    expect(judged_decode(&file, &libpng, 1, 0, &read, NULL) == IMG_OK,
           "libpng rejects the written file");
    judge_pixels(&read.view, &image.view, "libpng");
    img_image_free(&read);
    (void)judge(&file, NULL, threads, 0, IMG_OK, &image);
    judged_close(&file);
}

static void judge_whole(Choices *choices, const Picture *picture, bool large)
{
    imgtool_encoding encoding = IMGTOOL_ENCODING_INIT;
    const unsigned flags = choose_byte(choices);
    const int threads = 2 + (int)choose_below(choices, 3);
    /* Levels above 6 take seconds for a large picture. */
    encoding.level = (int32_t)choose_below(choices, large ? 7 : 10);
    encoding.index = (flags & 1) == 0;
    encoding.interlaced = (flags & 6) == 6;
    size_t size, other_size;
    uint8_t *png = written(picture, &encoding, 1, &size);
    uint8_t *other = written(picture, &encoding, threads, &other_size);
    expect(size == other_size && memcmp(png, other, size) == 0, "%d threads write a different file",
           threads);
    judge_reading(png, size, picture, threads);
    free(other);
    free(png);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { WHOLE, LARGE_OR_WHOLE, STRIPS, FILTERS, UNFILTERS, TODO_COUNT };
    if (size < HEAD_BYTES)
        return 0;
    Choices choices = {data, size};
    const unsigned todo = choose_below(&choices, TODO_COUNT);
    if (todo == FILTERS || todo == UNFILTERS) {
        todo == FILTERS ? judge_filters(&choices) : judge_unfilters(&choices);
        return 0;
    }
    choices.left = HEAD_BYTES - 1;
    const bool large = todo == LARGE_OR_WHOLE && choose_byte(&choices) >= 0xf0;
    Picture picture = lay_picture(&choices, large);
    draw(&choices, data + HEAD_BYTES, size - HEAD_BYTES, &picture);
    if (todo == STRIPS)
        judge_strips(&choices, &picture.view);
    else
        judge_whole(&choices, &picture, large);
    free(picture.copy);
    free(picture.memory);
    return 0;
}
