/* resize on CUDA. Narrow sums have 32 bits, wide ones 64 (resize.h). */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/resize/resize.h"

namespace
{

constexpr int WIDE = 32, LOW = 8, THREADS = WIDE * LOW, CHANNELS = 4, GRID_ROWS = 65535;
static_assert(WIDE == IMG_RESIZE_TILE && LOW == 8, "as resize_strips.c plans it");

/* --- Pixels and sums -------------------------------------------------------------------------- */

__device__ void load_pixel(const ImgResize &own, const ImgView &src, int32_t x, int32_t y,
                           uint32_t (&pixel)[CHANNELS])
{
    const uint8_t *row = src.data + (size_t)y * src.stride;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        const size_t at = (size_t)x * own.channels + c;
        pixel[c] = c >= own.channels       ? 0
                   : src.format.bits == 16 ? reinterpret_cast<const uint16_t *>(row)[at]
                                           : row[at] * own.scale;
    }
}

__device__ void store_pixel(const ImgResize &own, const ImgView &dst, int32_t x, int32_t y,
                            const uint32_t (&pixel)[CHANNELS])
{
    uint8_t *row = dst.data + (size_t)y * dst.stride;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        const size_t at = (size_t)x * own.channels + c;
        if (c < own.channels && own.bits == 16)
            reinterpret_cast<uint16_t *>(row)[at] = (uint16_t)pixel[c];
        else if (c < own.channels)
            row[at] = (uint8_t)pixel[c];
    }
}

/* All channels of column x of the source, for row `row` of those that are made. */
template <typename Sum>
__device__ void sum_column(const ImgResize &own, const ImgView &src, int32_t x, int32_t row,
                           Sum (&middle)[CHANNELS])
{
    const ImgResizeAxis &axis = own.down;
    const int32_t first = img_resize_first(&own, &axis)[row];
    Sum sums[CHANNELS] = {0, 0, 0, 0};
    for (int32_t k = 0; k < axis.taps; k++) {
        const Sum weight = img_resize_weight(&own, &axis, row, k);
        uint32_t pixel[CHANNELS];
        load_pixel(own, src, x, img_resize_place(&axis, first, k), pixel);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            if (c < own.channels)
                sums[c] += weight * (Sum)img_resize_lift(&own, pixel, c);
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        middle[c] = (Sum)img_resize_round(sums[c], axis.places - own.fraction);
}

/* `middle(place, sums)` gives all channels of a column of the row. */
template <typename Sum, typename Middle>
__device__ void sum_row(const ImgResize &own, int32_t column, uint32_t (&pixel)[CHANNELS],
                        Middle middle)
{
    const ImgResizeAxis &axis = own.across;
    const int32_t first = img_resize_first(&own, &axis)[column];
    Sum sums[CHANNELS] = {0, 0, 0, 0};
    for (int32_t k = 0; k < axis.taps; k++) {
        const Sum weight = img_resize_weight(&own, &axis, column, k);
        Sum values[CHANNELS] = {0, 0, 0, 0};
        middle(img_resize_place(&axis, first, k), values);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            sums[c] += weight * values[c];
    }
    int64_t results[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        results[c] = own.zero + img_resize_round(sums[c], axis.places + own.fraction);
    img_resize_lower(&own, results, pixel);
}

/* Places of the result: those that are made, and the background. */
struct Place {
    int32_t column, row;
    bool is_made;
};

__device__ Place place_of(const ImgResize &own, int32_t x, int32_t y)
{
    const int32_t column = x - own.across.span.at, row = y - own.down.span.at;
    return {column, row,
            column >= 0 && column < own.across.span.count && row >= 0 && row < own.down.span.count};
}

/* True: the pixel is a copy, or the background. */
__device__ bool is_plain(const ImgResize &own, const ImgView &src, const Place &place,
                         uint32_t (&pixel)[CHANNELS])
{
    if (place.is_made && own.copies)
        load_pixel(own, src, img_resize_copied(&own, &own.across, place.column),
                   img_resize_copied(&own, &own.down, place.row), pixel);
    else if (!place.is_made)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            pixel[c] = own.background[c];
    return !place.is_made || own.copies;
}

/* --- A thread per pixel ----------------------------------------------------------------------- */

/* Each sums all columns that its row is made of: the source's pixels are read, and columns summed,
 * once for every pixel of the result that they are part of. */
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

/* A thread per pixel of the middle, then one per pixel of the result. */
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

dim3 grid_of(int64_t width, int64_t height)
{
    const int64_t down = (height + LOW - 1) / LOW;
    return dim3((unsigned)((width + WIDE - 1) / WIDE),
                (unsigned)(down < GRID_ROWS ? down : GRID_ROWS));
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

/* --- Tiles ------------------------------------------------------------------------------------ */

/* A block makes WIDE x LOW pixels: the sums of columns that they are made of go to shared memory,
 * LOW rows of `pitch` pixels, from column `left` of the source on. Source rows are read, and their
 * columns summed, once for every tile whose rows and columns reach them. */
template <typename Sum, typename Stored>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(const ImgResize *own, ImgView src, ImgView dst, int32_t pitch)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    Stored *tile = reinterpret_cast<Stored *>(memory) + threadIdx.y * pitch * own->channels;
    const int32_t *first = img_resize_first(own, &own->across);
    const int64_t x = (int64_t)blockIdx.x * WIDE + threadIdx.x;
    const int32_t from = (int32_t)blockIdx.x * WIDE - own->across.span.at;
    const int32_t last = own->across.span.count - 1;
    const int32_t left = first[min(max(from, 0), last)];
    const int32_t end =
        min(first[min(max(from + WIDE - 1, 0), last)] + own->across.taps, src.width);
    for (int64_t y0 = (int64_t)blockIdx.y * LOW; y0 < dst.height; y0 += (int64_t)gridDim.y * LOW) {
        const int64_t y = y0 + threadIdx.y;
        const bool is_inside = x < dst.width && y < dst.height;
        const Place place = place_of(*own, (int32_t)x, (int32_t)y);
        const bool has_row = place.row >= 0 && place.row < own->down.span.count && !own->copies;
        for (int32_t i = (int32_t)threadIdx.x; has_row && i < end - left; i += WIDE) {
            Sum values[CHANNELS];
            sum_column(*own, src, left + i, place.row, values);
            for (int c = 0; c < own->channels; c++)
                tile[i * own->channels + c] = (Stored)values[c];
        }
        __syncthreads();
        uint32_t pixel[CHANNELS] = {0, 0, 0, 0};
        if (is_inside && !is_plain(*own, src, place, pixel))
            sum_row<Sum>(*own, place.column, pixel, [&](int32_t at, Sum(&values)[CHANNELS]) {
                for (int c = 0; c < own->channels; c++)
                    values[c] = tile[(at - left) * own->channels + c];
            });
        if (is_inside)
            store_pixel(*own, dst, (int32_t)x, (int32_t)y, pixel);
        __syncthreads();
    }
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

ImgStatus img_resize_cuda_tiled(const ImgCall *call, ImgError *err)
{
    const auto *own = static_cast<const ImgResize *>(call->constants.bytes);
    return own->wide ? tiled<int64_t, int32_t>(call, err) : tiled<int32_t, int16_t>(call, err);
}

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
