/* Non-local means on CUDA for every size and format. One version reads every patch from global
 * memory. The other version loads tiles into shared memory; there a block sums the squared
 * differences at one offset for all its pixels. Both versions are limited by arithmetic. */
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/denoise/denoise.h"

namespace
{

constexpr int CHANNELS_MOST = 4, TILE = 32, THREAD_ROWS = 8, EACH = TILE / THREAD_ROWS;

/* Computes the numbers of pixel (x, y) that are compared, one per channel. Elements of `guide` for
 * channels that the picture does not have become 0. */
__device__ void load_guide(const ImgWeighed &weighed, const ImgView &src, int64_t x, int64_t y,
                           uint32_t (&guide)[CHANNELS_MOST])
{
    uint32_t pixel[CHANNELS_MOST];
    img_weighed_pixel(&weighed, &src, x, y, pixel);
    const uint32_t alpha = weighed.channels == 2 ? pixel[1] : pixel[3];
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        guide[c] = c < weighed.channels
                       ? img_denoise_guide(&weighed, pixel[c], alpha, c == weighed.colors)
                       : 0;
}

__device__ uint32_t square(uint32_t a, uint32_t b)
{
    const int32_t apart = (int32_t)a - (int32_t)b;
    return (uint32_t)(apart * apart);
}

struct Sums {
    uint64_t colors[3];
    uint32_t weights;

    __device__ Sums() : colors{0, 0, 0}, weights(0)
    {
    }

    __device__ void add(const ImgWeighed &weighed, const uint32_t (&pixel)[CHANNELS_MOST],
                        uint32_t weight)
    {
        if (weighed.has_alpha != 0)
            weight = img_scale_15(
                weight, img_alpha_15(weighed.channels == 2 ? pixel[1] : pixel[3], weighed.bits));
        weights += weight;
#pragma unroll
        for (int c = 0; c < 3; c++)
            if (c < weighed.colors)
                colors[c] += (uint64_t)weight * pixel[c];
    }
};

__device__ void store_pixel(const ImgWeighed &weighed, const ImgView &src, const ImgView &dst,
                            int32_t x, int32_t y, const Sums &sums)
{
    uint32_t pixel[CHANNELS_MOST];
    img_weighed_pixel(&weighed, &src, x, y, pixel);
    const bool hidden =
        weighed.has_alpha != 0 && (weighed.channels == 2 ? pixel[1] : pixel[3]) == 0;
    uint8_t *row = dst.data + (size_t)y * dst.stride;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++) {
        if (c >= weighed.channels)
            continue;
        const size_t at = (size_t)x * weighed.channels + c;
        if (c < 3 && c < weighed.colors && !hidden)
            pixel[c] = img_weighed_mean(sums.colors[c], sums.weights);
        if (weighed.bits == 16)
            reinterpret_cast<uint16_t *>(row)[at] = (uint16_t)pixel[c];
        else
            row[at] = (uint8_t)pixel[c];
    }
}

/* --- From global memory ----------------------------------------------------------------------- */

__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    naive_kernel(ImgDenoise own, ImgView src, ImgView dst, uint32_t tiles_across)
{
    const int32_t x = (int32_t)(blockIdx.x % tiles_across) * TILE + (int32_t)threadIdx.x;
    const int32_t y = (int32_t)(blockIdx.x / tiles_across) * THREAD_ROWS + (int32_t)threadIdx.y;
    if (x >= src.width || y >= src.height)
        return;
    Sums sums;
    for (int32_t v = -own.search; v <= own.search; v++)
        for (int32_t u = -own.search; u <= own.search; u++) {
            uint32_t sum = 0, a[CHANNELS_MOST], b[CHANNELS_MOST];
            for (int32_t j = -own.patch; j <= own.patch; j++)
                for (int32_t i = -own.patch; i <= own.patch; i++) {
                    load_guide(own.weighed, src, (int64_t)x + i, (int64_t)y + j, a);
                    load_guide(own.weighed, src, (int64_t)x + u + i, (int64_t)y + v + j, b);
#pragma unroll
                    for (int c = 0; c < CHANNELS_MOST; c++)
                        sum += square(a[c], b[c]);
                }
            img_weighed_pixel(&own.weighed, &src, (int64_t)x + u, (int64_t)y + v, b);
            sums.add(own.weighed, b, img_denoise_weight(&own, sum));
        }
    store_pixel(own.weighed, src, dst, x, y, sums);
}

/* --- Through shared memory -------------------------------------------------------------------- */

/* Shared memory of a block. It starts with the numbers to compare, of a tile and its halo. A word
 * has two of these 16-bit numbers, and each word of a pixel has its own plane. Then come the
 * squared differences at one offset, for the tile and `patch` pixels around it, and then their
 * horizontal sums. Pitches are odd, because lanes that sum horizontally are in different rows; so
 * there are no bank conflicts. */
struct Tile {
    uint32_t *guides, *squares, *sums;
    int32_t words, margin;
    int32_t pitch, plane; /* number of words per row and per plane of the numbers to compare */
    /* number of columns and number of rows of the squared differences; also the number of rows of
     * horizontal sums */
    int32_t inner;
};

IMG_HOST_DEVICE int32_t odd(int32_t pitch)
{
    return pitch | 1;
}

Tile tile_of(const ImgDenoise &own)
{
    Tile tile;
    tile.guides = tile.squares = tile.sums = nullptr;
    tile.words = (own.weighed.channels + 1) / 2;
    tile.margin = own.patch + own.search;
    tile.pitch = odd(TILE + 2 * tile.margin);
    tile.plane = tile.pitch * (TILE + 2 * tile.margin);
    tile.inner = TILE + 2 * own.patch;
    return tile;
}

size_t shared_bytes(const Tile &tile)
{
    const int32_t squares = odd(tile.inner) * tile.inner;
    return (size_t)(tile.words * tile.plane + 2 * squares) * sizeof(uint32_t);
}

__device__ void fill_tile(const Tile &tile, const ImgWeighed &weighed, const ImgView &src,
                          int32_t left, int32_t top, int32_t lane)
{
    const int32_t side = TILE + 2 * tile.margin;
    for (int32_t i = lane; i < side * side; i += TILE * THREAD_ROWS) {
        const int32_t column = i % side, line = i / side;
        uint32_t guide[CHANNELS_MOST];
        load_guide(weighed, src, (int64_t)left + column - tile.margin,
                   (int64_t)top + line - tile.margin, guide);
        tile.guides[line * tile.pitch + column] = guide[0] | guide[1] << 16;
        if (tile.words > 1)
            tile.guides[tile.plane + line * tile.pitch + column] = guide[2] | guide[3] << 16;
    }
}

__device__ uint32_t squares_of_word(uint32_t a, uint32_t b)
{
    return square(a & 65535, b & 65535) + square(a >> 16, b >> 16);
}

/* Computes the squared differences between each pixel of the tile and the pixel `u` columns to the
 * right and `v` rows below. */
__device__ void fill_squares(const Tile &tile, int32_t search, int32_t u, int32_t v, int32_t lane)
{
    for (int32_t i = lane; i < tile.inner * tile.inner; i += TILE * THREAD_ROWS) {
        const int32_t column = i % tile.inner, line = i / tile.inner;
        const int32_t at = (line + search) * tile.pitch + column + search;
        const int32_t other = at + v * tile.pitch + u;
        uint32_t sum = squares_of_word(tile.guides[at], tile.guides[other]);
        if (tile.words > 1)
            sum += squares_of_word(tile.guides[tile.plane + at], tile.guides[tile.plane + other]);
        tile.squares[line * odd(tile.inner) + column] = sum;
    }
}

/* Computes horizontal sums of 2 * patch + 1 squared differences, for TILE columns. Each thread
 * processes RUN columns of a row. It computes each further sum from the sum before it, by adding
 * one square and subtracting another. */
__device__ void sum_across(const Tile &tile, int32_t patch, int32_t lane)
{
    constexpr int RUN = 8;
    const int32_t side = 2 * patch + 1;
    for (int32_t i = lane; i < tile.inner * (TILE / RUN); i += TILE * THREAD_ROWS) {
        const int32_t line = i % tile.inner, first = i / tile.inner * RUN;
        const uint32_t *from = tile.squares + line * odd(tile.inner) + first;
        uint32_t *to = tile.sums + line * odd(tile.inner) + first, sum = 0;
        for (int32_t k = 0; k < side; k++)
            sum += from[k];
        for (int32_t k = 0; k < RUN; k++) {
            to[k] = sum;
            if (k + 1 < RUN)
                sum += from[k + side] - from[k];
        }
    }
}

__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    tiled_kernel(ImgDenoise own, ImgView src, ImgView dst, uint32_t tiles_across, Tile tile)
{
    IMG_SHARED_DYNAMIC(uint32_t, memory);
    tile.guides = memory;
    tile.squares = memory + tile.words * tile.plane;
    tile.sums = tile.squares + odd(tile.inner) * tile.inner;
    const int32_t left = (int32_t)(blockIdx.x % tiles_across) * TILE;
    const int32_t top = (int32_t)(blockIdx.x / tiles_across) * TILE;
    const int32_t lane = (int32_t)(threadIdx.y * TILE + threadIdx.x), side = 2 * own.patch + 1;
    const int32_t x = left + (int32_t)threadIdx.x, line = (int32_t)threadIdx.y * EACH;
    Sums sums[EACH];
    fill_tile(tile, own.weighed, src, left, top, lane);
    __syncthreads();
    for (int32_t v = -own.search; v <= own.search; v++)
        for (int32_t u = -own.search; u <= own.search; u++) {
            fill_squares(tile, own.search, u, v, lane);
            __syncthreads();
            sum_across(tile, own.patch, lane);
            __syncthreads();
            const uint32_t *column = tile.sums + line * odd(tile.inner) + threadIdx.x;
            uint32_t sum = 0;
            for (int32_t k = 0; k < side; k++)
                sum += column[k * odd(tile.inner)];
#pragma unroll
            for (int k = 0; k < EACH; k++) {
                uint32_t pixel[CHANNELS_MOST];
                img_weighed_pixel(&own.weighed, &src, (int64_t)x + u, (int64_t)top + line + k + v,
                                  pixel);
                sums[k].add(own.weighed, pixel, img_denoise_weight(&own, sum));
                if (k + 1 < EACH)
                    sum += column[(k + side) * odd(tile.inner)] - column[k * odd(tile.inner)];
            }
        }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (x < src.width && top + line + k < src.height)
            store_pixel(own.weighed, src, dst, x, top + line + k, sums[k]);
}

} // namespace

ImgStatus img_denoise_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgDenoise *own = static_cast<const ImgDenoise *>(call->constants.bytes);
    const uint32_t across = (uint32_t)((call->src.width - 1) / TILE + 1);
    const uint64_t blocks = across * (uint64_t)((call->src.height - 1) / THREAD_ROWS + 1);
    IMG_LAUNCH(naive_kernel, (unsigned)blocks, dim3(TILE, THREAD_ROWS), 0, call->stream, *own,
               call->src, call->dst, across);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_denoise_cuda_tiled(const ImgCall *call, ImgError *err)
{
    const ImgDenoise *own = static_cast<const ImgDenoise *>(call->constants.bytes);
    const Tile tile = tile_of(*own);
    const size_t bytes = shared_bytes(tile);
    const uint32_t across = (uint32_t)((call->src.width - 1) / TILE + 1);
    const uint64_t tiles = across * (uint64_t)((call->src.height - 1) / TILE + 1);
    CUDA_TRY(allow_shared_memory(tiled_kernel), err);
    IMG_LAUNCH(tiled_kernel, (unsigned)tiles, dim3(TILE, THREAD_ROWS), bytes, call->stream, *own,
               call->src, call->dst, across, tile);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
