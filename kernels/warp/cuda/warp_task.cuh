/* Private: what the fast warp on CUDA does. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/warp/warp.h"

namespace warp_tiles
{

constexpr int GROUP = 4; /* pixels of the source that a thread loads together */
constexpr int LANES = 32;
constexpr int WHOLE_ROWS = 4; /* of a warp, which are written out one by one */

/* A place, or a step from one to another, in 2^-32 pixels: the upper half are whole ones, the first
 * bits of the lower one a phase. */
struct Spot {
    uint64_t x, y;
};

/* Least and most of places of boxes. */
struct Limits {
    int32_t left, right, top, bottom;
};

struct Task {
    ImgView src, dst;
    const ImgWarp *warp; /* on the device */
    ImgWarpMap map;
    int32_t wide, tall; /* of a tile in pixels: multiples of LANES and of `warps` */
    int32_t warps;
    int32_t warp_rows; /* of a tile, of each warp */
    Spot corner;       /* the least x and y of the first tile, half a phase further */
    Spot first;        /* from there to the tile's first pixel */
    Spot tile_across, tile_down;
    Spot across, down, warp_down; /* to the next pixel, the row below, the next warp's rows */
    Spot lanes_across;            /* to the LANES-th pixel */
    Spot sub_across, sub_down;    /* to the next place of a pixel */
    int32_t groups,
        groups_reciprocal; /* of a row of a box: at most a block's threads; 2^16 / groups, up */
    int32_t rows;          /* of pairs: a multiple of strip_rows */
    int32_t pitch;         /* of these, in bytes: a multiple of 16 */
    int32_t strips;        /* of rows, which threads load that stand one above the other */
    int32_t strip_rows;
    int32_t half;     /* of the window */
    int32_t constant; /* the border is the background */
    Limits inside;    /* of boxes */
    Limits outside;
    int32_t edges;     /* how they are continued in boxes */
    int32_t is_single; /* a pixel is made of one place */
    int32_t may_be_whole;
};

} // namespace warp_tiles

#endif
