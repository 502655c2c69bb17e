/* Private: the implementations of point operations, all of which run an ImgPointProgram. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_POINT_IMPLS_H
#define IMGTOOL_KERNELS_CORE_POINT_POINT_IMPLS_H

#include "kernels/core/point/points.h"

#ifdef __cplusplus
extern "C" {
#endif

ImgRunFunction img_point_reference, img_point_cpu, img_point_cpu_avx2, img_point_cpu_avx512;
ImgRunFunction img_point_cuda_naive, img_point_cuda_fast;

#ifdef __cplusplus
}
#endif
#endif
