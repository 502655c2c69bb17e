/* equalize: redistributes brightness so that all values are about equally frequent. */
#include "kernels/tone/tone.h"

#include "kernels/core/color/luma.h"

static const ImgChoice channels[] = {
    {"luma", IMG_EQUALIZE_LUMA}, {"each", IMG_EQUALIZE_EACH}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "channels",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgEqualizeParams, channels),
     .default_value = "luma",
     .choices = channels,
     .help =
         "luma: equalise brightness and keep hues; each: equalise red, green and blue separately"},
    {.name = "luma",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgEqualizeParams, luma),
     .default_value = "709",
     .choices = img_luma_choices,
     .help = "weights of luma (brightness): ITU-R BT.709, or BT.601 as in Pillow and OpenCV"},
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
    .group = IMG_GROUP_TONE,
    .synopsis = "Equalise the histogram",
    .help = "Spreads the values so that all brightnesses become about equally frequent. Alpha "
            "is kept, and fully transparent pixels do not count. A picture of a single value "
            "stays as it is. Gray pictures of 1, 2 or 4 bits become 8-bit gray.\n\n"
            "Formula: value v becomes round(maximum * (count(v) - count(least)) / (all - "
            "count(least))). count(v) is the number of samples up to v, least is the smallest "
            "value in the picture, and all is the number of samples. In colour pictures, luma Y "
            "becomes Y', and Y' - Y is added to red, green and blue and clamped. That keeps the "
            "hue.",
    .example = "",
    .params = params,
    .params_size = sizeof(ImgEqualizeParams),
    .shape = shape,
    .cost = {.cpu_ns_per_byte = 0.35, .traffic = img_tone_traffic, .scratch = scratch},
    .effect = {.get = img_tone_effect},
    .impls = img_tone_impls,
};
