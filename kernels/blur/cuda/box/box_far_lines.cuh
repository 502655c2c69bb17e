/* Private to the "far" box on CUDA (boxblur with a large radius): computes a row of means from the
 * differences of column sums. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_LINES_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_LINES_CUH

#include <math.h>
#include <string.h>

#include "kernels/blur/cuda/box/box_far_words.cuh"

/* Converts `sum`, which may be negative, to the type of sums over a square, which the second
 * argument selects. */
__device__ inline uint32_t widened(uint32_t sum, uint32_t)
{
    return sum;
}
__device__ inline uint64_t widened(uint32_t sum, uint64_t)
{
    return (uint64_t)(int64_t)(int32_t)sum;
}

/* For each channel, the sum of the square around the pixel left of a strip. */
template <typename Total, int CHANNELS>
struct alignas(box_base_places(CHANNELS) * sizeof(Total)) Bases {
    Total sum[box_base_places(CHANNELS)];
};

/* Returns the sum of `value` over this lane and all lanes before it. */
__device__ inline uint32_t scan_warp(uint32_t value)
{
#pragma unroll
    for (int step = 1; step < BOX_LANES; step *= 2) {
#if __CUDA_ARCH__ >= 700
        asm volatile("{\n"
                     " .reg .pred has;\n"
                     " .reg .u32 more;\n"
                     " shfl.sync.up.b32 more|has, %0, %1, 0, -1;\n"
                     " @has add.u32 %0, %0, more;\n"
                     "}"
                     : "+r"(value)
                     : "r"(step));
#else
        const uint32_t more = __shfl_up_sync(~0u, value, step);
        value += (int)threadIdx.x % BOX_LANES >= step ? more : 0;
#endif
    }
    return value;
}

__device__ inline uint64_t scan_warp(uint64_t value)
{
#pragma unroll
    for (int step = 1; step < BOX_LANES; step *= 2) {
        const uint64_t more = __shfl_up_sync(~0u, value, step);
        value += (int)threadIdx.x % BOX_LANES >= step ? more : 0;
    }
    return value;
}

/* Computes, for each lane and channel, the sum of the square around the pixel before the lane's
 * first pixel. */
template <typename K>
__device__ inline void scan(const uint32_t (&sums)[K::G::SAMPLES], const typename K::Total *bases,
                            typename K::Total (&before)[K::G::CHANNELS])
{
    typedef typename K::Total Total;
    constexpr int CHANNELS = K::G::CHANNELS;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        uint32_t own = 0;
#pragma unroll
        for (int i = K::G::SAMPLES - CHANNELS + c; i >= 0; i -= CHANNELS)
            own += sums[i];
        const Total alone = widened(own, Total());
        before[c] = scan_warp(alone) - alone + bases[c];
    }
}

__device__ inline uint32_t mean_of(const BoxFarTask &task, uint32_t sum)
{
    return (uint32_t)((uint64_t)sum * task.box.multiplier >> 32) >> (task.box.shift - 32);
}

/* Returns sum / area, rounded to nearest. `sum` has the bits of the double 2^52 + sum. The result
 * of fma is also at least 2^52, so its last bits are the rounded mean. The area is odd, so there
 * are no ties. */
__device__ inline uint32_t mean_of(const BoxFarTask &task, uint64_t sum)
{
    const double zero = 4503599627370496.0; /* 2^52; BOX_DOUBLE has the same bits */
    double value;
    uint64_t bits;
    memcpy(&value, &sum, sizeof value);
    value = fma(value - zero, task.inverse, zero);
    memcpy(&bits, &value, sizeof bits);
    return (uint32_t)bits;
}

template <typename K>
__device__ inline void make_words(const BoxFarTask &task, const uint32_t (&sums)[K::G::SAMPLES],
                                  const typename K::Total (&before)[K::G::CHANNELS],
                                  uint32_t (&words)[K::G::WORDS])
{
    typedef typename K::G G;
    typename K::Total up_to[G::CHANNELS];
    uint32_t mean[G::SAMPLES];
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i++) {
        const int c = i % G::CHANNELS;
        up_to[c] = (i < G::CHANNELS ? before[c] : up_to[c]) + widened(sums[i], typename K::Total());
        mean[i] = mean_of(task, up_to[c]);
    }
#pragma unroll
    for (int i = 0; i < G::WORDS; i++) {
        const int at = i * G::PER_WORD;
        words[i] = mean[at] | mean[at + 1] << 8 * G::SIZE;
        if (G::SIZE == 1)
            words[i] = __byte_perm(
                __byte_perm(mean[at], mean[at + 1], 0x0040),
                __byte_perm(mean[(at + 2) % G::SAMPLES], mean[(at + 3) % G::SAMPLES], 0x0040),
                0x5410);
    }
}

/* Stores the first `count` samples of a lane at `to`. */
template <typename G>
__device__ inline void put(uint8_t *to, const uint32_t (&words)[G::WORDS], int32_t count)
{
    if (count >= G::SAMPLES) {
        uint2 *pairs = reinterpret_cast<uint2 *>(to);
#pragma unroll
        for (int i = 0; i < G::WORDS / 2; i++)
            pairs[i] = make_uint2(words[2 * i], words[2 * i + 1]);
        return;
    }
    typename G::Sample *samples = reinterpret_cast<typename G::Sample *>(to);
#pragma unroll
    for (int i = 0; i < G::SAMPLES; i++)
        if (i < count)
            samples[i] =
                (typename G::Sample)(words[i / G::PER_WORD] >> i % G::PER_WORD * 8 * G::SIZE);
}

#endif
