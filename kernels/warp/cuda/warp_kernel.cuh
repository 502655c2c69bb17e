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
#include "kernels/warp/cuda/warp_edges.cuh"
#include "kernels/warp/cuda/warp_plan.cuh"
#include "kernels/warp/cuda/warp_writer.cuh"

namespace warp_tiles
{

/* --- Tiles ------------------------------------------------------------------------------------ */

/* A tile: its first pixel, and the spot of the thread's. */
struct Part {
    int32_t x, y;
    Spot spot;
};

/* Calls `make(spot, x, y, pixel)` for all pixels of a tile; WHOLE: none are beyond the result's
 * edges, and rows of ROWS come by fours. Else lanes beyond the right one get the last pixel's x. */
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
