/* The pixels of a contact sheet: RGB of 8 bits, or RGBA where its background is not opaque. */
#ifndef IMGTOOL_APP_MONTAGE_SHEET_H
#define IMGTOOL_APP_MONTAGE_SHEET_H

#include "kernels/core/image.h"
#include "kernels/core/op.h"

/* Of a sheet on that background. */
ImgFormat sheet_format(ImgRgba background);

/* Gives every pixel that colour. */
void sheet_clear(const ImgView *sheet, ImgRgba background);

/* Lays a picture of channels of 8 bits over the part `place` of a sheet, which has its size. */
void sheet_lay(const ImgView *place, const ImgView *picture);

#endif
