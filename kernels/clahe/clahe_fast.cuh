/* Private to clahe's `cuda-fast`: divides the picture into pieces for blocks, and rows into units
 * of 16 bytes, or of 48 bytes for three samples per pixel.
 *
 * There are two kernels. The first one counts: a block has one strip of a tile and stores its
 * counts separately. So no memory must be cleared, and there are no atomics in global memory. The
 * second one computes new pixels: a block has a part of a quarter of a tile, whose pixels lie
 * between the centres of the same four tiles. If all blocks run at once, each of them sums the
 * counts of the strips and computes the tables itself. If there are more blocks, or many strips, a
 * third kernel between the two computes the tables. */
#ifndef IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_CUH
#define IMGTOOL_KERNELS_CLAHE_CLAHE_FAST_CUH

#include "kernels/clahe/clahe.h"
#include "kernels/clahe/clahe_fast.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/wide_access.cuh"

constexpr int CLAHE_BINS = 256, CLAHE_LANES = 32, CLAHE_WARPS = CLAHE_THREADS / CLAHE_LANES;

/* Weights of luma; for 8-bit samples, their high and their low bytes. */
struct ClaheLuma {
    ImgLumaWeights weights;
    uint32_t high, low;
};

/* The data that a thread processes at once. Units begin at multiples of their size in a row. */
template <typename Sample_, int CHANNELS_> struct ClaheUnit {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, COLORS = CHANNELS % 2 == 0 ? CHANNELS - 1 : CHANNELS;
    static constexpr int PIECES = CHANNELS == 3 ? 3 : 1, WORDS = 4 * PIECES;
    static constexpr int BYTES = WIDE_BYTES * PIECES;
    static constexpr int PIXEL_BYTES = CHANNELS * (int)sizeof(Sample);
    static constexpr int PIXELS = BYTES / PIXEL_BYTES;
    uint32_t words[WORDS];

    /* Loads the vectors that contain any of the `bytes` bytes inside the row; the others become
     * zero. */
    __device__ void load(const uint8_t *at, int bytes)
    {
#pragma unroll
        for (int p = 0; p < PIECES; p++) {
            uint4 piece = make_uint4(0, 0, 0, 0);
            if (WIDE_BYTES * p < bytes)
                piece = __ldg(reinterpret_cast<const uint4 *>(at) + p);
            take_piece(words + 4 * p, piece);
        }
    }

    /* Returns sample `i`, which must be a constant after the surrounding loops are unrolled. */
    __device__ uint32_t sample(int i) const
    {
        if (sizeof(Sample) == 1)
            return words[i / 4] >> (8 * (i % 4)) & 0xff;
        return words[i / 2] >> (16 * (i % 2)) & 0xffff;
    }

    /* Stores sample i in words that were 0. */
    __device__ void put(int i, uint32_t value)
    {
        constexpr int EACH = 4 / (int)sizeof(Sample);
        words[i / EACH] |= value << (i % EACH * 8 * (int)sizeof(Sample));
    }

    /* Returns luma times 2^IMG_LUMA_SHIFT, before it is truncated. For 8 bits it uses dot products
     * of four bytes; the fourth byte, of another pixel or alpha, has weight 0. */
    __device__ uint32_t luma_sum(const ClaheLuma &luma, int pixel) const
    {
        const int i = pixel * CHANNELS;
        if constexpr (sizeof(Sample) == 2) {
            return luma.weights.red * sample(i) + luma.weights.green * sample(i + 1) +
                   luma.weights.blue * sample(i + 2) + IMG_LUMA_HALF;
        } else {
            const uint32_t next = i / 4 + 1 < WORDS ? words[(i / 4 + 1) % WORDS] : 0;
            const uint32_t rgb = __funnelshift_r(words[i / 4], next, i % 4 * 8);
            return (__dp4a(rgb, luma.high, 0U) << 8) +
                   __dp4a(rgb, luma.low, (uint32_t)IMG_LUMA_HALF);
        }
    }

    __device__ uint32_t brightness(const ClaheLuma &luma, int pixel) const
    {
        if constexpr (COLORS == 1)
            return sample(pixel * CHANNELS);
        else
            return luma_sum(luma, pixel) >> IMG_LUMA_SHIFT;
    }

    /* Keeps bytes `first` to before `end` and sets the others to 0. */
    __device__ void keep(int first, int end)
    {
#pragma unroll
        for (int i = 0; i < WORDS; i++) {
            const int from = min(max(first - 4 * i, 0), 4), to = min(max(end - 4 * i, 0), 4);
            const uint32_t below_to = to == 4 ? 0xffffffff : (1U << 8 * to) - 1;
            const uint32_t below_from = from == 4 ? 0xffffffff : (1U << 8 * from) - 1;
            words[i] &= below_to & ~below_from;
        }
    }
};

struct ClaheRun {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_stride, dst_stride;
    ImgClahePlan plan;
    ClaheLuma luma;
    ClaheCuts cuts;
    uint32_t *counts; /* counts of all parts of all tiles, CLAHE_BINS each */
    int32_t parts;    /* parts per tile; their counts must be summed */
    uint16_t *tables; /* tables of all tiles; NULL if the last kernel computes them */
    /* 1 / distance between the centres of neighbouring tiles, for each cell across and down */
    double slope_x[IMG_CLAHE_TILES_MAX + 1], slope_y[IMG_CLAHE_TILES_MAX + 1];
    int32_t border_x[IMG_CLAHE_TILES_MAX + 1], border_y[IMG_CLAHE_TILES_MAX + 1];
};

/* A range of pixels or units. */
struct ClaheRange {
    int32_t first, end;
};

/* Returns the number of units that begin before `pixel`. */
__device__ inline int32_t clahe_units(int32_t pixel, int unit_pixels)
{
    return (int32_t)(((uint32_t)pixel + (uint32_t)unit_pixels - 1) / (uint32_t)unit_pixels);
}

/* Returns part `i` when a range is divided into `parts` parts of equal length; the last one may be
 * shorter. */
__device__ inline ClaheRange clahe_part(ClaheRange whole, int32_t i, int32_t parts)
{
    const uint32_t size = (uint32_t)(whole.end - whole.first), count = (uint32_t)parts;
    const int64_t each = (size + count - 1) / count;
    const int32_t first = (int32_t)min(whole.first + i * each, (int64_t)whole.end);
    return {first, (int32_t)min(first + each, (int64_t)whole.end)};
}

/* Allows the next kernel to start its blocks as soon as all blocks of this one have started. */
__device__ inline void clahe_let_next_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Launch the kernels in the stream of the call. */
ImgStatus clahe_count(const ImgCall *call, const ClaheRun &run, ImgError *err);
ImgStatus clahe_tabulate(const ImgCall *call, const ClaheRun &run, ImgError *err);
ImgStatus clahe_blend(const ImgCall *call, const ClaheRun &run, ImgError *err);

#endif
