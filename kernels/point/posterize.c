/* posterize: reduces each channel to a few levels. */
#include "kernels/point/points.h"

typedef struct Params {
    int32_t levels;
} Params;

static const ImgParam params[] = {{.name = "levels",
                                   .type = IMG_PARAM_INT,
                                   .offset = offsetof(Params, levels),
                                   .default_value = "4",
                                   .min = 2,
                                   .max = 256,
                                   .help = "number of evenly spaced values per channel"},
                                  {.name = NULL}};

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const int64_t steps = ((const Params *)params_of_call)->levels - 1;
    uint16_t *table = img_points_values(points, IMG_POINT_COLORS, err);
    const int64_t maximum = img_format_maximum(points->format);
    for (int64_t v = 0; table != NULL && v <= maximum; v++)
        table[v] = img_point_rounded(img_point_rounded(v * steps, maximum, steps) * maximum, steps,
                                     maximum);
    return img_points_filled(points, table);
}

const ImgOp img_op_posterize = {
    .name = "posterize",
    .group = IMG_GROUP_TONE,
    .synopsis = "Reduce each channel to a few values",
    .help = "Every sample of red, green and blue becomes the nearest of evenly spaced values, "
            "from black to white. Alpha is kept. Gray pictures of 1, 2 or 4 bits become 8-bit "
            "gray.",
    .example = "--levels 5",
    .params = params,
    .params_size = sizeof(Params),
    .shape = img_values_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
