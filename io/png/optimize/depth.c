/* Reductions of the depth of samples. Scaling is exact: a sample of b bits means its value divided
 * by 2^b - 1, so a value of 16 bits has an equal one of 8 bits if it is a multiple of 257. */
#include <string.h>

#include "io/png/optimize/reduce.h"
#include "kernels/core/minmax.h"
#include "kernels/core/sample.h"

enum { SCALE_16_TO_8 = 257 };

static int colour_samples(ImgFormat format)
{
    return format.color == IMG_COLOR_GRAY || format.color == IMG_COLOR_GRAY_ALPHA ? 1 : 3;
}

/* Returns true if all samples are multiples of `scale`. */
static bool are_multiples(const ImgView *view, uint32_t scale)
{
    const size_t samples = (size_t)view->width * (size_t)img_format_channels(view->format);
    for (int32_t y = 0; y < view->height; y++) {
        const uint8_t *row = view->data + (size_t)y * view->stride;
        for (size_t i = 0; i < samples; i++)
            if (img_sample(row, i, view->format.bits) % scale != 0)
                return false;
    }
    return true;
}

static bool is_multiple(const uint16_t *colour, int samples, uint32_t scale)
{
    for (int i = 0; i < samples; i++)
        if (colour[i] % scale != 0)
            return false;
    return true;
}

/* Divides a transparent colour. A colour that the new depth cannot hold is dropped: no pixel has
 * it. */
static void divide_colours(ImgColours *colours, int samples, uint32_t scale, int bits)
{
    colours->has_key &= is_multiple(colours->key, samples, scale);
    for (int i = 0; i < samples; i++) {
        colours->key[i] = (uint16_t)(colours->key[i] / scale);
        colours->background[i] = (uint16_t)(colours->background[i] / scale);
    }
    for (int i = 0; i < IMG_COLOUR_CHANNELS; i++)
        colours->significant[i] = (uint8_t)img_min32(colours->significant[i], bits);
}

static ImgStatus divide(const ImgReduced *from, uint32_t scale, int bits, ImgReduced *to,
                        ImgError *err)
{
    const ImgFormat format = {from->view.format.color, bits};
    const ImgStatus status = img_reduced_begin(from, format, IMG_REDUCED_DEPTH, to, err);
    if (status != IMG_OK)
        return status;
    const size_t samples = (size_t)from->view.width * (size_t)img_format_channels(format);
    for (int32_t y = 0; y < from->view.height; y++) {
        const uint8_t *source = from->view.data + (size_t)y * from->view.stride;
        uint8_t *row = to->view.data + (size_t)y * to->view.stride;
        for (size_t i = 0; i < samples; i++)
            row[i] = (uint8_t)(img_sample(source, i, from->view.format.bits) / scale);
    }
    divide_colours(&to->colours, colour_samples(format), scale, bits);
    return IMG_OK;
}

/* Returns true if samples, and a background that must be kept, can be divided by `scale`. */
static bool can_divide(const ImgReduced *from, uint32_t scale)
{
    const ImgColours *colours = &from->colours;
    return (!colours->has_background ||
            is_multiple(colours->background, colour_samples(from->view.format), scale)) &&
           are_multiples(&from->view, scale);
}

ImgStatus img_reduce_to_8(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    if (from->view.format.bits != 16 || !can_divide(from, SCALE_16_TO_8))
        return IMG_OK;
    return divide(from, SCALE_16_TO_8, 8, to, err);
}

ImgStatus img_reduce_gray_bits(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    if (format.color != IMG_COLOR_GRAY || format.bits > 8)
        return IMG_OK;
    for (int bits = 1; bits < format.bits; bits *= 2) {
        const uint32_t scale = img_format_maximum(format) / ((1U << bits) - 1);
        if (can_divide(from, scale))
            return divide(from, scale, bits, to, err);
    }
    return IMG_OK;
}

ImgStatus img_reduce_widen(const ImgReduced *from, ImgReduced *to, ImgError *err)
{
    const ImgFormat format = from->view.format;
    const bool is_palette = format.color == IMG_COLOR_PALETTE;
    if (format.bits >= 8)
        return IMG_OK;
    ImgStatus status =
        img_reduced_begin(from, (ImgFormat){format.color, 8}, IMG_REDUCED_DEPTH, to, err);
    if (status != IMG_OK)
        return status;
    const uint8_t scale = is_palette ? 1 : (uint8_t)(IMG_OPAQUE / img_format_maximum(format));
    for (int32_t y = 0; y < from->view.height; y++) {
        const uint8_t *source = from->view.data + (size_t)y * from->view.stride;
        uint8_t *row = to->view.data + (size_t)y * to->view.stride;
        for (int32_t x = 0; x < from->view.width; x++)
            row[x] = (uint8_t)(source[x] * scale);
    }
    to->colours.key[0] = (uint16_t)(to->colours.key[0] * scale);
    to->colours.background[0] = (uint16_t)(to->colours.background[0] * scale);
    return IMG_OK;
}
