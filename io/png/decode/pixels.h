/* Private: filtered rows on their way into an image. */
#ifndef IMGTOOL_IO_PNG_DECODE_PIXELS_H
#define IMGTOOL_IO_PNG_DECODE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/core/image.h"

/* An image of 8 or 16 bits that is not interlaced. */
typedef struct ImgPixels {
    ImgView view;
    size_t pixel;     /* bytes */
    size_t row_bytes; /* of a row without its filter type */
} ImgPixels;

ImgPixels img_pixels_of(const ImgView *view);

/* Bytes of a filtered row, its type among them. */
size_t img_pixels_filtered_bytes(const ImgPixels *pixels);

/* Filters are undone fastest in groups of that many rows, of pixels of so many bytes. */
int32_t img_pixels_group(size_t pixel);

/* Undoes bytes `from` to `to` of `count` filtered rows, which are rows `first` on of the image.
 * What lies to the left and, unless they are at the `top`, the row above have been undone and not
 * settled. False where a filter type is unknown. */
bool img_pixels_undo(const ImgPixels *pixels, const uint8_t *filtered, int32_t first, int32_t count,
                     bool top, size_t from, size_t to);

/* Brings samples of 16 bits of rows `first` to `end` to native byte order, once the row below does
 * not need them any more. */
void img_pixels_settle(const ImgPixels *pixels, int32_t first, int32_t end);

#endif
