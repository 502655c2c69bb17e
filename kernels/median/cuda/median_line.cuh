/* Private to median on CUDA: 16 bytes of a row, called a unit, and the pixels to its left and
 * right. Samples are kept as words of two samples. */
#ifndef IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_LINE_CUH
#define IMGTOOL_KERNELS_MEDIAN_CUDA_MEDIAN_LINE_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/core/cuda/wide_access.cuh"
#include "kernels/median/cuda/median_cuda.cuh"

/* A unit and its neighbours. Samples are used in pairs. One half of pair k is sample k of the unit,
 * and the other half is sample k + HALF. Neighbours, which are CHANNELS samples away, thus form
 * pairs too. An 8-bit sample is stored twice in its half of the word, which does not change the
 * order of values. */
template <typename Sample, int CHANNELS> struct MedianLine {
    static constexpr int EACH = 4 / (int)sizeof(Sample), SAMPLES = 4 * EACH, HALF = SAMPLES / 2;
    /* number of words of neighbours on each side */
    static constexpr int BESIDE = (CHANNELS + EACH - 1) / EACH;
    /* number of pairs, beginning with pair -CHANNELS */
    static constexpr int PAIRS = HALF + 2 * CHANNELS;
    uint32_t word[4 + 2 * BESIDE];

    /* Loads a unit and its neighbours on both sides. All of them must be inside the picture. */
    __device__ void load_inside(const uint8_t *at)
    {
        take_piece(word + BESIDE, __ldg(reinterpret_cast<const uint4 *>(at)));
#pragma unroll
        for (int i = 0; i < BESIDE; i++) {
            word[i] = __ldg(reinterpret_cast<const uint32_t *>(at) + i - BESIDE);
            word[BESIDE + 4 + i] = __ldg(reinterpret_cast<const uint32_t *>(at) + 4 + i);
        }
    }
    /* Loads unit number `unit` of a row, which may be partly outside the picture. `row` must be a
     * result of img_border_place. */
    __device__ void load(const MedianTask &task, int64_t unit, int32_t row)
    {
        if (row < 0) {
            fill(task, unit);
            return;
        }
        const uint8_t *at = task.src + (size_t)row * task.src_stride + (size_t)unit * WIDE_BYTES;
        const int64_t row_bytes = (int64_t)task.width * CHANNELS * (int64_t)sizeof(Sample);
        const int64_t left = row_bytes - unit * WIDE_BYTES;
        take_piece(word + BESIDE, __ldg(reinterpret_cast<const uint4 *>(at)));
#pragma unroll
        for (int i = 0; i < BESIDE; i++) {
            word[i] = unit > 0 ? __ldg(reinterpret_cast<const uint32_t *>(at) + i - BESIDE) : 0;
            word[BESIDE + 4 + i] =
                left > WIDE_BYTES ? __ldg(reinterpret_cast<const uint32_t *>(at) + 4 + i) : 0;
        }
        if (unit == 0)
            mend(task, -CHANNELS, img_border_place(-1, task.width, task.border), row);
        if (left < 2 * WIDE_BYTES)
            mend(task, (int)(left / (int)sizeof(Sample)),
                 img_border_place(task.width, task.width, task.border), row);
    }

    __device__ uint32_t pair(int k) const
    {
        const int low = BESIDE * EACH + k, high = low + HALF;
        if (sizeof(Sample) == 1)
            return __byte_perm(word[low / EACH], word[high / EACH],
                               (unsigned)(low % EACH * 0x0011 + (4 + high % EACH) * 0x1100));
        return __byte_perm(word[low / EACH], word[high / EACH],
                           (low % EACH != 0 ? 0x32u : 0x10u) |
                               (high % EACH != 0 ? 0x7600 : 0x5400));
    }

  private:
    __device__ void put(int place, uint32_t sample)
    {
        const int byte = (BESIDE * EACH + place) * (int)sizeof(Sample);
        const uint32_t mask = (uint32_t)(Sample)-1 << byte % 4 * 8;
#pragma unroll
        for (int i = 0; i < 4 + 2 * BESIDE; i++)
            word[i] = byte / 4 == i ? (word[i] & ~mask) | sample << byte % 4 * 8 : word[i];
    }
    /* Replaces the pixel at sample number `place` of the unit by the pixel at `column` and `row` of
     * the picture. */
    __device__ void mend(const MedianTask &task, int place, int32_t column, int32_t row)
    {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            if (place + c < SAMPLES + CHANNELS)
                put(place + c, task.sample<Sample>(column, row, c));
    }
    /* Fills a unit with the background. This is rare, so the loop is not unrolled, which needs
     * fewer registers. */
    __device__ void fill(const MedianTask &task, int64_t unit)
    {
#pragma unroll
        for (int i = 0; i < 4 + 2 * BESIDE; i++)
            word[i] = 0;
#pragma unroll 1
        for (int i = -CHANNELS; i < SAMPLES + CHANNELS; i++)
            put(i, task.background_of((int32_t)((unit * SAMPLES + i + CHANNELS) % CHANNELS)));
    }
};

/* Converts pairs of resulting samples to the 16 bytes of a unit, in the order of the picture. */
template <typename Sample> __device__ inline uint4 median_unit(const uint32_t *pair)
{
    uint32_t words[4];
    if constexpr (sizeof(Sample) == 2) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            words[i] = __byte_perm(pair[2 * i], pair[2 * i + 1], 0x5410);
            words[i + 2] = __byte_perm(pair[2 * i], pair[2 * i + 1], 0x7632);
        }
    } else {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint32_t first = __byte_perm(pair[4 * i], pair[4 * i + 1], 0x6240);
            const uint32_t second = __byte_perm(pair[4 * i + 2], pair[4 * i + 3], 0x6240);
            words[i] = __byte_perm(first, second, 0x5410);
            words[i + 2] = __byte_perm(first, second, 0x7632);
        }
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

#endif
