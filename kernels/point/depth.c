/* depth: 8 or 16 bits a sample. */
#include "kernels/core/point/points.h"

typedef struct Params {
    int32_t bits;
} Params;

static const ImgChoice depths[] = {{"8", 8}, {"16", 16}, {NULL, 0}};

static const ImgParam params[] = {{.name = "bits",
                                   .type = IMG_PARAM_CHOICE,
                                   .offset = offsetof(Params, bits),
                                   .default_value = "8",
                                   .choices = depths,
                                   .help = "of a sample"},
                                  {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    ImgStatus status = img_channels_shape(src, params_of_call, dst, err);
    if (status == IMG_OK)
        dst->format.bits = ((const Params *)params_of_call)->bits;
    return status;
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    return img_points_depth(points, ((const Params *)params_of_call)->bits, err);
}

const ImgOp img_op_depth = {
    .name = "depth",
    .synopsis = "Give samples 8 or 16 bits",
    .help = "Every sample, alpha too, becomes the nearest value of the new depth: black stays\n"
            "black and white white. From 8 to 16 bits and back nothing is lost.",
    .example = "--bits 16",
    .params = params,
    .params_size = sizeof(Params),
    .shape = shape,
    .points = points,
    IMG_POINT_OPERATION,
};
