/* Private: shared by the CUDA files of the tone family. */
#ifndef IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH
#define IMGTOOL_KERNELS_TONE_TONE_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/tone/tone.h"
#include "kernels/tone/tone_arithmetic.h"

using Count = unsigned long long;

/* low..high becomes 0..maximum; where nothing is to change these are low and high. */
struct ToneRange {
    uint32_t low, high;
};

/* What kernels find in device memory. */
struct ToneFound {
    const Count *counts;     /* of every value, a row for each table */
    const uint16_t *tables;  /* EQUALIZE: 2^bits entries each */
    const uint4 *packed;     /* the same, where there are several of 16 bits (tone_packed.cuh) */
    const ToneRange *ranges; /* STRETCH: one in place of a table */
    const uint32_t *level;   /* OTSU */
};

/* What kernels that change pixels get. */
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

/* Counts the source, queued on the call's stream; of `found`, counts are there afterwards. */
ImgStatus tone_count(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* The same, and then tables, ranges or the level. */
ImgStatus tone_find(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* The next kernel in the stream may start, if it was launched early. */
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
