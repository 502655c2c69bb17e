#include "io/png/decode/pixels.h"

#include <string.h>

#include "io/png/filter/filter.h"

ImgPixels img_pixels_of(const ImgView *view)
{
    size_t pixel = img_format_pixel_size(view->format);
    return (ImgPixels){*view, pixel, (size_t)view->width * pixel};
}

size_t img_pixels_filtered_bytes(const ImgPixels *pixels)
{
    return 1 + pixels->row_bytes;
}

/* Returns a multiple of the number of rows that the fastest loops (AVX2) unfilter together. That
 * number is 32 for pixels of one byte, 16 for two bytes, 8 for three or four bytes, and 4 for
 * more. */
int32_t img_pixels_group(size_t pixel)
{
    return pixel == 1 ? 32 : pixel == 2 ? 16 : 8;
}

bool img_pixels_unfilter(const ImgPixels *pixels, const uint8_t *filtered, int32_t first,
                         int32_t count, bool top, size_t from, size_t to)
{
    const ImgView *view = &pixels->view;
    uint8_t *rows = view->data + (size_t)first * view->stride;
    ImgUnfilter unfilter = {
        .pixel = pixels->pixel,
        .row_bytes = pixels->row_bytes,
        .filtered = filtered,
        .rows = rows,
        .stride = view->stride,
        .above = top ? NULL : rows - view->stride,
        .count = count,
    };
    return img_png_unfilter(&unfilter, from, to);
}

void img_pixels_to_native(const ImgPixels *pixels, int32_t first, int32_t end)
{
    const ImgView *view = &pixels->view;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (view->format.bits != 16)
        return;
    for (int32_t y = first; y < end; y++) {
        uint8_t *row = view->data + (size_t)y * view->stride;
        for (size_t i = 0; i < pixels->row_bytes; i += 2) {
            uint16_t sample;
            memcpy(&sample, row + i, sizeof sample);
            sample = __builtin_bswap16(sample);
            memcpy(row + i, &sample, sizeof sample);
        }
    }
#else
    (void)view;
    (void)first;
    (void)end;
#endif
}
