/* Private to canny: functions that its CUDA files have in common. */
#ifndef IMGTOOL_KERNELS_EDGE_CANNY_CUDA_CUH
#define IMGTOOL_KERNELS_EDGE_CANNY_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/edge/canny.h"

inline const ImgCanny &canny_of(const ImgCall *call)
{
    return *static_cast<const ImgCanny *>(call->constants.bytes);
}

/* Returns the gray of pixel (x, y), which may be beyond the edges of the picture. */
__device__ inline int32_t canny_gray_at(const ImgCanny &canny, const ImgView &src, int64_t x,
                                        int64_t y)
{
    const int32_t column = img_border_place(x, src.width, canny.border);
    const int32_t line = img_border_place(y, src.height, canny.border);
    if (column < 0 || line < 0)
        return canny.background;
    const uint8_t *row = src.data + (size_t)line * src.stride;
    const size_t first = (size_t)column * canny.channels;
    uint32_t sample[4] = {0, 0, 0, 0};
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (c < canny.channels)
            sample[c] = src.format.bits == 16 ? reinterpret_cast<const uint16_t *>(row)[first + c]
                                              : row[first + c];
    return img_canny_gray(&canny, sample);
}

#endif
