/* Private to pad: its parameters, and the position of the picture that follows from them. */
#ifndef IMGTOOL_KERNELS_CANVAS_PAD_H
#define IMGTOOL_KERNELS_CANVAS_PAD_H

#include "kernels/canvas/canvas.h"

typedef struct ImgPadParams {
    int32_t left, right, top, bottom; /* margins, in pixels */
    ImgSize size;
    ImgRatio aspect;
    int32_t gravity;
    ImgBorderParams around;
} ImgPadParams;

#endif
