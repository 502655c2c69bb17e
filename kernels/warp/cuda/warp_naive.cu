/* Image warps on CUDA, textbook version: one thread per pixel of the result. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/warp/warp.h"

namespace
{

constexpr int WIDTH = 32, HEIGHT = 8;

__device__ void store_pixel(const ImgWarp *warp, const ImgView &dst, int32_t x, int32_t y,
                            const uint32_t (&sample)[4])
{
    uint8_t *row = dst.data + (size_t)y * dst.stride;
    for (int32_t c = 0; c < warp->to.channels; c++) {
        const size_t at = (size_t)x * warp->to.channels + c;
        if (warp->to.bits == 16)
            reinterpret_cast<uint16_t *>(row)[at] = (uint16_t)sample[c];
        else
            row[at] = (uint8_t)sample[c];
    }
}

/* Computes one pixel of the result per thread, in blocks of 32 x 8. Threads of a warp read adjacent
 * positions through the caches. The kernel is limited by instructions, because each window converts
 * its samples again. */
__global__ void __launch_bounds__(WIDTH *HEIGHT)
    naive_kernel(const ImgWarp *warp, ImgWarpMap map, ImgView src, ImgView dst, uint32_t across)
{
    const int32_t x = (int32_t)(blockIdx.x % across) * WIDTH + (int32_t)threadIdx.x;
    const int32_t y = (int32_t)(blockIdx.x / across) * HEIGHT + (int32_t)threadIdx.y;
    if (x >= dst.width || y >= dst.height)
        return;
    uint32_t sample[4] = {0, 0, 0, 0};
    if (img_warp_is_nearest(warp, &map))
        img_warp_nearest(warp, &map, &src, x, y, sample);
    else
        img_warp_filtered(warp, &map, &src, x, y, sample);
    store_pixel(warp, dst, x, y, sample);
}

} // namespace

ImgStatus img_warp_cuda_naive(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_warp_color_cuda(call, &own, err);
    if (status != IMG_OK)
        return status;
    const uint32_t across = (uint32_t)((call->dst.width - 1) / WIDTH + 1);
    const uint64_t blocks = across * (uint64_t)((call->dst.height - 1) / HEIGHT + 1);
    IMG_LAUNCH(naive_kernel, (unsigned)blocks, dim3(WIDTH, HEIGHT), 0, call->stream,
               static_cast<const ImgWarp *>(call->device_constants), *map, own.src, own.dst,
               across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
