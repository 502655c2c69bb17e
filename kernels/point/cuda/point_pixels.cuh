/* Loads and stores of pixels of any format, which the kernel keeps as samples in registers. */
#ifndef IMGTOOL_KERNELS_POINT_CUDA_POINT_PIXELS_CUH
#define IMGTOOL_KERNELS_POINT_CUDA_POINT_PIXELS_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/point/points.h"

namespace
{

/* Number of adjacent pixels that a thread processes. Their bytes are whole words in every
 * format. */
constexpr int TOGETHER = 4;

struct Pixels {
    /* samples of each pixel; 0 for channels that the format does not have */
    uint32_t sample[TOGETHER][IMG_POINT_CHANNELS];
};

/* Vector types of WORDS words; the functions below convert them from and to arrays. */
template <int WORDS> struct VectorOf;
template <> struct VectorOf<1> {
    using Type = uint32_t;
};
template <> struct VectorOf<2> {
    using Type = uint2;
};
template <> struct VectorOf<4> {
    using Type = uint4;
};

__device__ void unpack(uint32_t vector, uint32_t *word)
{
    word[0] = vector;
}

__device__ void unpack(uint2 vector, uint32_t *word)
{
    word[0] = vector.x;
    word[1] = vector.y;
}

__device__ void unpack(uint4 vector, uint32_t *word)
{
    word[0] = vector.x;
    word[1] = vector.y;
    word[2] = vector.z;
    word[3] = vector.w;
}

__device__ void pack(const uint32_t *word, uint32_t *vector)
{
    *vector = word[0];
}

__device__ void pack(const uint32_t *word, uint2 *vector)
{
    *vector = make_uint2(word[0], word[1]);
}

__device__ void pack(const uint32_t *word, uint4 *vector)
{
    *vector = make_uint4(word[0], word[1], word[2], word[3]);
}

template <typename Sample, int CHANNELS> struct Group {
    static constexpr int BYTES = TOGETHER * CHANNELS * (int)sizeof(Sample), WORDS = BYTES / 4;
    /* words per vector access */
    static constexpr int EACH = WORDS % 4 == 0 ? 4 : WORDS % 2 == 0 ? 2 : 1;
    static constexpr int IN_WORD = 4 / (int)sizeof(Sample), BITS = 32 / IN_WORD;
    using Vector = typename VectorOf<EACH>::Type;

    /* Loads pixels from byte `start` of a row on; bytes past the end of the row are zero. */
    __device__ static void load(const uint8_t *row, int64_t start, int64_t row_bytes,
                                Pixels &pixels)
    {
        const uint32_t *from = reinterpret_cast<const uint32_t *>(row + start);
        uint32_t word[WORDS] = {};
#pragma unroll
        for (int i = 0; i < WORDS; i += EACH)
            if (start + 4 * i < row_bytes)
                unpack(__ldg(reinterpret_cast<const Vector *>(from + i)), word + i);
#pragma unroll
        for (int p = 0; p < TOGETHER; p++)
#pragma unroll
            for (int c = 0; c < IMG_POINT_CHANNELS; c++) {
                const int i = p * CHANNELS + c;
                pixels.sample[p][c] =
                    c < CHANNELS ? word[i / IN_WORD] >> i % IN_WORD * BITS & (Sample)-1 : 0;
            }
    }

    /* Stores pixels from byte `start` of a row on; bytes past the end of the row are not
     * written. */
    __device__ static void store(uint8_t *row, int64_t start, int64_t row_bytes,
                                 const Pixels &pixels)
    {
        if (start + BYTES > row_bytes) {
            Sample *to = reinterpret_cast<Sample *>(row + start);
#pragma unroll
            for (int i = 0; i < TOGETHER * CHANNELS; i++)
                if (start + i * (int)sizeof(Sample) < row_bytes)
                    to[i] = (Sample)pixels.sample[i / CHANNELS][i % CHANNELS];
            return;
        }
        uint32_t word[WORDS] = {};
#pragma unroll
        for (int i = 0; i < TOGETHER * CHANNELS; i++)
            word[i / IN_WORD] |= pixels.sample[i / CHANNELS][i % CHANNELS] << i % IN_WORD * BITS;
#pragma unroll
        for (int i = 0; i < WORDS; i += EACH)
            pack(word + i, reinterpret_cast<Vector *>(row + start + 4 * i));
    }
};

/* A picture, with functions that access the four pixels from column `x` of row `y` on. All threads
 * have the same number of channels, so branches on it cost almost nothing. */
struct Form {
    uint8_t *data;
    size_t stride;
    int64_t row_bytes;
    int32_t pixel, channels; /* bytes per pixel, and samples per pixel */

    template <typename Sample> __device__ void load(int64_t x, int64_t y, Pixels &pixels) const
    {
        const uint8_t *row = data + (size_t)y * stride;
        const int64_t start = x * pixel;
        if (channels == 1)
            Group<Sample, 1>::load(row, start, row_bytes, pixels);
        else if (channels == 2)
            Group<Sample, 2>::load(row, start, row_bytes, pixels);
        else if (channels == 3)
            Group<Sample, 3>::load(row, start, row_bytes, pixels);
        else
            Group<Sample, 4>::load(row, start, row_bytes, pixels);
    }

    template <typename Sample>
    __device__ void store(int64_t x, int64_t y, const Pixels &pixels) const
    {
        uint8_t *row = data + (size_t)y * stride;
        const int64_t start = x * pixel;
        if (channels == 1)
            Group<Sample, 1>::store(row, start, row_bytes, pixels);
        else if (channels == 2)
            Group<Sample, 2>::store(row, start, row_bytes, pixels);
        else if (channels == 3)
            Group<Sample, 3>::store(row, start, row_bytes, pixels);
        else
            Group<Sample, 4>::store(row, start, row_bytes, pixels);
    }
};

} // namespace

#endif
