/* Private to median on CUDA: four neighbouring samples of a row, called a quad. Words combine them
 * with the four samples of another quad, in a row further down. */
#ifndef IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_QUAD_CUH
#define IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_QUAD_CUH

#include "kernels/median/cuda/median_cuda.cuh"

constexpr int QUAD = 4;

template <typename Sample> struct MedianQuad {
    static constexpr int EACH = 4 / (int)sizeof(Sample);
    uint32_t word[sizeof(Sample)];

    __device__ void load_inside(const uint8_t *at)
    {
#pragma unroll
        for (int i = 0; i < (int)sizeof(Sample); i++)
            word[i] = __ldg(reinterpret_cast<const uint32_t *>(at) + i);
    }
    /* Loads the four samples from number `sample` of a row on. `row` must be a result of
     * img_border_place. */
    template <int CHANNELS>
    __device__ void load(const MedianTask &task, int64_t sample, int32_t row)
    {
        const int64_t samples = (int64_t)task.width * CHANNELS;
        if (sample >= 0 && sample + QUAD <= samples && row >= 0) {
            load_inside(task.src + (size_t)row * task.src_stride + (size_t)sample * sizeof(Sample));
            return;
        }
#pragma unroll
        for (int i = 0; i < QUAD; i++) {
            const int64_t shifted = sample + i + (int64_t)CHANNELS * IMG_MEDIAN_SIDE_MAX;
            const int32_t column =
                img_border_place(shifted / CHANNELS - IMG_MEDIAN_SIDE_MAX, task.width, task.border);
            const uint32_t value = task.sample<Sample>(column, row, (int32_t)(shifted % CHANNELS));
            word[i / EACH] =
                (i % EACH != 0 ? word[i / EACH] : 0) | value << i % EACH * 8 * (int)sizeof(Sample);
        }
    }
    /* Returns a word with sample number `i` of this quad in its lower half and that of `upper` in
     * its upper half. 8-bit samples are stored twice in their half. */
    __device__ uint32_t paired(const MedianQuad &upper, int i) const
    {
        const unsigned bytes = (unsigned)(i % EACH) * 0x1111 + 0x4400;
        const unsigned halves = i % EACH != 0 ? 0x7632 : 0x5410;
        return __byte_perm(word[i / EACH], upper.word[i / EACH],
                           sizeof(Sample) == 1 ? bytes : halves);
    }
    /* Sets the samples to the upper halves of four results if `upper`, otherwise to the lower
     * halves. */
    __device__ void take(const uint32_t (&result)[QUAD], bool upper)
    {
        if constexpr (sizeof(Sample) == 1) {
            const unsigned selector = upper ? 0x0062 : 0x0040;
            word[0] = __byte_perm(__byte_perm(result[0], result[1], selector),
                                  __byte_perm(result[2], result[3], selector), 0x5410);
        } else {
            const unsigned selector = upper ? 0x7632 : 0x5410;
            word[0] = __byte_perm(result[0], result[1], selector);
            word[1] = __byte_perm(result[2], result[3], selector);
        }
    }
    __device__ void store(const MedianTask &task, int64_t sample, int64_t samples, int64_t y) const
    {
        Sample *at = reinterpret_cast<Sample *>(task.dst + (size_t)y * task.dst_stride) + sample;
        if (sample + QUAD <= samples) {
#pragma unroll
            for (int i = 0; i < (int)sizeof(Sample); i++)
                reinterpret_cast<uint32_t *>(at)[i] = word[i];
            return;
        }
#pragma unroll
        for (int i = 0; i < QUAD; i++)
            if (sample + i < samples)
                at[i] = (Sample)(word[i / EACH] >> i % EACH * 8 * (int)sizeof(Sample));
    }
};

#endif
