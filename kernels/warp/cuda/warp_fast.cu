/* Pixels from between pixels on CUDA: a block makes a tile of SIDE x SIDE of the result from a box
 * of the source in shared memory. Where all of the box is inside the picture, and pixels are bytes
 * without alpha, a window's columns are dot products of weights and bytes, and a row's results
 * leave in whole words. Anything else goes by the functions of warp.h, but from the box.
 *
 * Limited by instructions; of turned pictures also by banks, where lanes of a warp take pixels
 * along a slanted line (kernels/README.md). */
#include "kernels/core/cuda/byte_pack.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/warp/cuda/warp_tile.cuh"

namespace
{

using namespace warp_tiles;

/* --- Results ---------------------------------------------------------------------------------- */

__device__ void store_pixel(const Task &task, int32_t x, int32_t y, const uint32_t (&sample)[4])
{
    const int32_t channels = task.warp->to.channels, bits = task.warp->to.bits;
    uint8_t *row = task.dst.data + (size_t)y * task.dst.stride;
    if (channels == 4 && bits == 8) {
        reinterpret_cast<uint32_t *>(row)[x] =
            sample[0] | sample[1] << 8 | sample[2] << 16 | sample[3] << 24;
        return;
    }
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const size_t at = (size_t)x * channels + c;
        if (c < channels && bits == 16)
            reinterpret_cast<uint16_t *>(row)[at] = (uint16_t)sample[c];
        else if (c < channels)
            row[at] = (uint8_t)sample[c];
    }
}

/* Where a lane puts pixels of a row: one byte, or three in a word, whose highest is not used. Of a
 * warp's 32 pixels of three bytes each four lanes make three words; only those inside the picture
 * are written, at its right edge byte by byte. */
template <int CHANNELS> struct Writer {
    uint8_t *to;
    size_t step;       /* bytes to the row that the warp makes next */
    uint32_t selector; /* of bytes of the lane's pixel and its neighbour's */
    bool joins, writes;

    __device__ Writer(const Task &task, int32_t x, int32_t y)
    {
        const int lane = (int)threadIdx.x, at = lane % 4;
        joins = CHANNELS == 3 && x - lane + LANES <= task.dst.width;
        writes = joins ? at < 3 : x < task.dst.width;
        selector = at == 0 ? 0x4210 : at == 1 ? 0x5421 : 0x6542;
        step = ROWS * task.dst.stride;
        to = task.dst.data + (size_t)y * task.dst.stride +
             (joins ? (size_t)(x - lane) * 3 + (size_t)(lane / 4 * 3 + at) * 4
                    : (size_t)x * CHANNELS);
    }
    /* All lanes must take part. */
    __device__ void write(uint32_t pixel)
    {
        const uint32_t next = CHANNELS == 3 ? __shfl_down_sync(~0u, pixel, 1) : 0;
        if (writes && joins)
            *reinterpret_cast<uint32_t *>(to) = __byte_perm(pixel, next, selector);
        else if (writes)
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
                to[c] = (uint8_t)(pixel >> 8 * c);
        to += step;
    }
};

/* Colours of opaque pixels by a constant. */
__device__ void lower_pixel(const ImgLift &to, const int32_t (&lifted)[4], uint32_t (&sample)[4])
{
    constexpr uint32_t OPAQUE = 255 * 255;
    if (to.channels != 4 || to.bits != 8 || lifted[3] != (int32_t)OPAQUE - IMG_LIFT_ZERO) {
        img_lower_pixel(&to, lifted, sample);
        return;
    }
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const uint32_t color = (uint32_t)(lifted[c] + IMG_LIFT_ZERO);
        sample[c] = color >= OPAQUE ? 255 : (color * 255 + OPAQUE / 2) / OPAQUE;
    }
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* As img_warp_window, from the box. */
template <typename K, int HALF>
__device__ int32_t window_of(const Task &task, const Box &box, const uint8_t *tile,
                             const uint32_t *table, ImgWarpPlace place, int32_t (&value)[4])
{
    const int64_t x_phases = img_warp_phases(place.x), y_phases = img_warp_phases(place.y);
    const int32_t cover =
        img_warp_cover(task.warp, x_phases, y_phases, task.src.width, task.src.height);
    if (cover == 0)
        return 0;
    const int x = (int)((x_phases >> IMG_WARP_PHASE_PLACES) - HALF + 1 - box.left);
    const int y = (int)((y_phases >> IMG_WARP_PHASE_PLACES) - HALF + 1 - box.top);
    const Weights<HALF> across(table, (uint32_t)x_phases % IMG_WARP_PHASES);
    const Weights<HALF> down(table, (uint32_t)y_phases % IMG_WARP_PHASES);
    int32_t sum[K::CHANNELS];
    sum_window<K, HALF>(tile + y * task.pitch * 4 + x * K::SIZE, task.pitch * 4, across, down, sum);
#pragma unroll
    for (int c = 0; c < K::CHANNELS; c++)
        value[c] = img_warp_round(sum[c]);
    return cover;
}

/* As img_warp_filtered. */
template <typename K, int HALF>
__device__ void make_pixel(const Task &task, const Box &box, const uint8_t *tile,
                           const uint32_t *table, int32_t x, int32_t y)
{
    const ImgWarpMap &map = task.map;
    uint64_t sums[4] = {0, 0, 0, 0};
    int32_t lifted[4] = {0, 0, 0, 0};
    uint32_t sample[4] = {0, 0, 0, 0};
    for (int32_t j = 0; j < map.grid_height; j++)
        for (int32_t i = 0; i < map.grid_width; i++) {
            int32_t value[4] = {0, 0, 0, 0};
            const int32_t cover =
                window_of<K, HALF>(task, box, tile, table, img_warp_place(&map, x, y, i, j), value);
#pragma unroll
            for (int c = 0; c < 4; c++) {
                if (cover != IMG_WARP_COVERED)
                    value[c] = img_warp_blend(value[c], task.warp->background[c], cover);
                sums[c] += (uint64_t)(value[c] + IMG_LIFT_ZERO);
            }
        }
#pragma unroll
    for (int c = 0; c < 4; c++)
        lifted[c] =
            task.is_single
                ? (int32_t)sums[c] - IMG_LIFT_ZERO
                : img_warp_average(sums[c], (uint32_t)map.grid_width * (uint32_t)map.grid_height);
    lower_pixel(task.warp->to, lifted, sample);
    store_pixel(task, x, y, sample);
}

/* The pixel of a window of bytes, both roundings at once. Bilinear sums are not cut off, as nothing
 * overshoots: they are made so large that the sample is the highest byte. */
template <typename K, int HALF>
__device__ uint32_t pixel_of(const uint8_t *at, int pitch, const Weights<HALF> &across,
                             const Weights<HALF> &down)
{
    constexpr int PLACES = IMG_WARP_WEIGHT_PLACES + IMG_LIFT_PLACES;
    constexpr int32_t START = ROUNDING + (1 << (PLACES - 1));
    constexpr int C = K::CHANNELS, LEFT = 24 - PLACES;
    uint32_t sum[3] = {0, 0, 0};
    if (HALF == 1) {
        int32_t column[2][C];
#pragma unroll
        for (int i = 0; i < 2; i++)
            sum_column<C, HALF>(K(), at + i * K::SIZE, pitch, down, column[i]);
        const uint32_t first = (across.pair[0] & 0xffff) << LEFT;
        const uint32_t second = (1u << (IMG_WARP_WEIGHT_PLACES + LEFT)) - first;
#pragma unroll
        for (int c = 0; c < C; c++)
            sum[c] = second * (uint32_t)column[1][c] +
                     (first * (uint32_t)column[0][c] + ((uint32_t)START << LEFT));
        return C == 1 ? sum[0] >> 24
                      : __byte_perm(__byte_perm(sum[0], sum[1 % C], 0x0073), sum[2 % C], 0x0710);
    }
    int32_t total[C];
    sum_window<K, HALF>(at, pitch, across, down, total);
#pragma unroll
    for (int c = 0; c < C; c++)
        sum[c] = (uint32_t)((total[c] + START) >> PLACES);
    return pack_bytes((int32_t)sum[0], (int32_t)sum[1], (int32_t)sum[2], 0);
}

/* A pixel inside the picture, of bytes. `place` is from the box on, so far rounded that what is
 * dropped is below phases. */
template <typename K, int HALF>
__device__ uint32_t pixel_at(const Task &task, const uint8_t *tile, const uint32_t *table,
                             ImgWarpPlace place)
{
    constexpr int DROP = IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES;
    const uint32_t x_phases = (uint32_t)(place.x >> DROP), y_phases = (uint32_t)(place.y >> DROP);
    const Weights<HALF> across(table, x_phases % IMG_WARP_PHASES);
    const Weights<HALF> down(table, y_phases % IMG_WARP_PHASES);
    const int at = (int)(y_phases / IMG_WARP_PHASES) * task.pitch * 4 +
                   (int)(x_phases / IMG_WARP_PHASES) * K::SIZE;
    return pixel_of<K, HALF>(tile + at, task.pitch * 4, across, down);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

template <typename K, int HALF>
__device__ void make_inside(const Task &task, const Box &box, const uint8_t *tile,
                            const uint32_t *table, int32_t x0, int32_t y0)
{
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
#pragma unroll 1
    for (int part = 0; part < SIDE; part += LANES) {
        const int32_t x = x0 + part + (int32_t)threadIdx.x;
        const int32_t y = y0 + (int32_t)threadIdx.y;
        const int rows = (min(SIDE, task.dst.height - y0) + ROWS - 1 - (int)threadIdx.y) / ROWS;
        ImgWarpPlace place = img_warp_place(&task.map, x, y, 0, 0);
        Writer<K::CHANNELS> writer(task, x, y);
        place.x += half - (box.left + HALF - 1) * IMG_WARP_ONE;
        place.y += half - (box.top + HALF - 1) * IMG_WARP_ONE;
        if (x0 + part >= task.dst.width)
            break;
#pragma unroll 2
        for (int i = 0; i < rows; i++) {
            writer.write(pixel_at<K, HALF>(task, tile, table, place));
            place.x += ROWS * task.map.down.x;
            place.y += ROWS * task.map.down.y;
        }
    }
}

template <typename K, int HALF>
__device__ void make_any(const Task &task, const Box &box, const uint8_t *tile,
                         const uint32_t *table, int32_t x0, int32_t y0)
{
#pragma unroll 1
    for (int i = 0; i < SIDE / LANES * SIDE / ROWS; i++) {
        const int32_t x = x0 + i % (SIDE / LANES) * LANES + (int32_t)threadIdx.x;
        const int32_t y = y0 + i / (SIDE / LANES) * ROWS + (int32_t)threadIdx.y;
        if (x < task.dst.width && y < task.dst.height)
            make_pixel<K, HALF>(task, box, tile, table, x, y);
    }
}

template <typename K, int HALF> __global__ void __launch_bounds__(THREADS) fast_kernel(Task task)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    uint32_t *table = reinterpret_cast<uint32_t *>(memory);
    uint32_t *tile = table + IMG_WARP_PHASES * Weights<HALF>::WORDS;
    const int32_t x0 = (int32_t)(blockIdx.x % task.across) * SIDE;
    const int32_t y0 = (int32_t)(blockIdx.x / task.across) * SIDE;
    const Box box = box_of(task, x0, y0);
    const bool inside = !K::LIFTED && task.is_single && is_inside(task, box);
    Weights<HALF>::make_table(task.warp, table);
    if (inside)
        load_groups<K>(task, box, tile);
    else if (!is_outside(task, box))
        load_pixels<K>(task, box, tile);
    __syncthreads();
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(tile);
    if (inside)
        make_inside<K, HALF>(task, box, bytes, table, x0, y0);
    else
        make_any<K, HALF>(task, box, bytes, table, x0, y0);
}

/* --- Plans ------------------------------------------------------------------------------------ */

/* Along an axis: how far before and after a tile's first place others are. */
struct Spread {
    int64_t least, most;
};

void spread(Spread *all, int64_t step, int64_t count)
{
    if (step < 0)
        all->least += step * (count - 1);
    else
        all->most += step * (count - 1);
}

Spread spread_of(int64_t across, int64_t down, int64_t sub_across, int64_t sub_down,
                 const ImgWarpMap &map)
{
    Spread all = {0, 0};
    spread(&all, across, SIDE);
    spread(&all, down, SIDE);
    spread(&all, sub_across, map.grid_width);
    spread(&all, sub_down, map.grid_height);
    return all;
}

/* False: a box would be too large for any shared memory. */
bool plan(Task *task, int pixel_bytes)
{
    const ImgWarpMap &map = task->map;
    const int64_t far = IMG_WARP_ONE * 16;
    const ImgWarpPlace steps[] = {map.across, map.down};
    for (int i = 0; i < 2; i++)
        if (steps[i].x < -far || steps[i].x > far || steps[i].y < -far || steps[i].y > far)
            return false;
    const Spread x = spread_of(map.across.x, map.down.x, map.sub_across.x, map.sub_down.x, map);
    const Spread y = spread_of(map.across.y, map.down.y, map.sub_across.y, map.sub_down.y, map);
    const int32_t window = 2 * task->half + 1;
    task->least = {x.least, y.least};
    task->width = (int32_t)((x.most - x.least) >> IMG_WARP_PLACES) + window + GROUP - 1;
    task->width = (task->width + GROUP - 1) / GROUP * GROUP;
    task->height = (int32_t)((y.most - y.least) >> IMG_WARP_PLACES) + window;
    task->pitch = pixel_bytes == 8 ? 2 * (task->width | 1) : task->width * pixel_bytes / 4 | 1;
    return true;
}

/* Sets `done` if shared memory holds the boxes. */
template <typename K, int HALF>
ImgStatus launch(const ImgCall *call, Task &task, bool *done, ImgError *err)
{
    int shared = 0;
    ImgStatus status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK || !plan(&task, K::SIZE))
        return status;
    const int64_t bytes =
        4 * ((int64_t)IMG_WARP_PHASES * Weights<HALF>::WORDS + (int64_t)task.pitch * task.height);
    if (bytes > shared)
        return IMG_OK;
    const uint64_t blocks = task.across * (uint64_t)((call->dst.height - 1) / SIDE + 1);
    auto *kernel = fast_kernel<K, HALF>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
             err);
    IMG_LAUNCH(kernel, (unsigned)blocks, dim3(LANES, ROWS), (size_t)bytes, call->stream, task);
    CUDA_TRY(cudaGetLastError(), err);
    *done = true;
    return IMG_OK;
}

template <int HALF>
ImgStatus launch_for(const ImgCall *call, const ImgLift &to, Task &task, bool *done, ImgError *err)
{
    task.half = HALF;
    if (to.bits == 8 && !to.has_alpha)
        return to.channels == 3 ? launch<Bytes<3>, HALF>(call, task, done, err)
                                : launch<Bytes<1>, HALF>(call, task, done, err);
    return to.channels > 2 ? launch<Lifted<4>, HALF>(call, task, done, err)
                           : launch<Lifted<2>, HALF>(call, task, done, err);
}

ImgStatus launch_filter(const ImgCall *call, const ImgWarp *warp, Task &task, bool *done,
                        ImgError *err)
{
    switch (warp->filter) {
    case IMG_WARP_BILINEAR:
        return launch_for<1>(call, warp->to, task, done, err);
    case IMG_WARP_BICUBIC:
        return launch_for<2>(call, warp->to, task, done, err);
    case IMG_WARP_LANCZOS3:
        return launch_for<3>(call, warp->to, task, done, err);
    default:
        return launch_for<4>(call, warp->to, task, done, err);
    }
}

} // namespace

ImgStatus img_warp_cuda_fast(const ImgCall *call, const ImgWarpMap *map, ImgError *err)
{
    const auto *warp = static_cast<const ImgWarp *>(call->constants.bytes);
    Task task = {};
    task.src = call->src;
    task.dst = call->dst;
    task.warp = static_cast<const ImgWarp *>(call->device_constants);
    task.map = *map;
    task.across = (uint32_t)((call->dst.width - 1) / SIDE + 1);
    task.is_single = map->grid_width == 1 && map->grid_height == 1;
    bool done = false;
    ImgStatus status = IMG_OK;
    if (img_warp_is_nearest(warp, map) == 0)
        status = launch_filter(call, warp, task, &done, err);
    return status != IMG_OK || done ? status : img_warp_cuda_naive(call, map, err);
}
