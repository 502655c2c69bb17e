#include "io/png/rows.h"

#include <string.h>

size_t img_png_row_bytes(int32_t width, ImgFormat format)
{
    if (format.bits < 8)
        return ((size_t)width * (size_t)format.bits + 7) / 8;
    return (size_t)width * img_format_pixel_size(format);
}

static void put_big_endian(const uint8_t *samples, size_t count, uint8_t *buffer)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t sample;
        memcpy(&sample, samples + 2 * i, 2);
        buffer[2 * i] = (uint8_t)(sample >> 8);
        buffer[2 * i + 1] = (uint8_t)sample;
    }
}

static void pack(const uint8_t *samples, size_t count, int bits, uint8_t *buffer)
{
    size_t per_byte = 8 / (size_t)bits;
    for (size_t i = 0; i < count; i += per_byte) {
        unsigned byte = 0;
        for (size_t k = 0; k < per_byte; k++)
            byte = byte << bits | (i + k < count ? samples[i + k] : 0U);
        buffer[i / per_byte] = (uint8_t)byte;
    }
}

const uint8_t *img_png_row(const ImgView *view, int32_t y, uint8_t *buffer)
{
    const uint8_t *row = view->data + (size_t)y * view->stride;
    size_t samples = (size_t)view->width * (size_t)img_format_channels(view->format);
    if (view->format.bits == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        put_big_endian(row, samples, buffer);
        return buffer;
    }
    if (view->format.bits < 8) {
        pack(row, samples, view->format.bits, buffer);
        return buffer;
    }
    return row;
}
