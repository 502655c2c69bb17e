/* brightness: adds or subtracts light. */
#include "kernels/core/point/points.h"

typedef struct Params {
    int32_t value; /* in thousandths of a per cent of the range */
} Params;

static const ImgParam params[] = {
    {.name = "value",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(Params, value),
     .default_value = "0",
     .min = -100000,
     .max = 100000,
     .help = "per cent of the full range that is added to every sample"},
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
    .synopsis = "Add light, or take some away",
    .help = "The value is added to red, green and blue, and what leaves the range is clamped: 100\n"
            "makes everything white, -100 black. Alpha does not change. For light that is scaled\n"
            "see linear, and for middle tones alone gamma. Gray of fewer than 8 bits becomes gray\n"
            "of 8.",
    .example = "--value 10",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .points = points,
    .needs_param = true,
    IMG_POINT_OPERATION,
};
