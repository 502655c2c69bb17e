/* A kernel whose result proves that this build has code for the GPU. */
#ifndef IMGTOOL_KERNELS_CORE_EXEC_CUDA_SELF_TEST_H
#define IMGTOOL_KERNELS_CORE_EXEC_CUDA_SELF_TEST_H

#include "kernels/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IMG_SELF_TEST_BYTES = 256 };

/* Fills IMG_SELF_TEST_BYTES bytes of device memory: byte i becomes (i * 7 + 3) mod 256. Queues the
 * work on `stream` (a cudaStream_t) without waiting. */
ImgStatus img_cuda_self_test(unsigned char *device_bytes, void *stream, ImgError *err);

#ifdef __cplusplus
}
#endif
#endif
