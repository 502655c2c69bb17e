/* Computes the plan of an operation of the tone family for a picture. It also contains functions
 * that the descriptors of the family use. */
#include "kernels/tone/tone.h"

static bool is_rgb(ImgFormat format)
{
    return format.color == IMG_COLOR_RGB || format.color == IMG_COLOR_RGBA;
}

/* Sets up the plan for a single table, for luma or for the only colour channel. */
static void take_brightness(ImgTonePlan *plan, ImgFormat format, int32_t luma)
{
    plan->tables = 1;
    plan->weights = img_luma_weights((ImgLuma)luma);
    if (is_rgb(format)) {
        plan->counted.luma = luma;
        plan->first_row = plan->channels;
    }
}

static void plan_equalize(ImgTonePlan *plan, ImgFormat format, const ImgEqualizeParams *own)
{
    plan->rule = IMG_TONE_EQUALIZE;
    if (own->channels == IMG_EQUALIZE_LUMA) {
        plan->way = is_rgb(format) ? IMG_TONE_SHIFT : IMG_TONE_SAMPLES;
        take_brightness(plan, format, own->luma);
    }
}

static void plan_autolevel(ImgTonePlan *plan, const ImgAutolevelParams *own)
{
    plan->rule = IMG_TONE_STRETCH;
    plan->clip = own->clip;
    if (own->channels == IMG_AUTOLEVEL_ALL) {
        plan->tables = 1;
        plan->summed = plan->colors;
    }
}

static void plan_threshold(ImgTonePlan *plan, ImgFormat format, const ImgThresholdParams *own)
{
    plan->rule = IMG_TONE_OTSU;
    plan->way = IMG_TONE_SPLIT;
    take_brightness(plan, format, own->luma);
}

ImgTonePlan img_tone_plan(const ImgOp *op, ImgFormat format, const void *params)
{
    int32_t channels = img_format_channels(format);
    int32_t colors = channels - (img_format_has_alpha(format) ? 1 : 0);
    ImgTonePlan plan = {
        .way = IMG_TONE_SAMPLES,
        .counted = {.luma = IMG_LUMA_NONE, .transparent = IMG_TRANSPARENT_SKIP},
        .tables = colors,
        .summed = 1,
        .bits = format.bits,
        .colors = colors,
        .channels = channels,
    };
    if (op == &img_op_equalize)
        plan_equalize(&plan, format, params);
    else if (op == &img_op_autolevel)
        plan_autolevel(&plan, params);
    else
        plan_threshold(&plan, format, params);
    return plan;
}

ImgPrepass img_tone_prepass(const ImgOp *op)
{
    return op == &img_op_threshold ? IMG_PREPASS_NONE : IMG_PREPASS_WIDEN;
}

ImgStatus img_tone_shape(const char *name, ImgShape src, ImgShape *dst, ImgError *err)
{
    if (src.format.color == IMG_COLOR_PALETTE)
        return img_fail(
            err, IMG_E_UNSUPPORTED,
            "%s: needs channels, not the indices of a palette; expand the palette first", name);
    if (src.format.color == IMG_COLOR_COUNTS)
        return img_fail(err, IMG_E_UNSUPPORTED, "%s: a table of counts is not a picture", name);
    *dst = src;
    return IMG_OK;
}

/* Returns the number of bytes that a call reads and writes. It reads the picture twice, to count
 * and to change pixels, and writes it once. The tables are negligible. */
uint64_t img_tone_traffic(ImgShape src, const void *params)
{
    (void)params;
    return 3 * (uint64_t)src.width * (uint64_t)src.height * img_format_pixel_size(src.format);
}

ImgEffect img_tone_effect(ImgShape src, const void *params)
{
    (void)src, (void)params;
    return (ImgEffect){.turn = IMG_TURN_NONE, .values_changed = true};
}

const ImgImpl img_tone_impls[] = {
    {.name = "reference",
     .backend = IMG_BACKEND_CPU,
     .note = "plain C, pixel by pixel",
     .run = img_tone_reference},
    {.name = "cpu",
     .backend = IMG_BACKEND_CPU,
     .note = "threads, one loop for each pixel format",
     .run = img_tone_cpu,
     .two_passes = &img_tone_two_passes},
    {.name = "cuda-naive",
     .backend = IMG_BACKEND_CUDA,
     .note = "one pixel per thread, tables read through the caches",
     .run = IMG_CUDA_RUN(img_tone_cuda_naive),
     .workspace = IMG_CUDA_RUN(img_tone_cuda_workspace)},
    {.name = "cuda-fast",
     .backend = IMG_BACKEND_CUDA,
     .note = "16 or 48 bytes per thread, tables in shared memory, one column per lane",
     .run = IMG_CUDA_RUN(img_tone_cuda_fast),
     .workspace = IMG_CUDA_RUN(img_tone_cuda_workspace)},
    {.name = NULL},
};
