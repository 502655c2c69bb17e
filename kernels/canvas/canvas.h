/* Parts that pad, trim and other operations share: a picture on a canvas of another size.
 *
 * The result may have alpha that the source does not have, or be RGB where the source is gray, or
 * both. In this case source pixels become opaque, or have three equal colours, and samples of fewer
 * than 8 bits become 8 bits. */
#ifndef IMGTOOL_KERNELS_CANVAS_CANVAS_H
#define IMGTOOL_KERNELS_CANVAS_CANVAS_H

#include "kernels/core/op.h"
#include "kernels/core/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Position of the source's upper left corner in the result. Either both coordinates are at most 0
 * and the result lies within the source, or both are at least 0 and the source lies within the
 * result. */
typedef struct ImgCanvas {
    int32_t x, y;
    int32_t border;        /* an ImgBorder value: the pixels around the source */
    uint8_t background[8]; /* for IMG_BORDER_CONSTANT: a pixel of the result in its memory format */
} ImgCanvas;

/* Returns the canvas for a result of that format, with the source at (x, y). */
ImgCanvas img_canvas_make(int32_t x, int32_t y, const ImgBorderParams *border, ImgFormat format);

/* Reference: computes each pixel with img_border_place. */
ImgStatus img_canvas_reference(const ImgCall *call, const ImgCanvas *canvas);
/* Copies rows in several threads. */
ImgStatus img_canvas_cpu(const ImgCall *call, const ImgCanvas *canvas);

ImgStatus img_canvas_cuda_naive(const ImgCall *call, const ImgCanvas *canvas, ImgError *err);
ImgStatus img_canvas_cuda_fast(const ImgCall *call, const ImgCanvas *canvas, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
