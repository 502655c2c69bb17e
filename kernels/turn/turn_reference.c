/* Reference implementation of the turn family. It moves pixel by pixel, as kernels/core/turn.h
 * defines. */
#include <string.h>

#include "kernels/turn/turn.h"

ImgStatus img_turn_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgView *src = &call->src, *dst = &call->dst;
    ImgTurn turn = img_turn_of_call(call);
    size_t size = img_format_pixel_size(src->format);
    for (int32_t y = 0; y < dst->height; y++) {
        for (int32_t x = 0; x < dst->width; x++) {
            int32_t u = img_turn_swaps(turn) ? y : x;
            int32_t v = img_turn_swaps(turn) ? x : y;
            int32_t from_x = img_turn_flips_x(turn) ? src->width - 1 - u : u;
            int32_t from_y = img_turn_flips_y(turn) ? src->height - 1 - v : v;
            memcpy(dst->data + (size_t)y * dst->stride + (size_t)x * size,
                   src->data + (size_t)from_y * src->stride + (size_t)from_x * size, size);
        }
    }
    return IMG_OK;
}
