/* Private to the stream kernel of resize on CUDA: horizontal sums of a strip, tile by tile. */
#ifndef IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_ACROSS_CUH
#define IMGTOOL_KERNELS_RESIZE_CUDA_RESIZE_STREAM_ACROSS_CUH

#include "kernels/resize/cuda/resize_direct_sums.cuh"
#include "kernels/resize/cuda/resize_direct_write.cuh"
#include "kernels/resize/cuda/resize_stream_weights.cuh"

namespace resize
{

template <typename K> struct TileSums {
    Sums sum[PLANES<K>][HALVES<K>][ACROSS_WORTHS<K>];
};

/* Horizontal weights of a lane for a chunk of 32 source columns. */
template <typename K> struct TileWeights {
    uint32_t word[HALVES<K>][K::WEIGHT][2];

    __device__ void load(const uint32_t *across)
    {
        const int lane = (int)threadIdx.x % 32;
#pragma unroll
        for (int half = 0; half < HALVES<K>; half++) {
            const uint32_t *own = across + (half * 32 + lane) * (K::WEIGHT * 2);
            if (K::WEIGHT == 2) {
                const uint4 four = *reinterpret_cast<const uint4 *>(own);
                take_two(half, 0, four.x, four.y);
                take_two(half, 1, four.z, four.w);
            } else {
#pragma unroll
                for (int w = 0; w < K::WEIGHT; w++) {
                    const uint2 two = *reinterpret_cast<const uint2 *>(own + 2 * w);
                    take_two(half, w, two.x, two.y);
                }
            }
        }
    }

    __device__ void take_two(int half, int w, uint32_t first, uint32_t second)
    {
        word[half][w][0] = first;
        word[half][w][1] = second;
    }
};

/* Number of chunks that a lane loads before it multiplies the first of them. */
template <typename K> constexpr int CHUNKS_TOGETHER = K::ALPHA ? 1 : 2;

/* Loads COUNT chunks of vertical sums and their weights, multiplies them, and adds the products to
 * the horizontal sums. */
template <typename K, int COUNT>
__device__ inline void add_tile(TileSums<K> &sums, const uint8_t *window, int pitch,
                                const uint32_t *across)
{
    constexpr int PARTS = PLANES<K> * K::MIDDLE;
    TileWeights<K> weights[COUNT];
    uint32_t part[COUNT][PARTS][4];
#pragma unroll
    for (int i = 0; i < COUNT * PARTS; i++)
        load_rows_of_bytes(part[i / PARTS][i % PARTS],
                           window + i % PARTS * BAND * pitch + i / PARTS * 32, pitch);
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        weights[i].load(across + i * CHUNK_WORDS<K>);
#pragma unroll
    for (int i = 0; i < COUNT * PARTS * K::WEIGHT * HALVES<K>; i++) {
        const int half = i % HALVES<K>, w = i / HALVES<K> % K::WEIGHT;
        const int p = i / HALVES<K> / K::WEIGHT % PARTS, b = p % K::MIDDLE;
        const int chunk = i / HALVES<K> / K::WEIGHT / PARTS;
        Sums &own = sums.sum[p / K::MIDDLE][half][w + b];
        if (w + 1 < K::WEIGHT)
            multiply<32, false, false>(own, own, part[chunk][p], weights[chunk].word[half][w]);
        else
            multiply<32, false, true>(own, own, part[chunk][p], weights[chunk].word[half][w]);
    }
}

template <typename K>
__device__ inline void sum_tile(const StreamTask &task, TileSums<K> &sums, const uint8_t *window,
                                const uint32_t *weights)
{
    constexpr int COUNT = CHUNKS_TOGETHER<K>, WORTHS = ACROSS_WORTHS<K>;
    const int pitch = task.plan.middle_pitch;
    int chunk = 0;
#pragma unroll
    for (int i = 0; i < PLANES<K> * HALVES<K> * WORTHS * 4; i++) {
        const int worth = i / 4 % WORTHS, half = i / 4 / WORTHS % HALVES<K>;
        sums.sum[i / 4 / WORTHS / HALVES<K>][half][worth][i % 4] =
            worth == 0 && !K::WIDE ? task.base.end_start : 0;
    }
#pragma unroll 1
    for (; chunk + COUNT <= task.plan.chunks; chunk += COUNT) {
        add_tile<K, COUNT>(sums, window, pitch, weights);
        window += COUNT * 32;
        weights += COUNT * CHUNK_WORDS<K>;
    }
    if (COUNT > 1 && chunk < task.plan.chunks)
        add_tile<K, 1>(sums, window, pitch, weights);
}

/* Divides the colours of the pixels of a tile by alpha, like img_resize_lower, and converts alpha
 * to 8 bits. */
template <typename K> __device__ inline void lower_tile(int32_t (&value)[PLANES<K>][4])
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int32_t alpha = value[PLANES<K> - 1][i] + 32768;
        const AlphaDivisor divisor(alpha);
#pragma unroll
        for (int c = 0; c + 1 < PLANES<K>; c++)
            value[c][i] = divisor.divide(value[c][i], 32768);
        value[PLANES<K> - 1][i] = (min(max(alpha, 0), 255 * 255) + 127) / 255;
    }
}

/* Converts the sums of a lane to pixels and stores them at `to`. The sums belong to rows g and g +
 * 8 of the band, where g is lane / 4. */
template <typename K>
__device__ inline void put_tile(const Task &task, const TileSums<K> &sums, uint8_t *to, int pitch)
{
    constexpr int P = PLANES<K>, H = HALVES<K>;
    int32_t value[P][H][4];
#pragma unroll
    for (int i = 0; i < P * H * 4; i++)
        value[i / 4 / H][i / 4 % H][i % 4] =
            end_of<K, ACROSS_WORTHS<K>>(task, sums.sum[i / 4 / H][i / 4 % H], i % 4);
    if constexpr (K::ALPHA) {
        int32_t pixel[P][4];
#pragma unroll
        for (int i = 0; i < P * 4; i++)
            pixel[i / 4][i % 4] = value[i / 4][0][i % 4];
        lower_tile<K>(pixel);
#pragma unroll
        for (int row = 0; row < 2; row++) {
            uint32_t word[2];
#pragma unroll
            for (int i = 0; i < 2; i++)
                word[i] = pack_bytes(pixel[0][2 * row + i], pixel[1][2 * row + i],
                                     pixel[2][2 * row + i], pixel[3][2 * row + i]);
            *reinterpret_cast<uint2 *>(to + 8 * row * pitch) = make_uint2(word[0], word[1]);
        }
    } else {
#pragma unroll
        for (int row = 0; row < 2; row++) {
            const int32_t a = value[0][0][2 * row], b = value[0][0][2 * row + 1];
            const int32_t c = value[0][H - 1][2 * row], d = value[0][H - 1][2 * row + 1];
            *reinterpret_cast<uint32_t *>(to + 8 * row * pitch) =
                K::WIDE ? pack_words(a, b) : pack_bytes(a, b, c, d);
        }
    }
}

/* Computes the tiles of a band that belong to this warp, and stores them in the rows of the result
 * in shared memory. */
template <typename K>
__device__ inline void make_tiles(const StreamTask &task, const uint8_t *middle,
                                  const uint32_t *across, const int32_t *windows, uint8_t *out)
{
    const ImgResizeStream &plan = task.plan;
    const int lane = (int)threadIdx.x % 32;
    out += lane / 4 * plan.out_pitch + lane % 4 * (2 * HALVES<K> * COLUMN<K>);
#pragma unroll 1
    for (int tile = (int)threadIdx.x / 32; tile < plan.tiles; tile += plan.warps) {
        TileSums<K> sums;
        sum_tile<K>(task, sums, middle + windows[tile],
                    across + tile * plan.chunks * CHUNK_WORDS<K>);
        put_tile<K>(task.base, sums, out + tile * (TILE<K> * COLUMN<K>), plan.out_pitch);
    }
}

} // namespace resize

#endif
