/* Private to encode_windows and encode_samples: one thread block filters a row of a window, as
 * img_strip_filter_window does. */
#ifndef IMGTOOL_IO_PNG_CUDA_ENCODE_FILTER_WINDOW_CUH
#define IMGTOOL_IO_PNG_CUDA_ENCODE_FILTER_WINDOW_CUH

#include "io/png/cuda/encode/filter_row.cuh"

template <int PIXEL>
__device__ inline void write_window_row(filter_row::Part *part, const ImgWindow &window,
                                        const uint8_t *row, const uint8_t *above, unsigned filter,
                                        uint8_t *out)
{
    uint64_t not_used[2] = {0, 0};
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(part->filtered);
    if (threadIdx.x == 0)
        out[0] = (uint8_t)filter;
    for (size_t from = 0; from < window.bytes; from += filter_row::SEGMENT) {
        const int count = filter_row::bytes_of_segment(from, window.bytes);
        filter_row::filter_segment<PIXEL>(window.bytes, part, row, above, from, filter, not_used,
                                          not_used + 1);
        for (int i = (int)threadIdx.x; i < count; i += filter_row::THREADS)
            out[1 + from + (size_t)i] = bytes[i];
    }
}

/* Filters row blockIdx.y of the window, if the window has this row. The thread block of the first
 * row also clears the bytes after the window. */
template <int PIXEL>
__device__ inline void filter_window_row(const EncodeJob &job, filter_row::Part *part,
                                         uint32_t strip, const ImgWindow &window, unsigned filters,
                                         uint8_t *out)
{
    const int32_t number = (int32_t)blockIdx.y, y = window.from + number;
    if (number >= window.rows)
        return;
    const uint8_t *row = job.rows + (size_t)y * job.stride + window.offset;
    const uint8_t *above = y == encode_first_row(&job, strip) ? nullptr : row - job.stride;
    const unsigned filter = filter_row::choose<PIXEL>(window.bytes, part, row, above, filters);
    write_window_row<PIXEL>(part, window, row, above, filter,
                            out + (size_t)number * (1 + window.bytes));
    if (number == 0 && threadIdx.x < ENCODE_WINDOW_ROOM - IMG_WINDOW_MOST)
        out[encode_window_size(&window) + threadIdx.x] = 0;
}

#endif
