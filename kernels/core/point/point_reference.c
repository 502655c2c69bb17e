/* Reference implementation of point operations, directly from their definition: applies every stage
 * to every pixel. */
#include "kernels/core/point/point_arithmetic.h"
#include "kernels/core/point/point_impls.h"
#include "kernels/core/sample.h"

static void change_pixel(const ImgPointProgram *program, const uint8_t *from, uint8_t *to,
                         int32_t x, int32_t y)
{
    const uint16_t *tables = img_point_tables(program);
    uint32_t sample[IMG_POINT_CHANNELS] = {0, 0, 0, 0};
    for (int c = 0; c < img_format_channels(program->from); c++)
        sample[c] = img_sample(from, (size_t)c, program->from.bits);
    for (int32_t i = 0; i < program->count; i++)
        img_point_apply(&program->stages[i], tables, x, y, sample);
    for (int c = 0; c < img_format_channels(program->to); c++)
        img_sample_set(to, (size_t)c, program->to.bits, sample[c]);
}

ImgStatus img_point_reference(const ImgCall *call, ImgError *err)
{
    (void)err;
    const ImgView *src = &call->src, *dst = &call->dst;
    size_t from = img_format_pixel_size(src->format), to = img_format_pixel_size(dst->format);
    for (int32_t y = 0; y < src->height; y++)
        for (int32_t x = 0; x < src->width; x++)
            change_pixel(call->constants.bytes,
                         src->data + (size_t)y * src->stride + (size_t)x * from,
                         dst->data + (size_t)y * dst->stride + (size_t)x * to, x, y);
    return IMG_OK;
}
