/* Pixels of any format in registers, as samples, from words in shared memory and back. */
#ifndef IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_PIXELS_CUH
#define IMGTOOL_KERNELS_CORE_POINT_CUDA_POINT_PIXELS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/point/points.h"

namespace
{

constexpr int TOGETHER = 8; /* pixels in registers at a time */

/* How a warp's run of pixels lies in memory and, with a gap that makes the pieces of a lane odd in
 * number, in shared memory: then lanes meet in no bank. A piece is 16 bytes; a lane has as many as
 * a pixel has bytes. */
struct Form {
    uint8_t *data;
    size_t stride;
    int64_t row_bytes;
    int32_t pixel, channels, bits;

    __device__ int32_t lane_pieces() const
    {
        return pixel | 1;
    }
    __device__ int32_t place_of(int32_t piece) const
    {
        const int32_t lane = piece / pixel;
        return lane * lane_pieces() + piece - lane * pixel;
    }
};

struct Pixels {
    uint32_t sample[TOGETHER][IMG_POINT_CHANNELS];
};

/* Sample i of words. */
template <typename Sample> __device__ uint32_t get(const uint32_t *words, int i)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    return words[i / EACH] >> i % EACH * BITS & (Sample)-1;
}

template <typename Sample> __device__ void put(uint32_t *words, int i, uint32_t value)
{
    constexpr int EACH = 4 / (int)sizeof(Sample), BITS = 32 / EACH;
    words[i / EACH] |= value << i % EACH * BITS;
}

template <typename Sample, int CHANNELS>
__device__ void take_apart(const uint32_t *words, Pixels &pixels)
{
    constexpr int WORDS = TOGETHER * CHANNELS * (int)sizeof(Sample) / 4;
    uint32_t word[WORDS];
#pragma unroll
    for (int i = 0; i < WORDS; i += 2) {
        const uint2 pair = *reinterpret_cast<const uint2 *>(words + i);
        word[i] = pair.x;
        word[i + 1] = pair.y;
    }
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
#pragma unroll
        for (int c = 0; c < IMG_POINT_CHANNELS; c++)
            pixels.sample[p][c] = c < CHANNELS ? get<Sample>(word, p * CHANNELS + c) : 0;
}

template <typename Sample, int CHANNELS>
__device__ void put_together(const Pixels &pixels, uint32_t *words)
{
    constexpr int WORDS = TOGETHER * CHANNELS * (int)sizeof(Sample) / 4;
    uint32_t word[WORDS] = {};
#pragma unroll
    for (int p = 0; p < TOGETHER; p++)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            put<Sample>(word, p * CHANNELS + c, pixels.sample[p][c]);
#pragma unroll
    for (int i = 0; i < WORDS; i += 2)
        *reinterpret_cast<uint2 *>(words + i) = make_uint2(word[i], word[i + 1]);
}

/* All threads have the same format, so these choices cost next to nothing. */
__device__ void load_pixels(const Form &form, const uint32_t *words, Pixels &pixels)
{
    if (form.bits == 16) {
        if (form.channels == 1)
            take_apart<uint16_t, 1>(words, pixels);
        else if (form.channels == 2)
            take_apart<uint16_t, 2>(words, pixels);
        else if (form.channels == 3)
            take_apart<uint16_t, 3>(words, pixels);
        else
            take_apart<uint16_t, 4>(words, pixels);
    } else {
        if (form.channels == 1)
            take_apart<uint8_t, 1>(words, pixels);
        else if (form.channels == 2)
            take_apart<uint8_t, 2>(words, pixels);
        else if (form.channels == 3)
            take_apart<uint8_t, 3>(words, pixels);
        else
            take_apart<uint8_t, 4>(words, pixels);
    }
}

__device__ void store_pixels(const Form &form, const Pixels &pixels, uint32_t *words)
{
    if (form.bits == 16) {
        if (form.channels == 1)
            put_together<uint16_t, 1>(pixels, words);
        else if (form.channels == 2)
            put_together<uint16_t, 2>(pixels, words);
        else if (form.channels == 3)
            put_together<uint16_t, 3>(pixels, words);
        else
            put_together<uint16_t, 4>(pixels, words);
    } else {
        if (form.channels == 1)
            put_together<uint8_t, 1>(pixels, words);
        else if (form.channels == 2)
            put_together<uint8_t, 2>(pixels, words);
        else if (form.channels == 3)
            put_together<uint8_t, 3>(pixels, words);
        else
            put_together<uint8_t, 4>(pixels, words);
    }
}

} // namespace

#endif
