/* Private to the fast image warp on CUDA: pixels that are partly background, and pixels that are
 * averages of several positions. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_EDGES_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_EDGES_CUH

#include "kernels/warp/cuda/warp_sums.cuh"

namespace warp_tiles
{

/* Computes which part of a pixel's width and height is inside the picture, like img_warp_inside,
 * but from a position in a box. */
struct Cover {
    int32_t x_before, x_behind, y_before, y_behind;

    static __device__ int32_t near(int64_t phases)
    {
        const int64_t far = 1 << 30;
        return (int32_t)min(max(phases, -far), far);
    }
    __device__ Cover(const Task &task, const Box &box)
    {
        const int64_t left = (int64_t)(box.left + task.half - 1) * IMG_WARP_PHASES;
        const int64_t top = (int64_t)(box.top + task.half - 1) * IMG_WARP_PHASES;
        x_before = near(left + IMG_WARP_PHASES);
        y_before = near(top + IMG_WARP_PHASES);
        x_behind = near((int64_t)task.src.width * IMG_WARP_PHASES - left);
        y_behind = near((int64_t)task.src.height * IMG_WARP_PHASES - top);
    }
    /* Returns true if both positions are outside the same edge of the picture. Then all positions
     * between the two are outside, too. */
    __device__ bool misses(const Spot &a, const Spot &b) const
    {
        const int32_t a_x = phases_of(a.x), a_y = phases_of(a.y);
        const int32_t b_x = phases_of(b.x), b_y = phases_of(b.y);
        return (x_before + max(a_x, b_x) <= 0) | (x_behind - min(a_x, b_x) <= 0) |
               (y_before + max(a_y, b_y) <= 0) | (y_behind - min(a_y, b_y) <= 0);
    }
    static __device__ int32_t phases_of(uint64_t spot)
    {
        return (int32_t)(spot >> (32 - IMG_WARP_PHASE_PLACES));
    }
    __device__ int32_t of(const Spot &spot) const
    {
        const int32_t most = IMG_WARP_PHASES, x = phases_of(spot.x), y = phases_of(spot.y);
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

/* Computes the average of all positions of pixel (x, y), like img_warp_filtered. A pixel has at
 * most 2^20 positions, so sums of 16-bit samples may need more than 32 bits. */
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

} // namespace warp_tiles

#endif
