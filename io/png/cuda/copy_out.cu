/* The bus is slower than a few multiprocessors: more of them would only wait. */
#include "io/png/cuda/copy_out.h"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

constexpr int THREADS = 512, BLOCKS = 16;

__global__ void __launch_bounds__(THREADS)
    copy_out_kernel(const uint4 *from, const uint64_t *size, uint4 *to, uint64_t most)
{
    uint64_t bytes = *size < most ? *size : most, words = (bytes + 15) / 16;
    for (uint64_t i = blockIdx.x * THREADS + threadIdx.x; i < words; i += BLOCKS * THREADS)
        to[i] = from[i];
}

} // namespace

void img_copy_out(const uint8_t *from, const uint64_t *size, uint8_t *to, size_t most, void *stream)
{
    IMG_LAUNCH(copy_out_kernel, BLOCKS, THREADS, 0, stream, (const uint4 *)from, size, (uint4 *)to,
               (uint64_t)most);
}
