/* autolevel: stretches the range of values that occur in the picture to the full range. */
#include "kernels/tone/tone.h"

static const ImgChoice channels[] = {
    {"all", IMG_AUTOLEVEL_ALL}, {"each", IMG_AUTOLEVEL_EACH}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "clip",
     .type = IMG_PARAM_DECIMAL,
     .offset = offsetof(ImgAutolevelParams, clip),
     .default_value = "0.1",
     .min = 0,
     .max = 49999,
     .help = "largest share of the samples that may lie below low, in per cent; the same share "
             "may lie above high"},
    {.name = "channels",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgAutolevelParams, channels),
     .default_value = "all",
     .choices = channels,
     .help = "all: the same change for all colours, which keeps the white balance; each: one "
             "change per channel"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)params_of_call;
    ImgStatus status = img_tone_shape("autolevel", src, dst, err);
    if (status == IMG_OK)
        *dst = img_prepass_shape(img_tone_prepass(&img_op_autolevel), src);
    return status;
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    return img_tone_scratch(&img_op_autolevel, src, params_of_call, threads);
}

const ImgOp img_op_autolevel = {
    .name = "autolevel",
    .group = IMG_GROUP_TONE,
    .synopsis = "Stretch the range of values to full black and white",
    .help = "Finds a low and a high value in the picture. Values up to low become black, values "
            "from high on become white, and those between are stretched evenly.\n\n"
            "Low is the smallest value with more than --clip per cent of the samples at or "
            "below it. High is found in the same way from the other end. If low is not below "
            "high, as in a picture of a single value, nothing changes. --clip 0 stretches from "
            "the smallest to the largest value, like ImageMagick's -auto-level.\n\n"
            "With --channels all, the samples of red, green and blue are counted together. "
            "Alpha is kept, and fully transparent pixels do not count. Gray pictures of 1, 2 or "
            "4 bits become 8-bit gray.",
    .example = "--clip 0.5",
    .params = params,
    .params_size = sizeof(ImgAutolevelParams),
    .shape = shape,
    .cost = {.cpu_ns_per_byte = 0.23, .traffic = img_tone_traffic, .scratch = scratch},
    .effect = {.get = img_tone_effect},
    .impls = img_tone_impls,
};
