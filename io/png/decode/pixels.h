/* Private: unfilters rows into an image. */
#ifndef IMGTOOL_IO_PNG_DECODE_PIXELS_H
#define IMGTOOL_IO_PNG_DECODE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* An image of 8 or 16 bits per sample that is filled; not interlaced. */
typedef struct ImgPixels {
    ImgView view;
    size_t pixel;     /* bytes per pixel */
    size_t row_bytes; /* bytes of a row without its filter type */
} ImgPixels;

ImgPixels img_pixels_of(const ImgView *view);

/* Returns the bytes of a filtered row, including its filter type. */
size_t img_pixels_filtered_bytes(const ImgPixels *pixels);

/* Returns the number of rows that are unfiltered together fastest, for pixels of `pixel` bytes. */
int32_t img_pixels_group(size_t pixel);

/* Unfilters bytes `from` to `to` of `count` rows, the first of which is row `first` of the image.
 * The bytes to the left must be unfiltered; so must the row above, unless `top` is true. Both must
 * still be in big-endian byte order. Returns false if a filter type is unknown. */
bool img_pixels_unfilter(const ImgPixels *pixels, const uint8_t *filtered, int32_t first,
                         int32_t count, bool top, size_t from, size_t to);

/* Converts the 16-bit samples of rows `first` to `end` to native byte order. Must be called only
 * when the row below no longer needs them. */
void img_pixels_to_native(const ImgPixels *pixels, int32_t first, int32_t end);

#endif
