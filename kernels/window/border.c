#include "kernels/window/border.h"

#include <string.h>

#include "kernels/core/color/luma.h"
#include "kernels/core/color/palette.h"

const ImgChoice img_border_choices[] = {{"replicate", IMG_BORDER_REPLICATE},
                                        {"reflect", IMG_BORDER_REFLECT},
                                        {"wrap", IMG_BORDER_WRAP},
                                        {"constant", IMG_BORDER_CONSTANT},
                                        {NULL, 0}};

static uint16_t nearest(uint32_t value, uint32_t maximum)
{
    return (uint16_t)((value * maximum + 32767) / 65535);
}

void img_border_samples(ImgFormat format, const ImgBorderParams *params, uint16_t samples[4])
{
    const ImgRgba color = params->background;
    const uint32_t maximum = img_format_maximum(format);
    const int colors = img_format_channels(format) - (img_format_has_alpha(format) ? 1 : 0);
    const uint16_t first =
        colors == 1 ? img_luma_of_color(color.red, color.green, color.blue) : color.red;
    samples[0] = nearest(first, maximum);
    samples[1] = nearest(color.green, maximum);
    samples[2] = nearest(color.blue, maximum);
    samples[3] = 0;
    if (format.color == IMG_COLOR_PALETTE)
        samples[0] = (uint16_t)(params->index > 0 ? params->index - 1 : 0);
    if (img_format_has_alpha(format))
        samples[colors] = nearest(color.alpha, maximum);
    if (img_format_has_alpha(format) && samples[colors] == 0)
        memset(samples, 0, 4 * sizeof *samples);
}

bool img_border_bind_palette(ImgBorderParams *params, bool shows, struct ImgPalette *palette)
{
    params->index = palette == NULL ? 0
                    : shows         ? img_palette_index(palette, params->background)
                                    : -1;
    return palette == NULL || params->index != 0;
}

ImgFormat img_border_format(ImgFormat format, const ImgBorderParams *params)
{
    const ImgRgba color = params->background;
    const bool is_gray = color.alpha == 0 || (color.red == color.green && color.red == color.blue);
    const bool has_alpha = img_format_has_alpha(format) || color.alpha != 65535;
    if (params->border != IMG_BORDER_CONSTANT || img_format_channels(format) == 4 ||
        format.color == IMG_COLOR_PALETTE)
        return format;
    if (img_format_channels(format) == 3 || !is_gray)
        format.color = has_alpha ? IMG_COLOR_RGBA : IMG_COLOR_RGB;
    else
        format.color = has_alpha ? IMG_COLOR_GRAY_ALPHA : IMG_COLOR_GRAY;
    if (format.color != IMG_COLOR_GRAY && format.bits < 8)
        format.bits = 8;
    return format;
}

bool img_window_part(ImgShape src, const ImgBorderParams *border, ImgRows wanted, int32_t up,
                     int32_t down, ImgPart *part)
{
    const int64_t last = (int64_t)src.height - 1;
    int64_t first = (int64_t)wanted.first - up, end = (int64_t)wanted.end + down;
    if (border->border == IMG_BORDER_WRAP)
        return img_part_of_rows((ImgRows){0, src.height}, wanted, part);
    /* rows beyond an edge are mirror images of other rows, which are needed too */
    if (border->border == IMG_BORDER_REFLECT) {
        const int64_t above = -first, below = 2 * last - (end - 1);
        end = above >= end ? above + 1 : end;
        first = below < first ? below : first;
    }
    const ImgRows needed = {first > 0 ? (int32_t)first : 0,
                            end <= last ? (int32_t)end : src.height};
    return img_part_of_rows(needed, wanted, part);
}
