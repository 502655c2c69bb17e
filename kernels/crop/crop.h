/* Private to crop: declarations that its C and CUDA files share. */
#ifndef IMGTOOL_KERNELS_CROP_CROP_H
#define IMGTOOL_KERNELS_CROP_CROP_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgCropParams {
    int32_t x, y;          /* offset from the position of the gravity */
    int32_t width, height; /* 0: by the aspect, or up to the edge */
    ImgRatio aspect;
    int32_t gravity; /* an ImgGravity, or IMG_CROP_AUTO */
    int32_t clamp;   /* keep the part that is inside */
} ImgCropParams;

/* Stands for the centre with an aspect, and for the upper left corner otherwise. */
enum { IMG_CROP_AUTO = -1 };

typedef struct ImgCropPlace {
    int32_t x, y, width, height; /* inside the picture */
} ImgCropPlace;

/* Computes which part of a picture of that shape is kept. IMG_E_UNSUPPORTED names what does not fit
 * and what would; `err` may be NULL. */
ImgStatus img_crop_place(const ImgCropParams *own, ImgShape src, ImgCropPlace *place,
                         ImgError *err);

ImgStatus img_crop_cuda_copy(const ImgCall *call, ImgError *err);
ImgStatus img_crop_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
