#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/checkcodec/encode_check.h"

const char *const KIND_NAMES[KINDS] = {"noise", "smooth", "specks", "bands", "one"};

static uint64_t random_state;

static uint32_t random_number(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33);
}

static unsigned sample(Kind kind, int32_t x, int32_t y, int channel)
{
    switch (kind) {
    case NOISE:
        return random_number();
    case SMOOTH:
        return (unsigned)(3 * x + 5 * y + 40 * channel) / 2 + random_number() % 7;
    case SPECKS:
        return random_number() % 90 == 0 ? random_number() : 17;
    case BANDS:
        return (unsigned)(x * x / 97 + y / 3);
    default:
        return 200;
    }
}

static void fill_row(uint8_t *row, ImgFormat format, size_t samples, int32_t y, Kind kind)
{
    int channels = img_format_channels(format);
    for (size_t i = 0; i < samples; i++) {
        int32_t x = (int32_t)(i / (size_t)channels);
        unsigned value = sample(kind, x, y, (int)(i % (size_t)channels));
        value &= img_format_maximum(format);
        if (format.bits == 16)
            memcpy(row + 2 * i, &(uint16_t){(uint16_t)(value * 257)}, 2);
        else
            row[i] = (uint8_t)value;
    }
}

ImgImage make_picture(ImgShape shape, Kind kind)
{
    ImgImage image = IMG_IMAGE_NONE;
    ImgError err = {IMG_OK, ""};
    if (img_image_alloc(shape, &image, &err) != IMG_OK) {
        fprintf(stderr, "check_png_encode: %s\n", err.message);
        exit(1);
    }
    random_state = (uint64_t)kind + 1;
    size_t samples = (size_t)shape.width * (size_t)img_format_channels(shape.format);
    for (int32_t y = 0; y < shape.height; y++)
        fill_row(image.view.data + (size_t)y * image.view.stride, shape.format, samples, y, kind);
    return image;
}
