#include "kernels/core/exec/cuda/self_test.h"

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

/* Writes a test pattern. One block does it, with one thread per byte. */
__global__ void self_test_kernel(unsigned char *bytes)
{
    bytes[threadIdx.x] = (unsigned char)(threadIdx.x * 7 + 3);
}

ImgStatus img_cuda_self_test(unsigned char *device_bytes, void *stream, ImgError *err)
{
    IMG_LAUNCH(self_test_kernel, 1, IMG_SELF_TEST_BYTES, 0, stream, device_bytes);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
