/* Private to resize: code that the naive, separable and tiled versions on CUDA share. Narrow sums
 * have 32 bits, wide sums have 64 bits (resize.h). */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_PIXELS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_PIXELS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/resize/resize.h"

namespace resize
{

constexpr int WIDE = 32, LOW = 8, THREADS = WIDE * LOW, CHANNELS = 4, GRID_ROWS = 65535;
static_assert(WIDE == IMG_RESIZE_TILE && LOW == 8, "as resize_strips.c plans it");

__device__ inline void load_pixel(const ImgResize &own, const ImgView &src, int32_t x, int32_t y,
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

__device__ inline void store_pixel(const ImgResize &own, const ImgView &dst, int32_t x, int32_t y,
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

/* Computes the vertical sums of all channels of source column x, for row `row` of the scaled
 * picture. */
template <typename Sum>
__device__ inline void sum_column(const ImgResize &own, const ImgView &src, int32_t x, int32_t row,
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

/* Computes a pixel of the result by horizontal sums. `middle(place, sums)` must set `sums` to the
 * vertical sums of all channels of source column `place`. */
template <typename Sum, typename Middle>
__device__ inline void sum_row(const ImgResize &own, int32_t column, uint32_t (&pixel)[CHANNELS],
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

/* Position of a pixel of the result relative to the scaled picture. `is_made` is true if it lies in
 * the scaled picture, and false if it lies in the background around it. */
struct Place {
    int32_t column, row;
    bool is_made;
};

__device__ inline Place place_of(const ImgResize &own, int32_t x, int32_t y)
{
    const int32_t column = x - own.across.span.at, row = y - own.down.span.at;
    return {column, row,
            column >= 0 && column < own.across.span.count && row >= 0 && row < own.down.span.count};
}

/* Returns true if the pixel needs no sums: it is a copy of a source pixel, or background. In that
 * case it sets `pixel`. */
__device__ inline bool is_plain(const ImgResize &own, const ImgView &src, const Place &place,
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

/* Returns a grid of blocks of WIDE x LOW pixels; blocks loop if there are more than GRID_ROWS rows
 * of blocks. */
inline dim3 grid_of(int64_t width, int64_t height)
{
    const int64_t down = (height + LOW - 1) / LOW;
    return dim3((unsigned)((width + WIDE - 1) / WIDE),
                (unsigned)(down < GRID_ROWS ? down : GRID_ROWS));
}

} // namespace resize

#endif
