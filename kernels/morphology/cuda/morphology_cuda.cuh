/* Private to the morphology family: declarations that its CUDA implementations have in common. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_CUDA_CUH
#define IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/morphology/morphology.h"

/* largest number of rows of blocks in a grid; a loop in the kernels processes further rows */
constexpr unsigned MORPHOLOGY_GRID_ROWS = 65535;

/* Parameters of the kernels for one step, minima or maxima over one rectangle, on the whole
 * picture. */
struct MorphologyTask {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t width, height;
    int32_t channels, pixel; /* number of samples and of bytes per pixel */
    int64_t written;         /* number of bytes to write per row of the result */
    ImgMorphologyStep step;
    /* Samples of the background: 16 bits per channel, packed in one number, because the compiler
     * would place an array in local memory. */
    uint64_t background;
};

__device__ inline uint32_t morphology_background(const MorphologyTask &task, int32_t channel)
{
    return (uint32_t)(task.background >> 16 * channel) & 0xffff;
}

inline MorphologyTask morphology_task(const ImgMorphologyStep &step, const ImgView &src,
                                      const ImgView &dst)
{
    MorphologyTask task;
    task.src = src.data;
    task.dst = dst.data;
    task.src_stride = src.stride;
    task.dst_stride = dst.stride;
    task.width = src.width;
    task.height = src.height;
    task.channels = img_format_channels(src.format);
    task.pixel = (int32_t)img_format_pixel_size(src.format);
    task.written = (int64_t)src.width * task.pixel;
    task.step = step;
    task.background = 0;
    for (int c = 0; c < task.channels; c++)
        task.background |= (uint64_t)step.background[c] << 16 * c;
    return task;
}

/* Returns sample number `channel` of pixel (x, y). Beyond the picture, the border defines it. */
template <typename Sample>
__device__ inline uint32_t morphology_sample(const MorphologyTask &task, int64_t x, int64_t y,
                                             int32_t channel)
{
    const int32_t column = img_border_place(x, task.width, task.step.border);
    const int32_t row = img_border_place(y, task.height, task.step.border);
    if (column < 0 || row < 0)
        return morphology_background(task, channel);
    const uint8_t *samples = task.src + (size_t)row * task.src_stride;
    return reinterpret_cast<const Sample *>(samples)[(size_t)column * task.channels + channel];
}

__device__ inline uint32_t morphology_better(uint32_t a, uint32_t b, int32_t is_maximum)
{
    return is_maximum != 0 ? max(a, b) : min(a, b);
}

/* Runs the prepass, and then calls `step(step, src, dst)` for each of the one or two steps of the
 * operation. The first of two steps writes an intermediate picture, which the second one reads. The
 * workspace contains the copy that the prepass makes, the intermediate picture, and the memory of a
 * step, in this order. */
template <typename Step> ImgStatus morphology_steps(const ImgCall *call, Step step, ImgError *err)
{
    ImgCall own;
    ImgStatus status = img_prepass_cuda(img_morphology_prepass(call->op), call, &own, err);
    if (status != IMG_OK)
        return status;
    const ImgShape shape = img_view_shape(&own.src);
    const ImgMorphology all = img_morphology(own.op, shape, own.params);
    if (all.count == 1)
        return step(all.steps[0], own.src, own.dst);
    const ImgView between = img_view_make(own.workspace, img_device_pitch(shape), shape);
    status = step(all.steps[0], own.src, between);
    return status == IMG_OK ? step(all.steps[1], between, own.dst) : status;
}

/* Returns the start of the memory that each step uses, the last part of the workspace. */
inline uint8_t *morphology_step_memory(const ImgCall *call)
{
    const ImgShape src = img_view_shape(&call->src);
    return static_cast<uint8_t *>(call->workspace) +
           img_prepass_workspace(img_morphology_prepass(call->op), src) +
           img_morphology_cuda_between(call->op, src);
}

#endif
