/* invert: replaces each colour by its negative, white minus the colour. */
#include "kernels/point/points.h"

static ImgStatus points(const void *params, ImgPoints *points, ImgError *err)
{
    (void)params;
    const uint32_t maximum = img_format_maximum(points->format);
    uint16_t *table = img_points_table(points, IMG_POINT_COLORS, points->format.bits, err);
    for (uint32_t v = 0; table != NULL && v <= maximum; v++)
        table[v] = (uint16_t)(maximum - v);
    return img_points_filled(points, table);
}

static const ImgParam params[] = {{.name = NULL}};

const ImgOp img_op_invert = {
    .name = "invert",
    .group = IMG_GROUP_TONE,
    .synopsis = "Invert colours (negative)",
    .help = "Every sample becomes the maximum minus its value. Alpha is kept.",
    .example = "",
    .params = params,
    .shape = img_channels_shape,
    .points = {.stages = points},
    IMG_POINT_OPERATION,
};
