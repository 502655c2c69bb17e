/* autolevel: stretches the range of occurring values to the whole range. */
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
     .help = "percent of the samples that may become black, and as many white"},
    {.name = "channels",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgAutolevelParams, channels),
     .default_value = "all",
     .choices = channels,
     .help = "all: one stretch for red, green and blue, white balance stays; each: one each"},
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
    .synopsis = "Stretch the darkest values to black and the brightest to white",
    .help =
        "Low is the least value that has more than clip percent of the samples at or below it,\n"
        "and high likewise from the other end; low..high is stretched to the whole range,\n"
        "rounded to nearest, and what is outside becomes black or white. With 'all' the samples\n"
        "of red, green and blue count as one lot. Alpha does not change, and wholly transparent\n"
        "pixels do not count. Where low is not below high, as in a picture of a single value,\n"
        "all stays as it is. Gray of fewer than 8 bits becomes gray of 8.",
    .example = "--clip 0.5",
    .params = params,
    .params_size = sizeof(ImgAutolevelParams),
    .needs_channels = true,
    .shape = shape,
    .traffic = img_tone_traffic,
    .scratch = scratch,
    .cpu_ns_per_byte = 0.23,
    .effect = img_tone_effect,
    .impls = img_tone_impls,
};
