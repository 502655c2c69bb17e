/* The bilateral filter on CUDA for every size and format. One version reads all neighbours from
 * global memory, the other from tiles in shared memory. Computing a weight without a table takes
 * about 20 instructions, so both kernels are limited by arithmetic. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/denoise/bilateral.h"

namespace
{

/* Each row of threads is one warp. A thread computes every THREAD_ROWS-th row of a tile, EACH
 * pixels in all. */
constexpr int TILE = 32, THREAD_ROWS = 8, EACH = TILE / THREAD_ROWS;

/* Index of alpha among a pixel's samples in registers. It is the same for one colour and for
 * three. */
constexpr int ALPHA = 3;

template <int COLORS> __device__ void move_alpha(const ImgWeighed &weighed, uint32_t (&pixel)[4])
{
    if (COLORS == 1 && weighed.has_alpha != 0)
        pixel[ALPHA] = pixel[1];
}

template <int COLORS> struct Sums {
    uint64_t colors[COLORS];
    uint32_t weights;

    __device__ Sums() : weights(0)
    {
#pragma unroll
        for (int c = 0; c < COLORS; c++)
            colors[c] = 0;
    }

    __device__ void add(const ImgBilateral &own, const uint32_t (&center)[4],
                        const uint32_t (&other)[4], uint32_t exponent)
    {
        int32_t distance = 0;
#pragma unroll
        for (int c = 0; c < COLORS; c++) {
            const int32_t difference = (int32_t)img_bilateral_guide(center[c], own.weighed.bits) -
                                       (int32_t)img_bilateral_guide(other[c], own.weighed.bits);
            distance += difference < 0 ? -difference : difference;
        }
        uint32_t weight = img_bilateral_weight(&own, (uint32_t)distance, exponent);
        if (own.weighed.has_alpha != 0)
            weight = img_scale_15(weight, img_alpha_15(other[ALPHA], own.weighed.bits));
        weights += weight;
#pragma unroll
        for (int c = 0; c < COLORS; c++)
            colors[c] += (uint64_t)weight * other[c];
    }

    /* Replaces the samples of `center`, the pixel to filter, by the weighted mean. */
    __device__ void mean(const ImgWeighed &weighed, uint32_t (&center)[4]) const
    {
        if (weighed.has_alpha != 0 && center[ALPHA] == 0)
            return;
#pragma unroll
        for (int c = 0; c < COLORS; c++)
            center[c] = weighed.bits == 8 ? ((uint32_t)colors[c] + weights / 2) / weights
                                          : img_weighed_mean(colors[c], weights);
    }
};

template <int COLORS>
__device__ void store_pixel(const ImgWeighed &weighed, const ImgView &dst, int32_t x, int32_t y,
                            const uint32_t (&pixel)[4])
{
    uint8_t *row = dst.data + (size_t)y * dst.stride;
#pragma unroll
    for (int c = 0; c < 4; c++) {
        if (c >= COLORS && (c != ALPHA || weighed.has_alpha == 0))
            continue;
        const size_t at = (size_t)x * weighed.channels + (c < COLORS ? c : COLORS);
        if (weighed.bits == 16)
            reinterpret_cast<uint16_t *>(row)[at] = (uint16_t)pixel[c];
        else
            row[at] = (uint8_t)pixel[c];
    }
}

/* --- From global memory ----------------------------------------------------------------------- */

template <int COLORS>
__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    naive_kernel(const ImgBilateral *own, ImgView src, ImgView dst, uint32_t tiles_across)
{
    const ImgWeighed &weighed = own->weighed;
    const int32_t x = (int32_t)(blockIdx.x % tiles_across) * TILE + (int32_t)threadIdx.x;
    const int32_t top = (int32_t)(blockIdx.x / tiles_across) * TILE;
    for (int32_t line = (int32_t)threadIdx.y; line < TILE; line += THREAD_ROWS) {
        const int32_t y = top + line;
        if (x >= src.width || y >= src.height)
            return;
        uint32_t center[4];
        Sums<COLORS> sums;
        img_weighed_pixel(&weighed, &src, x, y, center);
        move_alpha<COLORS>(weighed, center);
        for (int32_t i = 0; i < own->count; i++) {
            const ImgBilateralTap tap = own->taps[i];
            uint32_t other[4];
            img_weighed_pixel(&weighed, &src, (int64_t)x + tap.x, (int64_t)y + tap.y, other);
            move_alpha<COLORS>(weighed, other);
            sums.add(*own, center, other, tap.exponent);
        }
        sums.mean(weighed, center);
        store_pixel<COLORS>(weighed, dst, x, y, center);
    }
}

/* --- Through shared memory -------------------------------------------------------------------- */

/* The pixels of a tile and its halo in shared memory. An 8-bit pixel has one word, a 16-bit pixel
 * has two, in separate planes. A warp reads adjacent words, so there are no bank conflicts even
 * without padding. */
template <typename Sample> struct Tile {
    static constexpr int WORDS = (int)sizeof(Sample), IN_WORD = 4 / WORDS, BITS = 32 / IN_WORD;
    uint32_t *words;
    int32_t side, plane; /* number of words per row and per plane */

    __device__ void set(int32_t at, const uint32_t (&pixel)[4]) const
    {
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            uint32_t word = 0;
#pragma unroll
            for (int i = 0; i < IN_WORD; i++)
                word |= pixel[w * IN_WORD + i] << i * BITS;
            words[w * plane + at] = word;
        }
    }

    __device__ void get(int32_t at, uint32_t (&pixel)[4]) const
    {
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            const uint32_t word = words[w * plane + at];
#pragma unroll
            for (int i = 0; i < IN_WORD; i++)
                pixel[w * IN_WORD + i] = word >> i * BITS & (Sample)-1;
        }
    }
};

/* Filters EACH pixels per thread. All of them use the same list of taps, so each thread reads the
 * position of a neighbour once for EACH pixels. */
template <typename Sample, int COLORS>
__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    tiled_kernel(const ImgBilateral *own, ImgView src, ImgView dst, uint32_t tiles_across)
{
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    const ImgWeighed &weighed = own->weighed;
    const int32_t radius = own->radius;
    Tile<Sample> tile;
    tile.words = memory;
    tile.side = TILE + 2 * radius;
    tile.plane = tile.side * tile.side;
    const int32_t left = (int32_t)(blockIdx.x % tiles_across) * TILE;
    const int32_t top = (int32_t)(blockIdx.x / tiles_across) * TILE;
    for (int32_t line = (int32_t)threadIdx.y; line < tile.side; line += THREAD_ROWS)
        for (int32_t column = (int32_t)threadIdx.x; column < tile.side; column += TILE) {
            uint32_t pixel[4];
            img_weighed_pixel(&weighed, &src, (int64_t)left + column - radius,
                              (int64_t)top + line - radius, pixel);
            move_alpha<COLORS>(weighed, pixel);
            tile.set(line * tile.side + column, pixel);
        }
    __syncthreads();
    const int32_t first =
        ((int32_t)threadIdx.y + radius) * tile.side + (int32_t)threadIdx.x + radius;
    uint32_t center[EACH][4];
    Sums<COLORS> sums[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        tile.get(first + k * THREAD_ROWS * tile.side, center[k]);
    for (int32_t i = 0; i < own->count; i++) {
        const ImgBilateralTap tap = own->taps[i];
        const int32_t at = first + tap.y * tile.side + tap.x;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            uint32_t other[4];
            tile.get(at + k * THREAD_ROWS * tile.side, other);
            sums[k].add(*own, center[k], other, tap.exponent);
        }
    }
    const int32_t x = left + (int32_t)threadIdx.x, y = top + (int32_t)threadIdx.y;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (x < src.width && y + k * THREAD_ROWS < src.height) {
            sums[k].mean(weighed, center[k]);
            store_pixel<COLORS>(weighed, dst, x, y + k * THREAD_ROWS, center[k]);
        }
}

/* --- Launches --------------------------------------------------------------------------------- */

typedef void Kernel(const ImgBilateral *own, ImgView src, ImgView dst, uint32_t tiles_across);

ImgStatus launch(const ImgCall *call, Kernel *kernel, size_t shared_bytes, ImgError *err)
{
    const uint32_t across = (uint32_t)((call->src.width - 1) / TILE + 1);
    const uint64_t tiles = across * (uint64_t)((call->src.height - 1) / TILE + 1);
    IMG_LAUNCH(kernel, (unsigned)tiles, dim3(TILE, THREAD_ROWS), shared_bytes, call->stream,
               static_cast<const ImgBilateral *>(call->device_constants), call->src, call->dst,
               across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

const ImgBilateral *constants_of(const ImgCall *call)
{
    return static_cast<const ImgBilateral *>(call->constants.bytes);
}

} // namespace

ImgStatus img_bilateral_cuda_naive(const ImgCall *call, ImgError *err)
{
    return launch(call, constants_of(call)->weighed.colors == 1 ? naive_kernel<1> : naive_kernel<3>,
                  0, err);
}

/* Implements the version with tiles. It needs at most 32 KiB of shared memory, which every GPU
 * offers by default. */
ImgStatus img_bilateral_cuda_tiled(const ImgCall *call, ImgError *err)
{
    const ImgWeighed &weighed = constants_of(call)->weighed;
    const size_t side = (size_t)(TILE + 2 * constants_of(call)->radius);
    if (weighed.bits == 16)
        return launch(call,
                      weighed.colors == 1 ? tiled_kernel<uint16_t, 1> : tiled_kernel<uint16_t, 3>,
                      side * side * 2 * sizeof(uint32_t), err);
    return launch(call, weighed.colors == 1 ? tiled_kernel<uint8_t, 1> : tiled_kernel<uint8_t, 3>,
                  side * side * sizeof(uint32_t), err);
}
