/* The Gaussian on CUDA, of pictures without alpha: what calls make of the kernels. */
#include <string.h>

#include "kernels/blur/gaussian_direct.cuh"
#include "kernels/core/cuda/cuda_util.h"

TileSource gaussian_source(const ImgView &view, const ImgGaussian &gaussian)
{
    const bool wide = view.format.bits == 16;
    TileSource src;
    memset(&src, 0, sizeof src);
    src.data = view.data;
    src.stride = view.stride;
    src.width = view.width;
    src.height = view.height;
    src.border = gaussian.border;
    src.scale = img_window_scale(view.format);
    for (int i = 0; i < 4; i++)
        src.background[i] = (uint16_t)(wide ? gaussian.background[i] + IMG_LIFT_ZERO
                                            : gaussian.background[i] >> IMG_LIFT_PLACES);
    return src;
}

bool img_gaussian_is_fast(const ImgOp *op, ImgShape src, const void *params)
{
    return !img_format_has_alpha(src.format) && img_gaussian_is_direct(op, src, params);
}

ImgStatus img_gaussian_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(call->constants.bytes);
    DirectTask task;
    memset(&task, 0, sizeof task);
    task.src = gaussian_source(call->src, end->gaussian);
    task.dst = call->dst.data;
    task.dst_stride = call->dst.stride;
    task.radius = end->gaussian.radius;
    memcpy(task.weights, end->gaussian.weights, sizeof task.weights);
    task.mask = end->mask;
    task.sharpens = end->sharpens != 0;
    return gaussian_direct(task, call->src.format.bits == 16 ? 2 : 1,
                           img_format_channels(call->src.format), call->stream, err);
}
