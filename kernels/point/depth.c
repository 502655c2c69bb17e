/* depth: converts samples to another number of bits. */
#include "kernels/point/points.h"

typedef enum Dither { DITHER_NONE, DITHER_ORDERED } Dither;

typedef struct Params {
    int32_t bits, dither; /* bits per sample, and a Dither value */
} Params;

static const ImgChoice depths[] = {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}, {NULL, 0}};
static const ImgChoice dithers[] = {{"none", DITHER_NONE}, {"ordered", DITHER_ORDERED}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "bits",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, bits),
     .default_value = "8",
     .choices = depths,
     .help = "bits per sample of the result; 1, 2 and 4 only for gray without alpha"},
    {.name = "dither",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(Params, dither),
     .default_value = "none",
     .choices = dithers,
     .help = "how to reduce the number of bits. none: round to the nearest value; ordered: dither"},
    {.name = NULL}};

/* Returns the steps that turn a picture of these channels into gray without alpha. */
static const char *steps_to_gray(ImgColor color)
{
    return color == IMG_COLOR_GRAY_ALPHA ? "flatten"
           : color == IMG_COLOR_RGBA     ? "flatten and grayscale"
                                         : "grayscale";
}

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const int bits = ((const Params *)params_of_call)->bits;
    ImgStatus status = img_channels_shape(src, params_of_call, dst, err);
    if (status != IMG_OK)
        return status;
    if (bits < 8 && src.format.color != IMG_COLOR_GRAY)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "depth: %d bit%s only for gray without alpha, and this picture is %s; put "
                        "%s before this step",
                        bits, bits == 1 ? " is" : "s are", img_color_name(src.format.color),
                        steps_to_gray(src.format.color));
    dst->format.bits = bits;
    return IMG_OK;
}

static ImgStatus points(const void *params_of_call, ImgPoints *points, ImgError *err)
{
    const Params *own = params_of_call;
    if (own->dither == DITHER_ORDERED && own->bits < points->format.bits)
        return img_points_dither(points, own->bits, err);
    return img_points_depth(points, own->bits, err);
}

static bool does_nothing(ImgShape src, const void *params_of_call)
{
    return src.format.bits == ((const Params *)params_of_call)->bits;
}

static bool looks_alike(ImgShape src, const void *params_of_call)
{
    const int bits = ((const Params *)params_of_call)->bits;
    return bits >= 8 || bits >= src.format.bits;
}

const ImgOp img_op_depth = {
    .name = "depth",
    .group = IMG_GROUP_CHANNELS,
    .synopsis = "Convert to 1, 2, 4, 8 or 16 bits per sample",
    .help = "Every sample, including alpha, becomes the nearest value of the new depth: black "
            "stays black and white stays white. 8 to 16 bits and back is lossless. Gray can also "
            "get 1, 2 or 4 bits; run 'threshold | depth bits=1' makes a file of one bit a "
            "pixel.\n\n"
            "To fewer bits, --dither ordered keeps smooth gradients free of bands. It "
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
