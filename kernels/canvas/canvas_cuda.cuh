/* What the kernels that put a picture on a canvas are given. */
#ifndef IMGTOOL_KERNELS_CANVAS_CANVAS_CUDA_CUH
#define IMGTOOL_KERNELS_CANVAS_CANVAS_CUDA_CUH

#include <string.h>

#include "kernels/canvas/canvas.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

struct CanvasTask {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t src_width, src_height, width, height;
    int32_t x, y, border;
    uint32_t blocks_across;
    uint64_t background; /* a pixel, its first byte lowest */
};

/* Blocks of `across` by `down` places, the first so many of which are one row of them: a grid's
 * second dimension is too small for high pictures. */
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
    const int64_t blocks_across = (places_across + across - 1) / across;
    const int64_t blocks_down = (dst.height + (int64_t)down - 1) / down;
    if (blocks_across > INT32_MAX / blocks_down)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    task->blocks_across = (uint32_t)blocks_across;
    *blocks = (unsigned)(blocks_across * blocks_down);
    return IMG_OK;
}

/* Calls `run` with a pixel's size as a constant. */
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

#endif
