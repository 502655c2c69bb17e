/* Private to convert.c and convert_whole.c. */
#ifndef IMGTOOL_APP_LIBRARY_CONVERT_H
#define IMGTOOL_APP_LIBRARY_CONVERT_H

#include "app/library/picture.h"

static inline bool img_lib_is_color(imgtool_color color)
{
    return color == IMGTOOL_RGB || color == IMGTOOL_RGBA || color == IMGTOOL_BGRA;
}

static inline bool img_lib_has_alpha(imgtool_color color)
{
    return color == IMGTOOL_GRAY_ALPHA || color == IMGTOOL_RGBA || color == IMGTOOL_BGRA;
}

/* Of channels with 8 or 16 bits, which are none of a palette. */
void img_lib_convert_whole(const void *from, imgtool_format from_format, void *to,
                           imgtool_format to_format, int32_t width);

#endif
