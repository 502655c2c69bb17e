/* premultiply: multiplies colours by their alpha. */
#include "kernels/core/point/points.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    (void)params_of_call;
    if (!img_format_has_alpha(points->format))
        return IMG_OK;
    return img_points_alpha(points, IMG_POINT_PREMULTIPLY, NULL, err);
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
    .points = points,
    IMG_POINT_OPERATION,
};
