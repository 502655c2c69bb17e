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

/* A matrix whose sums are narrow, of three bytes to three or to one, between tables of bytes, each
 * of which may be NULL. */
typedef struct ImgPointRgb {
    const ImgPointStage *before, *matrix, *after;
} ImgPointRgb;
ImgStatus img_point_cuda_rgb(const ImgCall *call, const ImgPointRgb *stages, const uint16_t *tables,
                             ImgError *err);
ImgStatus img_point_cuda_gray(const ImgCall *call, const ImgPointRgb *stages,
                              const uint16_t *tables, ImgError *err);

#endif
