/* Private: converts rows of pixels to their form in a PNG file. 16-bit samples become big-endian.
 * Samples below 8 bits are packed from the most significant bit (PNG specification, third edition,
 * section 7.2). */
#ifndef IMGTOOL_IO_PNG_ENCODE_ROWS_H
#define IMGTOOL_IO_PNG_ENCODE_ROWS_H

#include "kernels/core/image.h"

/* Returns the size in bytes of a row in the file, without its filter type. */
size_t img_png_row_bytes(int32_t width, ImgFormat format);

/* Returns row `y` in its form in the file. If no conversion is needed, the result points to the
 * image. Otherwise it is `buffer`, which must have img_png_row_bytes bytes. */
const uint8_t *img_png_row(const ImgView *view, int32_t y, uint8_t *buffer);

#endif
