/* Private to the tone family: declarations that its CUDA files have in common. */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_CUDA_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_CUDA_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/tone/tone.h"
#include "kernels/tone/tone_arithmetic.h"

using Count = unsigned long long;

/* A range of values to stretch: low..high becomes 0..maximum. If low is 0 and high is maximum,
 * nothing changes. */
struct ToneRange {
    uint32_t low, high;
};

/* Results that were computed from the counts of a picture, in device memory. They are inputs of the
 * kernels that change pixels. The rule of the plan (IMG_TONE_EQUALIZE, IMG_TONE_STRETCH or
 * IMG_TONE_OTSU) determines which members are set. */
struct ToneFound {
    const Count *counts;    /* counts of all values, one row per table */
    const uint16_t *tables; /* for IMG_TONE_EQUALIZE: tables of 2^bits entries each */
    /* the same tables in packed form, if there are several tables of 16 bits (tone_packed.cuh) */
    const uint4 *packed;
    const ToneRange *ranges; /* for IMG_TONE_STRETCH: one range per table */
    const uint32_t *level;   /* for IMG_TONE_OTSU: the level between black and white */
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

/* Launches the kernels that count the source, in the stream of the call. Sets the address of the
 * counts in `found`. */
ImgStatus tone_count(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* Launches the same kernels as tone_count, and then the kernels that compute tables, ranges or the
 * level. */
ImgStatus tone_find(const ImgCall *call, const ImgTonePlan &plan, ToneFound *found, ImgError *err);

/* Allows the next kernel in the stream to start before this one has finished, if it was launched
 * that way (IMG_LAUNCH_EARLY). */
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

/* The fast implementations, for samples of up to 8 bits and of 16 bits. */
ImgStatus tone_fast_bytes(const ImgCall *call, const ImgTonePlan &plan, ImgError *err);
ImgStatus tone_fast_words(const ImgCall *call, const ImgTonePlan &plan, ImgError *err);

#endif
