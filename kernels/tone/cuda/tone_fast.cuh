/* Private to the tone family: its fast CUDA implementations, for samples of up to 8 bits and of 16
 * bits. */
#ifndef IMGTOOL_KERNELS_TONE_CUDA_TONE_FAST_CUH
#define IMGTOOL_KERNELS_TONE_CUDA_TONE_FAST_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/tone/tone.h"

ImgStatus tone_fast_bytes(const ImgCall *call, const ImgTonePlan &plan, ImgError *err);
ImgStatus tone_fast_words(const ImgCall *call, const ImgTonePlan &plan, ImgError *err);

#endif
