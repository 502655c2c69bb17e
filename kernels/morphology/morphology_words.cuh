/* Private: minima of samples that are packed in words, and words of rows with what lies beyond
 * them. Maxima are minima of what is inverted, on the way in and on the way out. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_WORDS_CUH
#define IMGTOOL_KERNELS_MORPHOLOGY_MORPHOLOGY_WORDS_CUH

#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/morphology/morphology_cuda.cuh"

constexpr int WORD = 4;

/* Half words that have a sample above and anything below it: the sample decides, and what is below
 * goes with one of them. So one instruction does two bytes, without taking them apart first. */
template <typename Sample> __device__ inline uint32_t packed_minimum(uint32_t a, uint32_t b)
{
    if (sizeof(Sample) == 2)
        return __vminu2(a, b);
    return __byte_perm(__vminu2(a << 8, b << 8), __vminu2(a, b), 0x7351);
}

__device__ inline uint32_t inversion(const ImgMorphologyStep &step)
{
    return step.is_maximum != 0 ? ~0u : 0;
}

/* The word at byte `offset` of a row, of which some may lie beyond its ends; the row may be -1: the
 * background. For edges: sample by sample. */
template <typename Sample>
__device__ inline uint32_t edge_word(const MorphologyTask &task, int32_t row, int64_t offset)
{
    constexpr int EACH = WORD / (int)sizeof(Sample), BITS = 32 / EACH;
    uint32_t word = 0;
#pragma unroll 1
    for (int i = 0; i < EACH; i++) {
        const int64_t sample = offset / (int)sizeof(Sample) + i;
        int64_t x = sample / task.channels;
        int32_t channel = (int32_t)(sample - x * task.channels);
        if (channel < 0)
            channel += task.channels, x--;
        const int32_t place = img_border_place(x, task.width, task.step.border);
        const Sample *samples =
            reinterpret_cast<const Sample *>(task.src + (size_t)max(row, 0) * task.src_stride);
        const uint32_t value = row < 0 || place < 0
                                   ? morphology_background(task, channel)
                                   : samples[(size_t)place * task.channels + channel];
        word |= value << i * BITS;
    }
    return word;
}

/* `words` whole or in part inside a row; nothing past its end is written. */
__device__ inline void store_word(uint8_t *row, int64_t offset, int64_t row_bytes, uint32_t word)
{
    if (offset + WORD <= row_bytes) {
        *reinterpret_cast<uint32_t *>(row + offset) = word;
        return;
    }
    for (int i = 0; offset + i < row_bytes; i++)
        row[offset + i] = (uint8_t)(word >> 8 * i);
}

/* One step by kernels for any rectangle; `between` has room for a picture. */
ImgStatus morphology_two_passes(const ImgCall *call, const ImgMorphologyStep &step,
                                const ImgView &src, const ImgView &dst, uint8_t *between,
                                ImgError *err);

#endif
