/* Private: rows of pixels as a PNG stores them: 16 bits big-endian, fewer than 8 bits packed from
 * the high bit on (PNG specification, third edition, section 7.2). */
#ifndef IMGTOOL_IO_PNG_ENCODE_ROWS_H
#define IMGTOOL_IO_PNG_ENCODE_ROWS_H

#include "kernels/core/image.h"

/* Bytes of such a row. */
size_t img_png_row_bytes(int32_t width, ImgFormat format);

/* Row `y`: the image's own memory where that is the same, else `buffer` of img_png_row_bytes. */
const uint8_t *img_png_row(const ImgView *view, int32_t y, uint8_t *buffer);

#endif
