/* The fastest CUDA histogram for a depth. */
#include "kernels/histogram/histogram.h"

ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err)
{
    return call->src.format.bits == 16 ? img_histogram_cuda_slices(call, err)
                                       : img_histogram_cuda_columns(call, err);
}
