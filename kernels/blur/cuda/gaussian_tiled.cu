/* The Gaussian on CUDA, textbook version: filters along both axes in one kernel, with tiles in
 * shared memory. */
#include "kernels/blur/cuda/gaussian_pixels.cuh"
#include "kernels/core/cuda/cuda_launch.cuh"

namespace
{

/* A block computes a tile of TILE_ROWS times TILE_COLUMNS pixels. Shared memory has the lifted
 * samples (window/lift.h) that the tile needs, one plane per channel, and then the vertical
 * sums of all columns. A thread computes TOGETHER adjacent sums, so that it reads each sample once
 * for all of them. */
constexpr int TILE_COLUMNS = 64, TILE_ROWS = 32, TOGETHER = 8, TILE_THREADS = 256;
/* Largest radius: pictures that are not reduced have a sigma below 3, and the radius is 3.5 times
 * sigma, rounded up. */
constexpr int TILE_RADIUS = 11;

struct Tile {
    /* lifted samples (window/lift.h) and vertical sums in shared memory: the planes of all
     * channels, one after another */
    int16_t *samples, *sums;
    int32_t radius, columns, rows;
    /* samples per row: 2 times an odd number, because a bank has two samples and rows must begin in
     * different banks */
    int32_t pitch;
    int32_t plane, sums_plane; /* samples per plane of `samples`, and of `sums` */
};

Tile tile_of(int32_t radius)
{
    Tile tile;
    tile.samples = tile.sums = nullptr;
    tile.radius = radius;
    tile.columns = TILE_COLUMNS + 2 * radius;
    tile.rows = TILE_ROWS + 2 * radius;
    tile.pitch = tile.columns + 2 - tile.columns % 4;
    tile.pitch += tile.pitch < tile.columns ? 4 : 0;
    tile.plane = tile.pitch * tile.rows;
    tile.sums_plane = tile.pitch * TILE_ROWS;
    return tile;
}

template <typename Sample>
__device__ void fill_tile(const Tile &tile, const ImgGaussian &gaussian, const ImgLift &lift,
                          const ImgView &src, int32_t left, int32_t top)
{
    for (int32_t i = (int32_t)threadIdx.x; i < tile.columns * tile.rows; i += TILE_THREADS) {
        const int32_t column = i % tile.columns, line = i / tile.columns;
        const int32_t x =
            img_border_place((int64_t)left + column - tile.radius, src.width, gaussian.border);
        const int32_t y =
            img_border_place((int64_t)top + line - tile.radius, src.height, gaussian.border);
        int32_t lifted[CHANNELS_MOST];
        if (x >= 0 && y >= 0)
            load_pixel<Sample>(lift, src.data + (size_t)y * src.stride, x, lifted);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < lift.channels)
                tile.samples[c * tile.plane + line * tile.pitch + column] =
                    x >= 0 && y >= 0 ? (int16_t)lifted[c] : gaussian.background[c];
    }
}

/* Computes TOGETHER adjacent sums of `taps` weighted samples. Adjacent samples are `step` apart in
 * memory. */
__device__ void sum_together(const int16_t *weights, int32_t taps, const int16_t *from,
                             int32_t step, int32_t (&sums)[TOGETHER])
{
    int32_t window[TOGETHER];
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        sums[i] = 1 << (IMG_WEIGHT_PLACES - 1);
        window[i] = from[i * step];
    }
    for (int32_t k = 0; k < taps; k++) {
        const int32_t weight = weights[k];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
            sums[i] += weight * window[i];
#pragma unroll
        for (int i = 0; i + 1 < TOGETHER; i++)
            window[i] = window[i + 1];
        if (k + 1 < taps)
            window[TOGETHER - 1] = from[(k + TOGETHER) * step];
    }
}

/* Computes the vertical sums of TILE_ROWS rows, for all columns of the tile and all channels. */
__device__ void sum_downwards(const Tile &tile, const int16_t *weights, int32_t channels)
{
    constexpr int RUNS = TILE_ROWS / TOGETHER;
    for (int32_t i = (int32_t)threadIdx.x; i < tile.columns * RUNS * channels; i += TILE_THREADS) {
        const int32_t column = i % tile.columns, rest = i / tile.columns;
        const int32_t line = rest % RUNS * TOGETHER, c = rest / RUNS;
        int32_t sums[TOGETHER];
        sum_together(weights, 2 * tile.radius + 1,
                     tile.samples + c * tile.plane + line * tile.pitch + column, tile.pitch, sums);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            tile.sums[c * tile.sums_plane + (line + k) * tile.pitch + column] =
                (int16_t)(sums[k] >> IMG_WEIGHT_PLACES);
    }
}

/* Computes the horizontal sums of the vertical sums. The results replace the samples of the source
 * in shared memory, which are no longer needed. */
__device__ void sum_across(const Tile &tile, const int16_t *weights, int32_t channels)
{
    constexpr int RUNS = TILE_COLUMNS / TOGETHER;
    for (int32_t i = (int32_t)threadIdx.x; i < TILE_ROWS * RUNS * channels; i += TILE_THREADS) {
        const int32_t line = i % TILE_ROWS, rest = i / TILE_ROWS;
        const int32_t column = rest % RUNS * TOGETHER, c = rest / RUNS;
        int32_t sums[TOGETHER];
        sum_together(weights, 2 * tile.radius + 1,
                     tile.sums + c * tile.sums_plane + line * tile.pitch + column, 1, sums);
#pragma unroll
        for (int k = 0; k < TOGETHER; k++)
            tile.samples[c * tile.plane + line * tile.pitch + column + k] =
                (int16_t)(sums[k] >> IMG_WEIGHT_PLACES);
    }
}

template <typename Sample>
__global__ void __launch_bounds__(TILE_THREADS)
    tile_kernel(ImgLift lift, const ImgBlurEnd *end, ImgView src, ImgView dst, uint32_t across,
                Tile tile)
{
    IMG_SHARED_DYNAMIC(int16_t, memory);
    IMG_SHARED(int16_t, weights, [2 * TILE_RADIUS + 1]);
    tile.samples = memory;
    tile.sums = memory + tile.plane * lift.channels;
    const int32_t left = (int32_t)(blockIdx.x % across) * TILE_COLUMNS;
    const int32_t top = (int32_t)(blockIdx.x / across) * TILE_ROWS;
    if ((int32_t)threadIdx.x < 2 * tile.radius + 1)
        weights[threadIdx.x] = end->gaussian.weights[threadIdx.x];
    fill_tile<Sample>(tile, end->gaussian, lift, src, left, top);
    __syncthreads();
    sum_downwards(tile, weights, lift.channels);
    __syncthreads();
    sum_across(tile, weights, lift.channels);
    __syncthreads();
    for (int32_t i = (int32_t)threadIdx.x; i < TILE_COLUMNS * TILE_ROWS; i += TILE_THREADS) {
        const int32_t column = i % TILE_COLUMNS, line = i / TILE_COLUMNS;
        if (left + column >= src.width || top + line >= src.height)
            continue;
        int32_t blurred[CHANNELS_MOST];
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            blurred[c] =
                c < lift.channels ? tile.samples[c * tile.plane + line * tile.pitch + column] : 0;
        store_pixel(*end, lift, src, dst, left + column, top + line, blurred);
    }
}

} // namespace

ImgStatus img_gaussian_cuda_tiled(const ImgCall *call, ImgError *err)
{
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(call->constants.bytes);
    const ImgBlurEnd *on_device = static_cast<const ImgBlurEnd *>(call->device_constants);
    const ImgLift lift = img_lift_of(call->src.format);
    const Tile tile = tile_of(end->gaussian.radius);
    const int bytes = (tile.plane + tile.sums_plane) * lift.channels * (int)sizeof(int16_t);
    const uint32_t across = (uint32_t)((call->src.width - 1) / TILE_COLUMNS + 1);
    const uint64_t tiles = across * (uint64_t)((call->src.height - 1) / TILE_ROWS + 1);
    auto *kernel = call->src.format.bits == 16 ? tile_kernel<uint16_t> : tile_kernel<uint8_t>;
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH(kernel, (unsigned)tiles, TILE_THREADS, (size_t)bytes, call->stream, lift, on_device,
               call->src, call->dst, across, tile);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
