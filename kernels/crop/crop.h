/* Private to crop: what its C and CUDA files share. */
#ifndef IMGTOOL_KERNELS_CROP_CROP_H
#define IMGTOOL_KERNELS_CROP_CROP_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgCropParams {
    int32_t x, y;
    int32_t width, height; /* 0: up to the edge */
} ImgCropParams;

ImgStatus img_crop_cuda_copy(const ImgCall *call, ImgError *err);
ImgStatus img_crop_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
