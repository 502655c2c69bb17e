/* Private to clahe's `cuda-fast`: its kernels, and the units that they process. Rows are divided
 * into units of 16 bytes, or of 48 bytes for three samples per pixel.
 *
 * A call launches two kernels, or three. The first one counts pixels: each block counts a strip of
 * a tile and stores its counts separately. So it needs neither cleared memory nor atomics in global
 * memory. The last kernel computes new pixels: the pixels of a block lie between the centres of the
 * same four tiles. If all blocks run at once, each of them sums the counts of the strips and
 * computes the tables that it needs. If there are more blocks, or many strips, a kernel between
 * those two computes the tables. */
#ifndef IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_FAST_CUH
#define IMGTOOL_KERNELS_CLAHE_CUDA_CLAHE_FAST_CUH

#include "kernels/clahe/clahe.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/wide_access.cuh"

constexpr int CLAHE_BINS = 256, CLAHE_LANES = 32, CLAHE_WARPS = CLAHE_THREADS / CLAHE_LANES;

/* Weights of the channels in luma. `high` and `low` pack the high and the low bytes of the weights,
 * for dot products with 8-bit samples. */
struct ClaheLuma {
    ImgLumaWeights weights;
    uint32_t high, low;
};

/* A unit: the pixels that a thread processes at once. Units begin at multiples of their size in a
 * row. */
template <typename Sample_, int CHANNELS_> struct ClaheUnit {
    typedef Sample_ Sample;
    static constexpr int CHANNELS = CHANNELS_, COLORS = CHANNELS % 2 == 0 ? CHANNELS - 1 : CHANNELS;
    static constexpr int PIECES = CHANNELS == 3 ? 3 : 1, WORDS = 4 * PIECES;
    static constexpr int BYTES = WIDE_BYTES * PIECES;
    static constexpr int PIXEL_BYTES = CHANNELS * (int)sizeof(Sample);
    static constexpr int PIXELS = BYTES / PIXEL_BYTES;
    uint32_t words[WORDS];

    /* Loads the 16-byte vectors that contain any of the first `bytes` bytes. The other vectors
     * become zero. */
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

    /* Returns sample `i` of the unit. The index must be a constant once loops are unrolled, so that
     * the words stay in registers. */
    __device__ uint32_t sample(int i) const
    {
        if (sizeof(Sample) == 1)
            return words[i / 4] >> (8 * (i % 4)) & 0xff;
        return words[i / 2] >> (16 * (i % 2)) & 0xffff;
    }

    /* Stores sample `i`. Its bits in `words` must be 0 before the call. */
    __device__ void put(int i, uint32_t value)
    {
        constexpr int EACH = 4 / (int)sizeof(Sample);
        words[i / EACH] |= value << (i % EACH * 8 * (int)sizeof(Sample));
    }

    /* Returns 2^IMG_LUMA_SHIFT times the luma of a pixel, plus the term for rounding. For 8-bit
     * samples it uses dot products of four bytes. The fourth byte, which is alpha or belongs to
     * another pixel, has weight 0. */
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

    /* Keeps the bytes `first` to `end` - 1 of the unit and sets its other bytes to 0. */
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
    /* CLAHE_BINS counts for each part of each tile; a part is one strip of rows */
    uint32_t *counts;
    int32_t parts;    /* number of parts per tile, whose counts must be summed */
    uint16_t *tables; /* tables of all tiles; NULL if the last kernel computes them */
    /* result of clahe_slope for each cell (the pixels between the centres of two tiles) along each
     * axis */
    double slope_x[IMG_CLAHE_TILES_MAX + 1], slope_y[IMG_CLAHE_TILES_MAX + 1];
    int32_t border_x[IMG_CLAHE_TILES_MAX + 1], border_y[IMG_CLAHE_TILES_MAX + 1];
};

/* A range of pixels or units. */
struct ClaheRange {
    int32_t first, end;
};

/* Returns the number of units, of `unit_pixels` pixels each, that begin before the pixel `pixel` of
 * a row. */
__device__ inline int32_t clahe_units(int32_t pixel, int unit_pixels)
{
    return (int32_t)(((uint32_t)pixel + (uint32_t)unit_pixels - 1) / (uint32_t)unit_pixels);
}

/* Divides a range into `parts` parts of equal length; the last parts may be shorter or empty.
 * Returns part `i`. */
__device__ inline ClaheRange clahe_part(ClaheRange whole, int32_t i, int32_t parts)
{
    const uint32_t size = (uint32_t)(whole.end - whole.first), count = (uint32_t)parts;
    const int64_t each = (size + count - 1) / count;
    const int32_t first = (int32_t)min(whole.first + i * each, (int64_t)whole.end);
    return {first, (int32_t)min(first + each, (int64_t)whole.end)};
}

/* Allows the GPU to start the blocks of the next kernel as soon as all blocks of this kernel have
 * started (programmatic dependent launch). */
__device__ inline void clahe_let_next_start()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Each of these functions launches one kernel in the stream of the call. */
ImgStatus clahe_count(const ImgCall *call, const ClaheRun &run, ImgError *err);
ImgStatus clahe_tabulate(const ImgCall *call, const ClaheRun &run, ImgError *err);
ImgStatus clahe_blend(const ImgCall *call, const ClaheRun &run, ImgError *err);

#endif
