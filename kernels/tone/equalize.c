/* equalize: redistributes brightness so that all values are about equally frequent. */
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
    ImgStatus status = img_tone_shape("equalize", src, dst, err);
    if (status == IMG_OK)
        *dst = img_prepass_shape(img_tone_prepass(&img_op_equalize), src);
    return status;
}

static uint64_t scratch(ImgShape src, const void *params_of_call, int threads)
{
    return img_tone_scratch(&img_op_equalize, src, params_of_call, threads);
}

const ImgOp img_op_equalize = {
    .name = "equalize",
    .synopsis = "Spread brightness evenly over the whole range",
    .help =
        "The histogram is equalised: value v becomes round((count(<= v) - count(least)) *\n"
        "maximum / (count(all) - count(least))). Of colour pictures luma Y becomes Y', and Y' -\n"
        "Y is added to red, green and blue and clamped, which keeps B - Y and R - Y and with\n"
        "them the hue. Alpha does not change, and wholly transparent pixels do not count. A\n"
        "picture of a single value stays as it is. Gray of fewer than 8 bits becomes gray of 8.",
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
