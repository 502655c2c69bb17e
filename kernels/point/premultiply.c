/* premultiply and unpremultiply: multiply colours by their alpha, and divide them by it. */
#include "kernels/point/points.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus premultiply(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    (void)params_of_call;
    if (!img_format_has_alpha(points->format))
        return IMG_OK;
    return img_points_alpha(points, IMG_POINT_PREMULTIPLY, NULL, err);
}

static ImgStatus unpremultiply(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    (void)params_of_call;
    if (!img_format_has_alpha(points->format))
        return IMG_OK;
    return img_points_alpha(points, IMG_POINT_UNPREMULTIPLY, NULL, err);
}

const ImgOp img_op_premultiply = {
    .name = "premultiply",
    .group = IMG_GROUP_CHANNELS,
    .synopsis = "Multiply colours by alpha",
    .help = "Every sample of red, green and blue becomes sample * alpha, rounded, where alpha 1 "
            "is opaque. A picture without alpha keeps its colours. Use it before another "
            "program scales or blurs the picture, and unpremultiply afterwards, because PNG "
            "expects colours that are not multiplied.",
    .example = "",
    .params = params,
    .shape = img_channels_shape,
    .points = {.stages = premultiply},
    IMG_POINT_OPERATION,
};

const ImgOp img_op_unpremultiply = {
    .name = "unpremultiply",
    .group = IMG_GROUP_CHANNELS,
    .synopsis = "Divide colours by alpha",
    .help = "Undoes premultiply, as far as rounding allows: every sample of red, green and blue\n"
            "becomes sample / alpha, rounded and clamped. Where alpha is 0, colours become 0. A\n"
            "picture without alpha keeps its colours.",
    .example = "",
    .params = params,
    .shape = img_channels_shape,
    .points = {.stages = unpremultiply},
    IMG_POINT_OPERATION,
};
