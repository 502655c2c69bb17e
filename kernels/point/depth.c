/* depth: converts samples to 8 or 16 bits. */
#include "kernels/point/points.h"

typedef enum Dither { DITHER_NONE, DITHER_ORDERED } Dither;

typedef struct Params {
    int32_t bits, dither; /* bits per sample, 8 or 16, and a Dither value */
} Params;

static const ImgChoice depths[] = {{"8", 8}, {"16", 16}, {NULL, 0}};
static const ImgChoice dithers[] = {{"none", DITHER_NONE}, {"ordered", DITHER_ORDERED}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "bits",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, bits),
     .default_value = "8",
     .choices = depths,
     .help = "bits per sample of the result"},
    {.name = "dither",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, dither),
     .default_value = "none",
     .choices = dithers,
     .help = "how to reduce 16 to 8 bits. none: round to the nearest value; ordered: dither"},
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
    const Params *own = params_of_call;
    if (own->dither == DITHER_ORDERED && points->format.bits == 16 && own->bits == 8)
        return img_points_dither(points, err);
    return img_points_depth(points, own->bits, err);
}

static bool does_nothing(ImgShape src, const void *params_of_call)
{
    return src.format.bits == ((const Params *)params_of_call)->bits;
}

static bool looks_alike(ImgShape src, const void *params_of_call)
{
    (void)src;
    (void)params_of_call;
    return true;
}

const ImgOp img_op_depth = {
    .name = "depth",
    .group = IMG_GROUP_CHANNELS,
    .synopsis = "Convert to 8 or 16 bits per sample",
    .help = "Every sample, including alpha, becomes the nearest value of the new depth: black "
            "stays black and white stays white. 8 to 16 bits and back is lossless.\n\n"
            "From 16 to 8 bits, --dither ordered keeps smooth gradients free of bands. It "
            "rounds by Bayer's pattern of 8 x 8 pixels, which keeps the mean and gives the same "
            "result in every run. Alpha is still rounded to the nearest value.",
    .example = "--bits 16",
    .params = params,
    .params_size = sizeof(Params),
    .shape = shape,
    .points = {.stages = points},
    .effect = {.looks_alike = looks_alike, .does_nothing = does_nothing},
    IMG_POINT_OPERATION,
};
