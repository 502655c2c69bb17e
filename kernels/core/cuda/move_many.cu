/* Each thread moves one pixel of the result at a time. Each row of the grid takes one picture. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/move_many.h"

namespace
{

constexpr int THREADS = 256;
constexpr uint32_t BLOCKS = 64; /* thread blocks of a picture */

template <typename Unit> __device__ void copy_units(uint8_t *to, const uint8_t *from, int32_t bytes)
{
    for (int32_t i = 0; i < bytes / (int32_t)sizeof(Unit); i++)
        reinterpret_cast<Unit *>(to)[i] = reinterpret_cast<const Unit *>(from)[i];
}

__global__ void __launch_bounds__(THREADS) move_kernel(const ImgMove *moves)
{
    const ImgMove move = moves[blockIdx.y];
    const uint32_t width = (uint32_t)move.width, pixels = width * (uint32_t)move.height;
    for (uint32_t i = blockIdx.x * THREADS + threadIdx.x; i < pixels; i += BLOCKS * THREADS) {
        const uint32_t y = i / width, x = i - y * width;
        const uint8_t *from = move.src + x * move.src_x + y * move.src_y;
        uint8_t *to = move.dst + y * move.dst_stride + (size_t)x * move.pixel_size;
        if (move.pixel_size % 4 == 0)
            copy_units<uint32_t>(to, from, move.pixel_size);
        else if (move.pixel_size % 2 == 0)
            copy_units<uint16_t>(to, from, move.pixel_size);
        else
            copy_units<uint8_t>(to, from, move.pixel_size);
    }
}

} // namespace

ImgStatus img_move_many(const ImgManyRoom *room, size_t count, void *stream, ImgError *err)
{
    const auto *moves = static_cast<const ImgMove *>(room->device);
    CUDA_TRY(cudaMemcpyAsync(room->device, room->host, count * sizeof *moves,
                             cudaMemcpyHostToDevice, (cudaStream_t)stream),
             err);
    IMG_LAUNCH(move_kernel, dim3(BLOCKS, (unsigned)count), THREADS, 0, stream, moves);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
