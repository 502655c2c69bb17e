/* overlay on the GPU, one thread per pixel. The kernel computes either all pixels, or, after a fast
 * copy of the picture, only the pixels that the logo covers. 64-bit divisions limit the speed for
 * covered pixels, and memory bandwidth limits it for all others. */
#include "kernels/canvas/canvas.h"
#include "kernels/canvas/overlay.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"

namespace
{

constexpr int ACROSS = 32, DOWN = 8;

struct OverlayTask {
    const uint8_t *src, *logo;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    /* rectangle of the result that the kernel computes, in pixels */
    int32_t first_x, first_y, end_x, end_y;
    ImgOverlayPlace place;
    uint32_t opacity, scale, blocks_across;
};

template <typename Sample, int CHANNELS> __global__ void overlay_kernel(OverlayTask task)
{
    constexpr bool HAS_ALPHA = CHANNELS % 2 == 0;
    constexpr int COLORS = HAS_ALPHA ? CHANNELS - 1 : CHANNELS;
    const int64_t x =
        task.first_x + (int64_t)(blockIdx.x % task.blocks_across) * ACROSS + threadIdx.x;
    const int64_t y =
        task.first_y + (int64_t)(blockIdx.x / task.blocks_across) * DOWN + threadIdx.y;
    if (x >= task.end_x || y >= task.end_y)
        return;
    const ImgOverlayPlace &place = task.place;
    const Sample *from =
        reinterpret_cast<const Sample *>(task.src + y * task.src_stride) + x * CHANNELS;
    Sample *to = reinterpret_cast<Sample *>(task.dst + y * task.dst_stride) + x * CHANNELS;
    uint32_t pixel[4] = {}, above[4] = {};
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        pixel[c] = from[c] * task.scale;
    const int32_t logo_x = img_overlay_along(x, place.x, place.width, place.tile);
    const int32_t logo_y = img_overlay_along(y, place.y, place.height, place.tile);
    if (logo_x >= 0 && logo_y >= 0) {
        const Sample *logo = reinterpret_cast<const Sample *>(task.logo) +
                             ((size_t)logo_y * place.width + logo_x) * (COLORS + 1);
#pragma unroll
        for (int c = 0; c <= COLORS; c++)
            above[c] = logo[c];
        if (!HAS_ALPHA && sizeof(Sample) == 1)
            img_overlay_bytes(above, pixel, COLORS, task.opacity);
        else
            img_overlay_pixel(above, pixel, COLORS, HAS_ALPHA, task.opacity, (Sample)-1);
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        to[c] = (Sample)pixel[c];
}

OverlayTask task_of(const ImgCall *call)
{
    const ImgOverlayParams *own = (const ImgOverlayParams *)call->params;
    OverlayTask task = {};
    task.src = call->src.data;
    task.dst = call->dst.data;
    task.logo = (const uint8_t *)call->device_constants + offsetof(ImgOverlayLogo, samples);
    task.src_stride = call->src.stride;
    task.dst_stride = call->dst.stride;
    task.end_x = call->dst.width;
    task.end_y = call->dst.height;
    task.place = img_overlay_place(call);
    task.opacity = (uint32_t)own->opacity;
    task.scale = img_window_scale(call->src.format);
    return task;
}

int32_t within(int64_t value, int32_t size)
{
    return value < 0 ? 0 : value > size ? size : (int32_t)value;
}

/* Restricts the task to the pixels that the logo covers. If it covers none, the rectangle becomes
 * empty: its first column or row is not before its end. */
void cut_to_cover(OverlayTask *task)
{
    const ImgOverlayPlace &place = task->place;
    if (place.tile != 0)
        return;
    task->first_x = within(place.x, task->end_x);
    task->first_y = within(place.y, task->end_y);
    task->end_x = within((int64_t)place.x + place.width, task->end_x);
    task->end_y = within((int64_t)place.y + place.height, task->end_y);
}

ImgStatus launch(const ImgCall *call, OverlayTask task, ImgError *err)
{
    if (task.first_x >= task.end_x || task.first_y >= task.end_y)
        return IMG_OK;
    const int64_t across = ((int64_t)task.end_x - task.first_x + ACROSS - 1) / ACROSS;
    const int64_t down = ((int64_t)task.end_y - task.first_y + DOWN - 1) / DOWN;
    if (across > INT32_MAX / down)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    task.blocks_across = (uint32_t)across;
    return with_samples(call->dst.format, [&](auto sample, auto channels) {
        auto kernel = overlay_kernel<decltype(sample), decltype(channels)::VALUE>;
        IMG_LAUNCH(kernel, (unsigned)(across * down), dim3(ACROSS, DOWN), 0, call->stream, task);
        CUDA_TRY(cudaGetLastError(), err);
        return IMG_OK;
    });
}

} // namespace

ImgStatus img_overlay_cuda_naive(const ImgCall *call, ImgError *err)
{
    return launch(call, task_of(call), err);
}

ImgStatus img_overlay_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgCanvas whole = {};
    OverlayTask task = task_of(call);
    const ImgStatus status = img_canvas_cuda_fast(call, &whole, err);
    cut_to_cover(&task);
    return status == IMG_OK ? launch(call, task, err) : status;
}
