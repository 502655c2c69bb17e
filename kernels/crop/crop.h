/* Private to crop: declarations that its C files share. */
#ifndef IMGTOOL_KERNELS_CROP_CROP_H
#define IMGTOOL_KERNELS_CROP_CROP_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImgCropParams {
    int32_t x, y; /* offset in pixels from the position that `gravity` determines */
    /* size in pixels; 0: computed from `aspect`, or without an aspect ratio, up to the edge of the
     * picture */
    int32_t width, height;
    ImgRatio aspect;
    int32_t gravity; /* an ImgGravity value, or IMG_CROP_AUTO */
    int32_t clamp;   /* not 0: if the rectangle extends beyond the picture, keep the part inside */
} ImgCropParams;

/* Default value of `gravity`. It means the centre if an aspect ratio is given, otherwise the upper
 * left corner. */
enum { IMG_CROP_AUTO = -1 };

typedef struct ImgCropPlace {
    int32_t x, y, width, height; /* rectangle to keep, in pixels; always inside the picture */
} ImgCropPlace;

/* Computes the rectangle of a picture of shape `src` that is kept. Returns IMG_E_UNSUPPORTED if it
 * is not inside the picture; the error message names the numbers that do not fit and the limits.
 * `err` may be NULL. */
ImgStatus img_crop_place(const ImgCropParams *own, ImgShape src, ImgCropPlace *place,
                         ImgError *err);

ImgStatus img_crop_cuda_copy(const ImgCall *call, ImgError *err);
ImgStatus img_crop_cuda_fast(const ImgCall *call, ImgError *err);
/* For many small pictures; img_crop_cuda_run_many is for ImgManyRun.run. */
ImgStatus img_crop_cuda_many(const ImgCall *call, ImgError *err);
ImgStatus img_crop_cuda_run_many(const ImgCall *calls, size_t count, const ImgManyRoom *room,
                                 ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
