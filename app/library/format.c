/* Converts the pixel formats of the public header to ImgFormat and back. */
#include <stdio.h>

#include "app/library/picture.h"

enum { FLOAT_BITS = 32 };

static int channels_of(imgtool_color color)
{
    static const int channels[] = {
        [IMGTOOL_AS_IT_IS] = 0, [IMGTOOL_GRAY] = 1, [IMGTOOL_GRAY_ALPHA] = 2, [IMGTOOL_RGB] = 3,
        [IMGTOOL_RGBA] = 4,     [IMGTOOL_BGRA] = 4, [IMGTOOL_PALETTE] = 1,
    };
    return (int)color >= 0 && color <= IMGTOOL_PALETTE ? channels[color] : 0;
}

static bool is_subbyte_depth(int32_t bits)
{
    return bits == 1 || bits == 2 || bits == 4;
}

static bool is_possible_depth(imgtool_format format)
{
    if (format.bits == 8)
        return true;
    if (format.color == IMGTOOL_GRAY && is_subbyte_depth(format.bits))
        return true;
    if (format.color == IMGTOOL_PALETTE)
        return is_subbyte_depth(format.bits);
    return format.color != IMGTOOL_BGRA && (format.bits == 16 || format.bits == FLOAT_BITS);
}

size_t imgtool_pixel_size(imgtool_format format)
{
    if (!is_possible_depth(format))
        return 0;
    const size_t sample = format.bits == FLOAT_BITS ? 4 : format.bits == 16 ? 2 : 1;
    return (size_t)channels_of(format.color) * sample;
}

bool img_lib_format(imgtool_format format, ImgFormat *own)
{
    static const ImgColor colors[] = {
        [IMGTOOL_GRAY] = IMG_COLOR_GRAY, [IMGTOOL_GRAY_ALPHA] = IMG_COLOR_GRAY_ALPHA,
        [IMGTOOL_RGB] = IMG_COLOR_RGB,   [IMGTOOL_RGBA] = IMG_COLOR_RGBA,
        [IMGTOOL_BGRA] = IMG_COLOR_RGBA, [IMGTOOL_PALETTE] = IMG_COLOR_PALETTE,
    };
    if (imgtool_pixel_size(format) == 0 || format.color == IMGTOOL_BGRA ||
        format.bits == FLOAT_BITS)
        return false;
    *own = (ImgFormat){colors[format.color], format.bits};
    return true;
}

imgtool_format img_lib_format_of(ImgFormat format)
{
    static const imgtool_color colors[] = {
        [IMG_COLOR_GRAY] = IMGTOOL_GRAY,       [IMG_COLOR_GRAY_ALPHA] = IMGTOOL_GRAY_ALPHA,
        [IMG_COLOR_RGB] = IMGTOOL_RGB,         [IMG_COLOR_RGBA] = IMGTOOL_RGBA,
        [IMG_COLOR_PALETTE] = IMGTOOL_PALETTE,
    };
    return (imgtool_format){colors[format.color], format.bits};
}

const char *img_lib_format_text(imgtool_format format, char *text)
{
    static const char *const names[] = {"as it is", "gray", "gray+alpha", "RGB",
                                        "RGBA",     "BGRA", "palette"};
    const bool known = (int)format.color >= 0 && format.color <= IMGTOOL_PALETTE;
    snprintf(text, IMG_LIB_FORMAT_TEXT,
             format.bits == FLOAT_BITS ? "%s of floats" : "%s of %d bits",
             known ? names[format.color] : "unknown colour", format.bits);
    return text;
}
