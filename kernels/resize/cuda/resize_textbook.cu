/* resize on CUDA, textbook version: one thread per pixel of the result. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/resize/cuda/resize_pixels.cuh"

namespace
{

using namespace resize;

/* Each thread sums all source columns that its pixel needs. A column is thus read and summed once
 * for every pixel of the result that needs it. */
template <typename Sum>
__global__ void __launch_bounds__(THREADS)
    naive_kernel(const ImgResize *own, ImgView src, ImgView dst)
{
    const int64_t x = (int64_t)blockIdx.x * WIDE + threadIdx.x;
    if (x >= dst.width)
        return;
    for (int64_t y = (int64_t)blockIdx.y * LOW + threadIdx.y; y < dst.height;
         y += (int64_t)gridDim.y * LOW) {
        const Place place = place_of(*own, (int32_t)x, (int32_t)y);
        uint32_t pixel[CHANNELS] = {0, 0, 0, 0};
        if (!is_plain(*own, src, place, pixel))
            sum_row<Sum>(*own, place.column, pixel, [&](int32_t at, Sum(&values)[CHANNELS]) {
                sum_column(*own, src, at, place.row, values);
            });
        store_pixel(*own, dst, (int32_t)x, (int32_t)y, pixel);
    }
}

ImgStatus run(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    const auto *device_own = static_cast<const ImgResize *>(call->device_constants);
    auto *kernel = own->wide ? naive_kernel<int64_t> : naive_kernel<int32_t>;
    IMG_LAUNCH(kernel, grid_of(call->dst.width, call->dst.height), dim3(WIDE, LOW), 0, call->stream,
               device_own, call->src, call->dst);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_resize_cuda_naive(const ImgCall *call, ImgError *err)
{
    return img_resize_run_cuda(call, run, err);
}
