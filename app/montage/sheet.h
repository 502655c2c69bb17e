/* The pixels of a contact sheet: RGB of 8 bits, or RGBA if the background is not opaque. */
#ifndef IMGTOOL_APP_MONTAGE_SHEET_H
#define IMGTOOL_APP_MONTAGE_SHEET_H

#include "kernels/core/image.h"
#include "kernels/core/op.h"

/* Returns the format of a sheet with that background. */
ImgFormat sheet_format(ImgRgba background);

/* Sets every pixel to that colour. */
void sheet_clear(const ImgView *sheet, ImgRgba background);

/* Blends a picture with 8 bits per sample over `place`, a part of the sheet of the same size. */
void sheet_lay(const ImgView *place, const ImgView *picture);

#endif
