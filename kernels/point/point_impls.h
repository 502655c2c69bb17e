/* Private: implementations of point operations. All of them run an ImgPointProgram, the packed form
 * of the stages. */
#ifndef IMGTOOL_KERNELS_POINT_POINT_IMPLS_H
#define IMGTOOL_KERNELS_POINT_POINT_IMPLS_H

#include "kernels/core/cuda/textbook.h"
#include "kernels/point/points.h"

#ifdef __cplusplus
extern "C" {
#endif

ImgRunFunction img_point_reference, img_point_cpu;
ImgRunFunction img_point_cpu_avx2, img_point_cpu_avx512;
IMG_TEXTBOOK ImgRunFunction img_point_cuda_naive;
ImgRunFunction img_point_cuda_fast;

/* Initialisers for the beginning and the end of a list of ImgImpl. An operation may insert its own
 * implementations between them. */
#define IMG_POINT_IMPLS_FIRST                                                                      \
    {.name = "reference",                                                                          \
     .backend = IMG_BACKEND_CPU,                                                                   \
     .note = "plain C, pixel by pixel",                                                            \
     .run = img_point_reference},                                                                  \
        {.name = "cpu",                                                                            \
         .backend = IMG_BACKEND_CPU,                                                               \
         .note = "threads, one channel at a time",                                                 \
         .run = img_point_cpu},                                                                    \
        IMG_X86_IMPLS(img_point_cpu),                                                              \
    {                                                                                              \
        .name = "cuda-naive", .backend = IMG_BACKEND_CUDA,                                         \
        .note = "one pixel per thread, tables read through the caches",                            \
        .run = IMG_CUDA_RUN(img_point_cuda_naive)                                                  \
    }
#define IMG_POINT_IMPLS_LAST                                                                       \
    {.name = "cuda-fast",                                                                          \
     .backend = IMG_BACKEND_CUDA,                                                                  \
     .note = "16 bytes per access, tables in shared memory, one kernel per kind of computation",   \
     .run = IMG_CUDA_RUN(img_point_cuda_fast)},                                                    \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Implementations that only grayscale has. They convert RGB of 8 bits. They return IMG_E_USAGE if
 * other steps are merged into the same pass. */
IMG_TEXTBOOK ImgRunFunction img_grayscale_cuda_element, img_grayscale_cuda_staged,
    img_grayscale_cuda_packed;

#ifdef __cplusplus
}
#endif
#endif
