/* The measurement sum: computes a table of one row with the sum of all samples of each channel. The
 * sums are exact, because 64 bits can hold the sum of 2^48 samples of 16 bits. The CUDA
 * implementations are the versions, from slow to fast, in which textbooks present the parallel
 * reduction. */
#ifndef IMGTOOL_KERNELS_SUM_SUM_H
#define IMGTOOL_KERNELS_SUM_SUM_H

#include "kernels/core/cuda/textbook.h"
#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The implementations of sum, as functions of type ImgRunFunction. */
ImgStatus img_sum_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_sum_cuda_dot(const ImgCall *call, ImgError *err);
IMG_TEXTBOOK ImgRunFunction img_sum_cuda_neighbours, img_sum_cuda_sequential,
    img_sum_cuda_first_add, img_sum_cuda_shuffle;

#ifdef __cplusplus
}
#endif
#endif
