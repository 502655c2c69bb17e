/* premultiply: multiplies colours by alpha. */
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
    .synopsis = "Multiply colours by alpha",
    .help =
        "Every sample of red, green and blue becomes sample * alpha, rounded. Programs that scale\n"
        "or blur such pictures give no dark fringes; PNG itself means alpha that is not\n"
        "multiplied in, so undo it with unpremultiply. Without alpha no colour changes.",
    .example = "",
    .params = params,
    .shape = img_channels_shape,
    .points = points,
    IMG_POINT_OPERATION,
};
