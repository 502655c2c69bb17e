/* 3 x 3 filters on CUDA: from the textbook's way to the fast one. A filter's file includes this and
 * says IMG_STENCIL_CUDA(img_sobel, ImgSobel). */
#ifndef IMGTOOL_KERNELS_CORE_WINDOW_STENCIL_CUH
#define IMGTOOL_KERNELS_CORE_WINDOW_STENCIL_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/core/window/stencil.h"

namespace stencil
{

/* Tiles of a picture, one for each block. */
constexpr int TILE = 32, THREAD_ROWS = 8, CHANNELS_MOST = 4;

struct Pictures {
    ImgView src, dst;
    uint32_t tiles_across;
};

/* A colour as it is filtered, from a pixel of the source or what lies beyond it. */
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

/* A tile with the pixels around it, a plane for each channel, so that neighbouring lanes have
 * neighbouring samples whatever the format; rows are padded to an odd number of banks. */
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

/* --- By strips -------------------------------------------------------------------------------- */

/* A thread has 16 bytes of a row, goes down STRIP rows and keeps the samples of three of them, with
 * those on either side, in registers: each sample is loaded once and a little more. */
constexpr int STRIP = 8, STRIP_THREADS = 128;

template <typename Sample, int CHANNELS> struct Line {
    static constexpr int SAMPLES = WIDE_BYTES / (int)sizeof(Sample), ALL = SAMPLES + 2 * CHANNELS;
    static constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 8 * (int)sizeof(Sample);
    static constexpr int SIDE_WORDS = (CHANNELS + EACH - 1) / EACH;
    int32_t sample[ALL];

    static __device__ int32_t get(const uint32_t *words, int i)
    {
        return (int32_t)(words[i / EACH] >> i % EACH * BITS & (Sample)-1);
    }

    /* Number `unit` of 16 bytes, and CHANNELS samples on either side. */
    __device__ void load(const ImgStencil &stencil, const ImgView &src, int32_t unit, int64_t y)
    {
        const int32_t line = img_border_place(y, src.height, stencil.border);
        if (line < 0) {
#pragma unroll
            for (int i = 0; i < ALL; i++)
                sample[i] = stencil.background[(unit * SAMPLES + i) % CHANNELS];
            return; /* which begins CHANNELS before the unit: the same channel */
        }
        const uint8_t *row = src.data + (size_t)line * src.stride;
        const int64_t at = (int64_t)unit * WIDE_BYTES;
        const int64_t row_bytes = (int64_t)src.width * CHANNELS * (int64_t)sizeof(Sample);
        uint32_t middle[4], before[SIDE_WORDS] = {}, after[SIDE_WORDS] = {};
        take_piece(middle, __ldg(reinterpret_cast<const uint4 *>(row + at)));
#pragma unroll
        for (int i = 0; i < SIDE_WORDS; i++) {
            if (unit > 0)
                before[i] = __ldg(reinterpret_cast<const uint32_t *>(row + at) + i - SIDE_WORDS);
            if (at + WIDE_BYTES < row_bytes)
                after[i] = __ldg(reinterpret_cast<const uint32_t *>(row + at) + 4 + i);
        }
#pragma unroll
        for (int i = 0; i < SAMPLES; i++)
            sample[CHANNELS + i] = get(middle, i);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++) {
            sample[c] = get(before, SIDE_WORDS * EACH - CHANNELS + c);
            sample[CHANNELS + SAMPLES + c] = get(after, c);
        }
        if (unit == 0 || at + 2 * WIDE_BYTES > row_bytes)
            mend(stencil, reinterpret_cast<const Sample *>(row), src.width, unit);
    }

    /* What stands beyond the ends of a row. */
    __device__ void mend(const ImgStencil &stencil, const Sample *row, int32_t width, int32_t unit)
    {
        const int32_t before = img_border_place(-1, width, stencil.border);
        const int32_t after = img_border_place(width, width, stencil.border);
        const int64_t end = (int64_t)width * CHANNELS - (int64_t)unit * SAMPLES + CHANNELS;
#pragma unroll
        for (int i = 0; i < ALL; i++) {
            const int32_t place = unit == 0 && i < CHANNELS ? before : after;
            const int64_t c = i < CHANNELS ? i : i - end;
            if ((unit == 0 && i < CHANNELS) || (i >= end && i < end + CHANNELS))
                sample[i] =
                    place < 0 ? stencil.background[c] : row[(size_t)place * CHANNELS + (size_t)c];
        }
    }
};

template <typename Filter, typename Sample, int CHANNELS>
__device__ uint4 filter_unit(const typename Filter::Constants &own,
                             const Line<Sample, CHANNELS> (&lines)[3], uint32_t maximum)
{
    using L = Line<Sample, CHANNELS>;
    uint32_t words[4] = {0, 0, 0, 0};
#pragma unroll
    for (int i = 0; i < L::SAMPLES; i++) {
        int32_t samples[IMG_STENCIL_SAMPLES];
#pragma unroll
        for (int k = 0; k < IMG_STENCIL_SAMPLES; k++)
            samples[k] = lines[k / 3].sample[i + k % 3 * CHANNELS];
        words[i / L::EACH] |= Filter::value(&own, samples, maximum) << i % L::EACH * L::BITS;
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

template <typename Filter, typename Sample, int CHANNELS>
__global__ void __launch_bounds__(STRIP_THREADS)
    strip_kernel(typename Filter::Constants own, Pictures pictures, uint32_t units)
{
    const ImgView &src = pictures.src, &dst = pictures.dst;
    const uint64_t strip = (uint64_t)blockIdx.x * STRIP_THREADS + threadIdx.x;
    const int32_t unit = (int32_t)(strip % units);
    const int64_t first = (int64_t)(strip / units) * STRIP;
    const int64_t row_bytes = (int64_t)src.width * CHANNELS * (int64_t)sizeof(Sample);
    if (first >= src.height)
        return;
    const uint32_t maximum = img_stencil_maximum(&own.stencil);
    const int64_t end = first + STRIP < src.height ? first + STRIP : src.height;
    Line<Sample, CHANNELS> lines[3];
    lines[1].load(own.stencil, src, unit, first - 1);
    lines[2].load(own.stencil, src, unit, first);
    for (int64_t y = first; y < end; y++) {
        lines[0] = lines[1];
        lines[1] = lines[2];
        lines[2].load(own.stencil, src, unit, y + 1);
        store_wide(dst.data + (size_t)y * dst.stride, (int64_t)unit * WIDE_BYTES, row_bytes,
                   filter_unit<Filter, Sample, CHANNELS>(own, lines, maximum));
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

template <typename Filter> ImgStatus launch_strips(const ImgCall *call, ImgError *err)
{
    Pictures pictures;
    const bool wide = call->src.format.bits == 16, gray = call->src.format.color == IMG_COLOR_GRAY;
    const int64_t bytes = (int64_t)call->src.width * (gray ? 1 : 3) * (wide ? 2 : 1);
    const uint32_t units = (uint32_t)((bytes - 1) / WIDE_BYTES + 1);
    const uint64_t strips = (uint64_t)units * (uint64_t)((call->src.height - 1) / STRIP + 1);
    (void)tiles_of(call, &pictures);
    auto *kernel =
        gray ? (wide ? strip_kernel<Filter, uint16_t, 1> : strip_kernel<Filter, uint8_t, 1>)
             : (wide ? strip_kernel<Filter, uint16_t, 3> : strip_kernel<Filter, uint8_t, 3>);
    IMG_LAUNCH(kernel, (unsigned)((strips - 1) / STRIP_THREADS + 1), STRIP_THREADS, 0, call->stream,
               *static_cast<const typename Filter::Constants *>(call->constants.bytes), pictures,
               units);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace stencil

#define IMG_STENCIL_CUDA(filter, ConstantsOfFilter)                                                \
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
    ImgStatus filter##_cuda_fast(const ImgCall *call, ImgError *err)                               \
    {                                                                                              \
        return stencil::launch_strips<Filter>(call, err);                                          \
    }

#endif
