/* Plain kernel for point operations, one pixel per thread, for comparison with the fast kernels. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/point/point_arithmetic.h"
#include "kernels/point/point_impls.h"

namespace
{

constexpr int THREADS = 256, GRID_ROWS = 65535;

template <typename Sample>
__device__ void load(const uint8_t *pixel, int channels, uint32_t (&sample)[IMG_POINT_CHANNELS])
{
    const Sample *from = reinterpret_cast<const Sample *>(pixel);
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        sample[c] = c < channels ? from[c] : 0;
}

template <typename Sample>
__device__ void store(const uint32_t (&sample)[IMG_POINT_CHANNELS], int channels, uint8_t *pixel)
{
    Sample *to = reinterpret_cast<Sample *>(pixel);
#pragma unroll
    for (int c = 0; c < IMG_POINT_CHANNELS; c++)
        if (c < channels)
            to[c] = (Sample)sample[c];
}

/* Each block processes 256 pixels of a row. If the picture has more rows than a grid may have, a
 * loop processes the remaining rows. */
template <typename From, typename To>
__global__ void __launch_bounds__(THREADS)
    point_naive_kernel(ImgPointProgram program, const uint16_t *tables, ImgView src, ImgView dst,
                       int32_t from, int32_t to)
{
    const int32_t x = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    if (x >= src.width)
        return;
    for (int64_t y = blockIdx.y; y < src.height; y += gridDim.y) {
        uint32_t sample[IMG_POINT_CHANNELS];
        load<From>(src.data + (size_t)y * src.stride + (size_t)x * from * sizeof(From), from,
                   sample);
        for (int32_t i = 0; i < program.count; i++)
            img_point_apply(&program.stages[i], tables, x, y, sample);
        store<To>(sample, to, dst.data + (size_t)y * dst.stride + (size_t)x * to * sizeof(To));
    }
}

} // namespace

ImgStatus img_point_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgPointProgram *program = static_cast<const ImgPointProgram *>(call->constants.bytes);
    const uint8_t *on_device = static_cast<const uint8_t *>(call->device_constants);
    const uint16_t *tables = reinterpret_cast<const uint16_t *>(on_device + program->tables_at);
    const bool from_16 = program->from.bits == 16, to_16 = program->to.bits == 16;
    const int32_t height = call->src.height;
    dim3 grid((unsigned)(((int64_t)call->src.width + THREADS - 1) / THREADS),
              (unsigned)(height < GRID_ROWS ? height : GRID_ROWS));
    auto *kernel = from_16 ? (to_16 ? point_naive_kernel<uint16_t, uint16_t>
                                    : point_naive_kernel<uint16_t, uint8_t>)
                           : (to_16 ? point_naive_kernel<uint8_t, uint16_t>
                                    : point_naive_kernel<uint8_t, uint8_t>);
    IMG_LAUNCH(kernel, grid, THREADS, 0, call->stream, *program, tables, call->src, call->dst,
               img_format_channels(program->from), img_format_channels(program->to));
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
