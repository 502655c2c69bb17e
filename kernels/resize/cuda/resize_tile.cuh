/* Private to the tiled versions of resize on CUDA: computes a tile of the result, with the vertical
 * sums that it needs in shared memory. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_TILE_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_TILE_CUH

#include "kernels/resize/cuda/resize_pixels.cuh"

namespace resize
{

/* Computes the WIDE x LOW pixels of the result from column `x0` and row `y0` on. The block first
 * stores the vertical sums that these pixels need in `memory`: LOW rows of `pitch` pixels. A source
 * column is thus read and summed once for every tile that needs it. All threads of the block must
 * call this function. */
template <typename Sum, typename Stored>
__device__ inline void make_tile(const ImgResize &own, const ImgView &src, const ImgView &dst,
                                 int32_t x0, int32_t y0, int32_t pitch, Stored *memory)
{
    Stored *tile = memory + threadIdx.y * pitch * own.channels;
    const int32_t *first = img_resize_first(&own, &own.across);
    const int64_t x = (int64_t)x0 + threadIdx.x, y = (int64_t)y0 + threadIdx.y;
    const int32_t from = x0 - own.across.span.at, last = own.across.span.count - 1;
    const int32_t left = first[min(max(from, 0), last)];
    const int32_t end = min(first[min(max(from + WIDE - 1, 0), last)] + own.across.taps, src.width);
    const bool is_inside = x < dst.width && y < dst.height;
    const Place place = place_of(own, (int32_t)x, (int32_t)y);
    const bool has_row = place.row >= 0 && place.row < own.down.span.count && !own.copies;
    for (int32_t i = (int32_t)threadIdx.x; has_row && i < end - left; i += WIDE) {
        Sum values[CHANNELS];
        sum_column(own, src, left + i, place.row, values);
        for (int c = 0; c < own.channels; c++)
            tile[i * own.channels + c] = (Stored)values[c];
    }
    __syncthreads();
    uint32_t pixel[CHANNELS] = {0, 0, 0, 0};
    if (is_inside && !is_plain(own, src, place, pixel))
        sum_row<Sum>(own, place.column, pixel, [&](int32_t at, Sum(&values)[CHANNELS]) {
            for (int c = 0; c < own.channels; c++)
                values[c] = tile[(at - left) * own.channels + c];
        });
    if (is_inside)
        store_pixel(own, dst, (int32_t)x, (int32_t)y, pixel);
    __syncthreads();
}

} // namespace resize

#endif
