/* Private to median: the parameters of its CUDA kernels. */
#ifndef IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_CUDA_CUH
#define IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/median/median.h"

constexpr int MEDIAN_GRID_ROWS = 65535;

struct MedianTask {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t width, height, channels, radius, border, bits;
    uint16_t background[4];

    /* Returns sample number `c` of the background. It compares `c` with constants instead of using
     * it as an index, so that the background stays in registers. */
    __device__ uint32_t background_of(int32_t c) const
    {
        return c == 0   ? background[0]
               : c == 1 ? background[1]
               : c == 2 ? background[2]
                        : background[3];
    }

    /* Returns sample number `c` of the pixel at `column` and `row`, which must be results of
     * img_border_place. */
    template <typename Sample>
    __device__ uint32_t sample(int32_t column, int32_t row, int32_t c) const
    {
        if (column < 0 || row < 0)
            return background_of(c);
        return reinterpret_cast<const Sample *>(
            src + (size_t)row * src_stride)[(size_t)column * channels + c];
    }

    template <typename Sample>
    __device__ void set(int32_t x, int32_t y, int32_t c, uint32_t value) const
    {
        reinterpret_cast<Sample *>(dst + (size_t)y * dst_stride)[(size_t)x * channels + c] =
            (Sample)value;
    }
};

inline MedianTask median_task(const ImgCall *call)
{
    const ImgMedianParams *own = static_cast<const ImgMedianParams *>(call->params);
    MedianTask task;
    task.src = call->src.data;
    task.dst = call->dst.data;
    task.src_stride = call->src.stride;
    task.dst_stride = call->dst.stride;
    task.width = call->src.width;
    task.height = call->src.height;
    task.channels = img_format_channels(call->src.format);
    task.radius = own->radius;
    task.border = own->border.border;
    task.bits = call->src.format.bits;
    img_border_samples(call->src.format, &own->border, task.background);
    return task;
}

/* Returns the number of blocks for `size` items, with `each` items per block. It is at most
 * `most`. */
inline unsigned median_blocks(int64_t size, int64_t each, int64_t most)
{
    const int64_t blocks = (size + each - 1) / each;
    return (unsigned)(blocks < most ? blocks : most);
}

/* Size of the blocks of the kernels with one thread per pixel. */
constexpr int MEDIAN_ACROSS = 32, MEDIAN_DOWN = 8;

inline dim3 median_grid(const MedianTask &task)
{
    return dim3(median_blocks(task.width, MEDIAN_ACROSS, INT32_MAX),
                median_blocks(task.height, MEDIAN_DOWN, MEDIAN_GRID_ROWS));
}

/* Finds a median bit by bit. `below(value)` must return the number of samples in the window that
 * are smaller than `value`. */
template <typename Below>
__device__ inline uint32_t median_by_bits(int32_t bits, int32_t radius, Below below)
{
    const int32_t side = 2 * radius + 1, half = side * side / 2;
    uint32_t value = 0;
    for (int32_t bit = bits - 1; bit >= 0; bit--) {
        const uint32_t larger = value | 1u << bit;
        value = below(larger) <= half ? larger : value;
    }
    return value;
}

#endif
