/* Private to the canvas on the GPU: the parameters of the kernels that put a picture on a
 * canvas. */
#ifndef IMGTOOL_KERNELS_CANVAS_CUDA_CANVAS_CUDA_CUH
#define IMGTOOL_KERNELS_CANVAS_CUDA_CANVAS_CUDA_CUH

#include <string.h>

#include "kernels/canvas/canvas.h"
#include "kernels/canvas/trim.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"

/* Conversion of a pixel of the source to a pixel of the result. Pixels are held as integers; their
 * first byte in memory is the lowest byte. */
struct CanvasChange {
    bool is_needed;
    int bytes; /* bytes per pixel of the source */
    /* number of bits of all colours of a pixel together, in the source and in the result */
    int colors, result_colors;
    /* factor of the colours: scales samples to 8 bits, and repeats gray three times for RGB */
    uint64_t factor;
    uint64_t opaque; /* alpha that is added if only the result has alpha, otherwise 0 */
};

struct CanvasTask {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t src_width, src_height, width, height;
    int32_t x, y, border;
    uint32_t blocks_across;
    /* a pixel of the background as an integer; its first byte in memory is the lowest byte */
    uint64_t background;
    CanvasChange change;
};

inline CanvasChange canvas_change(ImgFormat from, ImgFormat to)
{
    const int colors = img_format_channels(from) < 3 ? 1 : 3;
    const int result_colors = img_format_channels(to) < 3 ? 1 : 3;
    const int bits = to.bits == 16 ? 16 : 8;
    CanvasChange change = {};
    change.is_needed = from.color != to.color;
    change.bytes = (int)img_format_pixel_size(from);
    change.colors = colors * bits;
    change.result_colors = result_colors * bits;
    change.factor = from.bits < 8 ? 255 / img_format_maximum(from) : 1;
    if (colors < result_colors)
        change.factor *= 1 | UINT64_C(1) << bits | UINT64_C(1) << (2 * bits);
    if (img_format_has_alpha(to) && !img_format_has_alpha(from))
        change.opaque = (uint64_t)img_format_maximum(to) << change.result_colors;
    return change;
}

__device__ inline uint64_t changed_pixel(const CanvasChange &change, uint64_t pixel)
{
    const uint64_t alpha = pixel >> change.colors;
    const uint64_t colors = pixel - (alpha << change.colors);
    return colors * change.factor | alpha << change.result_colors | change.opaque;
}

/* Returns pixel `x` of a source row as an integer, converted to the format of the result. BYTES is
 * the number of bytes per pixel of the result. */
template <int BYTES, bool CHANGES>
__device__ uint64_t canvas_pixel(const CanvasTask &task, const uint8_t *row, int64_t x)
{
    const int bytes = CHANGES ? task.change.bytes : BYTES;
    uint64_t pixel = 0;
#pragma unroll
    for (int b = 0; b < bytes; b++)
        pixel |= (uint64_t)row[x * bytes + b] << (8 * b);
    return CHANGES ? changed_pixel(task.change, pixel) : pixel;
}

/* Sets up the parameters of a kernel. A row of the result has `places_across` places; a place is
 * what one thread computes. A block of the grid processes `across` by `down` places. The grid has
 * one dimension, because its second dimension is limited to 65,535 blocks, too few for high
 * pictures. */
inline ImgStatus canvas_task(const ImgCall *call, const ImgCanvas *canvas, int64_t places_across,
                             int across, int down, CanvasTask *task, unsigned *blocks,
                             ImgError *err)
{
    const ImgView &src = call->src, &dst = call->dst;
    *task = {};
    task->src = src.data;
    task->dst = dst.data;
    task->src_stride = src.stride;
    task->dst_stride = dst.stride;
    task->src_width = src.width;
    task->src_height = src.height;
    task->width = dst.width;
    task->height = dst.height;
    task->x = canvas->x;
    task->y = canvas->y;
    task->border = canvas->border;
    memcpy(&task->background, canvas->background, sizeof task->background);
    task->change = canvas_change(src.format, dst.format);
    const int64_t blocks_across = (places_across + across - 1) / across;
    const int64_t blocks_down = (dst.height + (int64_t)down - 1) / down;
    if (blocks_across > INT32_MAX / blocks_down)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    task->blocks_across = (uint32_t)blocks_across;
    *blocks = (unsigned)(blocks_across * blocks_down);
    return IMG_OK;
}

/* A pixel size as a type, so that it is a compile-time constant. with_pixel_bytes calls its
 * argument `run` with an object of this type. */
template <int BYTES_> struct PixelBytes {
    static constexpr int VALUE = BYTES_;
};
template <typename Run> ImgStatus with_pixel_bytes(ImgFormat format, Run run)
{
    switch (img_format_pixel_size(format)) {
    case 1:
        return run(PixelBytes<1>());
    case 2:
        return run(PixelBytes<2>());
    case 3:
        return run(PixelBytes<3>());
    case 4:
        return run(PixelBytes<4>());
    case 6:
        return run(PixelBytes<6>());
    default:
        return run(PixelBytes<8>());
    }
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* The parameters that the two kernels of bounds share. */

using Bound = unsigned long long;

struct BoundsTask : PixelRows {
    ImgTrimTest test;
    Bound *bounds;
};

/* Sets up the parameters of a kernel, and sets the table of bounds to 0, because the kernels only
 * increase its entries. */
inline ImgStatus bounds_task(const ImgCall *call, BoundsTask *task, ImgError *err)
{
    (PixelRows &)*task = pixel_rows(call->src);
    task->test = img_trim_test(call->src.format, (const ImgTrimParams *)call->params);
    task->bounds = (Bound *)call->dst.data;
    CUDA_TRY(cudaMemsetAsync(task->bounds, 0, IMG_BOUNDS_COUNT * sizeof(Bound),
                             (cudaStream_t)call->stream),
             err);
    return IMG_OK;
}

template <typename Sample, int CHANNELS>
__device__ inline void read_background(const BoundsTask &task, uint32_t (&background)[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        background[c] = task.test.background[c];
        if (task.test.from_corner && c < CHANNELS)
            background[c] = reinterpret_cast<const Sample *>(task.src)[c];
    }
}

#endif
