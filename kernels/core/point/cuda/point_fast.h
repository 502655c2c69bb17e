/* Private to the fast kernels of point operations: those among which point_fast.cu chooses. Tables
 * are on the device. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_FAST_H
#define IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_FAST_H

#include "kernels/core/point/points.h"

/* Any program. */
ImgStatus img_point_cuda_general(const ImgCall *call, ImgError *err);

/* No stage at all. */
ImgStatus img_point_cuda_copy(const ImgCall *call, ImgError *err);

/* Tables alone, of samples of up to 8 bits that stay so. */
ImgStatus img_point_cuda_bytes(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err);

/* Tables alone, from 16 bits or to them: one for all channels, or for all but alpha. Is the
 * device's shared memory large enough for it? */
bool img_point_cuda_words_fits(const ImgPointStage *stage);
ImgStatus img_point_cuda_words(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err);

/* A matrix of bytes whose sums are narrow, between tables of bytes, each of which may be NULL: RGB
 * to RGB, RGBA to RGBA, RGB to gray. */
typedef struct ImgPointBetween {
    const ImgPointStage *before, *matrix, *after;
} ImgPointBetween;
typedef ImgStatus ImgPointMatrixFunction(const ImgCall *call, const ImgPointBetween *stages,
                                         const uint16_t *tables, ImgError *err);
ImgPointMatrixFunction img_point_cuda_rgb, img_point_cuda_rgba, img_point_cuda_gray;

#endif
