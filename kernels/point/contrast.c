/* contrast: multiplies the distances of samples from middle gray. */
#include "kernels/point/points.h"

typedef struct Params {
    int32_t factor; /* factor of the distances from middle gray, in thousandths */
} Params;

static const ImgParam params[] = {
    {.name = "factor",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, factor),
     .default_value = "1",
     .min = 0,
     .max = 100000,
     .help = "factor of the distance from middle gray; 0: all gray, 1: no change"},
    {.name = NULL}};

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    uint16_t *table = img_points_values(points, IMG_POINT_COLORS, err);
    const int64_t maximum = img_format_maximum(points->format);
    for (int64_t v = 0; table != NULL && v <= maximum; v++)
        table[v] =
            img_point_rounded((2 * v - maximum) * own->factor + 1000 * maximum, 2000, maximum);
    return img_points_filled(points, table);
}

const ImgOp img_op_contrast = {
    .name = "contrast",
    .group = IMG_GROUP_TONE,
    .synopsis = "Increase or reduce contrast",
    .help = "Multiplies the distance of red, green and blue from middle gray by --factor, and "
            "clamps. Middle gray, half of the range, is kept. Alpha is kept. To set the amount "
            "automatically, use autolevel. Gray pictures of 1, 2 or 4 bits become 8-bit gray.",
    .example = "--factor 1.3",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = img_values_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
