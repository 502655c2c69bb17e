/* brightness: makes pictures lighter or darker, by adding the same amount to all samples. */
#include "kernels/point/points.h"

typedef struct Params {
    int32_t value; /* amount to add, in thousandths of a per cent of the range of samples */
} Params;

static const ImgParam params[] = {
    {.name = "value",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, value),
     .default_value = "0",
     .min = -100000,
     .max = 100000,
     .help = "amount added to every sample, in per cent of the full range; 0: no change"},
    {.name = NULL}};

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    uint16_t *table = img_points_values(points, IMG_POINT_COLORS, err);
    const int64_t maximum = img_format_maximum(points->format);
    for (int64_t v = 0; table != NULL && v <= maximum; v++)
        table[v] = img_point_rounded(v * 100000 + own->value * maximum, 100000, maximum);
    return img_points_filled(points, table);
}

const ImgOp img_op_brightness = {
    .name = "brightness",
    .group = IMG_GROUP_TONE,
    .synopsis = "Brighten or darken by a constant",
    .help = "Adds --value to red, green and blue, and clamps: 100 makes everything white, -100 "
            "black. Alpha is kept. To scale samples, use linear; to change middle tones, use "
            "gamma. Gray pictures of 1, 2 or 4 bits become 8-bit gray.",
    .example = "--value 10",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = img_values_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
