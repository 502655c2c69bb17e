/* threshold: black and white, by a level that is given or found. */
#include "kernels/tone/tone.h"

#include "kernels/histogram/luma_choices.h"

static const ImgChoice values[] = {{"otsu", IMG_THRESHOLD_OTSU}, {NULL, 0}};

static const ImgParam params[] = {
    {.name = "value",
     .type = IMG_PARAM_INT,
     .offset = offsetof(ImgThresholdParams, value),
     .default_value = "otsu",
     .min = 0,
     .max = 65535,
     .choices = values,
     .help = "greater samples become white, others black; otsu: the value that splits best"},
    {.name = "luma",
     .type = IMG_PARAM_CHOICE,
     .offset = offsetof(ImgThresholdParams, luma),
     .default_value = "709",
     .choices = img_luma_choices,
     .help = "weights of luma: those of ITU-R BT.709 or BT.601"},
    {.name = NULL}};

static ImgStatus shape(ImgShape src, const void *params_of_call, ImgShape *dst, ImgError *err)
{
    const ImgThresholdParams *own = params_of_call;
    ImgStatus status = img_tone_shape("threshold", src, dst, err);
    if (status != IMG_OK)
        return status;
    int32_t maximum = (int32_t)img_format_maximum(src.format);
    if (own->value > maximum)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "threshold: value %d is beyond the samples of this picture, which has %d "
                        "bit%s: they run from 0 to %d",
                        own->value, src.format.bits, src.format.bits == 1 ? "" : "s", maximum);
    dst->format.color = img_format_has_alpha(src.format) ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY;
    return IMG_OK;
}

/* Read for the counts, unless the level is given; read again; written. */
static uint64_t traffic(ImgShape src, const void *params_of_call)
{
    const ImgThresholdParams *own = params_of_call;
    uint64_t pixels = (uint64_t)src.width * (uint64_t)src.height;
    size_t size = img_format_pixel_size(src.format);
    size_t result =
        size / (size_t)img_format_channels(src.format) * (img_format_has_alpha(src.format) ? 2 : 1);
    return pixels * ((own->value == IMG_THRESHOLD_OTSU ? 2 : 1) * size + result);
}

static ImgEffect effect(ImgShape src, const void *params_of_call)
{
    ImgEffect effect = img_tone_effect(src, params_of_call);
    effect.to_gray = src.format.color == IMG_COLOR_RGB || src.format.color == IMG_COLOR_RGBA;
    return effect;
}

const ImgOp img_op_threshold = {
    .name = "threshold",
    .synopsis = "Make the picture black and white",
    .help = "Samples greater than the value become white, all others black; the value is on the\n"
            "picture's own scale, up to 255 at 8 bits and 65535 at 16. Of colour pictures luma is\n"
            "compared, and the result is gray, of the same depth. Alpha does not change. Otsu's\n"
            "method takes the value that makes the variance between the two classes greatest, the\n"
            "least of several such, and 0 where all samples are equal; wholly transparent pixels\n"
            "do not count for it.",
    .example = "--value 128",
    .params = params,
    .params_size = sizeof(ImgThresholdParams),
    .needs_channels = true,
    .shape = shape,
    .traffic = traffic,
    .cpu_ns_per_byte = 0.35,
    .effect = effect,
    .impls = img_tone_impls,
};
