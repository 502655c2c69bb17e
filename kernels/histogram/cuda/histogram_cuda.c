/* Implements the fast CUDA histogram: calls the version for the depth of the picture. */
#include "kernels/histogram/histogram.h"

ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err)
{
    return call->src.format.bits == 16 ? img_histogram_cuda_slices(call, err)
                                       : img_histogram_cuda_columns(call, err);
}

size_t img_histogram_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    return src.format.bits == 16 ? img_histogram_cuda_slices_workspace(op, src, params)
                                 : img_histogram_cuda_columns_workspace(op, src, params);
}
