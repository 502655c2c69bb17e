#include "app/montage/sheet.h"

#include <string.h>

#include "kernels/canvas/over.h"

enum { WIDEN = 65535 / 255, OPAQUE = 255 };

ImgFormat sheet_format(ImgRgba background)
{
    return (ImgFormat){background.alpha / WIDEN < OPAQUE ? IMG_COLOR_RGBA : IMG_COLOR_RGB, 8};
}

void sheet_clear(const ImgView *sheet, ImgRgba background)
{
    const uint8_t pixel[4] = {
        (uint8_t)(background.red / WIDEN), (uint8_t)(background.green / WIDEN),
        (uint8_t)(background.blue / WIDEN), (uint8_t)(background.alpha / WIDEN)};
    const size_t size = img_format_pixel_size(sheet->format);
    for (int32_t x = 0; x < sheet->width; x++)
        memcpy(sheet->data + (size_t)x * size, pixel, size);
    for (int32_t y = 1; y < sheet->height; y++)
        memcpy(sheet->data + (size_t)y * sheet->stride, sheet->data, (size_t)sheet->width * size);
}

/* Reads a pixel of 8 bits per sample as red, green, blue and alpha. */
static void read_pixel(const uint8_t *from, int channels, uint32_t pixel[4])
{
    const bool is_gray = channels < 3, has_alpha = channels % 2 == 0;
    for (int c = 0; c < 3; c++)
        pixel[c] = from[is_gray ? 0 : c];
    pixel[3] = has_alpha ? from[channels - 1] : OPAQUE;
}

static void lay_pixel(const uint32_t above[4], uint8_t *to, int channels)
{
    uint32_t pixel[4] = {to[0], to[1], to[2], channels == 4 ? to[3] : OPAQUE};
    if (above[3] == OPAQUE) /* most pictures are opaque, and need no division */
        memcpy(pixel, above, sizeof pixel);
    else
        img_overlay_pixel(above, pixel, 3, channels == 4, IMG_OVERLAY_OPAQUE, OPAQUE);
    for (int c = 0; c < channels; c++)
        to[c] = (uint8_t)pixel[c];
}

void sheet_lay(const ImgView *place, const ImgView *picture)
{
    const int from = img_format_channels(picture->format), to = img_format_channels(place->format);
    for (int32_t y = 0; y < picture->height; y++) {
        const uint8_t *row = picture->data + (size_t)y * picture->stride;
        uint8_t *under = place->data + (size_t)y * place->stride;
        for (int32_t x = 0; x < picture->width; x++) {
            uint32_t above[4];
            read_pixel(row + (size_t)x * (size_t)from, from, above);
            lay_pixel(above, under + (size_t)x * (size_t)to, to);
        }
    }
}
