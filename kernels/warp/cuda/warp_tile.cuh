/* Private to the fast warp on CUDA: its task, and the part of the source that a tile of the result
 * asks for, in shared memory with its edges continued. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TILE_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TILE_CUH

#include "kernels/core/cuda/byte_pairs.cuh"
#include "kernels/warp/warp.h"

namespace warp_tiles
{

constexpr int LANES = 32, ROWS = 8, THREADS = LANES * ROWS, SIDE = 64; /* of a tile of the result */
constexpr int GROUP = 4; /* pixels of the source that are loaded together */

struct Task {
    ImgView src, dst;
    const ImgWarp *warp; /* on the device */
    ImgWarpMap map;
    uint32_t across;       /* tiles of a row */
    int32_t width, height; /* of a box of the source, in pixels; the width a multiple of GROUP */
    int32_t pitch;         /* of its rows in shared memory, in words: odd, or twice an odd number */
    ImgWarpPlace least;    /* how far places of a tile are before its first pixel's: 0 or less */
    int32_t half, is_single; /* the filter; a pixel is made of one place */
};

/* Where a tile's box is in the source. */
struct Box {
    int64_t left, top;
};

/* Pixels as they are, of up to 8 bits without alpha: one byte, or three in a word. */
template <int CHANNELS_> struct Bytes {
    static constexpr bool LIFTED = false;
    static constexpr int CHANNELS = CHANNELS_, SIZE = CHANNELS == 1 ? 1 : 4;
};

/* Lifted samples of two bytes: up to two in a word, or four in two. */
template <int CHANNELS_> struct Lifted {
    static constexpr bool LIFTED = true;
    static constexpr int CHANNELS = CHANNELS_, SIZE = 2 * CHANNELS;
};

/* --- Boxes ------------------------------------------------------------------------------------ */

__device__ inline Box box_of(const Task &task, int32_t x, int32_t y)
{
    const ImgWarpPlace place = img_warp_place(&task.map, x, y, 0, 0);
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    Box box;
    box.left = ((place.x + task.least.x + half) >> IMG_WARP_PLACES) - task.half + 1;
    box.top = ((place.y + task.least.y + half) >> IMG_WARP_PLACES) - task.half + 1;
    box.left &= ~(int64_t)(GROUP - 1);
    return box;
}

__device__ inline bool is_inside(const Task &task, const Box &box)
{
    return box.left >= 0 && box.top >= 0 && box.left + task.width <= task.src.width &&
           box.top + task.height <= task.src.height;
}

/* Nothing of the picture counts. */
__device__ inline bool is_outside(const Task &task, const Box &box)
{
    return task.warp->border == IMG_BORDER_CONSTANT &&
           (box.left + task.width <= 0 || box.top + task.height <= 0 ||
            box.left >= task.src.width || box.top >= task.src.height);
}

/* --- A box in shared memory ------------------------------------------------------------------- */

/* A group of pixels from three words, or one. */
template <int CHANNELS>
__device__ inline void load_group(const uint8_t *from, uint32_t *to, uint32_t scale)
{
    const uint32_t *words = reinterpret_cast<const uint32_t *>(from);
    if (CHANNELS == 1) {
        *to = __ldg(words) * scale;
    } else { /* of at least 8 bits: the scale is 1; a word's highest byte is not used */
        const uint32_t first = __ldg(words), second = __ldg(words + 1), third = __ldg(words + 2);
        to[0] = first;
        to[1] = __funnelshift_r(first, second, 24);
        to[2] = __funnelshift_r(second, third, 16);
        to[3] = third >> 8;
    }
}

template <typename K>
__device__ inline void load_groups(const Task &task, const Box &box, uint32_t *tile)
{
    const int groups = task.width / GROUP, thread = (int)(threadIdx.y * LANES + threadIdx.x);
    const uint32_t scale = task.warp->from.scale;
    const int step = THREADS / groups, step_group = THREADS % groups;
    const uint8_t *from =
        task.src.data + (size_t)box.top * task.src.stride + (size_t)box.left * K::CHANNELS;
    int row = thread / groups, group = thread % groups;
    while (row < task.height) {
        load_group<K::CHANNELS>(from + (size_t)row * task.src.stride +
                                    group * (GROUP * K::CHANNELS),
                                tile + row * task.pitch + group * K::SIZE, scale);
        row += step;
        group += step_group;
        if (group >= groups) {
            group -= groups;
            row++;
        }
    }
}

/* A pixel as the tile has it. */
template <typename K>
__device__ inline void put_pixel(const Task &task, const uint8_t *row, int32_t x, uint8_t *to)
{
    uint32_t sample[4];
    img_warp_pixel(task.warp, row, x, sample);
    if (K::LIFTED) {
        int32_t lifted[4] = {0, 0, 0, 0};
        uint32_t *words = reinterpret_cast<uint32_t *>(to);
        img_lift_pixel(&task.warp->to, sample, lifted);
        words[0] = ((uint32_t)lifted[0] & 0xffff) | (uint32_t)lifted[1] << 16;
        if (K::CHANNELS == 4)
            words[1] = ((uint32_t)lifted[2] & 0xffff) | (uint32_t)lifted[3] << 16;
    } else if (K::CHANNELS == 1) {
        *to = (uint8_t)sample[0];
    } else {
        *reinterpret_cast<uint32_t *>(to) = sample[0] | sample[1] << 8 | sample[2] << 16;
    }
}

/* Any pixels, those beyond edges too. */
template <typename K>
__device__ inline void load_pixels(const Task &task, const Box &box, uint32_t *tile)
{
    const int32_t border = task.warp->border;
    const int32_t edges = border == IMG_BORDER_CONSTANT ? IMG_BORDER_REPLICATE : border;
    for (int row = (int)threadIdx.y; row < task.height; row += ROWS) {
        const int32_t y = img_border_place(box.top + row, task.src.height, edges);
        const uint8_t *from = task.src.data + (size_t)y * task.src.stride;
        uint8_t *to = reinterpret_cast<uint8_t *>(tile + row * task.pitch);
        for (int i = (int)threadIdx.x; i < task.width; i += LANES)
            put_pixel<K>(task, from, img_border_place(box.left + i, task.src.width, edges),
                         to + i * K::SIZE);
    }
}

/* --- Weights ---------------------------------------------------------------------------------- */

/* Pairs of weights of a phase; those of bilinear need no table. */
template <int HALF> struct Weights {
    static constexpr int WORDS = HALF == 1 ? 0 : HALF == 2 ? 2 : 4; /* of a phase in the table */
    uint32_t pair[HALF];

    static __device__ void make_table(const ImgWarp *warp, uint32_t *table)
    {
        const int thread = (int)(threadIdx.y * LANES + threadIdx.x);
        for (int i = thread; i < IMG_WARP_PHASES * WORDS; i += THREADS)
            table[i] = __ldg(
                reinterpret_cast<const uint32_t *>(warp->weights[i / (WORDS > 0 ? WORDS : 1)]) +
                i % (WORDS > 0 ? WORDS : 1));
    }

    __device__ Weights(const uint32_t *table, uint32_t phase)
    {
        if (HALF == 1) {
            constexpr uint32_t UNIT = 1 << (IMG_WARP_WEIGHT_PLACES - IMG_WARP_PHASE_PLACES);
            pair[0] = (1u << IMG_WARP_WEIGHT_PLACES) + phase * ((UNIT << 16) - UNIT);
        } else if (HALF == 2) {
            const uint2 two = *reinterpret_cast<const uint2 *>(table + phase * WORDS);
            pair[0] = two.x;
            pair[1 % HALF] = two.y;
        } else {
            const uint4 four = *reinterpret_cast<const uint4 *>(table + phase * WORDS);
            pair[0] = four.x;
            pair[1 % HALF] = four.y;
            pair[2 % HALF] = four.z;
            pair[HALF - 1] = HALF == 4 ? four.w : four.z; // the last of three or of four
        }
    }
    __device__ int32_t weight(int i) const
    {
        return i % 2 == 0 ? (int16_t)(pair[i / 2] & 0xffff) : (int32_t)pair[i / 2] >> 16;
    }
};

/* --- Sums ------------------------------------------------------------------------------------- */

constexpr int32_t ROUNDING = 1 << (IMG_WARP_WEIGHT_PLACES - 1);

/* The column of a window that begins at `at`, as img_warp_round gives it: lifted bytes are 64 times
 * bytes, and their sums too small to be cut off. */
template <int CHANNELS, int HALF>
__device__ inline void sum_column(Bytes<CHANNELS>, const uint8_t *at, int pitch,
                                  const Weights<HALF> &down, int32_t (&column)[CHANNELS])
{
    constexpr int PLACES = IMG_WARP_WEIGHT_PLACES - IMG_LIFT_PLACES;
    uint32_t sum[3];
#pragma unroll
    for (int c = 0; c < 3; c++)
        sum[c] = 1u << (PLACES - 1);
#pragma unroll
    for (int k = 0; k < HALF; k++) {
        const uint8_t *upper = at + 2 * k * pitch, *lower = upper + pitch;
        if (CHANNELS == 1) {
            sum[0] = add_two<false>(down.pair[k], (uint32_t)*upper | (uint32_t)*lower << 8, sum[0]);
        } else {
            const uint32_t first = *reinterpret_cast<const uint32_t *>(upper);
            const uint32_t second = *reinterpret_cast<const uint32_t *>(lower);
            const uint32_t two = __byte_perm(first, second, 0x5140);
            sum[0] = add_two<false>(down.pair[k], two, sum[0]);
            sum[1] = add_two<true>(down.pair[k], two, sum[1]);
            sum[2] = add_two<false>(down.pair[k], __byte_perm(first, second, 0x7362), sum[2]);
        }
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        column[c] = (int32_t)sum[c] >> PLACES;
}

template <int CHANNELS, int HALF>
__device__ inline void sum_column(Lifted<CHANNELS>, const uint8_t *at, int pitch,
                                  const Weights<HALF> &down, int32_t (&column)[CHANNELS])
{
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        column[c] = 0;
#pragma unroll
    for (int k = 0; k < 2 * HALF; k++) {
        uint32_t word[2] = {0, 0};
        if (CHANNELS == 2) {
            word[0] = *reinterpret_cast<const uint32_t *>(at + k * pitch);
        } else {
            const uint2 two = *reinterpret_cast<const uint2 *>(at + k * pitch);
            word[0] = two.x;
            word[1] = two.y;
        }
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            column[c] += down.weight(k) * (c % 2 == 0 ? (int16_t)(word[c / 2] & 0xffff)
                                                      : (int32_t)word[c / 2] >> 16);
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        column[c] = img_warp_round(column[c]);
}

/* The window that begins at `at`: sums to be rounded by IMG_WARP_WEIGHT_PLACES. */
template <typename K, int HALF>
__device__ inline void sum_window(const uint8_t *at, int pitch, const Weights<HALF> &across,
                                  const Weights<HALF> &down, int32_t (&sum)[K::CHANNELS])
{
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        sum[c] = 0;
#pragma unroll
    for (int i = 0; i < 2 * HALF; i++) {
        int32_t column[K::CHANNELS];
        sum_column<K::CHANNELS, HALF>(K(), at + i * K::SIZE, pitch, down, column);
#pragma unroll
        for (int c = 0; c < K::CHANNELS; c++)
            sum[c] += across.weight(i) * column[c];
    }
}

} // namespace warp_tiles

#endif
