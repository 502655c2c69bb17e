/* Private: unfilters rows into an image. */
#ifndef IMGTOOL_IO_PNG_DECODE_PIXELS_H
#define IMGTOOL_IO_PNG_DECODE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* An image of 8 or 16 bits per sample, not interlaced. */
typedef struct ImgPixels {
    ImgView view;
    size_t pixel;     /* bytes of a pixel */
    size_t row_bytes; /* bytes of a row without its filter type */
} ImgPixels;

ImgPixels img_pixels_of(const ImgView *view);

/* Returns the bytes of a filtered row, including its filter type. */
size_t img_pixels_filtered_bytes(const ImgPixels *pixels);

/* Returns the number of rows per group for which unfiltering is fastest, for pixels of that many
 * bytes. */
int32_t img_pixels_group(size_t pixel);

/* Unfilters bytes `from` to `to` of `count` rows, starting at row `first` of the image. The bytes
 * to the left and, unless `top` is set, the row above must be unfiltered and still in big-endian
 * byte order. Returns false for an unknown filter type. */
bool img_pixels_unfilter(const ImgPixels *pixels, const uint8_t *filtered, int32_t first,
                         int32_t count, bool top, size_t from, size_t to);

/* Converts 16-bit samples of rows `first` to `end` to native byte order, once the row below no
 * longer needs them. */
void img_pixels_to_native(const ImgPixels *pixels, int32_t first, int32_t end);

#endif
