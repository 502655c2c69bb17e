/* Private to the fast kernels of point operations: the kernels among which point_fast.cu chooses.
 * Tables are in device memory. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_FAST_H
#define IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_FAST_H

#include "kernels/core/point/points.h"

/* Runs any program. */
ImgStatus img_point_cuda_general(const ImgCall *call, ImgError *err);

/* Copies a picture, for a program without stages. */
ImgStatus img_point_cuda_copy(const ImgCall *call, ImgError *err);

/* Applies a program that has only tables, from up to 8 bits to up to 8 bits. */
ImgStatus img_point_cuda_bytes(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err);

/* Apply a program that has only a table from or to 16 bits, the same for all channels or for all
 * except alpha. `fits` returns true if the shared memory of the device is large enough. */
bool img_point_cuda_words_fits(const ImgPointStage *stage);
ImgStatus img_point_cuda_words(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err);

/* A matrix of bytes with narrow sums, and tables of bytes before and after it, each of which may be
 * NULL. For RGB to RGB, RGBA to RGBA, and RGB to gray. */
typedef struct ImgPointBetween {
    const ImgPointStage *before, *matrix, *after;
} ImgPointBetween;
typedef ImgStatus ImgPointMatrixFunction(const ImgCall *call, const ImgPointBetween *stages,
                                         const uint16_t *tables, ImgError *err);
ImgPointMatrixFunction img_point_cuda_rgb, img_point_cuda_rgba, img_point_cuda_gray;

#endif
