/* Private to the morphology family: four neighbouring samples of a row, called a quad, some of
 * which may be beyond the row. Two quads are combined to words of two samples. */
#ifndef IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_QUADS_CUH
#define IMGTOOL_KERNELS_MORPHOLOGY_CUDA_MORPHOLOGY_QUADS_CUH

#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/morphology/cuda/morphology_words.cuh"

constexpr int QUAD = 4;

/* The part of a row that a block processes. Positions count samples from sample number `start` of
 * the row. The picture's row has the positions `first` to `end` - 1. The result is stored up to
 * position `past` - 1, which may be beyond the block's part. */
template <typename Sample, int CHANNELS> struct MorphologyRow {
    static constexpr int64_t FAR = 1 << 30;
    const MorphologyTask &task;
    int64_t start;
    const Sample *source; /* sample number `start` of the row */
    Sample *result;
    int32_t first, end, past, y;
    uint32_t inverted;

    __device__ MorphologyRow(const MorphologyTask &own, int32_t row, int64_t begin)
        : task(own), start(begin), y(row), inverted(inversion(own.step))
    {
        const int64_t samples = (int64_t)task.width * CHANNELS;
        source = reinterpret_cast<const Sample *>(task.src + (size_t)row * task.src_stride) + begin;
        result = reinterpret_cast<Sample *>(task.dst + (size_t)row * task.dst_stride) + begin;
        first = (int32_t)(begin < FAR ? -begin : -FAR);
        end = limited(samples - begin);
        past = limited(task.written / (int64_t)sizeof(Sample) - begin);
    }
    static __device__ int32_t limited(int64_t place)
    {
        return (int32_t)(place < FAR ? place : FAR);
    }
    /* Returns the sample at position `at`. Beyond the row, the border defines it. */
    __device__ uint32_t sample(int32_t at) const
    {
        const int64_t shifted = start + at + (IMG_MORPHOLOGY_SIDE_MAX + 1) * CHANNELS;
        const int32_t c = (int32_t)(shifted % CHANNELS);
        const int32_t place = img_border_place(shifted / CHANNELS - (IMG_MORPHOLOGY_SIDE_MAX + 1),
                                               task.width, task.step.border);
        return place < 0 ? morphology_background(task, c)
                         : source[(int64_t)place * CHANNELS + c - start];
    }
};

/* Four neighbouring samples of a row. */
template <typename Sample> struct MorphologyQuad {
    static constexpr int WORDS = (int)sizeof(Sample), EACH = QUAD / WORDS, BITS = 32 / EACH;
    uint32_t word[WORDS];

    __device__ void load(const Sample *from, uint32_t inverted)
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            word[i] = __ldg(reinterpret_cast<const uint32_t *>(from) + i) ^ inverted;
    }
    /* Loads four samples from position `at` on, some of which may be beyond the row. */
    template <int CHANNELS>
    __device__ void load_any(const MorphologyRow<Sample, CHANNELS> &row, int32_t at)
    {
        if (at >= row.first && at + QUAD <= row.end) {
            load(row.source + at, row.inverted);
            return;
        }
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            word[i] = row.inverted;
#pragma unroll 1
        for (int i = 0; i < QUAD; i++) {
            const uint32_t shifted = row.sample(at + i) << i % EACH * BITS;
            word[0] ^= i < EACH ? shifted : 0;
            word[WORDS - 1] ^= i >= EACH ? shifted : 0;
        }
    }
    __device__ void store(Sample *to, uint32_t inverted) const
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            reinterpret_cast<uint32_t *>(to)[i] = word[i] ^ inverted;
    }
    /* Stores the four samples at positions `at` to `at` + 3, except samples outside the result. */
    template <int CHANNELS>
    __device__ void store_some(const MorphologyRow<Sample, CHANNELS> &row, int32_t at) const
    {
        if (at + QUAD <= row.past) {
            store(row.result + at, row.inverted);
            return;
        }
#pragma unroll 1
        for (int i = 0; i < QUAD && at + i < row.past; i++)
            row.result[at + i] =
                (Sample)((word[i < EACH ? 0 : WORDS - 1] ^ row.inverted) >> i % EACH * BITS);
    }
};

/* Combines two quads to four words. The lower half of a word has a sample of `lower`, the upper
 * half a sample of `upper`. A byte is stored twice in its half, which does not change the order of
 * values. */
template <typename Sample>
__device__ inline uint4 paired(const MorphologyQuad<Sample> &lower,
                               const MorphologyQuad<Sample> &upper)
{
    const uint32_t *low = lower.word, *high = upper.word;
    if constexpr (sizeof(Sample) == 1)
        return make_uint4(
            __byte_perm(low[0], high[0], 0x4400), __byte_perm(low[0], high[0], 0x5511),
            __byte_perm(low[0], high[0], 0x6622), __byte_perm(low[0], high[0], 0x7733));
    else
        return make_uint4(
            __byte_perm(low[0], high[0], 0x5410), __byte_perm(low[0], high[0], 0x7632),
            __byte_perm(low[1], high[1], 0x5410), __byte_perm(low[1], high[1], 0x7632));
}

template <typename Sample>
__device__ inline void separated(uint4 pairs, MorphologyQuad<Sample> &lower,
                                 MorphologyQuad<Sample> &upper)
{
    if constexpr (sizeof(Sample) == 1) {
        const uint32_t first = __byte_perm(pairs.x, pairs.y, 0x6240);
        const uint32_t second = __byte_perm(pairs.z, pairs.w, 0x6240);
        lower.word[0] = __byte_perm(first, second, 0x5410);
        upper.word[0] = __byte_perm(first, second, 0x7632);
    } else {
        lower.word[0] = __byte_perm(pairs.x, pairs.y, 0x5410);
        lower.word[1] = __byte_perm(pairs.z, pairs.w, 0x5410);
        upper.word[0] = __byte_perm(pairs.x, pairs.y, 0x7632);
        upper.word[1] = __byte_perm(pairs.z, pairs.w, 0x7632);
    }
}

#endif
