/* Private: unfilters rows of a PNG into an image. */
#ifndef IMGTOOL_IO_PNG_DECODE_PIXELS_H
#define IMGTOOL_IO_PNG_DECODE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* An image of 8 or 16 bits per sample into which rows are unfiltered. It must not be interlaced. */
typedef struct ImgPixels {
    ImgView view;
    size_t pixel;     /* size of a pixel in bytes */
    size_t row_bytes; /* size of a row in bytes, not counting its filter type */
} ImgPixels;

ImgPixels img_pixels_of(const ImgView *view);

/* Returns the size of a filtered row in bytes, which includes one byte for its filter type. */
size_t img_pixels_filtered_bytes(const ImgPixels *pixels);

/* Returns the number of rows that should be unfiltered together because this is fastest. `pixel` is
 * the size of a pixel in bytes. */
int32_t img_pixels_group(size_t pixel);

/* Unfilters `count` rows, from row `first` of the image onwards, but only bytes `from` to `to`
 * (exclusive) of each row. The bytes to the left must already be unfiltered. So must the row above,
 * unless `top` is true; `top` means that there is no row above. The bytes to the left and the row
 * above must still be big-endian. Returns false if a filter type is unknown. */
bool img_pixels_unfilter(const ImgPixels *pixels, const uint8_t *filtered, int32_t first,
                         int32_t count, bool top, size_t from, size_t to);

/* Converts the 16-bit samples of rows `first` to `end` (exclusive) to native byte order. A row may
 * be converted only after the row below it is unfiltered. */
void img_pixels_to_native(const ImgPixels *pixels, int32_t first, int32_t end);

#endif
