/* linear: computes a * x + b for each channel x. */
#include "kernels/point/points.h"

typedef struct Params {
    ImgNumbers multiply, add; /* factors and offsets, in millionths */
} Params;

enum { UNIT = 1000000, MOST = 1000 * UNIT };

static const ImgParam params[] = {
    {.name = "multiply",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Params, multiply),
     .default_value = "1",
     .min = -MOST,
     .max = MOST,
     .help = "factor of samples: one number for all colours, or one for each; 1: no change"},
    {.name = "add",
     .type = IMG_PARAM_NUMBERS,
     .offset = offsetof(Params, add),
     .default_value = "0",
     .min = -MOST,
     .max = MOST,
     .help = "offset added afterwards, where 1 is the full range: one number, or one for each "
             "colour; 0: no change"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const Params *own = params_of_call;
    ImgStatus status = img_values_shape(src, params_of_call, dst, err);
    if (status != IMG_OK)
        return status;
    const int32_t colors = img_point_colors(src.format),
                  counts[] = {own->multiply.count, own->add.count};
    for (int i = 0; i < 2; i++)
        if (counts[i] != 1 && counts[i] != colors)
            return img_fail(err, IMG_E_UNSUPPORTED,
                            "linear: %d numbers for a picture with %d colour channel%s; give one "
                            "for all, or one for each",
                            counts[i], colors, colors == 1 ? "" : "s");
    return IMG_OK;
}

static int64_t number(const ImgNumbers *numbers, int32_t channel)
{
    return numbers->values[numbers->count == 1 ? 0 : channel];
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    const int32_t colors = img_point_colors(points->format);
    uint16_t *table = img_points_values(points, IMG_POINT_EACH, err);
    const int64_t maximum = img_format_maximum(points->format);
    for (int32_t c = 0; table != NULL && c < colors; c++, table += maximum + 1)
        for (int64_t v = 0; v <= maximum; v++)
            table[v] = img_point_rounded(
                number(&own->multiply, c) * v + number(&own->add, c) * maximum, UNIT, maximum);
    return img_points_filled(points, table);
}

const ImgOp img_op_linear = {
    .name = "linear",
    .group = IMG_GROUP_TONE,
    .synopsis = "Scale and offset samples, per channel",
    .help = "Every sample of red, green and blue becomes sample * --multiply + --add, rounded "
            "and clamped. Give one number for all colours, or one for each, separated by "
            "commas. Numbers are rounded to millionths. Alpha is kept. Gray pictures of 1, 2 or "
            "4 bits become 8-bit gray.",
    .example = "--multiply 1.1,1,0.9",
    .params = params,
    .params_size = sizeof(Params),
    .needs_param = true,
    .shape = shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
