/* Private: the kernel of the fast image warp on CUDA.
 *
 * A block computes a tile of the result from a rectangle ("box") of the source in shared memory.
 * The box is stored as pairs of bytes from adjacent rows. So the columns of a window are dot
 * products of weights and bytes (warp_pixels.cuh). Each warp of threads computes its own rows of
 * the tile. Each lane computes pixels below each other, whose positions advance by constant steps
 * (warp_parts.cuh). At the edges of the picture, the background is blended in pixel by pixel. If a
 * pixel has several positions, the results of their windows are averaged (warp_parts.cuh).
 *
 * The kernel is limited by the rate of instructions, and for large windows by shared memory
 * (kernels/warp/MEASUREMENTS.md). */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_KERNEL_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_KERNEL_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/core/cuda/cuda_util.h"
#include "kernels/core/cuda/pixel_groups.cuh"
#include "kernels/warp/cuda/warp_parts.cuh"
#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

template <typename K, int HALF>
__device__ inline void make_tile(const Task &task, const Box &box, const Part &part)
{
    if (HALF == 1 && task.warp_rows % (2 * WHOLE_ROWS) == 0)
        make_whole<K, HALF, 2 * WHOLE_ROWS>(task, box, part);
    else
        make_whole<K, HALF, WHOLE_ROWS>(task, box, part);
}

/* Computes one tile of the result per block. */
template <typename K, int HALF>
__global__ void __launch_bounds__(Team<K, HALF>::THREADS, Team<K, HALF>::BLOCKS)
    fast_kernel(const Task task)
{
    IMG_SHARED_DYNAMIC(uint4, memory);
    Part part = {(int32_t)blockIdx.x * task.wide, (int32_t)blockIdx.y * task.tall, {0, 0}};
    const int32_t end_x = part.x + task.wide, end_y = part.y + task.tall;
    const Spot corner = task.map.is_projective
                            ? projected_corner(task, part.x, part.y, min(end_x, task.dst.width),
                                               min(end_y, task.dst.height))
                            : corner_of(task, blockIdx.x, blockIdx.y);
    Box box = box_of(task, corner);
    part.y += (int32_t)threadIdx.y * task.warp_rows;
    if (is_outside(task, box)) {
        make_empty<K>(task, part);
        return;
    }
    uint32_t *table = reinterpret_cast<uint32_t *>(memory);
    box.table = table;
    box.tile = reinterpret_cast<uint8_t *>(table + IMG_WARP_PHASES * Weights<HALF>::WORDS);
    const bool inside = is_inside(task, box);
    Weights<HALF>::template make_table<Team<K, HALF>::THREADS>(task.warp, table);
    if (inside)
        load_box<K, true>(task, box);
    else
        load_box<K, false>(task, box);
    part.spot = spot_of(task, box, corner);
    __syncthreads();
    const bool is_picture = inside || !task.constant;
    if (task.may_be_whole && is_picture && end_x <= task.dst.width && end_y <= task.dst.height)
        make_tile<K, HALF>(task, box, part);
    else if (task.may_be_whole)
        make_parts<K, HALF>(task, box, is_picture, part);
    else if (task.is_single)
        make_edge<K, HALF>(task, box, part);
    else
        make_averages<K, HALF>(task, box, part);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Launches the kernel and sets `done` to true if the boxes of tiles fit in shared memory; otherwise
 * does nothing. */
template <typename K, int HALF>
ImgStatus launch(const ImgCall *call, const ImgWarpMap *map, Task *task, bool *done, ImgError *err)
{
    const int64_t table = 4 * IMG_WARP_PHASES * Weights<HALF>::WORDS;
    int shared = 0;
    ImgStatus status = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &shared, err);
    if (status != IMG_OK)
        return status;
    task->warps = Team<K, HALF>::WARPS;
    const int64_t bytes = warp_plan(task, map, K::WORDS, K::HAS_NEXT ? GROUP : 0,
                                    Team<K, HALF>::TALL, shared - table);
    if (bytes == 0)
        return IMG_OK;
    task->may_be_whole =
        task->is_single && map->is_projective == 0 && task->warp_rows % WHOLE_ROWS == 0;
    const dim3 blocks((unsigned)((call->dst.width - 1) / task->wide + 1),
                      (unsigned)((call->dst.height - 1) / task->tall + 1));
    auto *kernel = fast_kernel<K, HALF>;
    CUDA_TRY(allow_shared_memory(kernel), err);
    IMG_LAUNCH(kernel, blocks, dim3(LANES, task->warps), (size_t)(table + bytes), call->stream,
               *task);
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
