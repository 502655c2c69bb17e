/* unpremultiply: divides colours by alpha. */
#include "kernels/core/point/points.h"

static const ImgParam params[] = {{.name = NULL}};

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    (void)params_of_call;
    if (!img_format_has_alpha(points->format))
        return IMG_OK;
    return img_points_alpha(points, IMG_POINT_UNPREMULTIPLY, NULL, err);
}

const ImgOp img_op_unpremultiply = {
    .name = "unpremultiply",
    .synopsis = "Divide colours by alpha",
    .help = "Undoes premultiply, as far as rounding allows: every sample of red, green and blue "
            "becomes\n"
            "sample / alpha, rounded and clamped, and 0 where alpha is 0. Without alpha no\n"
            "colour changes.",
    .example = "",
    .params = params,
    .shape = img_channels_shape,
    .points = points,
    IMG_POINT_OPERATION,
};
