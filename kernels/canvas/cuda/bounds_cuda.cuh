/* Private to bounds on the GPU: the parameters that its two kernels share. */
#ifndef IMGTOOL_KERNELS_CANVAS_CUDA_BOUNDS_CUDA_CUH
#define IMGTOOL_KERNELS_CANVAS_CUDA_BOUNDS_CUDA_CUH

#include "kernels/canvas/trim.h"
#include "kernels/core/cuda/pixel_groups.cuh"

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
