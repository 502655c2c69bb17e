/* Private: shared by the CUDA files of the tone family. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH
#define IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/tone/tone.h"
#include "kernels/tone/tone_arithmetic.h"

using Count = unsigned long long;

/* low..high is stretched to 0..maximum. If nothing is to change, low and high are these values. */
struct ToneRange {
    uint32_t low, high;
};

/* Input of kernels in device memory. */
struct ToneFound {
    const Count *counts;     /* of every value, one row per table */
    const uint16_t *tables;  /* EQUALIZE: 2^bits entries each */
    const uint4 *packed;     /* the same, if there are several of 16 bits (tone_packed.cuh) */
    const ToneRange *ranges; /* STRETCH: one per table */
    const uint32_t *level;   /* OTSU */
};

/* Parameters of the kernels that change pixels. */
struct ToneRun {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    int32_t width, height;
    ImgTonePlan plan;
    ToneFound found;
};

inline ToneRun tone_run_of(const ImgCall *call, const ImgTonePlan &plan, const ToneFound &found)
{
    return {call->src.data,
            call->dst.data,
            call->src.stride,
            call->dst.stride,
            call->src.width,
            call->src.height,
            plan,
            found};
}

/* Counts the source, queued on the stream of the call, and sets the counts in `found`. */
ImgStatus tone_count(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* The same, and then computes tables, ranges or the level. */
ImgStatus tone_find(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* Lets the next kernel in the stream start, if it was launched early. */
__device__ inline void tone_let_next_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ inline uint32_t tone_clamped(int32_t value, int32_t maximum)
{
    return (uint32_t)min(max(value, 0), maximum);
}

#endif
