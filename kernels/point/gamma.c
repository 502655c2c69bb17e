/* gamma: brightens or darkens middle tones with a power function. */
#include "kernels/core/fixed/curve.h"
#include "kernels/point/points.h"

typedef struct Params {
    int32_t value; /* gamma, the exponent's reciprocal, in thousandths */
} Params;

static const ImgParam params[] = {
    {.name = "value",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, value),
     .default_value = "1",
     .min = 1,
     .max = 1000000,
     .help = "above 1 lightens middle tones, below 1 darkens them; 1: no change"},
    {.name = NULL}};

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    uint16_t *table = img_points_values(points, IMG_POINT_COLORS, err);
    if (table != NULL)
        img_curve_power(1000, (uint32_t)own->value, img_format_maximum(points->format), table);
    return img_points_filled(points, table);
}

const ImgOp img_op_gamma = {
    .name = "gamma",
    .group = IMG_GROUP_TONE,
    .synopsis = "Lighten or darken middle tones (gamma)",
    .help = "Raises every sample of red, green and blue, as a fraction of the full range, to "
            "the power 1 / --value. Black and white are kept. The result equals that of "
            "ImageMagick's -gamma. Samples are used as they are stored, not in linear light. "
            "Alpha is kept. Gray pictures of 1, 2 or 4 bits become 8-bit gray.",
    .example = "--value 1.4",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = img_values_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
