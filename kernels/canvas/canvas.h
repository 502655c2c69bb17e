/* Shared by pad and trim: a picture that stands on a canvas of another size.
 *
 * The result may have alpha that the source lacks, or be RGB where that is gray, or both. Its
 * pixels then are opaque, or three equal colours, and samples of fewer than 8 bits become ones
 * of 8. */
#ifndef IMGTOOL_KERNELS_CANVAS_CANVAS_H
#define IMGTOOL_KERNELS_CANVAS_CANVAS_H

#include "kernels/core/op.h"
#include "kernels/core/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the source's left upper corner stands in the result. Both below 0 or 0: the result lies
 * within the source. Else both are 0 or more, and the whole source lies in the result. */
typedef struct ImgCanvas {
    int32_t x, y;
    int32_t border;        /* an ImgBorder: what lies around the source */
    uint8_t background[8]; /* of IMG_BORDER_CONSTANT: a pixel of the result as it lies in memory */
} ImgCanvas;

/* The canvas of a result of that format, on which the source stands at (x, y). */
ImgCanvas img_canvas_make(int32_t x, int32_t y, const ImgBorderParams *border, ImgFormat format);

/* Pixel by pixel, by img_border_place. */
ImgStatus img_canvas_reference(const ImgCall *call, const ImgCanvas *canvas);
/* Rows in threads, which are copies of memory. */
ImgStatus img_canvas_cpu(const ImgCall *call, const ImgCanvas *canvas);

ImgStatus img_canvas_cuda_naive(const ImgCall *call, const ImgCanvas *canvas, ImgError *err);
ImgStatus img_canvas_cuda_fast(const ImgCall *call, const ImgCanvas *canvas, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
