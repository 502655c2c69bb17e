/* The fastest way for each window: networks for small ones, counts for larger ones. */
#include "kernels/median/median.h"

ImgStatus img_median_cuda_fast(const ImgCall *call, ImgError *err)
{
    const int32_t radius = static_cast<const ImgMedianParams *>(call->params)->radius;
    if (radius == 1)
        return img_median_cuda_nine(call, err);
    if (radius <= IMG_MEDIAN_CUDA_NETWORK_MAX)
        return img_median_cuda_tiles(call, err);
    if (radius <= IMG_MEDIAN_CUDA_TEXTBOOK_MAX && call->src.format.bits == 16)
        return img_median_cuda_tiled(call, err); /* faster still than counts of 16 bits */
    return img_median_cuda_columns(call, err);
}
