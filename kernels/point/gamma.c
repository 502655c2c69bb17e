/* gamma: brightens or darkens middle tones. */
#include "kernels/core/fixed/curve.h"
#include "kernels/core/point/points.h"

typedef struct Params {
    int32_t value; /* in thousandths */
} Params;

static const ImgParam params[] = {{.name = "value",
                                   .type = IMG_PARAM_DECIMAL,
                                   .offset = offsetof(Params, value),
                                   .default_value = "1",
                                   .min = 1,
                                   .max = 1000000,
                                   .help = "above 1 middle tones become lighter, below 1 darker"},
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
    .synopsis = "Lighten or darken middle tones",
    .help =
        "Every sample of red, green and blue, as a share of the full range, is raised to the\n"
        "power of 1 / value; black and white stay. That is ImageMagick's -gamma. It works on\n"
        "samples as they are stored, not on linear light. Alpha does not change. Gray of fewer\n"
        "than 8 bits becomes gray of 8.",
    .example = "--value 1.4",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .points = points,
    .needs_param = true,
    IMG_POINT_OPERATION,
};
