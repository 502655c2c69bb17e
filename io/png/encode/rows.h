/* Private: converts rows of pixels to the form of a PNG file: 16-bit samples in big-endian order,
 * samples below 8 bits packed from the most significant bit (PNG specification, third edition,
 * section 7.2). */
#ifndef IMGTOOL_IO_PNG_ENCODE_ROWS_H
#define IMGTOOL_IO_PNG_ENCODE_ROWS_H

#include "kernels/core/image.h"

/* Returns the bytes of a row in the file, without its filter type. */
size_t img_png_row_bytes(int32_t width, ImgFormat format);

/* Returns row `y` in the form of the file. It is in the image's memory if no conversion is needed,
 * otherwise in `buffer`, which has img_png_row_bytes bytes. */
const uint8_t *img_png_row(const ImgView *view, int32_t y, uint8_t *buffer);

#endif
