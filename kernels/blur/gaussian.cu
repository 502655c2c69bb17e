/* The Gaussian on CUDA: one axis after the other through global memory, and both in tiles of shared
 * memory. */
#include "kernels/blur/gaussian.h"
#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"

namespace
{

constexpr int CHANNELS_MOST = 4;

/* A lifted picture in device memory, of which columns and rows may begin before 0. */
struct Plane {
    int16_t *samples;
    int32_t left, top, width, height, channels;

    __device__ int16_t *at(int64_t x, int64_t y) const
    {
        return samples + ((y - top) * width + x - left) * channels;
    }
};

/* --- Pixels ----------------------------------------------------------------------------------- */

template <typename Sample>
__device__ void load_pixel(const ImgLift &lift, const uint8_t *row, int64_t x,
                           int32_t (&lifted)[CHANNELS_MOST])
{
    const Sample *pixel = reinterpret_cast<const Sample *>(row) + x * lift.channels;
    uint32_t sample[CHANNELS_MOST] = {0, 0, 0, 0};
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < lift.channels)
            sample[c] = pixel[c];
    img_lift_pixel(&lift, sample, lifted);
}

/* The end of a blur: what `blurred` and the picture make together. */
__device__ void store_pixel(const ImgBlurEnd &end, const ImgLift &lift, const ImgView &src,
                            const ImgView &dst, int32_t x, int32_t y,
                            int32_t (&blurred)[CHANNELS_MOST])
{
    uint32_t sample[CHANNELS_MOST];
    if (end.sharpens != 0) {
        int32_t own[CHANNELS_MOST];
        const uint8_t *row = src.data + (size_t)y * src.stride;
        if (src.format.bits == 16)
            load_pixel<uint16_t>(lift, row, x, own);
        else
            load_pixel<uint8_t>(lift, row, x, own);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < lift.channels)
                blurred[c] = img_unsharp(&end.mask, own[c], blurred[c]);
    }
    img_lower_pixel(&lift, blurred, sample);
    uint8_t *row = dst.data + (size_t)y * dst.stride;
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++) {
        if (c >= lift.channels)
            break;
        if (lift.bits == 16)
            reinterpret_cast<uint16_t *>(row)[(size_t)x * lift.channels + c] = (uint16_t)sample[c];
        else
            row[(size_t)x * lift.channels + c] = (uint8_t)sample[c];
    }
}

/* --- Axis by axis ----------------------------------------------------------------------------- */

constexpr int THREADS = 256;

/* Pixel `number` of a plane. */
struct Place {
    int32_t x, y;
    __device__ Place(uint64_t number, const Plane &plane)
        : x((int32_t)(number % plane.width) + plane.left),
          y((int32_t)(number / plane.width) + plane.top)
    {
    }
};

__device__ bool is_inside(uint64_t number, const Plane &plane)
{
    return number < (uint64_t)plane.width * plane.height;
}

__global__ void __launch_bounds__(THREADS) lift_kernel(ImgLift lift, ImgView src, Plane to)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (!is_inside(number, to))
        return;
    const Place place(number, to);
    int32_t lifted[CHANNELS_MOST];
    const uint8_t *row = src.data + (size_t)place.y * src.stride;
    if (src.format.bits == 16)
        load_pixel<uint16_t>(lift, row, place.x, lifted);
    else
        load_pixel<uint8_t>(lift, row, place.x, lifted);
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < lift.channels)
            to.at(place.x, place.y)[c] = (int16_t)lifted[c];
}

__global__ void __launch_bounds__(THREADS)
    lower_kernel(ImgLift lift, const ImgBlurEnd *end, ImgView src, ImgView dst, Plane from)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (!is_inside(number, from))
        return;
    const Place place(number, from);
    int32_t blurred[CHANNELS_MOST];
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        blurred[c] = c < lift.channels ? from.at(place.x, place.y)[c] : 0;
    store_pixel(*end, lift, src, dst, place.x, place.y, blurred);
}

enum Stage { SHRINK, BLUR, ENLARGE };

/* A sum along an axis: `count` weights from `first` on. */
struct Sum {
    int64_t first;
    const int16_t *weights;
    int32_t count;
};

template <Stage STAGE> __device__ Sum sum_of(const ImgGaussian &gaussian, int32_t place)
{
    Sum sum;
    if (STAGE == SHRINK) {
        sum.first = img_gaussian_shrink_first(&gaussian, place);
        sum.weights = gaussian.shrink;
        sum.count = IMG_SPLINE_TAPS * gaussian.factor;
    } else if (STAGE == BLUR) {
        sum.first = (int64_t)place - gaussian.radius;
        sum.weights = gaussian.weights;
        sum.count = 2 * gaussian.radius + 1;
    } else {
        const int32_t in_group = place % gaussian.factor;
        sum.first = place / gaussian.factor + img_gaussian_enlarge_first(&gaussian, in_group);
        sum.weights = gaussian.enlarge[in_group];
        sum.count = IMG_SPLINE_TAPS;
    }
    return sum;
}

/* What lies beyond a small picture is never asked for; what lies beyond the source, as the border
 * says. */
template <Stage STAGE, bool DOWN>
__global__ void __launch_bounds__(THREADS)
    along_kernel(const ImgGaussian *gaussian_of_call, Plane from, Plane to)
{
    const uint64_t number = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    if (!is_inside(number, to))
        return;
    const Place place(number, to);
    const ImgGaussian &gaussian = *gaussian_of_call;
    const Sum sum = sum_of<STAGE>(gaussian, DOWN ? place.y : place.x);
    const int32_t size = DOWN ? from.height : from.width, begin = DOWN ? from.top : from.left;
    int32_t all[CHANNELS_MOST];
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        all[c] = 1 << (IMG_WEIGHT_PLACES - 1);
    for (int32_t k = 0; k < sum.count; k++) {
        int64_t at = sum.first + k;
        const int16_t *pixel = gaussian.background;
        if (begin == 0)
            at = img_border_place(at, size, gaussian.border);
        if (begin != 0 || at >= 0)
            pixel = DOWN ? from.at(place.x, at) : from.at(at, place.y);
#pragma unroll
        for (int c = 0; c < CHANNELS_MOST; c++)
            if (c < to.channels)
                all[c] += sum.weights[k] * pixel[c];
    }
#pragma unroll
    for (int c = 0; c < CHANNELS_MOST; c++)
        if (c < to.channels)
            to.at(place.x, place.y)[c] = (int16_t)(all[c] >> IMG_WEIGHT_PLACES);
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* What the workspace holds: the picture, something between, and two small pictures. */
struct Planes {
    int32_t width, height, channels, columns, rows, margin;
    uint64_t between, small; /* samples */
};

Planes planes_of(const ImgGaussian &gaussian, ImgShape shape)
{
    Planes planes;
    planes.width = shape.width;
    planes.height = shape.height;
    planes.channels = img_format_channels(shape.format);
    planes.margin = img_gaussian_margin(&gaussian);
    planes.columns = (shape.width - 1) / gaussian.factor + 1 + 2 * planes.margin;
    planes.rows = (shape.height - 1) / gaussian.factor + 1 + 2 * planes.margin;
    const uint64_t whole = (uint64_t)shape.width * shape.height;
    const uint64_t lower = (uint64_t)shape.width * planes.rows;
    const uint64_t narrower = (uint64_t)planes.columns * shape.height;
    planes.small = gaussian.factor == 1 ? 0 : (uint64_t)planes.columns * planes.rows;
    planes.between = whole;
    if (gaussian.factor > 1 && lower > planes.between)
        planes.between = lower;
    if (gaussian.factor > 1 && narrower > planes.between)
        planes.between = narrower;
    planes.between *= planes.channels;
    planes.small *= planes.channels;
    return planes;
}

unsigned blocks_of(const Plane &plane)
{
    return (unsigned)(((uint64_t)plane.width * plane.height - 1) / THREADS + 1);
}

Plane plane_at(int16_t *samples, const Planes &planes, int32_t left, int32_t width, int32_t top,
               int32_t height)
{
    const Plane plane = {samples, left, top, width, height, planes.channels};
    return plane;
}

template <Stage STAGE, bool DOWN>
void along(const ImgCall *call, const Plane &from, const Plane &to)
{
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(call->device_constants);
    IMG_LAUNCH((along_kernel<STAGE, DOWN>), blocks_of(to), THREADS, 0, call->stream, &end->gaussian,
               from, to);
}

void smaller(const ImgCall *call, const Planes &planes, const Plane &whole, int16_t *between)
{
    int16_t *first = between + planes.between, *second = first + planes.small;
    const int32_t margin = planes.margin, columns = planes.columns, rows = planes.rows;
    /* What enlarging needs: IMG_SPLINE_TAPS more than there are groups. */
    const int32_t inner_columns = columns - 2 * margin + IMG_SPLINE_TAPS;
    const int32_t inner_rows = rows - 2 * margin + IMG_SPLINE_TAPS;
    const Plane lower = plane_at(between, planes, 0, planes.width, -margin, rows);
    const Plane small = plane_at(first, planes, -margin, columns, -margin, rows);
    const Plane half = plane_at(second, planes, -margin, columns, -2, inner_rows);
    const Plane blurred = plane_at(first, planes, -2, inner_columns, -2, inner_rows);
    const Plane narrower = plane_at(between, planes, -2, inner_columns, 0, planes.height);
    along<SHRINK, true>(call, whole, lower);
    along<SHRINK, false>(call, lower, small);
    along<BLUR, true>(call, small, half);
    along<BLUR, false>(call, half, blurred);
    along<ENLARGE, true>(call, blurred, narrower);
    along<ENLARGE, false>(call, narrower, whole);
}

/* --- In tiles --------------------------------------------------------------------------------- */

/* A tile of the picture with all that its sums need, lifted, a plane for each channel; below it the
 * sums downwards of all its columns. A thread makes several sums of a column, or of a row, and
 * reads each sample once for all of them. */
constexpr int TILE_COLUMNS = 64, TILE_ROWS = 32, TOGETHER = 8, TILE_THREADS = 256;
/* What has a factor of 1 has no larger radius: 3.5 times a sigma below 3. */
constexpr int TILE_RADIUS = 11;

struct Tile {
    int16_t *samples, *sums; /* planes one after another */
    int32_t radius, columns, rows;
    int32_t pitch;             /* of a row: an odd number of banks where two samples share one */
    int32_t plane, sums_plane; /* samples of one */
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

/* TOGETHER sums of samples that lie `step` apart. */
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

/* Sums of TILE_ROWS rows of all columns. */
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

/* Sums across, into the place of the samples, which are not needed any more. */
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

size_t img_gaussian_cuda_workspace(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    if (img_op_prepare(op, src.format, params, &constants, nullptr) != IMG_OK)
        return 0;
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(constants.bytes);
    const Planes planes = planes_of(end->gaussian, src);
    img_constants_free(&constants);
    const uint64_t whole = (uint64_t)src.width * src.height * planes.channels;
    return (size_t)((whole + planes.between + 2 * planes.small) * sizeof(int16_t));
}

ImgStatus img_gaussian_cuda_naive(const ImgCall *call, ImgError *err)
{
    const ImgBlurEnd *end = static_cast<const ImgBlurEnd *>(call->constants.bytes);
    const ImgBlurEnd *on_device = static_cast<const ImgBlurEnd *>(call->device_constants);
    const ImgLift lift = img_lift_of(call->src.format);
    const Planes planes = planes_of(end->gaussian, img_view_shape(&call->src));
    int16_t *samples = static_cast<int16_t *>(call->workspace);
    const Plane whole = plane_at(samples, planes, 0, planes.width, 0, planes.height);
    const Plane between =
        plane_at(samples + (uint64_t)planes.width * planes.height * planes.channels, planes, 0,
                 planes.width, 0, planes.height);
    IMG_LAUNCH(lift_kernel, blocks_of(whole), THREADS, 0, call->stream, lift, call->src, whole);
    if (end->gaussian.factor > 1) {
        smaller(call, planes, whole, between.samples);
    } else if (end->gaussian.radius > 0) {
        along<BLUR, true>(call, whole, between);
        along<BLUR, false>(call, between, whole);
    }
    IMG_LAUNCH(lower_kernel, blocks_of(whole), THREADS, 0, call->stream, lift, on_device, call->src,
               call->dst, whole);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}

bool img_gaussian_is_direct(const ImgOp *op, ImgShape src, const void *params)
{
    ImgConstants constants;
    if (img_op_prepare(op, src.format, params, &constants, nullptr) != IMG_OK)
        return false;
    const ImgGaussian &gaussian = static_cast<const ImgBlurEnd *>(constants.bytes)->gaussian;
    const bool direct = gaussian.factor == 1 && gaussian.radius > 0;
    img_constants_free(&constants);
    return direct;
}

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
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), err);
    IMG_LAUNCH(kernel, (unsigned)tiles, TILE_THREADS, (size_t)bytes, call->stream, lift, on_device,
               call->src, call->dst, across, tile);
    CUDA_TRY(cudaGetLastError(), err);
    return IMG_OK;
}
