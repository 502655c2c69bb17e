/* Private: parameters of the fast warp on CUDA. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/warp/warp.h"

namespace warp_tiles
{

constexpr int GROUP = 4; /* source pixels that a thread loads together */
constexpr int LANES = 32;
constexpr int WHOLE_ROWS = 4; /* rows per warp that are unrolled in the loop */

/* A position, or a step between positions, in units of 2^-32 pixels. The upper half is whole
 * pixels. The upper bits of the lower half are the phase, which selects weights. */
struct Spot {
    uint64_t x, y;
};

/* Bounds for the positions of boxes. */
struct Limits {
    int32_t left, right, top, bottom;
};

struct Task {
    ImgView src, dst;
    const ImgWarp *warp; /* constants of the operation, in device memory */
    ImgWarpMap map;
    /* width and height of a tile, in pixels: multiples of LANES and of `warps` */
    int32_t wide, tall;
    int32_t warps;
    int32_t warp_rows; /* rows of a tile per warp */
    /* smallest x and y of all positions in the first tile, plus half a phase for rounding */
    Spot corner;
    Spot first; /* distance from `corner` to the position of the tile's first pixel */
    Spot tile_across, tile_down;
    /* steps to the next pixel, to the pixel below, and to the rows of the next warp */
    Spot across, down, warp_down;
    Spot lanes_across;         /* step to the pixel LANES columns to the right */
    Spot sub_across, sub_down; /* steps from one position of a pixel to the next */
    int32_t groups,
        /* groups per row of a box: at most the threads of a block; 2^16 / groups, rounded up */
        groups_reciprocal;
    int32_t rows;   /* rows of pairs in a box: a multiple of strip_rows */
    int32_t pitch;  /* bytes per row of pairs: a multiple of 16 */
    int32_t strips; /* strips of rows of a box; one row of threads loads a strip */
    int32_t strip_rows;
    int32_t half;     /* half of the width of a window */
    int32_t constant; /* not 0: what is beyond the edges is the background */
    Limits inside;    /* bounds of the boxes that are completely inside the picture */
    Limits outside;
    int32_t edges;     /* border: what is beyond the edges in boxes */
    int32_t is_single; /* not 0: each pixel has one position */
    int32_t may_be_whole;
};

} // namespace warp_tiles

#endif
