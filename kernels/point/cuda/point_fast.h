/* Private: the kernels for point operations from which point_fast.cu selects one. `tables` is
 * always in device memory. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_FAST_H
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_FAST_H

#include "kernels/point/points.h"

/* Runs a program of any stages, with the general kernel. */
ImgStatus img_point_cuda_general(const ImgCall *call, ImgError *err);

/* Copies the picture, for a program without stages. */
ImgStatus img_point_cuda_copy(const ImgCall *call, ImgError *err);

/* Applies a program that consists of one stage of tables, from at most 8 bits to at most 8 bits. */
ImgStatus img_point_cuda_bytes(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err);

/* img_point_cuda_words applies a program that is a table from or to 16 bits, the same for all
 * channels or for all except alpha. img_point_cuda_words_fits returns true if the table fits in the
 * shared memory of the device. */
bool img_point_cuda_words_fits(const ImgPointStage *stage);
ImgStatus img_point_cuda_words(const ImgCall *call, const ImgPointStage *stage,
                               const uint16_t *tables, ImgError *err);

/* A matrix for 8-bit samples whose sums fit 32 bits, and tables of bytes before and after it.
 * Either table may be NULL. The kernels convert RGB to RGB, RGBA to RGBA, or RGB to gray. */
typedef struct ImgPointBetween {
    const ImgPointStage *before, *matrix, *after;
} ImgPointBetween;
typedef ImgStatus ImgPointMatrixFunction(const ImgCall *call, const ImgPointBetween *stages,
                                         const uint16_t *tables, ImgError *err);
ImgPointMatrixFunction img_point_cuda_rgb, img_point_cuda_rgba, img_point_cuda_gray;

#endif
