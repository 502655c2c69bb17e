/* A picture on a canvas, by the definition of borders. */
#include <string.h>

#include "kernels/canvas/canvas.h"

ImgStatus img_canvas_reference(const ImgCall *call, const ImgCanvas *canvas)
{
    const ImgView *src = &call->src, *dst = &call->dst;
    const size_t size = img_format_pixel_size(src->format);
    for (int32_t y = 0; y < dst->height; y++) {
        const int32_t from_y =
            img_border_place((int64_t)y - canvas->y, src->height, canvas->border);
        for (int32_t x = 0; x < dst->width; x++) {
            const int32_t from_x =
                img_border_place((int64_t)x - canvas->x, src->width, canvas->border);
            const uint8_t *from = canvas->background;
            if (from_x >= 0 && from_y >= 0)
                from = src->data + (size_t)from_y * src->stride + (size_t)from_x * size;
            memcpy(dst->data + (size_t)y * dst->stride + (size_t)x * size, from, size);
        }
    }
    return IMG_OK;
}
