/* Private to crop: declarations that its C and CUDA files share. */
#ifndef IMGTOOL_KERNELS_CROP_CROP_H
#define IMGTOOL_KERNELS_CROP_CROP_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgCropParams {
    int32_t x, y;          /* offset from the position that gravity determines, in pixels */
    int32_t width, height; /* size in pixels; 0: determined by the aspect, or up to the edge */
    ImgRatio aspect;
    int32_t gravity; /* an ImgGravity value, or IMG_CROP_AUTO */
    int32_t clamp;   /* not 0: keep the part that is inside the picture */
} ImgCropParams;

/* Value of `gravity`: the centre if an aspect is given, otherwise the upper left corner. */
enum { IMG_CROP_AUTO = -1 };

typedef struct ImgCropPlace {
    int32_t x, y, width, height; /* the part to keep, inside the picture */
} ImgCropPlace;

/* Computes which part of a picture of that shape is kept. Returns IMG_E_UNSUPPORTED if it does not
 * fit; the message names what does not fit and what would. `err` may be NULL. */
ImgStatus img_crop_place(const ImgCropParams *own, ImgShape src, ImgCropPlace *place,
                         ImgError *err);

ImgStatus img_crop_cuda_copy(const ImgCall *call, ImgError *err);
ImgStatus img_crop_cuda_fast(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
