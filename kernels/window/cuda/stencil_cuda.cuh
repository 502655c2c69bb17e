/* CUDA kernels for 3 x 3 filters, from the plain version to the fast one. The source file of a
 * filter includes this file and uses a macro such as IMG_STENCIL_CUDA(img_sobel, ImgSobel). */
#ifndef IMGTOOL_KERNELS_WINDOW_CUDA_STENCIL_CUDA_CUH
#define IMGTOOL_KERNELS_WINDOW_CUDA_STENCIL_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/window/cuda/stencil_strips.cuh"
#include "kernels/window/stencil.h"

namespace stencil
{

/* Side of the square tile that a block processes, in pixels; rows of threads in a block; largest
 * number of channels. */
constexpr int TILE = 32, THREAD_ROWS = 8, CHANNELS_MOST = 4;

struct Pictures {
    ImgView src, dst;
    uint32_t tiles_across;
};

/* Returns the value that is filtered for channel `c` of the pixel at (x, y), which may be beyond
 * the edges. */
template <typename Sample>
__device__ int32_t load(const ImgStencil &stencil, const ImgView &src, int64_t x, int64_t y,
                        int32_t c)
{
    const int32_t column = img_border_place(x, src.width, stencil.border);
    const int32_t line = img_border_place(y, src.height, stencil.border);
    if (column < 0 || line < 0)
        return stencil.background[c];
    const Sample *pixel = reinterpret_cast<const Sample *>(src.data + (size_t)line * src.stride) +
                          (size_t)column * stencil.channels;
    return (int32_t)img_stencil_load(&stencil, pixel[c], pixel[stencil.channels - 1]);
}

template <typename Sample, typename Result>
__device__ void store(const ImgStencil &stencil, const Pictures &pictures, int32_t x, int32_t y,
                      int32_t c, uint32_t value)
{
    const ImgView &src = pictures.src, &dst = pictures.dst;
    const size_t at = (size_t)x * stencil.channels + c;
    if (c + 1 == stencil.channels && stencil.has_alpha != 0)
        value =
            reinterpret_cast<const Sample *>(src.data + (size_t)y * src.stride)[at] * stencil.scale;
    else
        value = img_stencil_store(&stencil, value);
    reinterpret_cast<Result *>(dst.data + (size_t)y * dst.stride)[at] = (Result)value;
}

/* --- From global memory ----------------------------------------------------------------------- */

template <typename Filter, typename Sample>
__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    naive_kernel(typename Filter::Constants own, Pictures pictures)
{
    const ImgStencil &stencil = own.stencil;
    const uint32_t maximum = img_stencil_maximum(&stencil);
    const int32_t x = (int32_t)(blockIdx.x % pictures.tiles_across) * TILE + (int32_t)threadIdx.x;
    const int32_t top = (int32_t)(blockIdx.x / pictures.tiles_across) * TILE;
    for (int32_t line = (int32_t)threadIdx.y; line < TILE; line += THREAD_ROWS) {
        const int32_t y = top + line;
        if (x >= pictures.src.width || y >= pictures.src.height)
            return;
        for (int32_t c = 0; c < stencil.channels; c++) {
            int32_t samples[IMG_STENCIL_SAMPLES];
#pragma unroll
            for (int i = 0; i < IMG_STENCIL_SAMPLES; i++)
                samples[i] = load<Sample>(stencil, pictures.src, (int64_t)x + i % 3 - 1,
                                          (int64_t)y + i / 3 - 1, c);
            store<Sample, Sample>(stencil, pictures, x, y, c,
                                  Filter::value(&own, samples, maximum));
        }
    }
}

/* --- Through shared memory -------------------------------------------------------------------- */

/* Shared memory contains a tile and the pixels around it. Each channel has a plane, so that
 * neighbouring lanes read neighbouring samples in every format. Rows are padded to 38 samples of 16
 * bits, which are 19 banks: an odd number, so that the samples of a column lie in different banks.
 */
constexpr int HALO = 1, SIDE = TILE + 2 * HALO, PITCH = SIDE + 4;

template <typename Filter, typename Sample>
__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    tiled_kernel(typename Filter::Constants own, Pictures pictures)
{
    IMG_SHARED(uint16_t, tile, [CHANNELS_MOST][SIDE][PITCH]);
    const ImgStencil &stencil = own.stencil;
    const uint32_t maximum = img_stencil_maximum(&stencil);
    const int32_t left = (int32_t)(blockIdx.x % pictures.tiles_across) * TILE;
    const int32_t top = (int32_t)(blockIdx.x / pictures.tiles_across) * TILE;
    for (int32_t line = (int32_t)threadIdx.y; line < SIDE; line += THREAD_ROWS)
        for (int32_t column = (int32_t)threadIdx.x; column < SIDE; column += TILE)
            for (int32_t c = 0; c < stencil.channels; c++)
                tile[c][line][column] =
                    (uint16_t)load<Sample>(stencil, pictures.src, (int64_t)left + column - HALO,
                                           (int64_t)top + line - HALO, c);
    __syncthreads();
    const int32_t x = left + (int32_t)threadIdx.x;
    for (int32_t line = (int32_t)threadIdx.y; line < TILE; line += THREAD_ROWS) {
        if (x >= pictures.src.width || top + line >= pictures.src.height)
            return;
        for (int32_t c = 0; c < stencil.channels; c++) {
            int32_t samples[IMG_STENCIL_SAMPLES];
#pragma unroll
            for (int i = 0; i < IMG_STENCIL_SAMPLES; i++)
                samples[i] = tile[c][line + i / 3][threadIdx.x + i % 3];
            store<Sample, Sample>(stencil, pictures, x, top + line, c,
                                  Filter::value(&own, samples, maximum));
        }
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

inline uint64_t tiles_of(const ImgCall *call, Pictures *pictures)
{
    pictures->src = call->src;
    pictures->dst = call->dst;
    pictures->tiles_across = (uint32_t)((call->src.width - 1) / TILE + 1);
    return (uint64_t)pictures->tiles_across * (uint64_t)((call->src.height - 1) / TILE + 1);
}

template <typename Filter> ImgStatus launch_naive(const ImgCall *call, ImgError *err)
{
    Pictures pictures;
    const uint64_t tiles = tiles_of(call, &pictures);
    auto *kernel = call->src.format.bits == 16 ? naive_kernel<Filter, uint16_t>
                                               : naive_kernel<Filter, uint8_t>;
    IMG_LAUNCH(kernel, (unsigned)tiles, dim3(TILE, THREAD_ROWS), 0, call->stream,
               *static_cast<const typename Filter::Constants *>(call->constants.bytes), pictures);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

template <typename Filter> ImgStatus launch_tiled(const ImgCall *call, ImgError *err)
{
    Pictures pictures;
    const uint64_t tiles = tiles_of(call, &pictures);
    auto *kernel = call->src.format.bits == 16 ? tiled_kernel<Filter, uint16_t>
                                               : tiled_kernel<Filter, uint8_t>;
    IMG_LAUNCH(kernel, (unsigned)tiles, dim3(TILE, THREAD_ROWS), 0, call->stream,
               *static_cast<const typename Filter::Constants *>(call->constants.bytes), pictures);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace stencil

#define IMG_STENCIL_TEXTBOOK(filter, ConstantsOfFilter)                                            \
    namespace                                                                                      \
    {                                                                                              \
    struct Filter {                                                                                \
        using Constants = ConstantsOfFilter;                                                       \
        static __device__ uint32_t value(const Constants *own,                                     \
                                         const int32_t (&samples)[IMG_STENCIL_SAMPLES],            \
                                         uint32_t maximum)                                         \
        {                                                                                          \
            return filter##_value(own, samples, maximum);                                          \
        }                                                                                          \
    };                                                                                             \
    }                                                                                              \
    ImgStatus filter##_cuda_naive(const ImgCall *call, ImgError *err)                              \
    {                                                                                              \
        return stencil::launch_naive<Filter>(call, err);                                           \
    }                                                                                              \
    ImgStatus filter##_cuda_tiled(const ImgCall *call, ImgError *err)                              \
    {                                                                                              \
        return stencil::launch_tiled<Filter>(call, err);                                           \
    }                                                                                              \
    ImgStatus filter##_cuda_strips(const ImgCall *call, ImgError *err)                             \
    {                                                                                              \
        return stencil::launch_nine<Filter>(call, err);                                            \
    }

/* Defines the CUDA implementations of a filter that has only a function of nine samples. */
#define IMG_STENCIL_CUDA(filter, ConstantsOfFilter)                                                \
    IMG_STENCIL_TEXTBOOK(filter, ConstantsOfFilter)                                                \
    ImgStatus filter##_cuda_fast(const ImgCall *call, ImgError *err)                               \
    {                                                                                              \
        return filter##_cuda_strips(call, err);                                                    \
    }

/* Defines the CUDA implementations of a filter that also has a faster form, a struct Rows. Rows
 * defines the values that are kept of a row, and the result of three rows, in the number types of
 * stencil_numbers.cuh. edge/laplacian.cu is an example. */
#define IMG_STENCIL_CUDA_ROWS(filter, ConstantsOfFilter, Rows)                                     \
    IMG_STENCIL_TEXTBOOK(filter, ConstantsOfFilter)                                                \
    ImgStatus filter##_cuda_fast(const ImgCall *call, ImgError *err)                               \
    {                                                                                              \
        return stencil::launch_rows<Filter, Rows>(call, err);                                      \
    }

#endif
