/* convolve on CUDA for every kernel and format. One version reads samples from global memory, the
 * other from tiles in shared memory. */
#include "kernels/convolve/convolve.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int CHANNELS_MOST = 4, THREADS = 256;

/* --- Pixels ----------------------------------------------------------------------------------- */

template <typename Sample>
__device__ void read_pixel(const ImgView &view, int32_t channels, int32_t x, int32_t y,
                           uint32_t (&sample)[CHANNELS_MOST])
{
    const Sample *pixel = reinterpret_cast<const Sample *>(view.data + (size_t)y * view.stride) +
                          (size_t)x * channels;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        sample[c] = c < channels ? pixel[c] : 0;
}

/* Loads the pixel (x, y) as the numbers that are summed. If it is beyond the edges, the border mode
 * determines its value. */
template <typename Sample>
__device__ void load_pixel(const ImgConvolve &own, const ImgLift &lift, const ImgView &src,
                           int64_t x, int64_t y, int32_t (&value)[CHANNELS_MOST])
{
    const int32_t column = img_border_place(x, src.width, own.border);
    const int32_t line = img_border_place(y, src.height, own.border);
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        value[c] = c < lift.channels ? own.background[c] : 0;
    if (column < 0 || line < 0)
        return;
    uint32_t sample[CHANNELS_MOST];
    read_pixel<Sample>(src, lift.channels, column, line, sample);
    img_convolve_load(&own, sample, value);
}

template <typename Sample>
__device__ void store_pixel(const ImgConvolve &own, const ImgLift &lift, const ImgView &src,
                            const ImgView &dst, int32_t x, int32_t y,
                            const int32_t (&sums)[CHANNELS_MOST], int32_t alpha_sum)
{
    uint32_t sample[CHANNELS_MOST], result[CHANNELS_MOST];
    read_pixel<Sample>(src, lift.channels, x, y, sample);
    img_convolve_pixel(&own, sums, alpha_sum, sample, result);
    Sample *pixel =
        reinterpret_cast<Sample *>(dst.data + (size_t)y * dst.stride) + (size_t)x * lift.channels;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < lift.channels)
            pixel[c] = (Sample)result[c];
}

/* --- From global memory ----------------------------------------------------------------------- */

/* Computes one pixel per thread. Threads are numbered like the pixels, row by row. */
template <typename Sample>
__global__ void __launch_bounds__(THREADS)
    naive_kernel(ImgLift lift, const ImgConvolve *of_call, ImgView src, ImgView dst)
{
    const ImgConvolve &own = *of_call;
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (number >= (uint64_t)src.width * src.height)
        return;
    const int32_t x = (int32_t)(number % src.width), y = (int32_t)(number / src.width);
    int32_t sums[CHANNELS_MOST] = {0, 0, 0, 0}, alpha_sum = 0;
    for (int32_t k = 0; k < own.taps; k++) {
        int32_t value[CHANNELS_MOST];
        load_pixel<Sample>(own, lift, src, (int64_t)x + own.x[k], (int64_t)y + own.y[k], value);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++) {
            sums[c] += own.color.weights[k] * value[c];
            alpha_sum += c + 1 == lift.channels ? own.alpha.weights[k] * value[c] : 0;
        }
    }
    store_pixel<Sample>(own, lift, src, dst, x, y, sums, alpha_sum);
}

/* --- In tiles --------------------------------------------------------------------------------- */

/* A tile has 32 x 32 pixels. Each of its TILE_LINES warps computes PIXELS rows, which are
 * TILE_LINES rows apart. A thread computes one pixel of each of these rows. */
constexpr int TILE_COLUMNS = 32, TILE_LINES = 8, PIXELS = 4, TILE_ROWS = TILE_LINES * PIXELS;

/* Layout of the pixels that a tile of the result depends on: the tile and a halo around it. Shared
 * memory has one plane of 16-bit samples per channel. */
struct Tile {
    /* width of the halo at the left, and its height above the tile, in pixels */
    int32_t left, above;
    int32_t columns, rows; /* size of the tile including its halo, in pixels */
    /* Number of samples per row. It is an odd number of banks of two samples each, so that the
     * pixels of a column lie in different banks. */
    int32_t pitch;
    int32_t plane; /* number of samples per plane */
};

Tile tile_of(const ImgConvolve &own)
{
    Tile tile;
    tile.left = own.width / 2;
    tile.above = own.height / 2;
    tile.columns = TILE_COLUMNS + own.width - 1;
    tile.rows = TILE_ROWS + own.height - 1;
    tile.pitch = tile.columns + 2 - tile.columns % 4;
    tile.pitch += tile.pitch < tile.columns ? 4 : 0;
    tile.plane = tile.pitch * tile.rows;
    return tile;
}

template <typename Sample>
__device__ void fill_tile(const Tile &tile, const ImgConvolve &own, const ImgLift &lift,
                          const ImgView &src, int32_t x, int32_t y, int16_t *samples)
{
    for (int32_t i = (int32_t)threadIdx.x; i < tile.columns * tile.rows; i += THREADS) {
        const int32_t column = i % tile.columns, line = i / tile.columns;
        int32_t value[CHANNELS_MOST];
        load_pixel<Sample>(own, lift, src, (int64_t)x + column - tile.left,
                           (int64_t)y + line - tile.above, value);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < lift.channels)
                samples[c * tile.plane + line * tile.pitch + column] = (int16_t)value[c];
    }
}

/* Computes a tile of the result per block. The number of channels is a compile-time constant, so
 * there is no cost for channels that the picture does not have. */
template <typename Sample, int CHANNELS>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(ImgLift lift, const ImgConvolve *of_call, ImgView src, ImgView dst,
                 uint32_t across, Tile tile)
{
    IMG_SHARED_DYNAMIC(int16_t, samples);
    const ImgConvolve &own = *of_call;
    const int32_t left = (int32_t)(blockIdx.x % across) * TILE_COLUMNS;
    const int32_t top = (int32_t)(blockIdx.x / across) * TILE_ROWS;
    fill_tile<Sample>(tile, own, lift, src, left, top, samples);
    __syncthreads();
    const int32_t column = (int32_t)threadIdx.x % TILE_COLUMNS;
    const int32_t line = (int32_t)threadIdx.x / TILE_COLUMNS;
    int32_t sums[PIXELS][CHANNELS_MOST] = {}, alpha_sums[PIXELS] = {};
    for (int32_t k = 0; k < own.taps; k++) {
        const int32_t weight = own.color.weights[k];
        const int32_t alpha_weight = CHANNELS % 2 == 0 ? own.alpha.weights[k] : 0;
        const int16_t *at =
            samples + (line + tile.above + own.y[k]) * tile.pitch + column + tile.left + own.x[k];
#pragma unroll
        for (int i = 0; i < PIXELS; i++) {
#pragma unroll
            for (int c = 0; c < CHANNELS; c++) {
                const int32_t value = at[c * tile.plane + i * TILE_LINES * tile.pitch];
                sums[i][c] += weight * value;
                if (c + 1 == CHANNELS)
                    alpha_sums[i] += alpha_weight * value;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < PIXELS; i++) {
        const int32_t x = left + column, y = top + line + i * TILE_LINES;
        if (x < src.width && y < src.height)
            store_pixel<Sample>(own, lift, src, dst, x, y, sums[i], alpha_sums[i]);
    }
}

typedef void TiledKernel(ImgLift, const ImgConvolve *, ImgView, ImgView, uint32_t, Tile);

template <typename Sample> TiledKernel *tiled_of(int32_t channels)
{
    static TiledKernel *const kernels[] = {tiled_kernel<Sample, 1>, tiled_kernel<Sample, 2>,
                                           tiled_kernel<Sample, 3>, tiled_kernel<Sample, 4>};
    return kernels[channels - 1];
}

} // namespace

ImgStatus img_convolve_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgConvolve *own = static_cast<const ImgConvolve *>(call->constants.bytes);
    const ImgConvolve *on_device = static_cast<const ImgConvolve *>(call->device_constants);
    const uint64_t blocks = ((uint64_t)call->src.width * call->src.height - 1) / THREADS + 1;
    auto *kernel = call->src.format.bits == 16 ? naive_kernel<uint16_t> : naive_kernel<uint8_t>;
    IMG_LAUNCH(kernel, (unsigned)blocks, THREADS, 0, call->stream, own->lift, on_device, call->src,
               call->dst);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

ImgStatus img_convolve_cuda_tiled(const ImgCall *call, ImgError *err)
{
    const ImgConvolve *own = static_cast<const ImgConvolve *>(call->constants.bytes);
    const ImgConvolve *on_device = static_cast<const ImgConvolve *>(call->device_constants);
    const Tile tile = tile_of(*own);
    const int bytes = tile.plane * own->lift.channels * (int)sizeof(int16_t);
    const uint32_t across = (uint32_t)((call->src.width - 1) / TILE_COLUMNS + 1);
    const uint64_t tiles = across * (uint64_t)((call->src.height - 1) / TILE_ROWS + 1);
    const int32_t channels = own->lift.channels;
    TiledKernel *kernel =
        call->src.format.bits == 16 ? tiled_of<uint16_t>(channels) : tiled_of<uint8_t>(channels);
    IMG_LAUNCH(kernel, (unsigned)tiles, THREADS, (size_t)bytes, call->stream, own->lift, on_device,
               call->src, call->dst, across, tile);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
