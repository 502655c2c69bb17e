/* Computes the constants that all implementations of image warps use: formats, background and
 * weights. */
#include <stdlib.h>

#include "kernels/resize/filter.h"
#include "kernels/warp/warp.h"

const ImgChoice img_warp_filters[] = {
    {"nearest", IMG_WARP_NEAREST},   {"bilinear", IMG_WARP_BILINEAR}, {"bicubic", IMG_WARP_BICUBIC},
    {"lanczos3", IMG_WARP_LANCZOS3}, {"lanczos4", IMG_WARP_LANCZOS4}, {NULL, 0}};

/* --- Weights ---------------------------------------------------------------------------------- */

void img_warp_weigh(ImgWarpFilter filter, int32_t phase, int16_t weights[IMG_WARP_STRIDE])
{
    static const ImgFilter functions[] = {IMG_FILTER_NEAREST, IMG_FILTER_BILINEAR,
                                          IMG_FILTER_BICUBIC, IMG_FILTER_LANCZOS3,
                                          IMG_FILTER_LANCZOS4};
    const int32_t half = (int32_t)filter, taps = 2 * half;
    int64_t parts[IMG_WARP_STRIDE];
    int32_t rounded[IMG_WARP_STRIDE] = {0};
    for (int32_t i = 0; i < taps; i++) {
        const int64_t distance = phase - (int64_t)(i - half + 1) * IMG_WARP_PHASES;
        parts[i] = img_filter_weight(functions[filter], (uint64_t)llabs(distance), IMG_WARP_PHASES);
    }
    if (taps > 0)
        img_filter_round(parts, taps, IMG_WARP_WEIGHT_PLACES, rounded);
    for (int32_t i = 0; i < IMG_WARP_STRIDE; i++)
        weights[i] = (int16_t)rounded[i];
}

/* --- Constants -------------------------------------------------------------------------------- */

ImgStatus img_warp_format(ImgFormat from, const ImgWarpParams *params, ImgFormat *to, ImgError *err)
{
    ImgShape shape = {1, 1, from};
    const bool keeps = img_warp_keeps_samples(params);
    ImgStatus status = (keeps ? img_pixels_shape : img_values_shape)(shape, params, &shape, err);
    *to = keeps ? shape.format : img_border_format(shape.format, &params->border);
    return status;
}

bool img_warp_bind_palette(ImgWarpParams *params, bool shows, struct ImgPalette *palette)
{
    const bool copies = params->filter == IMG_WARP_NEAREST;
    return img_border_bind_palette(&params->border,
                                   shows && params->border.border == IMG_BORDER_CONSTANT,
                                   copies ? palette : NULL);
}

static ImgLift lift_of_source(ImgFormat from, ImgLift to)
{
    ImgLift lift = img_lift_of(from);
    lift.bits = to.bits;
    return lift;
}

ImgStatus img_warp_prepare(ImgFormat from, const ImgWarpParams *params, ImgConstants *constants,
                           ImgError *err)
{
    ImgFormat to;
    ImgStatus status = img_warp_format(from, params, &to, err);
    if (status != IMG_OK)
        return status;
    from = img_warp_source_format(from, to);
    ImgWarp *warp = calloc(1, sizeof *warp);
    if (warp == NULL)
        return img_fail(err, IMG_E_MEMORY, "no memory for the weights of a filter");
    uint16_t samples[4];
    warp->to = img_lift_of(to);
    warp->from = lift_of_source(from, warp->to);
    if (img_warp_keeps_samples(params))
        warp->from.scale = 1;
    warp->filter = params->filter;
    warp->border = params->border.border;
    img_lift_background(to, &params->border, warp->background);
    img_border_samples(to, &params->border, samples);
    for (int c = 0; c < 4; c++)
        warp->nearest_background[c] = samples[c];
    for (int32_t phase = 0; phase < IMG_WARP_PHASES; phase++)
        img_warp_weigh((ImgWarpFilter)params->filter, phase, warp->weights[phase]);
    *constants = (ImgConstants){warp, sizeof *warp};
    return IMG_OK;
}
