/* Private: shared by the CUDA files of the tone family. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH
#define IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/tone/tone.h"
#include "kernels/tone/tone_arithmetic.h"

/* What kernels find in device memory once the tables are made. */
struct ToneTables {
    const uint16_t *tables; /* plan.tables of them, 2^bits entries each */
    const uint32_t *level;  /* OTSU: found on the device */
};

/* Counts the source and makes the tables, all queued on the call's stream. */
ImgStatus tone_make_tables(const ImgCall *call, const ImgTonePlan &plan, ToneTables *made,
                           ImgError *err);

/* What kernels that change pixels get. */
struct ToneRun {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t width, height;
    ImgTonePlan plan;
    ToneTables made;
};

inline ToneRun tone_run_of(const ImgCall *call, const ImgTonePlan &plan, ToneTables made)
{
    return {call->src.data,
            call->dst.data,
            call->src.stride,
            call->dst.stride,
            call->src.width,
            call->src.height,
            plan,
            made};
}

/* The entry of a channel's table. */
__device__ inline uint32_t tone_entry(const ToneRun &run, int channel, uint32_t sample)
{
    size_t table = run.plan.tables == 1 ? 0 : (size_t)channel << run.plan.bits;
    return __ldg(run.made.tables + table + sample);
}

__device__ inline uint32_t tone_clamped(int32_t value, int32_t maximum)
{
    return (uint32_t)min(max(value, 0), maximum);
}

#endif
