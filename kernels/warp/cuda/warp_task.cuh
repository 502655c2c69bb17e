/* Private: the task of the fast warp on CUDA. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/warp/warp.h"

namespace warp_tiles
{

constexpr int GROUP = 4; /* source pixels that a thread loads together */
constexpr int LANES = 32;
constexpr int WHOLE_ROWS = 4; /* rows per warp that are unrolled */

/* A position, or a step between positions, in 2^-32 pixels: the upper half is whole pixels, the
 * first bits of the lower half a phase. */
struct Spot {
    uint64_t x, y;
};

/* Bounds of the positions of boxes. */
struct Limits {
    int32_t left, right, top, bottom;
};

struct Task {
    ImgView src, dst;
    const ImgWarp *warp; /* on the device */
    ImgWarpMap map;
    int32_t wide, tall; /* of a tile in pixels: multiples of LANES and of `warps` */
    int32_t warps;
    int32_t warp_rows; /* rows of a tile per warp */
    Spot corner;       /* the least x and y of the first tile, plus half a phase */
    Spot first;        /* from `corner` to the first pixel of the tile */
    Spot tile_across, tile_down;
    /* steps to the next pixel, the row below, and the rows of the next warp */
    Spot across, down, warp_down;
    Spot lanes_across;         /* to the LANES-th pixel */
    Spot sub_across, sub_down; /* steps to the next position of a pixel */
    int32_t groups,
        /* groups per row of a box, at most the threads of a block; 2^16 / groups, rounded up */
        groups_reciprocal;
    int32_t rows;   /* rows of pairs: a multiple of strip_rows */
    int32_t pitch;  /* bytes per row of pairs: a multiple of 16 */
    int32_t strips; /* strips of rows, each loaded by one row of threads */
    int32_t strip_rows;
    int32_t half;     /* half of the window */
    int32_t constant; /* the border is the background */
    Limits inside;    /* bounds of boxes inside, and outside the picture */
    Limits outside;
    int32_t edges;     /* how edges are continued in boxes */
    int32_t is_single; /* a pixel is made of one position */
    int32_t may_be_whole;
};

} // namespace warp_tiles

#endif
