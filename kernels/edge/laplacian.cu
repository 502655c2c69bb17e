/* See laplacian.h. */
#include "kernels/edge/laplacian.h"

#include "kernels/core/window/stencil.cuh"

IMG_STENCIL_CUDA(img_laplacian, ImgLaplacian)
