/* Functions that put a picture on a canvas of another size. pad, trim and other operations share
 * them.
 *
 * The result may have alpha that the source does not have; then source pixels become opaque. It may
 * also be RGB if the source is gray; then source pixels get three equal colours. In both cases,
 * samples of fewer than 8 bits become 8 bits. */
#ifndef IMGTOOL_KERNELS_CANVAS_CANVAS_H
#define IMGTOOL_KERNELS_CANVAS_CANVAS_H

#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"
#include "kernels/window/border.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Position of the source's upper left corner in the result. If both coordinates are at most 0, the
 * result lies within the source. If both are at least 0, the source lies within the result. Other
 * positions are not allowed. */
typedef struct ImgCanvas {
    int32_t x, y;
    int32_t border; /* an ImgBorder value: how pixels outside the source are filled */
    /* one pixel in the memory format of the result, for IMG_BORDER_CONSTANT */
    uint8_t background[8];
} ImgCanvas;

/* Returns the canvas for a result of format `format`, with the source at (x, y). */
ImgCanvas img_canvas_make(int32_t x, int32_t y, const ImgBorderParams *border, ImgFormat format);

/* Describes how to compute a range of rows of a result from only some rows of the source. The rows
 * `first` to `end` - 1 of the source are extended by `above` rows of margin on top and `below` rows
 * at the bottom. Of the extended rows, the first `skip` rows do not belong to the range. */
typedef struct ImgCanvasRows {
    int64_t first, end;
    int64_t above, below;
    int64_t skip;
} ImgCanvasRows;

/* Returns how to compute the `count` rows from row `at` on; rows are counted from the top of the
 * source, which has `height` rows. The function is only for IMG_BORDER_REPLICATE and
 * IMG_BORDER_CONSTANT, with which all rows beyond an edge are equal. If the range contains no row
 * of the source, the function adds the nearest row, because a source must not be empty. */
ImgCanvasRows img_canvas_rows(int64_t at, int64_t count, int64_t height);

/* The reference implementation: finds the source of each pixel with img_border_place. */
ImgStatus img_canvas_reference(const ImgCall *call, const ImgCanvas *canvas);
/* The implementation on the CPU: copies rows in several threads. */
ImgStatus img_canvas_cpu(const ImgCall *call, const ImgCanvas *canvas);

ImgStatus img_canvas_cuda_fast(const ImgCall *call, const ImgCanvas *canvas, ImgError *err);

/* Sets the canvas of a call of pad. */
ImgStatus img_pad_canvas(const ImgCall *call, ImgCanvas *canvas, ImgError *err);
/* Returns the canvas of a call of trim. */
ImgCanvas img_trim_canvas(const ImgCall *call);
IMG_TEXTBOOK ImgRunFunction img_pad_cuda_naive, img_trim_cuda_naive;

#ifdef __cplusplus
}
#endif
#endif
