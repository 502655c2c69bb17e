/* resize on CUDA, textbook versions: the naive version uses one thread per pixel of the result; the
 * separable version sums along one axis after the other. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/resize/cuda/resize_pixels.cuh"

namespace
{

using namespace resize;

/* --- A thread per pixel ----------------------------------------------------------------------- */

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

/* --- One axis after the other ----------------------------------------------------------------- */

/* The down kernel has a thread per pixel of the middle (the picture after vertical sums). The
 * across kernel has a thread per pixel of the result. */
template <typename Sum, typename Stored>
__global__ void __launch_bounds__(THREADS)
    down_kernel(const ImgResize *own, ImgView src, Stored *middle)
{
    const int64_t x = (int64_t)blockIdx.x * WIDE + threadIdx.x;
    if (x >= src.width)
        return;
    for (int64_t row = (int64_t)blockIdx.y * LOW + threadIdx.y; row < own->down.span.count;
         row += (int64_t)gridDim.y * LOW) {
        Sum values[CHANNELS];
        sum_column(*own, src, (int32_t)x, (int32_t)row, values);
        Stored *to = middle + ((size_t)row * src.width + (size_t)x) * own->channels;
        for (int c = 0; c < own->channels; c++)
            to[c] = (Stored)values[c];
    }
}

template <typename Sum, typename Stored>
__global__ void __launch_bounds__(THREADS)
    across_kernel(const ImgResize *own, ImgView src, ImgView dst, const Stored *middle)
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
                const Stored *from =
                    middle + ((size_t)place.row * src.width + (size_t)at) * own->channels;
                for (int c = 0; c < own->channels; c++)
                    values[c] = from[c];
            });
        store_pixel(*own, dst, (int32_t)x, (int32_t)y, pixel);
    }
}

template <typename Sum, typename Stored> ImgStatus separable(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    const auto *device_own = static_cast<const ImgResize *>(call->device_constants);
    auto *middle = static_cast<Stored *>(call->workspace);
    if (!own->copies)
        IMG_LAUNCH((down_kernel<Sum, Stored>), grid_of(call->src.width, own->down.span.count),
                   dim3(WIDE, LOW), 0, call->stream, device_own, call->src, middle);
    CUDA_TRY(cudaGetLastError(), err);
    IMG_LAUNCH((across_kernel<Sum, Stored>), grid_of(call->dst.width, call->dst.height),
               dim3(WIDE, LOW), 0, call->stream, device_own, call->src, call->dst, middle);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_resize_cuda_naive(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    const auto *device_own = static_cast<const ImgResize *>(call->device_constants);
    auto *kernel = own->wide ? naive_kernel<int64_t> : naive_kernel<int32_t>;
    IMG_LAUNCH(kernel, grid_of(call->dst.width, call->dst.height), dim3(WIDE, LOW), 0, call->stream,
               device_own, call->src, call->dst);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_resize_cuda_separable(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return own->wide ? separable<int64_t, int32_t>(call, err)
                     : separable<int32_t, int16_t>(call, err);
}
