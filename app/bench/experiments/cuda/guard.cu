/* Kernel of the experiment `guard`, with one thread per pixel. The grid is larger than the image,
 * so threads past the edges must do nothing. */
#include "app/bench/experiments/lab.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int THREADS = 256;

__global__ void guard_kernel(const uint8_t *in, uint8_t *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[(int64_t)y * width + x] = (uint8_t)(2 * in[(int64_t)y * width + x]);
}

} // namespace

ImgStatus lab_launch_guard(const LabVariant *variant, const LabCase *which, const void *in,
                           void *out, void *stream, ImgError *err)
{
    int wide = variant->value, high = THREADS / wide;
    dim3 grid((which->a + wide - 1) / wide, (which->b + high - 1) / high);
    IMG_LAUNCH(guard_kernel, grid, dim3(wide, high), 0, stream, (const uint8_t *)in, (uint8_t *)out,
               which->a, which->b);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
