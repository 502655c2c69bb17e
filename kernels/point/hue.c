/* hue: rotates the hue of colours and keeps gray. */
#include "kernels/core/fixed/fixed_math.h"
#include "kernels/point/points.h"

typedef struct Params {
    int32_t angle; /* angle of the rotation, in thousandths of a degree */
} Params;

static const ImgParam params[] = {
    {.name = "angle",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, angle),
     .default_value = "0",
     .min = -360000,
     .max = 360000,
     .help = "angle in degrees; 0: no change; 120 turns red to green, green to blue and blue "
             "to red, roughly"},
    {.name = NULL}};

/* Adds the matrix of hueRotate in Filter Effects Module Level 1, section 9.6. It keeps gray and
 * rotates all other components. Its coefficients are products of a number in thousandths and a sine
 * with 30 fractional bits; they are converted to weights with 24 fractional bits. */
static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    static const int64_t gray[3] = {213, 715, 72};
    static const int64_t turned[3][3] = {{-213, -715, 928}, {143, 140, -283}, {-787, 715, 72}};
    enum { DIVISOR = 1000 << 6 };
    const int32_t angle = ((const Params *)params_of_call)->angle;
    const int64_t one = (int64_t)1 << 30, sine = img_sin(angle), cosine = img_cos(angle);
    const ImgColor color = points->format.color;
    ImgPointRow rows[4] = {{{0}, 0}, {{0}, 0}, {{0}, 0}, {{0, 0, 0, IMG_POINT_ONE}, 0}};
    if (color != IMG_COLOR_RGB && color != IMG_COLOR_RGBA)
        return IMG_OK;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            rows[i].weight[k] =
                (gray[k] * (one - cosine) + (i == k ? 1000 * cosine : 0) + turned[i][k] * sine) /
                DIVISOR;
    return img_points_matrix(points, color, rows, err);
}

const ImgOp img_op_hue = {
    .name = "hue",
    .group = IMG_GROUP_TONE,
    .synopsis = "Rotate hues",
    .help = "Rotates all colours on the circle of hues, at about the same luma; the result is "
            "clamped. Gray and alpha are kept. The result is that of CSS hue-rotate() and SVG "
            "hueRotate.",
    .example = "--angle 30",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = img_channels_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
