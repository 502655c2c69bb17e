/* resize on CUDA for every filter and format: one axis after the other through global memory, or
 * both in one kernel with tiles. The middle is the picture after vertical sums. */
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/resize/cuda/resize_tile.cuh"
#include "kernels/resize/resize.h"

namespace
{

using namespace resize;

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

/* --- Both axes in tiles ----------------------------------------------------------------------- */

template <typename Sum, typename Stored>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(const ImgResize *own, ImgView src, ImgView dst, int32_t pitch)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    for (int32_t y = (int32_t)blockIdx.y * LOW; y < dst.height; y += (int32_t)gridDim.y * LOW)
        make_tile<Sum>(*own, src, dst, (int32_t)blockIdx.x * WIDE, y, pitch,
                       reinterpret_cast<Stored *>(memory));
}

template <typename Sum, typename Stored> ImgStatus tiled(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    IMG_LAUNCH((tiled_kernel<Sum, Stored>), grid_of(call->dst.width, call->dst.height),
               dim3(WIDE, LOW), img_resize_tile_bytes(own), call->stream,
               static_cast<const ImgResize *>(call->device_constants), call->src, call->dst,
               (int32_t)img_resize_tile_columns(own));
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_resize_cuda_separable(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return own->wide ? separable<int64_t, int32_t>(call, err)
                     : separable<int32_t, int16_t>(call, err);
}

ImgStatus img_resize_cuda_tiled(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return own->wide ? tiled<int64_t, int32_t>(call, err) : tiled<int32_t, int16_t>(call, err);
}

/* --- Margins ---------------------------------------------------------------------------------- */

/* Resizes pictures on a GPU whose margins need another format than the picture has: alpha around
 * RGB, or a colour around gray. First the picture is scaled without margins, and the scaled picture
 * is stored in the workspace. Then it is copied from there to its position in the result, between
 * the margins. */
ImgStatus img_resize_run_cuda(const ImgCall *call, ImgRunFunction *run, ImgError *err)
{
    const auto *params = static_cast<const ImgResizeParams *>(call->params);
    const ImgShape src = img_view_shape(&call->src);
    if (!img_resize_is_apart(params, src))
        return run(call, err);
    const ImgShape inner = img_resize_inner_shape(params, src);
    const ImgCanvas canvas = img_resize_canvas(call);
    auto *memory = static_cast<uint8_t *>(call->workspace);
    ImgCall own = *call;
    own.dst = img_view_make(memory, img_device_pitch(inner), inner);
    own.workspace = memory + img_resize_inner_workspace(params, src);
    const ImgStatus status = run(&own, err);
    if (status != IMG_OK)
        return status;
    own.src = own.dst;
    own.dst = call->dst;
    return img_canvas_cuda_fast(&own, &canvas, err);
}
