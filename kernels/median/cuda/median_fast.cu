/* median on CUDA, fast version. It calls the fastest method for the size of the window: sorting
 * networks for small windows, counts for larger ones. */
#include "kernels/median/median.h"

ImgStatus img_median_cuda_fast(const ImgCall *call, ImgError *err)
{
    const int32_t radius = static_cast<const ImgMedianParams *>(call->params)->radius;
    if (radius == IMG_MEDIAN_CUDA_TEXTBOOK_MAX && call->src.format.bits == 16)
        /* at 16 bits and this radius, the tiled version is faster than counting */
        return img_median_cuda_tiled(call, err);
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(IMG_PREPASS_CLEAR, call, &own, err);
    if (status != IMG_OK)
        return status;
    if (radius == 1)
        return img_median_cuda_nine(&own, err);
    return (radius <= IMG_MEDIAN_CUDA_NETWORK_MAX ? img_median_cuda_tiles
                                                  : img_median_cuda_columns)(&own, err);
}
