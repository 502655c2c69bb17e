#include "kernels/core/measure.h"

ImgStatus img_measure_shape(const char *name, ImgShape src, int32_t width, int32_t height,
                            ImgShape *dst, ImgError *err)
{
    if (src.format.color == IMG_COLOR_COUNTS)
        return img_fail(err, IMG_E_UNSUPPORTED, "%s: a table of counts is not a picture", name);
    *dst = (ImgShape){.width = width, .height = height, .format = {IMG_COLOR_COUNTS, 64}};
    return IMG_OK;
}

uint64_t img_measure_traffic(ImgShape src, const void *params)
{
    (void)params;
    return (uint64_t)src.width * (uint64_t)src.height * img_format_pixel_size(src.format);
}

ImgEffect img_measure_effect(ImgShape src, const void *params)
{
    (void)src, (void)params;
    return (ImgEffect){.turn = IMG_TURN_NONE};
}
