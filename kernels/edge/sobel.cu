/* See sobel.h. */
#include "kernels/edge/sobel.h"

#include "kernels/core/window/stencil.cuh"

IMG_STENCIL_CUDA(img_sobel, ImgSobel)
