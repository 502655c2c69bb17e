/* The windows of a strip, filtered: filter_window in io/png/encode/strip_estimate.c. A block for
 * each of their rows and ways. */
#include "io/png/cuda/encode/encode_kernels.h"
#include "io/png/cuda/encode/filter_row.cuh"

namespace
{

using namespace filter_row;

template <int PIXEL>
__device__ void write(Part *part, const ImgWindow &window, const uint8_t *row, const uint8_t *above,
                      unsigned filter, uint8_t *out)
{
    uint64_t not_used[2] = {0, 0};
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(part->filtered);
    if (threadIdx.x == 0)
        out[0] = (uint8_t)filter;
    for (size_t from = 0; from < window.bytes; from += SEGMENT) {
        const int count = bytes_of_segment(from, window.bytes);
        filter_segment<PIXEL>(window.bytes, part, row, above, from, filter, not_used, not_used + 1);
        for (int i = (int)threadIdx.x; i < count; i += THREADS)
            out[1 + from + (size_t)i] = bytes[i];
    }
}

template <int PIXEL> __global__ void __launch_bounds__(THREADS) windows_kernel(EncodeJob job)
{
    IMG_AWAIT_PREVIOUS();
    IMG_SHARED(Part, part, [1]);
    const uint32_t strip = blockIdx.x / IMG_WINDOWS, way = blockIdx.z;
    const ImgWindow window = encode_window(&job, strip, blockIdx.x % IMG_WINDOWS);
    if (encode_strip_bytes(&job, strip) <= job.small || (int32_t)blockIdx.y >= window.rows)
        return;
    const int32_t y = window.from + (int32_t)blockIdx.y;
    const uint8_t *row = job.rows + (size_t)y * job.stride + window.offset;
    const uint8_t *above = y == encode_first_row(&job, strip) ? nullptr : row - job.stride;
    uint8_t *out = encode_window_data(&job, blockIdx.x, way);
    const unsigned filters = way > 0 ? job.filters : 1u << IMG_FILTER_PAETH;
    const unsigned filter = choose<PIXEL>(window.bytes, part, row, above, filters);
    write<PIXEL>(part, window, row, above, filter, out + (size_t)blockIdx.y * (1 + window.bytes));
    if (blockIdx.y == 0 && threadIdx.x < ENCODE_WINDOW_ROOM - IMG_WINDOW_MOST)
        out[encode_window_size(&window) + threadIdx.x] = 0;
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
    dim3 grid(job->strips.count * IMG_WINDOWS, (unsigned)window.rows, job->ways);
    IMG_LAUNCH_EARLY(kernel, grid, THREADS, 0, stream, *job);
}
