/* Private: the fast warp on CUDA. A block makes a tile of the result from a box of the source in
 * shared memory, kept as pairs of bytes of neighbouring rows, so that a window's columns are dot
 * products of weights and bytes (warp_pixels.cuh). A lane makes pixels one below the other; its
 * place goes on by whole steps. Tiles that touch an edge where the background begins blend it in,
 * pixel by pixel; where several places make a pixel, their windows are averaged.
 *
 * Limited by issued instructions, with more taps by shared memory: kernels/README.md. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_KERNEL_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_KERNEL_CUH

#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/warp/cuda/warp_plan.cuh"
#include "kernels/warp/cuda/warp_sums.cuh"

namespace warp_tiles
{

/* --- Places in a box -------------------------------------------------------------------------- */

__device__ inline uint32_t phase_of(uint64_t spot)
{
    return (uint32_t)spot >> (32 - IMG_WARP_PHASE_PLACES);
}

/* The whole part of a number of pixels: a register of its own, so that the compiler does not move
 * bits of the fraction into it. */
__device__ inline uint32_t whole_of(uint64_t spot)
{
    uint32_t whole = (uint32_t)(spot >> 32);
#ifdef __CUDA_ARCH__
    asm("" : "+r"(whole));
#endif
    return whole;
}

/* The sums of the window there. */
template <typename K, int HALF>
__device__ inline void sum_spot(const Spot &spot, const Box &box, int32_t (&sum)[K::CHANNELS])
{
    const uint32_t at = whole_of(spot.y) * box.pitch + whole_of(spot.x) * (4 * K::WORDS);
    sum_window<K, HALF>(box.tile + at, box.pitch, box.table, phase_of(spot.x), phase_of(spot.y),
                        sum);
}

/* --- Rows of the result ----------------------------------------------------------------------- */

/* Where a lane puts its pixels, one below the other. Of a warp's 32 pixels of three bytes each four
 * lanes make three words, unless some are beyond the picture's edge: not WHOLE. */
template <int SIZE, bool WHOLE> struct Writer {
    static constexpr bool JOINS = WHOLE && SIZE == 3;
    uint8_t *to;
    size_t step;       /* bytes to the row that the warp makes next */
    uint32_t selector; /* of bytes of the lane's pixel and its neighbour's */
    bool writes;

    /* Rows of ROWS, as the block's, from the pixel at (x0, y0) on. */
    __device__ Writer(const Task &task, int32_t x0, int32_t y0)
    {
        const int lane = (int)threadIdx.x, at = lane % 4;
        writes = !JOINS || at < 3;
        selector = at == 0 ? 0x4210 : at == 1 ? 0x5421 : 0x6542;
        step = ROWS * task.dst.stride;
        to = task.dst.data + (size_t)(y0 + (int32_t)threadIdx.y) * task.dst.stride +
             (size_t)x0 * SIZE + (JOINS ? (lane / 4 * 3 + at) * 4 : lane * SIZE);
    }
    /* Whether the lane's pixel is inside a row of that width. */
    __device__ void look(int32_t x0, int32_t width)
    {
        writes = x0 + (int32_t)threadIdx.x < width;
    }
    /* To the first row of the next LANES columns. */
    __device__ void go_back(int rows)
    {
        to += LANES * SIZE - (ptrdiff_t)rows * (ptrdiff_t)step;
    }
    /* All lanes must take part. */
    __device__ void write(const uint32_t (&pixel)[2])
    {
        const uint32_t next = JOINS ? __shfl_down_sync(~0u, pixel[0], 1) : 0;
        if (JOINS && writes)
            *reinterpret_cast<uint32_t *>(to) = __byte_perm(pixel[0], next, selector);
        else if (writes)
            write_alone(pixel);
        to += step;
    }

  private:
    __device__ void write_alone(const uint32_t (&pixel)[2])
    {
        if (SIZE == 8)
            *reinterpret_cast<uint2 *>(to) = make_uint2(pixel[0], pixel[1]);
        else if (SIZE == 4)
            *reinterpret_cast<uint32_t *>(to) = pixel[0];
        else if (SIZE % 2 == 0)
#pragma unroll
            for (int i = 0; i < SIZE / 2; i++)
                reinterpret_cast<uint16_t *>(to)[i] = (uint16_t)(pixel[i / 2] >> 16 * (i % 2));
        else
#pragma unroll
            for (int i = 0; i < SIZE; i++)
                to[i] = (uint8_t)(pixel[0] >> 8 * i);
    }
};

/* --- Pixels at edges, and of several places --------------------------------------------------- */

/* How much of a pixel's side is the picture, as img_warp_inside, from phases in a box. */
struct Cover {
    int32_t x_before, x_behind, y_before, y_behind;

    static __device__ int32_t near(int64_t phases)
    {
        const int64_t far = 1 << 30;
        return (int32_t)min(max(phases, -far), far);
    }
    __device__ Cover(const Task &task, const Box &box)
    {
        const int64_t left = (box.left + task.half - 1) * IMG_WARP_PHASES;
        const int64_t top = (box.top + task.half - 1) * IMG_WARP_PHASES;
        x_before = near(left + IMG_WARP_PHASES);
        y_before = near(top + IMG_WARP_PHASES);
        x_behind = near((int64_t)task.src.width * IMG_WARP_PHASES - left);
        y_behind = near((int64_t)task.src.height * IMG_WARP_PHASES - top);
    }
    __device__ int32_t of(const Spot &spot) const
    {
        const int32_t most = IMG_WARP_PHASES, x = (int32_t)(spot.x >> (32 - IMG_WARP_PHASE_PLACES)),
                      y = (int32_t)(spot.y >> (32 - IMG_WARP_PHASE_PLACES));
        const int32_t across = min(max(min(x_before + x, x_behind - x), 0), most);
        return across * min(max(min(y_before + y, y_behind - y), 0), most);
    }
};

template <typename K>
__device__ inline void blend(const Task &task, int32_t covered, int32_t (&lifted)[4])
{
#pragma unroll
    for (int c = 0; c < K::RESULT_CHANNELS; c++)
        lifted[c] = img_warp_blend(lifted[c], task.warp->background[c], covered);
}

/* As img_warp_filtered: 2^20 places of numbers of 16 bits at most. */
template <typename K, int HALF>
__device__ inline void average(const Task &task, const Box &box, const Cover &cover,
                               const Spot &first, int32_t x, int32_t y, int32_t (&lifted)[4])
{
    const uint32_t places = (uint32_t)task.map.grid_width * (uint32_t)task.map.grid_height;
    uint64_t sums[K::RESULT_CHANNELS] = {};
    for (int32_t j = 0; j < task.map.grid_height; j++) {
        Spot spot = moved(first, task.sub_down, (uint32_t)j);
        for (int32_t i = 0; i < task.map.grid_width; i++) {
            int32_t sum[K::CHANNELS];
            if (task.map.is_projective)
                spot = in_box(task, box,
                              projected(task, (int64_t)x * task.map.grid_width + i,
                                        (int64_t)y * task.map.grid_height + j));
            sum_spot<K, HALF>(spot, box, sum);
            lifted_of<K, HALF>(sum, lifted);
            const int32_t covered = task.constant ? cover.of(spot) : (int32_t)IMG_WARP_COVERED;
            if (covered < IMG_WARP_COVERED)
                blend<K>(task, covered, lifted);
#pragma unroll
            for (int c = 0; c < K::RESULT_CHANNELS; c++)
                sums[c] += (uint32_t)(lifted[c] + IMG_LIFT_ZERO);
            spot = moved(spot, task.sub_across, 1);
        }
    }
#pragma unroll
    for (int c = 0; c < K::RESULT_CHANNELS; c++)
        lifted[c] = places <= 65536
                        ? (int32_t)(((uint32_t)sums[c] + places / 2) / places) - IMG_LIFT_ZERO
                        : img_warp_average(sums[c], places);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* A tile: its first pixel, and the spot of the thread's. */
struct Part {
    int32_t x, y;
    Spot spot;
};

/* Calls `make(spot, pixel)` for all pixels of a tile; WHOLE: none are beyond the result's edges,
 * and rows of ROWS come by fours. */
template <typename K, bool WHOLE, typename Make>
__device__ inline void each_pixel(const Task &task, Part part, Make make)
{
    constexpr int TOGETHER = WHOLE ? 4 : 1;
    const int32_t end = min(part.x + task.wide, task.dst.width);
    const int rows =
        WHOLE ? task.tall / ROWS
              : (min(task.tall, task.dst.height - part.y) + ROWS - 1 - (int)threadIdx.y) / ROWS;
    const Spot back = moved_back(task.lanes_across, task.rows_down, (uint32_t)rows);
    Writer<K::RESULT_SIZE, WHOLE> writer(task, part.x, part.y);
#pragma unroll 1
    for (; part.x < end; part.x += LANES) {
        if (!WHOLE)
            writer.look(part.x, task.dst.width);
#pragma unroll 1
        for (int i = 0; i < rows; i += TOGETHER)
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                uint32_t pixel[2];
                make(part.spot, min(part.x + (int32_t)threadIdx.x, task.dst.width - 1),
                     part.y + (int32_t)threadIdx.y + (i + k) * ROWS, pixel);
                writer.write(pixel);
                part.spot = moved(part.spot, task.rows_down, 1);
            }
        part.spot = moved(part.spot, back, 1);
        writer.go_back(rows);
    }
}

/* A pixel of one place is all of the picture, or of the background, or both. */
template <typename K, int HALF>
__device__ inline void make_edge(const Task &task, const Box &box, const Part &part)
{
    const Cover cover(task, box);
    each_pixel<K, false>(task, part, [&](Spot spot, int32_t x, int32_t y, uint32_t(&pixel)[2]) {
        if (task.map.is_projective)
            spot = in_box(task, box, projected(task, x, y));
        const int32_t covered = task.constant ? cover.of(spot) : (int32_t)IMG_WARP_COVERED;
        int32_t sum[K::CHANNELS], lifted[4];
        sum_spot<K, HALF>(spot, box, sum);
        pack_pixel<K, HALF>(sum, pixel);
        if (covered < IMG_WARP_COVERED) {
            lifted_of<K, HALF>(sum, lifted);
            blend<K>(task, covered, lifted);
            pack_lifted<K>(lifted, pixel);
        }
    });
}

template <typename K, int HALF>
__device__ inline void make_tile(const Task &task, const Box &box, bool inside, const Part &part)
{
    const bool is_whole = task.tall % (4 * ROWS) == 0 && part.x + task.wide <= task.dst.width &&
                          part.y + task.tall <= task.dst.height;
    if (!task.is_single) {
        const Cover cover(task, box);
        each_pixel<K, false>(task, part,
                             [&](const Spot &spot, int32_t x, int32_t y, uint32_t(&pixel)[2]) {
                                 int32_t lifted[4];
                                 average<K, HALF>(task, box, cover, spot, x, y, lifted);
                                 pack_lifted<K>(lifted, pixel);
                             });
    } else if ((inside || !task.constant) && is_whole && !task.map.is_projective) {
        each_pixel<K, true>(task, part,
                            [&](const Spot &spot, int32_t, int32_t, uint32_t(&pixel)[2]) {
                                int32_t sum[K::CHANNELS];
                                sum_spot<K, HALF>(spot, box, sum);
                                pack_pixel<K, HALF>(sum, pixel);
                            });
    } else {
        make_edge<K, HALF>(task, box, part);
    }
}

/* Nothing but the background. */
template <typename K> __device__ inline void make_empty(const Task &task, const Part &part)
{
    int32_t lifted[4];
    uint32_t empty[2];
#pragma unroll
    for (int c = 0; c < 4; c++)
        lifted[c] = task.warp->background[c];
    pack_lifted<K>(lifted, empty);
    each_pixel<K, false>(task, part, [&](const Spot &, int32_t, int32_t, uint32_t(&pixel)[2]) {
        pixel[0] = empty[0];
        pixel[1] = empty[1];
    });
}

/* A block makes a tile. */
template <typename K, int HALF>
__global__ void __launch_bounds__(THREADS, HALF == 1 ? 4 : 3) fast_kernel(const Task task)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    Part part = {(int32_t)blockIdx.x * task.wide, (int32_t)blockIdx.y * task.tall, {0, 0}};
    const Spot corner =
        task.map.is_projective
            ? projected_corner(task, part.x, part.y, min(part.x + task.wide, task.dst.width),
                               min(part.y + task.tall, task.dst.height))
            : corner_of(task, blockIdx.x, blockIdx.y);
    Box box = box_of(task, corner);
    if (is_outside(task, box)) {
        make_empty<K>(task, part);
        return;
    }
    uint32_t *table = reinterpret_cast<uint32_t *>(memory);
    box.table = table;
    box.tile = reinterpret_cast<uint8_t *>(table + IMG_WARP_PHASES * Weights<HALF>::WORDS);
    const bool inside = is_inside(task, box, K::HAS_NEXT ? GROUP : 0);
    Weights<HALF>::make_table(task.warp, table);
    if (inside)
        load_box<K, true>(task, box);
    else
        load_box<K, false>(task, box);
    part.spot = spot_of(task, box, corner);
    __syncthreads();
    make_tile<K, HALF>(task, box, inside, part);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Sets `done` if shared memory holds the boxes. */
template <typename K, int HALF>
ImgStatus launch(const ImgCall *call, const ImgWarpMap *map, Task *task, bool *done, ImgError *err)
{
    const int64_t table = 4 * IMG_WARP_PHASES * Weights<HALF>::WORDS;
    int shared = 0;
    ImgStatus status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK)
        return status;
    const int64_t bytes = warp_plan(task, map, K::WORDS, shared - table);
    if (bytes == 0)
        return IMG_OK;
    const dim3 blocks((unsigned)((call->dst.width - 1) / task->wide + 1),
                      (unsigned)((call->dst.height - 1) / task->tall + 1));
    auto *kernel = fast_kernel<K, HALF>;
    CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)(table + bytes)),
             err);
    IMG_LAUNCH(kernel, blocks, dim3(LANES, ROWS), (size_t)(table + bytes), call->stream, *task);
    CUDA_TRY(cudaGetLastError(), err);
    *done = true;
    return IMG_OK;
}

template <int HALF, int CHANNELS, Alpha ALPHA>
ImgStatus launch_bits(const ImgCall *call, const ImgWarpMap *map, int bits, Task *task, bool *done,
                      ImgError *err)
{
    return bits == 8 ? launch<Pixels<CHANNELS, 8, ALPHA>, HALF>(call, map, task, done, err)
                     : launch<Pixels<CHANNELS, 16, ALPHA>, HALF>(call, map, task, done, err);
}

template <int HALF>
ImgStatus launch_for(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp, Task *task,
                     bool *done, ImgError *err)
{
    const int bits = warp->to.bits;
    const bool is_added = warp->to.channels > warp->from.channels;
    task->half = HALF;
    switch (warp->from.channels) {
    case 1:
        return is_added ? launch_bits<HALF, 1, ADDED>(call, map, bits, task, done, err)
                        : launch_bits<HALF, 1, NONE>(call, map, bits, task, done, err);
    case 2:
        return launch_bits<HALF, 2, OWN>(call, map, bits, task, done, err);
    case 3:
        return is_added ? launch_bits<HALF, 3, ADDED>(call, map, bits, task, done, err)
                        : launch_bits<HALF, 3, NONE>(call, map, bits, task, done, err);
    default:
        return launch_bits<HALF, 4, OWN>(call, map, bits, task, done, err);
    }
}

} // namespace warp_tiles

#endif
