/* Private to histogram: the parameters that its CUDA kernels share, and a kernel that clears the
 * table. */
#ifndef IMGTOOL_KERNELS_HISTOGRAM_CUDA_HISTOGRAM_CUDA_CUH
#define IMGTOOL_KERNELS_HISTOGRAM_CUDA_HISTOGRAM_CUDA_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/histogram/histogram.h"

using Count = unsigned long long;

struct HistogramTask : PixelRows {
    int channels, bins;
    bool luma, skip;
    ImgLumaWeights weights;
    Count *counts; /* the table: one row of counts per channel, and luma in the last row */
    size_t row;    /* distance between rows, in entries */
};

inline HistogramTask histogram_task(const ImgCall *call)
{
    const ImgHistogramParams *own = (const ImgHistogramParams *)call->params;
    ImgFormat format = call->src.format;
    HistogramTask task = {};
    (PixelRows &)task = pixel_rows(call->src);
    task.channels = img_format_channels(format);
    task.bins = call->dst.width;
    task.luma = img_histogram_has_luma(format, own);
    task.skip = img_histogram_skips(format, own);
    task.weights = img_luma_weights((ImgLuma)own->luma);
    task.counts = (Count *)call->dst.data;
    task.row = call->dst.stride / sizeof(Count);
    return task;
}

__device__ inline uint32_t luma_of(const ImgLumaWeights &weights, uint32_t red, uint32_t green,
                                   uint32_t blue)
{
    return (weights.red * red + weights.green * green + weights.blue * blue + IMG_LUMA_HALF) >>
           IMG_LUMA_SHIFT;
}

/* Clears the table before other kernels add to it. There is one block per row. */
static __global__ void clear_kernel(Count *counts, size_t row, int bins)
{
    for (int i = threadIdx.x; i < bins; i += blockDim.x)
        counts[blockIdx.x * row + i] = 0;
}

inline ImgStatus clear_counts(const HistogramTask &task, void *stream, ImgError *err)
{
    int tables = task.channels + (task.luma ? 1 : 0);
    IMG_LAUNCH(clear_kernel, tables, 1024, 0, stream, task.counts, task.row, task.bins);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

#endif
