/* Reference implementation of a picture on a canvas. It computes each pixel directly from the
 * definition of borders. */
#include <string.h>

#include "kernels/canvas/canvas.h"
#include "kernels/core/sample.h"

ImgCanvas img_canvas_make(int32_t x, int32_t y, const ImgBorderParams *border, ImgFormat format)
{
    ImgCanvas canvas = {x, y, border->border, {0}};
    uint16_t samples[4];
    img_border_samples(format, border, samples);
    for (int c = 0; c < img_format_channels(format); c++)
        img_sample_set(canvas.background, (size_t)c, format.bits, samples[c]);
    return canvas;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

ImgCanvasRows img_canvas_rows(int64_t at, int64_t count, int64_t height)
{
    const int64_t end = at + count;
    return (ImgCanvasRows){.first = clamp(at, 0, height - 1),
                           .end = clamp(end, 1, height),
                           .above = clamp(-at, 0, count),
                           .below = clamp(end - height, 0, count),
                           .skip = at >= height ? 1 : 0};
}

static size_t colors_of(ImgFormat format)
{
    return (size_t)img_format_channels(format) - (img_format_has_alpha(format) ? 1 : 0);
}

static void copy_pixel(ImgFormat from_format, const uint8_t *from, ImgFormat to_format, uint8_t *to)
{
    const size_t colors = colors_of(from_format), to_colors = colors_of(to_format);
    const uint32_t maximum = img_format_maximum(to_format);
    const uint32_t scale = maximum / img_format_maximum(from_format);
    for (size_t c = 0; c < to_colors; c++)
        img_sample_set(to, c, to_format.bits,
                       scale * img_sample(from, colors == 1 ? 0 : c, from_format.bits));
    if (img_format_has_alpha(from_format))
        img_sample_set(to, to_colors, to_format.bits, img_sample(from, colors, from_format.bits));
    else if (img_format_has_alpha(to_format))
        img_sample_set(to, to_colors, to_format.bits, maximum);
}

ImgStatus img_canvas_reference(const ImgCall *call, const ImgCanvas *canvas)
{
    const ImgView *src = &call->src, *dst = &call->dst;
    const size_t src_size = img_format_pixel_size(src->format);
    const size_t size = img_format_pixel_size(dst->format);
    for (int32_t y = 0; y < dst->height; y++) {
        const int32_t from_y =
            img_border_place((int64_t)y - canvas->y, src->height, canvas->border);
        for (int32_t x = 0; x < dst->width; x++) {
            const int32_t from_x =
                img_border_place((int64_t)x - canvas->x, src->width, canvas->border);
            uint8_t *to = dst->data + (size_t)y * dst->stride + (size_t)x * size;
            if (from_x < 0 || from_y < 0)
                memcpy(to, canvas->background, size);
            else
                copy_pixel(src->format,
                           src->data + (size_t)from_y * src->stride + (size_t)from_x * src_size,
                           dst->format, to);
        }
    }
    return IMG_OK;
}
