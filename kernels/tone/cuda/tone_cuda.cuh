/* Private: parts that the CUDA files of the tone family share. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH
#define IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/tone/tone.h"
#include "kernels/tone/tone_arithmetic.h"

using Count = unsigned long long;

/* Range of values: low..high is stretched to 0..maximum. If nothing changes, low and high are 0 and
 * maximum. */
struct ToneRange {
    uint32_t low, high;
};

/* Inputs of the kernels that change pixels, in device memory. The rule determines which members are
 * set. */
struct ToneFound {
    const Count *counts;    /* counts of all values, one row per table */
    const uint16_t *tables; /* for EQUALIZE: tables of 2^bits entries each */
    /* the tables in packed form, if there are several of 16 bits (tone_packed.cuh) */
    const uint4 *packed;
    const ToneRange *ranges; /* for STRETCH: one range per table */
    const uint32_t *level;   /* for OTSU: the level */
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

/* Queues the counting of the source on the stream of the call. Sets the counts in `found`. */
ImgStatus tone_count(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* Does the same as tone_count, and then computes tables, ranges or the level. */
ImgStatus tone_find(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* Allows the next kernel in the stream to start, if it was launched early. */
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
