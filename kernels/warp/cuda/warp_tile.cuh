/* Private to the fast image warp on CUDA: positions of tiles of the result, and of the boxes of
 * source pixels that they need. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TILE_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TILE_CUH

#include "kernels/warp/cuda/warp_task.cuh"

namespace warp_tiles
{

/* The box of a tile: its position in the source, and its memory. */
struct Box {
    int32_t left, top;
    uint8_t *tile;
    const uint32_t *table; /* table of weights in shared memory */
    uint32_t pitch;        /* distance between rows of pairs, in bytes */
};

/* A tile of the result: its first pixel, and the position in the box of the lane's first pixel. */
struct Part {
    int32_t x, y;
    Spot spot;
};

__device__ inline Spot moved(const Spot &from, const Spot &step, uint32_t count)
{
    Spot spot;
    spot.x = from.x + count * step.x;
    spot.y = from.y + count * step.y;
    return spot;
}

__device__ inline Spot moved_back(const Spot &from, const Spot &step, uint32_t count)
{
    Spot spot;
    spot.x = from.x - count * step.x;
    spot.y = from.y - count * step.y;
    return spot;
}

/* Returns the smallest x and the smallest y of all positions in a tile, for an affine map. */
__device__ inline Spot corner_of(const Task &task, uint32_t column, uint32_t row)
{
    return moved(moved(task.corner, task.tile_across, column), task.tile_down, row);
}

__device__ inline Box box_of(const Task &task, const Spot &corner)
{
    Box box = {};
    box.left = (int32_t)(corner.x >> 32) - task.half + 1;
    box.top = (int32_t)(corner.y >> 32) - task.half + 1;
    box.left &= -GROUP;
    box.pitch = (uint32_t)task.pitch;
    return box;
}

/* Converts the position of a pixel in the source to the position of the upper left pixel of its
 * window in the box. */
__device__ inline Spot in_box(const Task &task, const Box &box, Spot spot)
{
    spot.x -= (uint64_t)(uint32_t)(box.left + task.half - 1) << 32;
    spot.y -= (uint64_t)(uint32_t)(box.top + task.half - 1) << 32;
    return spot;
}

/* Returns the position in the box of the lane's first pixel. The left edge of the box is rounded
 * down to a multiple of GROUP, so it is at most three pixels to the left of the windows. */
__device__ inline Spot spot_of(const Task &task, const Box &box, const Spot &corner)
{
    const uint32_t aside = (uint32_t)(corner.x >> 32) - (uint32_t)(box.left + task.half - 1);
    const Spot near = {(uint64_t)aside << 32 | (uint32_t)corner.x, (uint32_t)corner.y};
    return moved(moved(moved(near, task.first, 1), task.warp_down, threadIdx.y), task.across,
                 threadIdx.x);
}

/* Returns the position in the source of grid position (column, row), in perspective, plus half a
 * phase for rounding. */
__device__ inline Spot projected(const Task &task, int64_t column, int64_t row)
{
    const int64_t half = (int64_t)1 << (IMG_WARP_PLACES - IMG_WARP_PHASE_PLACES - 1);
    const ImgWarpPlace place = img_warp_project(&task.map.projection, column, row);
    Spot spot;
    spot.x = (uint64_t)(place.x + half) << (32 - IMG_WARP_PLACES);
    spot.y = (uint64_t)(place.y + half) << (32 - IMG_WARP_PLACES);
    return spot;
}

/* Returns the smallest x and the smallest y of the positions in a tile, in perspective. The tile
 * has the pixels from (x, y) to (end_x - 1, end_y - 1). Positions are smallest at a corner of the
 * tile, so each of four adjacent lanes computes one corner. */
__device__ inline Spot projected_corner(const Task &task, int32_t x, int32_t y, int32_t end_x,
                                        int32_t end_y)
{
    const bool right = threadIdx.x % 2 == 1, low = threadIdx.x / 2 % 2 == 1;
    const int64_t width = task.map.grid_width, height = task.map.grid_height;
    Spot spot = projected(task, right ? end_x * width - 1 : x * width,
                          low ? end_y * height - 1 : y * height);
    for (int step = 1; step < 4; step *= 2) {
        const uint64_t other_x = __shfl_xor_sync(~0u, spot.x, step);
        const uint64_t other_y = __shfl_xor_sync(~0u, spot.y, step);
        spot.x = (int64_t)other_x < (int64_t)spot.x ? other_x : spot.x;
        spot.y = (int64_t)other_y < (int64_t)spot.y ? other_y : spot.y;
    }
    return spot;
}

__device__ inline bool is_inside(const Task &task, const Box &box)
{
    const Limits &of = task.inside;
    return (box.left >= of.left) & (box.left <= of.right) & (box.top >= of.top) &
           (box.top <= of.bottom);
}

/* Returns true if the box shows only background. */
__device__ inline bool is_outside(const Task &task, const Box &box)
{
    const Limits &of = task.outside;
    return (box.left <= of.left) | (box.left >= of.right) | (box.top <= of.top) |
           (box.top >= of.bottom);
}

} // namespace warp_tiles

#endif
