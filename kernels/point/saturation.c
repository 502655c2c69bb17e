/* saturation: multiplies the distances of colours from gray. */
#include "kernels/core/color/luma.h"
#include "kernels/point/points.h"

typedef struct Params {
    int32_t factor; /* factor of the distances from gray, in thousandths */
} Params;

static const ImgParam params[] = {
    {.name = "factor",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, factor),
     .default_value = "1",
     .min = 0,
     .max = 100000,
     .help = "factor of the distance from gray; 0: all gray, 1: no change, 2: twice as "
             "colourful"},
    {.name = NULL}};

/* Adds the colour matrix of the operation to `points`. Each colour becomes luma + factor * (colour
 * - luma). Each row of the matrix sums to one, so gray does not change. */
static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const ImgLumaWeights weights = img_luma_weights_24(IMG_LUMA_709);
    const int64_t luma[] = {weights.red, weights.green, weights.blue};
    const int64_t factor = ((const Params *)params_of_call)->factor;
    const ImgColor color = points->format.color;
    ImgPointRow rows[4] = {{{0}, 0}, {{0}, 0}, {{0}, 0}, {{0, 0, 0, IMG_POINT_ONE}, 0}};
    if (color != IMG_COLOR_RGB && color != IMG_COLOR_RGBA)
        return IMG_OK;
    for (int i = 0; i < 3; i++) {
        rows[i].weight[i] = IMG_POINT_ONE;
        for (int k = 0; k < 3; k++)
            if (k != i) {
                rows[i].weight[k] = luma[k] * (1000 - factor) / 1000;
                rows[i].weight[i] -= rows[i].weight[k];
            }
    }
    return img_points_matrix(points, color, rows, err);
}

const ImgOp img_op_saturation = {
    .name = "saturation",
    .group = IMG_GROUP_TONE,
    .synopsis = "Increase or reduce saturation",
    .help = "Moves every colour away from the gray of the same luma (ITU-R BT.709), or "
            "towards it, by --factor. The result is clamped. Gray and alpha are kept. The "
            "result is that of CSS saturate(), but more precise.",
    .example = "--factor 1.3",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = img_channels_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
