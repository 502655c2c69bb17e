/* Private to the simple and the tiled Gaussian on CUDA: loads and stores single pixels. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PIXELS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_GAUSSIAN_PIXELS_CUH

#include "kernels/blur/gaussian.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

constexpr int CHANNELS_MOST = 4;

template <typename Sample>
__device__ inline void load_pixel(const ImgLift &lift, const uint8_t *row, int64_t x,
                                  int32_t (&lifted)[CHANNELS_MOST])
{
    const Sample *pixel = reinterpret_cast<const Sample *>(row) + x * lift.channels;
    uint32_t sample[CHANNELS_MOST] = {0, 0, 0, 0};
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < lift.channels)
            sample[c] = pixel[c];
    img_lift_pixel(&lift, sample, lifted);
}

/* Stores a pixel of the result. If the operation sharpens, this is the pixel of `src` sharpened
 * with `blurred`; otherwise it is `blurred`. */
__device__ inline void store_pixel(const ImgBlurEnd &end, const ImgLift &lift, const ImgView &src,
                                   const ImgView &dst, int32_t x, int32_t y,
                                   int32_t (&blurred)[CHANNELS_MOST])
{
    uint32_t sample[CHANNELS_MOST];
    if (end.sharpens != 0) {
        int32_t own[CHANNELS_MOST];
        const uint8_t *row = src.data + (size_t)y * src.stride;
        if (src.format.bits == 16)
            load_pixel<uint16_t>(lift, row, x, own);
        else
            load_pixel<uint8_t>(lift, row, x, own);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < lift.channels)
                blurred[c] = img_unsharp(&end.mask, own[c], blurred[c]);
    }
    img_lower_pixel(&lift, blurred, sample);
    uint8_t *row = dst.data + (size_t)y * dst.stride;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++) {
        if (c >= lift.channels)
            break;
        if (lift.bits == 16)
            reinterpret_cast<uint16_t *>(row)[(size_t)x * lift.channels + c] = (uint16_t)sample[c];
        else
            row[(size_t)x * lift.channels + c] = (uint8_t)sample[c];
    }
}

#endif
