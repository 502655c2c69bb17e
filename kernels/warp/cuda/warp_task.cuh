/* Private: parameters of the fast image warp on CUDA. */
#ifndef IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH
#define IMGTOOL_KERNELS_WARP_CUDA_WARP_TASK_CUH

#include "kernels/core/cuda/cuda_launch.cuh"
#include "kernels/warp/warp.h"

namespace warp_tiles
{

constexpr int GROUP = 4; /* number of source pixels that a thread loads together */
constexpr int LANES = 32;
constexpr int WHOLE_ROWS = 4; /* number of rows per warp that the loop over rows unrolls */

/* A position, or a step between two positions, in units of 2^-32 pixels. The upper half of a number
 * is whole pixels. The upper bits of the lower half are the phase, which selects weights. */
struct Spot {
    uint64_t x, y;
};

/* A range of positions of boxes, in pixels of the source: the left column of a box lies from `left`
 * to `right`, and its top row from `top` to `bottom`. */
struct Limits {
    int32_t left, right, top, bottom;
};

struct Task {
    ImgView src, dst;
    const ImgWarp *warp; /* constants of the operation, in device memory */
    ImgWarpMap map;
    /* width and height of a tile in pixels: multiples of LANES and of `warps` */
    int32_t wide, tall;
    int32_t warps;
    int32_t warp_rows; /* number of rows of a tile that a warp computes */
    /* smallest x and smallest y of all positions in the first tile, plus half a phase for
     * rounding */
    Spot corner;
    Spot first; /* distance from `corner` to the position of the first pixel of the tile */
    Spot tile_across, tile_down;
    /* steps to the next pixel in the row, to the pixel below, and to the first row of the next
     * warp */
    Spot across, down, warp_down;
    Spot lanes_across; /* step to the pixel LANES columns to the right */
    /* steps from one position of a pixel's grid to the next, along a row and along a column */
    Spot sub_across, sub_down;
    /* `groups`: number of groups per row of a box, at most the threads of a block;
     * `groups_reciprocal`: 2^16 / groups, rounded up */
    int32_t groups, groups_reciprocal;
    int32_t rows;  /* number of rows of pairs in a box: a multiple of strip_rows */
    int32_t pitch; /* distance between rows of pairs, in bytes: a multiple of 16 */
    /* number of strips of rows in a box; the threads of a strip each load one group of columns */
    int32_t strips;
    int32_t strip_rows;
    int32_t half;     /* half of the width of a window, in pixels */
    int32_t constant; /* not 0: pixels beyond the edges of the picture are background */
    Limits inside;    /* limits of boxes that are completely inside the picture */
    Limits outside;
    int32_t edges;     /* border mode that defines the pixels of boxes beyond the edges */
    int32_t is_single; /* not 0: each pixel has one position; 0: a grid of positions */
    int32_t may_be_whole;
};

} // namespace warp_tiles

/* --- Plans and launches ----------------------------------------------------------------------- */

/* Plans the tiles of the fast image warp on CUDA, and declares the functions that launch it. */

/* Chooses the largest tile whose box, the source pixels that it reads, is so small that several
 * thread blocks fit on a multiprocessor. Sets the members of `task` that depend on the tile.
 * Returns the bytes of shared memory for a box, or 0 if no box fits in `most` bytes. `words` is the
 * number of words per pixel. `more` is the number of source pixels that are read to the right of a
 * box. `most_tall` is the largest height of a tile in pixels. */
int64_t warp_plan(warp_tiles::Task *task, const ImgWarpMap *map, int words, int more, int most_tall,
                  int64_t most);

/* Launches the kernel and sets `done` to true if boxes fit in shared memory; otherwise does
 * nothing. */
typedef ImgStatus WarpLaunch(const ImgCall *call, const ImgWarpMap *map, const ImgWarp *warp,
                             warp_tiles::Task *task, bool *done, ImgError *err);
WarpLaunch warp_launch_bilinear, warp_launch_bicubic, warp_launch_lanczos3, warp_launch_lanczos4;

#endif
