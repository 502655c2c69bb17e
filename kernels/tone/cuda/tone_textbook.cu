/* The tone family on CUDA, textbook version: one pixel per thread. */
#include "kernels/point/point_impls.h"
#include "kernels/tone/cuda/tone_cuda.cuh"

namespace
{

constexpr int THREADS = 256;

/* Returns the new value of `sample`, a sample of channel number `channel`. */
__device__ uint32_t entry_of(const ToneRun &run, int channel, uint32_t sample)
{
    int table = run.plan.tables == 1 ? 0 : channel;
    if (run.plan.rule != IMG_TONE_STRETCH)
        return run.found.tables[((size_t)table << run.plan.bits) + sample];
    const ToneRange &range = run.found.ranges[table];
    return img_stretched(sample, range.low, range.high, (1u << run.plan.bits) - 1);
}

/* Changes one pixel per thread; consecutive blocks process consecutive parts of a row. Accesses to
 * single samples limit the kernel. With 8 bits, a request of a warp has only 32 bytes, and each
 * channel of a pixel is a separate request. */
template <typename Sample>
__global__ void __launch_bounds__(THREADS) tone_naive_kernel(ToneRun run, uint32_t blocks_across)
{
    int64_t x = (int64_t)(blockIdx.x % blocks_across) * THREADS + threadIdx.x;
    int64_t y = blockIdx.x / blocks_across;
    if (x >= run.width)
        return;
    const ImgTonePlan &plan = run.plan;
    bool splits = plan.way == IMG_TONE_SPLIT;
    int kept = splits ? 1 : plan.colors;
    int results = kept + plan.channels - plan.colors;
    const Sample *src =
        reinterpret_cast<const Sample *>(run.src + y * run.src_stride) + x * plan.channels;
    Sample *dst = reinterpret_cast<Sample *>(run.dst + y * run.dst_stride) + x * results;
    int32_t maximum = (1 << plan.bits) - 1;
    uint32_t bright = plan.colors == 1 ? src[0] : img_luma(plan.weights, src[0], src[1], src[2]);
    if (splits) {
        dst[0] = (Sample)(bright > *run.found.level ? maximum : 0);
    } else if (plan.way == IMG_TONE_SAMPLES) {
        for (int c = 0; c < kept; c++)
            dst[c] = (Sample)entry_of(run, c, src[c]);
    } else {
        int32_t shift = (int32_t)entry_of(run, 0, bright) - (int32_t)bright;
        for (int c = 0; c < kept; c++)
            dst[c] = (Sample)tone_clamped(src[c] + shift, maximum);
    }
    if (results > kept)
        dst[kept] = src[plan.colors];
}

ImgStatus run(const ImgCall *call, ImgError *err)
{
    ImgTonePlan plan = img_tone_plan(call->op, call->src.format, call->params);
    ToneFound found;
    ImgStatus status = tone_find(call, plan, &found, err);
    if (status != IMG_OK)
        return status;
    int64_t across = (call->src.width + (int64_t)THREADS - 1) / THREADS;
    if (across > INT32_MAX / call->src.height)
        return img_fail(err, IMG_E_UNSUPPORTED,
                        "these are too many pixels for one launch on a GPU; use the CPU");
    unsigned blocks = (unsigned)(across * call->src.height);
    auto kernel = plan.bits == 16 ? tone_naive_kernel<uint16_t> : tone_naive_kernel<uint8_t>;
    IMG_LAUNCH(kernel, blocks, THREADS, 0, call->stream, tone_run_of(call, plan, found),
               (uint32_t)across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

} // namespace

ImgStatus img_tone_cuda_naive(const ImgCall *call, ImgError *err)
{
    ImgCall own;
    const ImgStatus status = img_prepass_cuda(img_tone_prepass(call->op), call, &own, err);
    return status == IMG_OK ? run(&own, err) : status;
}

ImgStatus img_threshold_cuda_naive(const ImgCall *call, ImgError *err)
{
    return (call->constants.bytes != nullptr ? img_point_cuda_naive : img_tone_cuda_naive)(call,
                                                                                           err);
}
