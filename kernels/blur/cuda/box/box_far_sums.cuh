/* Private to the "far" box on CUDA (boxblur with a large radius): computes the sum of each column
 * and of each row of a cell. */
#ifndef IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_SUMS_CUH
#define IMGTOOL_KERNELS_BLUR_CUDA_BOX_BOX_FAR_SUMS_CUH

#include "kernels/blur/cuda/box/box_far.cuh"

/* The column sums of a lane. Sums of 8-bit samples have 16 bits, two per word: those of samples 0
 * and 2 of a word of the picture, then those of samples 1 and 3. */
template <typename G> struct ColumnSums {
    static constexpr int COUNT = G::SIZE == 1 ? G::WORDS * 2 : G::SAMPLES;
    uint32_t sum[COUNT];

    __device__ void add(const uint32_t (&words)[G::WORDS], uint32_t times)
    {
#pragma unroll
        for (int i = 0; i < G::WORDS; i++) {
            const uint32_t mask = G::SIZE == 1 ? 0x00ff00ff : 0xffff;
            sum[2 * i] += (words[i] & mask) * times;
            sum[2 * i + 1] +=
                (G::SIZE == 1 ? __byte_perm(words[i], 0, 0x4341) : words[i] >> 16) * times;
        }
    }
    __device__ void put(uint8_t *to) const
    {
        uint2 *pairs = reinterpret_cast<uint2 *>(to);
#pragma unroll
        for (int i = 0; i < COUNT / 2; i++)
            pairs[i] = G::SIZE == 1 ? make_uint2(__byte_perm(sum[2 * i], sum[2 * i + 1], 0x5410),
                                                 __byte_perm(sum[2 * i], sum[2 * i + 1], 0x7632))
                                    : make_uint2(sum[2 * i], sum[2 * i + 1]);
    }
};

/* Returns the factors of a dot product, 0 or 1 for each sample, that select the samples of channel
 * `c` in word number `word`. */
template <typename G> IMG_HOST_DEVICE constexpr uint32_t factors_of(int word, int c)
{
    uint32_t factors = 0;
    for (int i = 0; i < G::PER_WORD; i++)
        factors |= (uint32_t)((word * G::PER_WORD + i) % G::CHANNELS == c) << 8 * i;
    return factors;
}

template <typename G>
__device__ inline uint32_t sum_of_channel(const uint32_t (&words)[G::WORDS], int c)
{
    uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < G::WORDS; i++)
        sum = G::SIZE == 1 ? __dp4a(words[i], factors_of<G>(i, c), sum)
                           : __dp2a_lo(words[i], factors_of<G>(i, c), sum);
    return sum;
}

/* Returns the sum of `own` over all lanes of a warp, modulo 2^32. GPUs before sm_80 lack the
 * instruction for this sum and need a loop. */
__device__ inline uint32_t sum_of_lanes(uint32_t own)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, own);
#else
#pragma unroll
    for (int beside = BOX_LANES / 2; beside > 0; beside /= 2)
        own += __shfl_xor_sync(~0u, own, beside);
    return own;
#endif
}

/* The row sums of a cell: over all columns, and over the first `cut` columns. A lane keeps the sums
 * of one row out of 32, until 32 rows are complete. If both sums fit in 16 bits, they are added as
 * one number. */
template <typename G> struct RowSums {
    static constexpr bool IS_PAIR = G::STRIP * 255 < 65536 && G::SIZE == 1;
    static constexpr int EACH = IS_PAIR ? 1 : 2, COUNT = EACH * G::CHANNELS;
    /* masks that select the samples of the first `cut` columns of a cell */
    uint32_t masks[G::WORDS];
    uint32_t kept[COUNT];

    __device__ RowSums(int32_t cut)
    {
        const int lane = (int)threadIdx.x % BOX_LANES;
        const int32_t bytes = (cut - lane * G::PIXELS) * G::PIXEL;
#pragma unroll
        for (int i = 0; i < G::WORDS; i++) {
            const int32_t some = bytes - 4 * i;
            masks[i] = some >= 4 ? ~0u : some <= 0 ? 0 : (1u << 8 * some) - 1;
        }
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            kept[i] = 0;
    }
    __device__ void add(const uint32_t (&words)[G::WORDS], int32_t row)
    {
        const bool is_mine = (int)threadIdx.x % BOX_LANES == row % BOX_LANES;
        uint32_t before[G::WORDS];
#pragma unroll
        for (int i = 0; i < G::WORDS; i++)
            before[i] = words[i] & masks[i];
#pragma unroll
        for (int c = 0; c < G::CHANNELS; c++) {
            const uint32_t own = sum_of_channel<G>(words, c);
            uint32_t some = sum_of_channel<G>(before, c);
            some = sum_of_lanes(IS_PAIR ? some << 16 | own : some);
            kept[EACH * c] = is_mine ? some : kept[EACH * c];
            if (IS_PAIR)
                continue;
            const uint32_t all = sum_of_lanes(own);
            kept[(EACH * c + 1) % COUNT] = is_mine ? all : kept[(EACH * c + 1) % COUNT];
        }
    }
    /* Stores the sums of `count` rows from row `first` on, except rows outside the picture, which
     * has `height` rows. */
    __device__ void put(uint32_t *to, int32_t first, int32_t count, int32_t height) const
    {
        const int lane = (int)threadIdx.x % BOX_LANES;
        const int32_t y = first + lane;
        if (lane >= count || y < 0 || y >= height)
            return;
#pragma unroll
        for (int c = 0; c < G::CHANNELS; c++) {
            const uint32_t some = kept[EACH * c];
            to[(size_t)(2 * c) * height + y] =
                IS_PAIR ? some & 0xffff : kept[(EACH * c + 1) % COUNT];
            to[(size_t)(2 * c + 1) * height + y] = IS_PAIR ? some >> 16 : some;
        }
    }
};

#endif
