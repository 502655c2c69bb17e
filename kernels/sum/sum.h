/* The sum measurement: a table of one row with the sum of all samples of each channel. It is exact:
 * 64 bits hold 2^48 samples of 16 bits. Its CUDA implementations are the steps of the classic
 * parallel reduction. */
#ifndef IMGTOOL_KERNELS_SUM_SUM_H
#define IMGTOOL_KERNELS_SUM_SUM_H

#include "kernels/core/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Implementations (ImgRunFunction). */
ImgStatus img_sum_cpu(const ImgCall *call, ImgError *err);
ImgStatus img_sum_cuda_neighbours(const ImgCall *call, ImgError *err);
ImgStatus img_sum_cuda_sequential(const ImgCall *call, ImgError *err);
ImgStatus img_sum_cuda_first_add(const ImgCall *call, ImgError *err);
ImgStatus img_sum_cuda_shuffle(const ImgCall *call, ImgError *err);
ImgStatus img_sum_cuda_dot(const ImgCall *call, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
