/* Filters the windows of a strip (io/png/encode/estimate_rule.h), as img_strip_filter_window in
 * io/png/encode/strip_estimate.c does. Each thread block filters one row in one of job->filterings
 * ways: with Paeth, or with the filters of the level. */
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/filter_window.cuh"

namespace
{

using namespace filter_row;

template <int PIXEL> __global__ void __launch_bounds__(THREADS) windows_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Part, part, [1]);
    const uint32_t strip = blockIdx.x / IMG_WINDOWS, filtering = blockIdx.z;
    const ImgWindow window = encode_window(&job, strip, blockIdx.x % IMG_WINDOWS);
    if (encode_strip_bytes(&job, strip) <= job.small)
        return;
    const unsigned filters = filtering > 0 ? job.filters : 1u << IMG_FILTER_PAETH;
    filter_window_row<PIXEL>(job, part, strip, window, filters,
                             encode_window_data(&job, blockIdx.x, filtering));
}

} // namespace

void img_encode_windows(const EncodeJob *job, void *stream)
{
    auto *kernel = job->pixel == 1   ? windows_kernel<1>
                   : job->pixel == 2 ? windows_kernel<2>
                   : job->pixel == 3 ? windows_kernel<3>
                   : job->pixel == 4 ? windows_kernel<4>
                   : job->pixel == 6 ? windows_kernel<6>
                                     : windows_kernel<8>;
    const ImgWindow window = encode_window(job, 0, 0);
    dim3 grid(job->strips.count * IMG_WINDOWS, (unsigned)window.rows, job->filterings);
    IMG_LAUNCH_EARLY(kernel, grid, THREADS, 0, stream, *job);
}
