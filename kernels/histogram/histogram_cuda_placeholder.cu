/* Stands for the fast histogram until that is here: a thread a pixel, atomics on global memory. */
#include "kernels/core/cuda_launch.cuh"
#include "kernels/core/cuda_util.h"
#include "kernels/histogram/histogram.h"

namespace
{

constexpr int THREADS = 256;

struct Counted {
    const uint8_t *src;
    size_t src_stride;
    int64_t width, height;
    unsigned long long *counts;
    size_t row_words; /* of counts */
    int channels, bits;
    bool has_luma, skips;
    ImgLumaWeights weights;
};

__global__ void count_placeholder_kernel(Counted all)
{
    int64_t step = (int64_t)gridDim.x * THREADS;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < all.width * all.height;
         i += step) {
        const uint8_t *row = all.src + i / all.width * all.src_stride;
        int64_t at = i % all.width * all.channels;
        uint32_t sample[4] = {0, 0, 0, 0};
        for (int c = 0; c < all.channels; c++)
            sample[c] =
                all.bits == 16 ? reinterpret_cast<const uint16_t *>(row)[at + c] : row[at + c];
        if (all.skips && sample[all.channels - 1] == 0)
            continue;
        for (int c = 0; c < all.channels; c++)
            atomicAdd(all.counts + c * all.row_words + sample[c], 1ULL);
        if (all.has_luma)
            atomicAdd(all.counts + all.channels * all.row_words +
                          img_luma(all.weights, sample[0], sample[1], sample[2]),
                      1ULL);
    }
}

} // namespace

ImgStatus img_histogram_cuda_fast(const ImgCall *call, ImgError *err)
{
    const ImgHistogramParams *own = static_cast<const ImgHistogramParams *>(call->params);
    const ImgView &src = call->src, &dst = call->dst;
    Counted all = {src.data,
                   src.stride,
                   src.width,
                   src.height,
                   reinterpret_cast<unsigned long long *>(dst.data),
                   dst.stride / sizeof(uint64_t),
                   img_format_channels(src.format),
                   src.format.bits,
                   img_histogram_has_luma(src.format, own),
                   img_histogram_skips(src.format, own),
                   img_luma_weights(static_cast<ImgLuma>(own->luma))};
    CUDA_TRY(cudaMemsetAsync(dst.data, 0, dst.stride * (size_t)dst.height,
                             static_cast<cudaStream_t>(call->stream)),
             err);
    int64_t blocks = (all.width * all.height + THREADS - 1) / THREADS;
    IMG_LAUNCH(count_placeholder_kernel, (unsigned)(blocks < 4096 ? blocks : 4096), THREADS, 0,
               call->stream, all);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
