/* What a guard at the edge costs: warps that lie over it run twice, all others once. */
#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/lab/lab.h"

namespace
{

constexpr int SIDE = 16;

__global__ void guard_kernel(const uint8_t *in, uint8_t *out, int width, int height)
{
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x < width && y < height)
        out[(int64_t)y * width + x] = (uint8_t)(2 * in[(int64_t)y * width + x]);
}

} // namespace

ImgStatus lab_guard(const uint8_t *in, uint8_t *out, int width, int height, void *stream,
                    ImgError *err)
{
    dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    IMG_LAUNCH(guard_kernel, grid, dim3(SIDE, SIDE), 0, stream, in, out, width, height);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
