/* flatten: composites the picture over an opaque background. */
#include "kernels/core/color/luma.h"
#include "kernels/point/points.h"

typedef struct Params {
    ImgRgba background;
} Params;

static const ImgParam params[] = {
    {.name = "background",
     .type = IMG_PARAM_COLOR,
     .offset = offsetof(Params, background),
     .default_value = "white",
     .help = "opaque background colour, such as white, navy, '#fa0' or '#336699'; a shell needs "
             "the quotes"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    ImgStatus status = img_channels_shape(src, params_of_call, dst, err);
    if (status != IMG_OK)
        return status;
    if (((const Params *)params_of_call)->background.alpha != 65535)
        return img_fail(err, IMG_E_USAGE,
                        "flatten: the background is transparent; use an opaque colour");
    if (src.format.color == IMG_COLOR_RGBA)
        dst->format.color = IMG_COLOR_RGB;
    if (src.format.color == IMG_COLOR_GRAY_ALPHA)
        dst->format.color = IMG_COLOR_GRAY;
    return IMG_OK;
}

/* Adds the blending with the background to `points`. For gray pictures, the background is replaced
 * by its luma, with the weights that grayscale uses. */
static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const ImgRgba color = ((const Params *)params_of_call)->background;
    const uint16_t rgb[] = {color.red, color.green, color.blue};
    const uint16_t gray[] = {img_luma_of_color(color.red, color.green, color.blue)};
    if (!img_format_has_alpha(points->format))
        return IMG_OK;
    return img_points_alpha(points, IMG_POINT_OVER,
                            points->format.color == IMG_COLOR_RGBA ? rgb : gray, err);
}

const ImgOp img_op_flatten = {
    .name = "flatten",
    .group = IMG_GROUP_CHANNELS,
    .synopsis = "Blend with a background colour and drop alpha",
    .help = "The background shows through in proportion to transparency, and the result has no "
            "alpha. Samples are blended as they are stored, not in linear light. On a gray "
            "picture, the background colour is converted to gray. A picture without alpha keeps "
            "its colours.",
    .example = "--background '#336699'",
    .params = params,
    .params_size = sizeof(Params),
    .shape = shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
