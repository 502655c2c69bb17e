/* Private to grayscale: implementations that only this point operation has. */
#ifndef IMGTOOL_KERNELS_POINT_GRAYSCALE_H
#define IMGTOOL_KERNELS_POINT_GRAYSCALE_H

#include "kernels/core/textbook.h"
#include "kernels/point/points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* These implementations convert RGB of 8 bits. They return IMG_E_USAGE if other steps are merged
 * into the same pass. */
IMG_TEXTBOOK ImgRunFunction img_grayscale_cuda_element, img_grayscale_cuda_staged,
    img_grayscale_cuda_packed;

#ifdef __cplusplus
}
#endif
#endif
