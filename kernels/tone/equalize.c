/* equalize: spreads brightness so that every value is about as frequent as every other. */
#include "kernels/tone/tone.h"

#include "kernels/core/color/luma_choices.h"

static const ImgChoice channels[] = {
    {"luma", IMG_EQUALIZE_LUMA}, {"each", IMG_EQUALIZE_EACH}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "channels",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgEqualizeParams, channels),
     .default_value = "luma",
     .choices = channels,
     .help = "luma: brightness alone, hues stay; each: red, green and blue by themselves"},
    {.name = "luma",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgEqualizeParams, luma),
     .default_value = "709",
     .choices = img_luma_choices,
     .help = "weights of luma: those of ITU-R BT.709 or BT.601"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    (void)params_of_call;
    return img_tone_shape("equalize", src, dst, err);
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    return img_tone_scratch(&img_op_equalize, src, params_of_call, threads);
}

const ImgOp img_op_equalize = {
    .name = "equalize",
    .synopsis = "Spread brightness evenly over the whole range",
    .help = "The histogram is equalised: value v becomes\n"
            "round((count(<= v) - count(least)) * maximum / (count(all) - count(least))).\n"
            "Of colour pictures luma Y becomes Y', and Y' - Y is added to red, green and blue and\n"
            "clamped, which keeps B - Y and R - Y and with them the hue. Alpha does not change,\n"
            "and wholly transparent pixels do not count. A picture of a single value stays as it\n"
            "is.",
    .example = "",
    .params = params,
    .params_size = sizeof(ImgEqualizeParams),
    .needs_channels = true,
    .shape = shape,
    .traffic = img_tone_traffic,
    .scratch = scratch,
    .cpu_ns_per_byte = 0.35,
    .effect = img_tone_effect,
    .impls = img_tone_impls,
};
